# Nothing here is imported by a test: its text is read.
import triton
import triton.language as tl

EVEN = True  # a flag


@triton.autotune(
    configs=[
        triton.Config({"BLOCK_M": 128, "BLOCK_N": 64}, num_warps=8, num_stages=3),
        triton.Config({"BLOCK_M": 64, "BLOCK_N": 64}, num_warps=4, num_stages=4),  # num_warps=16 is worse
        triton.Config({"BLOCK_M": 32, "BLOCK_N": 32}, num_warps=2),
    ],
    key=["M"],
)
@triton.jit
def tuned(x, M, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    pass


@triton.jit
def plain(x, n, BLOCK: tl.constexpr = 64, early: tl.constexpr = "evict_first", ROWS: tl.constexpr = 3):
    pass


def run(x):
    plain[(1,)](x, 10, num_warps=4, num_stages=2)
