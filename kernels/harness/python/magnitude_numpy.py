# NumPy arrays that carry beside each value the magnitude of its rounding error: the running error analysis of Wilkinson
# (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.3), done for whole arrays. A kernel that
# computes the same in a precision with unit roundoff u has, to first order, an error of at most u times the magnitude:
#   an operation on single elements, g(a, b):  |dg/da| m(a) + |dg/db| m(b) + |g|, by difference quotients
#   one addition:                              m(a) + m(b), at least |a + b|: in a loop that adds up terms, their sizes once
#   a sum, a product of matrices:              the same sum of m(terms) + |terms|, where terms may cancel
#   an exponential function:                   its argument has a rounding at least, since kernels scale it by log2(e)
#   moving, choosing, comparing:               moves, chooses m; adds nothing
# Inputs are exact. Where factors may be rounded to tf32 or to 16 bits before sums of more, their errors are independent: the
# root of the sum of the squares, since the judge multiplies by the root of the number of terms. These are the magnitudes that the C++ references of kernels/ give by formulas of their own.
import contextlib
import sys
import types

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

STEP = 2.0**-26  # of the difference quotients: the square root of the unit roundoff
TYPES = {"f64": "<f8", "f32": "<f4", "f16": "<f2", "i64": "<i8", "i32": "<i4", "u8": "u1", "bf16": "<u2"}
NAN_BITS = 0x7FF8DEADBEEF0001  # a NaN that no arithmetic makes: nothing was written there

EXACT = {"negative", "positive", "absolute", "fabs", "maximum", "minimum", "fmax", "fmin", "sign", "floor", "ceil", "rint", "trunc",
         "copysign", "conjugate", "conj", "heaviside"}
EXPONENTIAL = {"exp", "exp2", "expm1", "sinh", "cosh", "tanh", "logaddexp", "logaddexp2"}
ADDITIONS = {"add", "subtract"}


class Rounding:
    """How results are rounded: not at all, or to `bits` bits; sums of `single` are taken in f32 from the last term."""

    def __init__(self, real, backwards):
        self.bits = int(real[8:-1]) if real.startswith("Rounded<") else 24 if real == "float" else 0
        self.single, self.backwards = real == "float", backwards

    def __call__(self, v):
        if not self.bits or not np.issubdtype(v.dtype, np.floating):
            return v
        fraction, exponent = np.frexp(v)
        rounded = np.ldexp(np.rint(np.ldexp(fraction, self.bits)), exponent - self.bits)
        return np.where(np.isfinite(v), rounded, v)


class Tracked(NDArrayOperatorsMixin):
    """A value `v` and its magnitude `m`; views of one are views of both."""

    rounding, narrow = None, False
    operations = 0.0  # of the results so far: what a draft estimates flops by
    __array_priority__ = 1000

    def __init__(self, v, m=None):
        self.v = v
        self.m = m if m is not None else np.zeros(v.shape) if is_float(v) else None

    # What code looks at. A result leaves the analysis nowhere without a word.
    shape = property(lambda self: self.v.shape)
    ndim = property(lambda self: self.v.ndim)
    size = property(lambda self: self.v.size)
    dtype = property(lambda self: self.v.dtype)
    T = property(lambda self: self.transpose())
    flat = property(lambda self: self.ravel())

    def __len__(self):
        return len(self.v)

    def __iter__(self):
        return (self[i] for i in range(len(self.v)))

    def __bool__(self):
        return bool(self.v)

    def __int__(self):
        return int(self.v)

    def __index__(self):
        return self.v.__index__()

    def __float__(self):
        return float(self.v)

    def __array__(self, *_, **__):
        raise TypeError("explog cannot follow this operation through plain arrays")

    def __getitem__(self, key):
        key = plain(key)
        return Tracked(np.asarray(self.v[key]), None if self.m is None else np.asarray(self.m[key]))

    def __setitem__(self, key, value):
        key = plain(key)
        self.v[key] = plain(value)
        if self.m is not None:
            self.m[key] = magnitude(value)

    def __array_ufunc__(self, ufunc, method, *args, out=None, **kwargs):
        name = ufunc.__name__
        if method == "__call__":
            result = contraction(np.matmul, args) if name == "matmul" else pointwise(ufunc, args, kwargs)
        elif method in ("reduce", "accumulate") and name == "add":
            result = summed(args[0], kwargs.pop("axis", 0), method == "accumulate", kwargs)
        elif method == "reduce" and name in ("maximum", "minimum"):
            result = chosen(args[0], np.argmax if name == "maximum" else np.argmin, **kwargs)
        elif method == "reduce" and name in ("logical_and", "logical_or"):
            result = Tracked(np.asarray(ufunc.reduce(args[0].v, **kwargs)))
        elif method == "outer":
            a, b = args
            result = getattr(ufunc, "__call__")(reshaped(a, np.shape(a) + (1,) * np.ndim(plain(b))), b)
        else:
            raise TypeError(f"explog knows no magnitude of numpy.{name}.{method}")
        if out is None:
            return result
        out[0][...] = result
        return out[0]

    def __array_function__(self, function, _types, args, kwargs):
        name = function.__name__
        if name in FUNCTIONS:
            return FUNCTIONS[name](*args, **kwargs)
        if name in MOVES:
            return moved(function, args, kwargs)
        if name in PLAIN:
            return function(*[plain(a) for a in args], **{k: plain(v) for k, v in kwargs.items()})
        raise TypeError(f"explog knows no magnitude of numpy.{name}")

    def __getattr__(self, name):
        if name.startswith("__") or not (name in FUNCTIONS or name in MOVES or name in PLAIN):
            raise AttributeError(f"explog knows no magnitude of ndarray.{name}")
        function = getattr(np, name)
        return lambda *args, **kwargs: self.__array_function__(function, (), (self, *args), kwargs)

    # Methods that np has no function of this form for.
    def astype(self, dtype, *_, **__):
        return Tracked(self.v.copy(), None if self.m is None else self.m.copy()) if stays(self, dtype) else Tracked(self.v.astype(dtype))

    def reshape(self, *shape, **_):
        return reshaped(self, shape[0] if len(shape) == 1 else shape)

    view = reshape

    def transpose(self, *axes):
        return moved(np.transpose, (self, axes[0] if len(axes) == 1 else axes or None), {})

    def flatten(self, *_):
        return self.copy().reshape(-1)

    def fill(self, value):
        self[...] = value

    def item(self, *index):
        return self.v.item(*index)

    def tolist(self):
        return self.v.tolist()


class Numpy(types.ModuleType):
    """What a reference imports as numpy: what makes an array makes a tracked one, and floating point is double."""

    made = ("zeros", "ones", "empty", "full", "array", "asarray", "ascontiguousarray", "linspace", "eye", "identity", "arange", "float32", "float16")

    def __getattr__(self, name):
        found = getattr(np, name)
        if name in ("float32", "float16"):
            return np.float64
        if name not in self.made:
            return found

        def make(*args, **kwargs):
            if args and isinstance(args[0], Tracked):
                return args[0].copy()
            if args and magnitude(args[0]) != 0.0:
                return moved(np.stack, (list(args[0]),), {})
            v = found(*args, **kwargs)
            return Tracked(v.astype("f8")) if is_float(v) else v

        return make


class Engine:
    """What reference.py needs of arrays, for references that import no torch."""

    operations = property(lambda self: Tracked.operations)
    facts = {"arithmetic": "numpy " + np.__version__, "device": "cpu"}
    def __init__(self, real, backwards, narrow):
        Tracked.narrow = narrow
        Tracked.rounding = Rounding(real, backwards)
        self.numpy = Numpy("numpy")
        self.numpy.__path__ = np.__path__

    @contextlib.contextmanager
    def mode(self):
        sys.modules["numpy"] = self.numpy
        try:
            with np.errstate(all="ignore"):
                yield
        finally:
            sys.modules["numpy"] = np

    def raw(self, place, kind):
        memory, offset, count = place
        return np.frombuffer(memory, TYPES[kind], count, offset)

    def widened(self, place, kind, shape):
        a = self.raw(place, kind)
        if kind == "bf16":
            a = (a.astype("u4") << 16).view("f4")
        v = a.astype("f8" if kind[0] in "fb" else "i8").reshape(shape)
        return Tracked(Tracked.rounding(v))

    def all_finite(self, place, kind):
        return bool(np.isfinite(self.widened(place, kind, (-1,)).v).all())

    def blank(self, shape, floating, unwritten):
        return Tracked(np.full(shape, NAN_BITS, "<u8").view("<f8") if floating else np.full(shape, unwritten, "i8"))

    def adopted(self, value):
        return value if isinstance(value, Tracked) else Tracked(np.asarray(value))

    def set_parameters(self, *_):
        pass

    def write(self, value, a, results, offset, unwritten, finite):
        v, to = value.v.reshape(-1), np.frombuffer(results, "f8" if a.is_float else "i8", a.count, offset)
        if a.is_float:
            v = v.astype("f8")
            untouched = v.view("<u8") == NAN_BITS
        else:
            untouched = v == unwritten
        if untouched.any():
            return f"writes {'nothing' if untouched.all() else 'not all'} of {a.name}"
        if a.is_float and finite and np.isnan(v).any():
            return f"gives NaN for {a.name}[{int(np.isnan(v).argmax())}], though all inputs are finite"
        to[:] = v if a.is_float else np.rint(v)
        m = np.frombuffer(results, "f8", a.count, offset + 8 * a.count)
        m[:] = 0.0 if value.m is None else value.m.reshape(-1)
        np.frombuffer(results, "f4", a.count, offset + 16 * a.count)[:] = 0.0  # roundings: of references in PyTorch alone
        return None
