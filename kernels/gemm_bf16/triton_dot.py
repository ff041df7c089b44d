# strategy: triton_tl_dot
# after: triton_naive.py
# predicts: 10 to 30x: products on tensor cores, and no cube of 32 x 16 x 32 products in registers
#
# tl.dot of tiles; a tile of C a program, K in slices. Rows configure it: larger tiles, the order of the programs, the
# depth of the pipeline, a main loop without masks.
import triton
import triton.language as tl

BLOCK_M = 32
BLOCK_N = 32
BLOCK_K = 16
WARPS = 4
STAGES = 1  # slices on their way at a time
GROUP = 1   # rows of tiles that programs walk together, column by column
EVEN = 0    # no masks along K where slices cover it, and none at the edges where tiles cover C


@triton.jit
def gemm(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
         FULL: tl.constexpr):
    across, down = tl.cdiv(N, BLOCK_N), tl.cdiv(M, BLOCK_M)
    group = tl.program_id(0) // (GROUP * across)
    height = min(down - group * GROUP, GROUP)
    within = tl.program_id(0) - group * GROUP * across
    rows = (group * GROUP + within % height).to(tl.int64) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = (within // height).to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    left_at = a + rows[:, None] * K + depth[None, :]
    right_at = b + depth[:, None].to(tl.int64) * N + columns[None, :]
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for k in range(0, K, BLOCK_K):
        if FULL:
            left, right = tl.load(left_at), tl.load(right_at)
        else:
            left = tl.load(left_at, mask=(rows < M)[:, None] & (k + depth < K)[None, :], other=0.0)
            right = tl.load(right_at, mask=(k + depth < K)[:, None] & (columns < N)[None, :], other=0.0)
        sums = tl.dot(left, right, sums)
        left_at += BLOCK_K
        right_at += tl.cast(N, tl.int64) * BLOCK_K
    at = c + rows[:, None] * N + columns[None, :]
    if FULL:
        tl.store(at, sums.to(c.dtype.element_ty))
    else:
        tl.store(at, sums.to(c.dtype.element_ty), mask=(rows < M)[:, None] & (columns < N)[None, :])


def solve(A, B, C, M, N, K):
    full = bool(EVEN) and M % BLOCK_M == 0 and N % BLOCK_N == 0 and K % BLOCK_K == 0
    gemm[(triton.cdiv(N, BLOCK_N) * triton.cdiv(M, BLOCK_M),)](
        A, B, C, M, N, K, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K, GROUP=GROUP, FULL=full, num_warps=WARPS,
        num_stages=STAGES)
