# strategy: triton_persistent
# after: triton_tma.py
# predicts: 1.02 to 1.1x at 4096 (1,024 tiles on 132 multiprocessors): loads for the next tile run during the store of this one; a loss at 1024, where 64 tiles leave nothing to walk through
#
# One program a multiprocessor walks through the tiles; the loop over K and the one over tiles are pipelined as one.
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

BLOCK_M = 128
BLOCK_N = 128
BLOCK_K = 64
WARPS = 8
STAGES = 4
GROUP = 8
PROGRAMS = 132  # multiprocessors of an H100 or H200; fewer or more are right, too


@triton.jit
def tile_of(program, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP: tl.constexpr):
    across, down = tl.cdiv(N, BLOCK_N), tl.cdiv(M, BLOCK_M)
    group = program // (GROUP * across)
    height = min(down - group * GROUP, GROUP)
    within = program - group * GROUP * across
    return group * GROUP + within % height, within // height


@triton.jit
def gemm_tma(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
             GROUP: tl.constexpr):
    tiles = tl.cdiv(M, BLOCK_M) * tl.cdiv(N, BLOCK_N)
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), flatten=True):
        row, column = tile_of(tile, M, N, BLOCK_M, BLOCK_N, GROUP)
        sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for k in range(0, K, BLOCK_K):
            sums = tl.dot(a.load([row * BLOCK_M, k]), b.load([k, column * BLOCK_N]), sums)
        c.store([row * BLOCK_M, column * BLOCK_N], sums.to(c.dtype))


@triton.jit
def gemm_elements(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                  GROUP: tl.constexpr):
    row, column = tile_of(tl.program_id(0), M, N, BLOCK_M, BLOCK_N, GROUP)
    rows = row.to(tl.int64) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = column.to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)
    sums = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for k in range(0, K, BLOCK_K):
        depth = k + tl.arange(0, BLOCK_K)
        left = tl.load(a + rows[:, None] * K + depth[None, :], mask=(rows < M)[:, None] & (depth < K)[None, :], other=0.0)
        right = tl.load(b + depth[:, None].to(tl.int64) * N + columns[None, :],
                        mask=(depth < K)[:, None] & (columns < N)[None, :], other=0.0)
        sums = tl.dot(left, right, sums)
    tl.store(c + rows[:, None] * N + columns[None, :], sums.to(c.dtype.element_ty),
             mask=(rows < M)[:, None] & (columns < N)[None, :])


def solve(A, B, C, M, N, K):
    grid = (triton.cdiv(N, BLOCK_N) * triton.cdiv(M, BLOCK_M),)
    settings = dict(BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_K=BLOCK_K, GROUP=GROUP, num_warps=WARPS, num_stages=STAGES)
    if N % 8 or K % 8:
        gemm_elements[grid](A, B, C, M, N, K, **settings)
        return
    a = TensorDescriptor(A, [M, K], [K, 1], [BLOCK_M, BLOCK_K])
    b = TensorDescriptor(B, [K, N], [N, 1], [BLOCK_K, BLOCK_N])
    c = TensorDescriptor(C, [M, N], [N, 1], [BLOCK_M, BLOCK_N])
    gemm_tma[(min(grid[0], PROGRAMS),)](a, b, c, M, N, K, **settings)
