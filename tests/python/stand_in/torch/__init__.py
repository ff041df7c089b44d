"""As much of PyTorch as task import needs to find shapes, for machines without it: tensors have shapes and no numbers."""
import contextlib

__version__ = "2.0.0"
float32, int64 = "torch.float32", "torch.int64"


class Tensor:
    def __init__(self, *shape, dtype=float32):
        self.shape, self.dtype, self._version = tuple(shape), dtype, 0

    def __getitem__(self, key):
        keys = key if isinstance(key, tuple) else (key,)
        sizes = []
        for axis, size in enumerate(self.shape):
            one = keys[axis] if axis < len(keys) else slice(None)
            if isinstance(one, slice):
                sizes.append(len(range(size)[one]))
        return Tensor(*sizes, dtype=self.dtype)

    def __setitem__(self, key, value):
        self._version += 1

    def __mul__(self, other):
        if isinstance(other, Tensor) and other.shape[-1:] != self.shape[-1:]:
            raise RuntimeError(f"sizes {self.shape} and {other.shape}")
        return self

    def __add__(self, other):
        return self


def rand(*shape):
    return Tensor(*shape)


empty = zeros = rand


def randint(low, high, shape):
    made = Tensor(*shape, dtype=int64)
    made.explog_made, made.explog_range = "randint", (low, high)
    return made


def device(name):
    return contextlib.nullcontext()


no_grad = contextlib.nullcontext


class Generator:
    pass


from . import nn, overrides, utils  # noqa: E402, F401
