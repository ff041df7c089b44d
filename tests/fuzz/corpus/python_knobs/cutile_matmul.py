import cuda.tile as ct
import torch

ConstInt = ct.Constant[int]


@ct.kernel(num_ctas=2, occupancy=1)
def matmul_kernel(A, B, C, tm: ConstInt, tn: ConstInt, tk: ConstInt):
    m, n = ct.bid(0), ct.bid(1)
    steps = ct.num_tiles(A, axis=1, shape=(tm, tk))
    acc = ct.full((tm, tn), 0, dtype=ct.float32)
    for k in range(steps):
        a = ct.load(A, index=(m, k), shape=(tm, tk), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(B, index=(k, n), shape=(tk, tn), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, index=(m, n), tile=ct.astype(acc, C.dtype))


def run(a, b):
    c = torch.empty(a.shape[0], b.shape[1], device="cuda", dtype=torch.bfloat16)
    TILE_M, TILE_N, TILE_K = 256, 256, 64
    grid = (a.shape[0] // TILE_M, b.shape[1] // TILE_N)
    ct.launch(torch.cuda.current_stream(), grid, matmul_kernel, (a, b, c, TILE_M, TILE_N, TILE_K))
    return c
