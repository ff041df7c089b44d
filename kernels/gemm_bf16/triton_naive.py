# A 32 x 32 tile of C a program; products broadcast and summed in f32, without tensor cores.
import triton
import triton.language as tl

BLOCK = 32
BLOCK_K = 16


@triton.jit
def gemm(a, b, c, M, N, K, BLOCK: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    depth = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for k in range(0, K, BLOCK_K):
        left = tl.load(a + rows[:, None] * K + (k + depth)[None, :], mask=(rows[:, None] < M) & (k + depth < K)[None, :],
                       other=0.0)
        right = tl.load(b + (k + depth)[:, None].to(tl.int64) * N + columns[None, :],
                        mask=(k + depth < K)[:, None] & (columns[None, :] < N), other=0.0)
        sums += tl.sum(left.to(tl.float32)[:, :, None] * right.to(tl.float32)[None, :, :], 1)
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c + rows[:, None] * N + columns[None, :], sums.to(c.dtype.element_ty), mask=inside)


def solve(A, B, C, M, N, K):
    gemm[(triton.cdiv(N, BLOCK), triton.cdiv(M, BLOCK))](A, B, C, M, N, K, BLOCK=BLOCK, BLOCK_K=BLOCK_K)
