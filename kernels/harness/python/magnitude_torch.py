# PyTorch tensors that carry beside each value the magnitude of its rounding error: the running error analysis that
# magnitude_numpy.py explains, at the level of the operators that PyTorch takes every function and module apart into.
# Floating point is double whatever the reference asks for, and every tensor is made on one device. What the reference itself
# rounds to 16 bits on the way (magnitude_torch_types.py) is carried by the same rules, as an absolute error of its own.
import contextlib
import math
import warnings

import torch
from torch.utils._python_dispatch import TorchDispatchMode

STEP = 2.0**-26
TYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32, "u8": torch.uint8}
NARROW = (torch.float16, torch.bfloat16, torch.float32)
NAN_BITS = 0x7FF8DEADBEEF0001  # a NaN that no arithmetic makes: nothing was written there
aten = torch.ops.aten

# Operators by what they do to an error; every other one is measured by difference quotients as a whole.
EXACT = set("neg abs maximum minimum clamp clamp_min clamp_max relu sign floor ceil round trunc threshold hardtanh fmax fmin sgn".split())
EXPONENTIAL = set("exp exp2 expm1 sinh cosh tanh sigmoid silu gelu softplus mish elu selu celu erf erfc logaddexp log_sigmoid_forward".split())
ADDITIONS = set("add sub rsub".split())
POINTWISE = EXACT | set("""add sub rsub mul div true_divide exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal square pow sin cos tan asin acos
    atan atan2 sinh cosh tanh sigmoid erf erfc gelu silu elu celu selu leaky_relu hardswish hardsigmoid softplus mish log_sigmoid_forward addcmul
    addcdiv lerp logaddexp xlogy fmod remainder hypot logit erfinv special_erfcx prelu _prelu_kernel""".split())
MOVES = set("""cat stack clone contiguous _to_copy index gather index_select flip roll repeat where tril triu index_put scatter slice_scatter
    select_scatter diagonal_copy unfold_copy im2col pixel_shuffle pixel_unshuffle upsample_nearest2d upsample_nearest1d embedding repeat_interleave
    constant_pad_nd masked_fill reflection_pad2d replication_pad2d reflection_pad1d replication_pad1d masked_select lift_fresh _unsafe_view
    index_copy scatter_add index_add take rot90 diag_embed col2im channel_shuffle _reshape_copy copy""".split())
SUMS = set("sum mean cumsum avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool2d _adaptive_avg_pool2d adaptive_avg_pool1d upsample_bilinear2d upsample_linear1d trace nansum".split())
PRODUCTS = {"mm": (0, 1), "bmm": (0, 1), "mv": (0, 1), "dot": (0, 1), "vdot": (0, 1), "addmm": (1, 2), "baddbmm": (1, 2), "addmv": (1, 2),
            "addbmm": (1, 2), "convolution": (0, 1), "_convolution": (0, 1), "convolution_overrideable": (0, 1)}
CHOICES = set("max min amax amin sort topk kthvalue median mode max_pool2d_with_indices cummax cummin max_pool3d_with_indices".split())
MAKERS = set("empty zeros ones full empty_like zeros_like ones_like full_like new_zeros new_empty new_ones new_full arange linspace eye rand randn empty_strided "
             "new_empty_strided scalar_tensor randint randperm".split())


def tensors(x):
    if isinstance(x, torch.Tensor):
        return [x]
    return [t for y in x for t in tensors(y)] if isinstance(x, (tuple, list)) else []


def mapped(x, change):
    if isinstance(x, torch.Tensor):
        return change(x)
    return type(x)(mapped(y, change) for y in x) if isinstance(x, (tuple, list)) else x


def is_real(t):
    return isinstance(t, torch.Tensor) and t.is_floating_point()


# What a tensor carries: the magnitude of its rounding errors, in units of the arithmetic's roundoff, and the most that the
# reference's own roundings make of it.
ERROR, ROUNDED = "explog_error", "explog_rounded"


def held(t, kind=ERROR):
    """What a tensor carries, made where it has none yet, so that views of both stay views of both."""
    if kind not in t.__dict__:
        setattr(t, kind, torch.zeros_like(t))
    return getattr(t, kind)


def live(t, kind=ERROR):
    return is_real(t) and kind in t.__dict__ and bool(getattr(t, kind).any())


def clean(m):
    return torch.nan_to_num(m, nan=0.0, posinf=0.0, neginf=0.0)


class Tracker(TorchDispatchMode):
    """Runs each operator in double and gives its results their magnitudes."""

    def __init__(self, engine):
        super().__init__()
        self.engine = engine

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        schema = function._schema
        name = schema.name.split("::")[1]
        asked = kwargs.get("dtype")
        if kwargs.get("dtype") in NARROW:
            kwargs["dtype"] = torch.float64
        if "device" in kwargs or name in MAKERS and any(a.name == "device" for a in schema.arguments):
            kwargs["device"] = self.engine.device
        kwargs.pop("pin_memory", None)
        if any(r.alias_info and not r.alias_info.is_write for r in schema.returns):
            return self.view(function, args, kwargs)
        if any(a.alias_info and a.alias_info.is_write for a in schema.arguments):
            return self.in_place(function, name, args, kwargs)
        result = self.engine.run(function, name, args, kwargs)  # PyTorch leaves the mode while it handles an operator
        self.engine.types.give(result, name, args, asked)
        return result

    def view(self, function, args, kwargs):
        result = function(*args, **kwargs)
        base = args[0]
        for kind in self.engine.carried if is_real(base) else ():
            shadows = function(held(base, kind), *args[1:], **kwargs)
            for t, m in zip(tensors(result), tensors(shadows)):
                setattr(t, kind, m)
        for t in tensors(result):
            self.engine.types.same(t, base)
        return result

    def in_place(self, function, name, args, kwargs):
        """As its sister that makes a new tensor, which is then copied to where it belongs."""
        outs = tensors(kwargs.pop("out", None))
        target = outs[0] if outs else args[0]
        if name == "copy_":
            result = args[1]
        elif name in ("fill_", "zero_"):
            result = args[1] if len(args) > 1 else 0.0
        else:
            base = name[:-1] if name.endswith("_") and not outs else name
            sister = getattr(aten, base, None)
            if sister is None or base in ("normal", "uniform", "random", "bernoulli", "exponential"):
                return function(*args, **kwargs, **({"out": outs[0]} if outs else {}))
            result = tensors(self.engine.run(sister, base, args, kwargs))[0]
        target.resize_(result.shape) if outs and target.shape != result.shape else None
        for kind in self.engine.carried if is_real(target) else ():
            held(target, kind).copy_(held(result, kind) if is_real(result) else torch.zeros(()))
        target.copy_(result) if isinstance(result, torch.Tensor) else target.fill_(result)
        self.engine.types.written(target, result, name)
        return target


class Engine:
    """What reference.py needs of arrays, for references that import torch."""

    def __init__(self, real, backwards, narrow):
        self.narrow = narrow
        self.operations = 0.0  # of the results so far: what a draft estimates flops by
        self.bits = int(real[8:-1]) if real.startswith("Rounded<") else 24 if real == "float" else 0
        self.single = real == "float"
        self.types, self.carried = Types(self), (ERROR,)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.facts = {"arithmetic": "torch " + torch.__version__, "device": str(self.device)}
        torch.set_default_dtype(torch.float64)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        for fused in ("flash", "mem_efficient", "cudnn"):  # attention in its parts, which have rules
            getattr(torch.backends.cuda, f"enable_{fused}_sdp", lambda _: None)(False)

    @contextlib.contextmanager
    def mode(self):
        torch.manual_seed(0)
        with torch.no_grad(), Tracker(self), self.types:
            yield

    # Operators.

    def run(self, function, name, args, kwargs):
        inputs = tensors(args)
        if name in COMPOSED and is_real(inputs[0]):
            return COMPOSED[name](self, *args, **kwargs)
        if self.single and name in PRODUCTS and all(is_real(t) for t in inputs):
            wide = function(*mapped(args, lambda t: t.float() if is_real(t) else t), **kwargs)
            return self.rounded(wide.double())
        if self.single and name in ("sum", "mean") and is_real(inputs[0]):
            return self.rounded(function(inputs[0].flip(list(range(inputs[0].dim()))).float(), *args[1:], **kwargs).double()) if len(args) == 1 or not args[1] \
                else self.rounded(function(inputs[0].flip(args[1]).float(), *args[1:], **kwargs).double())
        result = function(*args, **kwargs)
        for t in tensors(result):
            if t.dtype in NARROW:  # made from numbers alone
                return self.run(function, name, args, {**kwargs, "dtype": torch.float64})
        if self.bits:
            return mapped(result, self.rounded)
        outs = tensors(result)
        if outs and is_real(outs[0]) and name not in MAKERS:
            for kind in self.carried:
                if kind == ERROR or any(live(t, kind) for t in inputs):
                    setattr(outs[0], kind, clean(self.carry(kind, function, name, args, kwargs, result)))
        return result

    def rounded(self, t):
        if not self.bits or not is_real(t):
            return t
        fraction, exponent = torch.frexp(t)
        return torch.where(torch.isfinite(t), torch.ldexp(torch.round(torch.ldexp(fraction, torch.tensor(float(self.bits)))), exponent.double() - self.bits), t)

    def count(self, name, args, inputs, out):
        if name in PRODUCTS:
            a, b = (args[i] for i in PRODUCTS[name])
            self.operations += 2.0 * out.numel() * (b[0].numel() if "conv" in name else a.shape[-1])
        elif name not in MOVES:
            self.operations += max(out.numel(), inputs[0].numel()) if name in SUMS else out.numel()

    def carry(self, kind, function, name, args, kwargs, result):
        """Of the first of an operator's results: what its inputs carry, and for errors its own."""
        inputs, out, own = tensors(args), tensors(result)[0], kind == ERROR
        if own:
            self.count(name, args, inputs, out)
        if name in MOVES:
            return self.moved(kind, function, name, args, kwargs)
        if name in CHOICES:
            return self.chosen(kind, name, args, result)
        if name in SUMS and is_real(inputs[0]):
            return function(held(inputs[0], kind) + (inputs[0].abs() if own else 0.0), *args[1:], **kwargs)
        if name in PRODUCTS:
            return self.product(kind, function, PRODUCTS[name], args, kwargs)
        known = name in POINTWISE or torch.Tag.pointwise in getattr(function, "tags", ()) if hasattr(torch.Tag, "pointwise") else name in POINTWISE
        if known:
            m = self.pointwise(kind, function, name, args, kwargs, out)
            return m if name in EXACT or not own else torch.maximum(m, out.abs()) if name in ADDITIONS else m + out.abs()
        return self.sampled(kind, function, args, kwargs, out)

    def moved(self, kind, function, name, args, kwargs):
        if name == "masked_fill":
            return function(held(args[0], kind), args[1], 0.0)
        if name == "constant_pad_nd":
            return function(held(args[0], kind), args[1])
        return function(*mapped(args, lambda t: held(t, kind) if is_real(t) else t), **kwargs)

    def chosen(self, kind, name, args, result):
        a, results = args[0], tensors(result)
        m = held(a, kind)
        if "pool" in name:  # places are counted over all axes of the window
            axes = 3 if "3d" in name else 2
            return m.flatten(-axes).gather(-1, results[1].flatten(-axes)).view_as(results[0])
        if not m.any():
            return torch.zeros_like(results[0])
        if len(results) == 2 and results[0].dim() == a.dim():
            axis = next((i for i in range(a.dim()) if results[0].shape[i] != a.shape[i]), a.dim() - 1)
            return m.gather(axis, results[1])
        return torch.zeros_like(results[0]) + m.max()

    def product(self, kind, function, factors, args, kwargs):
        """Sums of products: |a| |b| and the term added to it, m(a) |b|, |a| m(b)."""
        kwargs = {k: abs(v) for k, v in kwargs.items()}
        sizes = list(mapped(list(args), lambda t: t.abs() if is_real(t) else t))
        added = next((i for i, t in enumerate(args) if isinstance(t, torch.Tensor) and i not in factors), None)
        first = list(sizes)
        if kind != ERROR:
            first = [torch.zeros_like(t) if is_real(t) else t for t in sizes]
        if added is not None and live(args[added], kind):
            first[added] = first[added] + held(args[added], kind)
        if self.narrow and kind == ERROR:
            squares = [t * t if is_real(t) else t for t in first]
            m = function(*squares, **{k: v * v for k, v in kwargs.items()}).sqrt()
        else:
            m = function(*first, **kwargs)
        for i in factors:
            if live(args[i], kind):
                near = list(sizes)
                near[i] = held(args[i], kind)
                if added is not None:
                    near[added] = torch.zeros_like(sizes[added])
                m = m + function(*near, **kwargs)
        return m

    def pointwise(self, kind, function, name, args, kwargs, out):
        m, rounds = torch.zeros_like(out), kind == ERROR and name in EXPONENTIAL
        for i, t in enumerate(args):
            if live(t, kind) or rounds and is_real(t):
                of = torch.maximum(held(t), t.abs()) if rounds else held(t, kind)
                near = function(*args[:i], t + STEP * of, *args[i + 1:], **kwargs)
                m = m + clean(((near[0] if isinstance(near, tuple) else near) - out).abs() / STEP)
        return m

    def sampled(self, kind, function, args, kwargs, out):
        """An operator without a rule: its condition by random changes of its inputs (Kenney and Laub, Small-sample
        statistical condition estimates, 1994), of their magnitudes and of one rounding each, as a sum of as many."""
        random = torch.Generator().manual_seed(1)
        total, samples, count = torch.zeros_like(out), 8, max(t.numel() for t in tensors(args))

        def near(t):
            if not is_real(t):
                return t
            return t + STEP * (held(t, kind) + (t.abs() if kind == ERROR else 0.0)) * (torch.randint(0, 2, t.shape, generator=random).to(t.device) * 2.0 - 1)

        for _ in range(samples):
            result = function(*mapped(args, near), **kwargs)
            total += clean((tensors(result)[0] - out) / STEP) ** 2
        self.facts["sampled"] = str(function).split("(")[0]
        return (out.abs() if kind == ERROR else 0.0) + (total / samples).sqrt() * math.sqrt(max(1.0, count / max(1, out.numel())))

    # Arguments and results.

    def widened(self, place, kind, shape):
        memory, offset, count = place
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the memory is only read
            a = torch.frombuffer(memory, dtype=TYPES[kind], count=count, offset=offset)
        a = a.to(self.device)  # few bytes travel, and are widened there
        t = self.rounded(a.to(torch.float64 if a.is_floating_point() else torch.int64, copy=True).reshape(shape))
        return self.types.given(t, TYPES[kind])

    def all_finite(self, place, kind):
        return bool(torch.isfinite(self.widened(place, kind, (-1,))).all())

    def blank(self, shape, floating, unwritten):
        bits = torch.full(shape, NAN_BITS if floating else unwritten, dtype=torch.int64, device=self.device)
        return bits.view(torch.float64) if floating else bits

    def adopted(self, value):
        return value if isinstance(value, torch.Tensor) else torch.as_tensor(value)

    def set_parameters(self, model, values, wrong):
        """A module's parameters are arguments of the task: nobody could compute with others."""
        for name, parameter in model.named_parameters():
            given = values.get(name, values.get(name.replace(".", "_")))
            if given is None:
                raise wrong(f"the model has a parameter {name}, and the task no argument {name.replace('.', '_')}")
            parameter.data.copy_(given.reshape(parameter.shape))
            self.types.same(parameter, given)

    def write(self, value, a, results, offset, unwritten, finite):
        v = value.detach().contiguous().reshape(-1)  # looked at where it is: the results are large
        v = v.double() if a.is_float else v.long() if not v.is_floating_point() else v.round().long()
        untouched = (v.view(torch.int64) == NAN_BITS) if a.is_float else v == unwritten
        if untouched.any():
            return f"writes {'nothing' if untouched.all() else 'not all'} of {a.name}"
        if a.is_float and finite and torch.isnan(v).any():
            return f"gives NaN for {a.name}[{int(torch.isnan(v).long().argmax())}], though all inputs are finite"
        torch.frombuffer(results, dtype=v.dtype, count=a.count, offset=offset).copy_(v)
        m = torch.frombuffer(results, dtype=torch.float64, count=a.count, offset=offset + 8 * a.count)
        m.copy_(held(value).reshape(-1)) if is_real(value) else m.zero_()
        rounded = torch.frombuffer(results, dtype=torch.float32, count=a.count, offset=offset + 16 * a.count)
        rounded.copy_(self.types.on_the_way(value, TYPES[a.type]).reshape(-1)) if live(value, ROUNDED) else rounded.zero_()
        return None
