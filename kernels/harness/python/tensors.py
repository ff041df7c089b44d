"""Tensors without memory, and enough of torch for the code around a launch where torch is not installed."""
import importlib.util
import sys
import types


class Refused(Exception):
    """Its text is for the user as it stands."""


class Dtype:
    def __init__(self, name, size, code):
        self.name, self.itemsize, self.code = name, size, code

    def __str__(self):
        return "torch." + self.name

    __repr__ = __str__


DTYPES = {name: Dtype(name, size, code) for name, size, code in (
    ("float32", 4, "<f4"), ("float64", 8, "<f8"), ("float16", 2, "<f2"), ("bfloat16", 2, None), ("int32", 4, "<i4"),
    ("int64", 8, "<i8"), ("int16", 2, "<i2"), ("int8", 1, "|i1"), ("uint8", 1, "|u1"), ("bool", 1, "|b1"))}
NAMES = {"f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16", "i32": "int32", "i64": "int64",
         "u8": "uint8"}


class Device:
    def __init__(self, type="cuda", index=0):
        self.type, self.index = type, index


class FakeTensor:
    is_cuda = True
    requires_grad = False
    device = Device()

    def __init__(self, shape, dtype, strides=None):
        self.shape, self.dtype = tuple(shape), dtype
        if strides is None:
            strides, step = [], 1
            for size in reversed(self.shape):
                strides.insert(0, step)
                step *= max(size, 1)
        self.strides = tuple(strides)

    def data_ptr(self):
        return 0

    def stride(self, dim=None):
        return self.strides if dim is None else self.strides[dim]

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def dim(self):
        return len(self.shape)

    ndim = property(dim)

    def numel(self):
        count = 1
        for size in self.shape:
            count *= size
        return count

    def element_size(self):
        return self.dtype.itemsize

    def is_contiguous(self):
        return self.strides == FakeTensor(self.shape, self.dtype).strides

    def contiguous(self):
        return FakeTensor(self.shape, self.dtype)

    def clone(self, **_):
        return FakeTensor(self.shape, self.dtype)

    def to(self, *what, dtype=None, **_):
        """Another type, if one is named; a device is all the same."""
        named = [w for w in what if isinstance(w, Dtype)]
        return FakeTensor(self.shape, dtype or (named[0] if named else self.dtype), self.strides)

    def float(self):
        return self.to(DTYPES["float32"])

    def cuda(self, *_, **__):
        return self

    def normal_(self, *_, **__):
        return self

    uniform_ = zero_ = fill_ = normal_

    def half(self):
        return self.to(DTYPES["float16"])

    def bfloat16(self):
        return self.to(DTYPES["bfloat16"])

    def view(self, *shape):
        shape = list(shape[0]) if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else list(shape)
        if -1 in shape:
            rest = FakeTensor([s for s in shape if s != -1], self.dtype).numel()
            shape[shape.index(-1)] = self.numel() // max(rest, 1)
        return FakeTensor(shape, self.dtype)

    reshape = view

    def transpose(self, a, b):
        shape, strides = list(self.shape), list(self.strides)
        shape[a], shape[b], strides[a], strides[b] = shape[b], shape[a], strides[b], strides[a]
        return FakeTensor(shape, self.dtype, strides)

    @property
    def T(self):
        return self.transpose(0, 1)


class StandIn(types.ModuleType):
    """torch, as far as code around launches needs it."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise Refused(f"needs {self.__name__}.{name}, and torch is not installed for this interpreter")


class Module:
    """torch.nn.Module, for models that keep parameters and launch kernels of their own."""

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def named_parameters(self, prefix=""):
        for name, value in vars(self).items():
            if isinstance(value, Parameter):
                yield prefix + name, value
            elif isinstance(value, Module):
                yield from value.named_parameters(prefix + name + ".")

    def parameters(self):
        return (value for _, value in self.named_parameters())

    def cuda(self, *_, **__):
        return self

    to = eval = cuda


class Parameter(FakeTensor):
    def __init__(self, data, **_):
        super().__init__(data.shape, data.dtype, data.strides)


def stand_in_of_nn():
    nn, functional = StandIn("torch.nn"), StandIn("torch.nn.functional")
    nn.Module, nn.Parameter, nn.functional = Module, Parameter, functional
    sys.modules["torch.nn"], sys.modules["torch.nn.functional"] = nn, functional
    return nn


def stand_in():
    torch, cuda = StandIn("torch"), StandIn("torch.cuda")
    torch.nn = stand_in_of_nn()
    for name, dtype in DTYPES.items():
        setattr(torch, name, dtype)
    torch.Tensor, torch.dtype, torch.device, torch.cuda = FakeTensor, Dtype, lambda *a, **k: Device(), cuda

    def new(*shape, dtype=None, **_):
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape
        return FakeTensor(shape, dtype or torch.float32)

    def like(other, dtype=None, **_):
        return FakeTensor(other.shape, dtype or other.dtype)

    def full(shape, value, dtype=None, **_):
        return FakeTensor(shape, dtype or (torch.float32 if isinstance(value, float) else torch.int64))

    def randint(low, high=None, size=None, dtype=None, **_):
        return FakeTensor(size if size is not None else high, dtype or torch.int64)

    torch.empty = torch.zeros = torch.ones = torch.rand = torch.randn = new
    torch.empty_like = torch.zeros_like = torch.ones_like = torch.rand_like = torch.randn_like = like
    torch.full, torch.randint, torch.manual_seed, cuda.manual_seed = full, randint, lambda seed: None, lambda seed: None
    sys.modules["torch"], sys.modules["torch.cuda"] = torch, cuda
    return torch


def with_torch():
    """The real torch where it is installed: tensors on its device without memory."""
    import torch
    from torch.overrides import TorchFunctionMode

    class NoMemory(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            kwargs = dict(kwargs or {})
            if function is torch.Tensor.cuda:
                return args[0].to("meta")
            if str(kwargs.get("device", "")).startswith("cuda"):
                kwargs["device"] = "meta"
            return function(*args, **kwargs)

    NoMemory().__enter__()
    return torch


def processor(arch):
    """What a GPU of this arch says of itself, as far as launches ask."""
    number = int("".join(c for c in arch if c.isdigit()))
    return types.SimpleNamespace(multi_processor_count={80: 108, 100: 148, 120: 170}.get(number, 132), major=number // 10,
                                 minor=number % 10, name=arch)


def prepare_torch(arch):
    real = importlib.util.find_spec("torch") is not None
    torch = with_torch() if real else stand_in()
    stream, gpu = types.SimpleNamespace(cuda_stream=0, ptr=0), processor(arch)
    for name, value in (("current_stream", stream), ("current_device", 0), ("is_available", True), ("synchronize", None),
                        ("get_device_properties", gpu), ("get_device_capability", (gpu.major, gpu.minor))):
        setattr(torch.cuda, name, lambda *_, value=value, **__: value)
    if real:
        return lambda shape, dtype: torch.empty(shape, dtype=getattr(torch, NAMES[dtype]), device="meta")
    return lambda shape, dtype: FakeTensor(shape, DTYPES[NAMES[dtype]])
