# The element types that a reference in PyTorch believes to compute in, though all is done in double: what it reads as a
# tensor's dtype, what it converts to, and what PyTorch's rules of promotion make of both. Where such a type has 16 bits,
# each result is rounded to it as the reference is written, and a kernel that does the same, or rounds once at the end, is
# right: every rounding adds its unit roundoff times the value to what the tensor carries (ROUNDED). Run in the scope of
# magnitude_torch.py.
from torch.overrides import TorchFunctionMode

ROUNDOFF = {torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}
READS_TYPE = torch.Tensor.dtype.__get__
CONVERSIONS = {"to": None, "type": None, "type_as": None, "float": torch.float32, "double": torch.float64, "half": torch.float16, "bfloat16": torch.bfloat16}


class Types(TorchFunctionMode):
    """Each tensor's type is `explog_type`; of one made without a word it is what PyTorch's default would be."""

    def __init__(self, engine):
        super().__init__()
        self.engine, self.apart = engine, 0  # apart: within an operator, which rounds once

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function == READS_TYPE:
            return self.of(args[0])
        name = getattr(function, "__name__", "")
        if name in CONVERSIONS and function == getattr(torch.Tensor, name) and is_real(args[0]):
            wanted = CONVERSIONS[name] or self.named([*args[1:], *kwargs.values()])
            if wanted is not None and wanted.is_floating_point:
                return args[0] if wanted == self.of(args[0]) else aten._to_copy.default(args[0], dtype=wanted)
        return function(*args, **kwargs)

    def named(self, words):
        found = [w if isinstance(w, torch.dtype) else self.of(w) for w in words if isinstance(w, (torch.dtype, torch.Tensor))]
        return found[0] if found else None

    @staticmethod
    def of(t):
        return t.__dict__.get("explog_type") or (torch.float32 if t.is_floating_point() else t.dtype)

    def given(self, t, dtype):
        t.explog_type = dtype
        if dtype in ROUNDOFF:
            self.engine.carried = (ERROR, ROUNDED)
        return t

    def same(self, t, as_of):
        if isinstance(as_of, torch.Tensor):
            t.explog_type = self.of(as_of)

    def promoted(self, args):
        """Of an operator's inputs: numbers and tensors without dimensions decide nothing beside others."""
        inputs = [t for t in tensors(args) if is_real(t)]
        wanted = [self.of(t) for t in inputs if t.dim() > 0] or [self.of(t) for t in inputs] or [torch.float32]
        for other in wanted[1:]:
            wanted[0] = torch.promote_types(wanted[0], other)
        return wanted[0]

    def give(self, result, name, args, asked):
        """An operator's results get their types, and what rounding to them adds."""
        outs = [t for t in tensors(result) if is_real(t)]
        if self.apart or not outs:
            return
        inputs = self.promoted(args)
        wanted = asked if asked is not None and asked.is_floating_point else inputs
        moves = name in MAKERS or name in EXACT or name in MOVES or name in CHOICES
        exact = moves and (name in MAKERS or torch.promote_types(inputs, wanted) == wanted)
        for t in outs:
            t.explog_type = wanted
            if not exact:
                self.round(t, wanted)

    def written(self, target, result, name):
        """A result has been put into a tensor, which keeps its type."""
        if self.apart or not is_real(target) or name in ("fill_", "zero_"):
            return
        wanted, moves = self.of(target), name == "copy_" or name.rstrip("_") in EXACT
        source = self.of(result) if name == "copy_" and is_real(result) else wanted
        if not moves or torch.promote_types(source, wanted) != wanted:
            self.round(target, wanted)

    def on_the_way(self, t, written):
        """What the roundings before the last one add, which every kernel does that writes the same type."""
        last = ROUNDOFF.get(written, 0.0) * t.abs() if self.of(t) == written else 0.0
        return torch.clamp_min(held(t, ROUNDED) - last, 0.0)

    def round(self, t, wanted):
        if wanted in ROUNDOFF:
            self.engine.carried = (ERROR, ROUNDED)
            held(t, ROUNDED).add_(ROUNDOFF[wanted] * t.abs())
