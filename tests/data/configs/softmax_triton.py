import triton


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 256}, num_warps=2),
        triton.Config({"BLOCK": 1024, "PAD": True}, num_warps=8, num_stages=3, maxnreg=None),
        triton.Config({"BLOCK": BLOCK}, num_warps=4),
    ],
    key=["n"],
)
def softmax(x, n):
    pass
