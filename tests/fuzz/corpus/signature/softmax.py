"""def solve(x): in a remark"""
import torch
import triton as t, triton.language as tl
from cuda import tile as ct


@t.autotune(
    configs=[t.Config({"B": 128}, num_warps=4)],
    key=["D"],
)
@t.jit(do_not_specialize=["D"])
def kernel(X, Y, D, B: tl.constexpr):
    pass


class ModelNew(torch.nn.Module):
    def forward(self, x: "list[int]" = (1, [2])):
        return x


def setup(N=4096, **kw):
    return {"inputs": {}, "outputs": []}


def run_kernel(*args, **kwargs):
    kernel[(1,)](*args)


def solve(x, y, N, D):  # a remark, with (
    kernel[(N,)](x, y, D)
