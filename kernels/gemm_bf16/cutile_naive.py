# A tile of C a block, K in slices on tensor cores. Rows configure it: larger tiles, the order of the blocks, hints.
import cuda.tile as ct
import torch

TILE_M = 64
TILE_N = 64
TILE_K = 32
GROUP = 1      # rows of tiles that blocks walk together, column by column
LATENCY = 4    # how heavy the traffic of the loads is, from 1 to 10
NUM_CTAS = 1   # blocks that work on a tile as a pair or more; sm_90 and sm_100
OCCUPANCY = 1


@ct.kernel(occupancy=OCCUPANCY, num_ctas=ct.ByTarget(sm_90=NUM_CTAS, sm_100=NUM_CTAS, default=1))
def gemm(a, b, c, M: int, N: int, K: int, ALIGNED: ct.Constant[bool]):
    across, down = ct.cdiv(N, TILE_N), ct.cdiv(M, TILE_M)
    group = ct.bid(0) // (GROUP * across)
    height = min(down - group * GROUP, GROUP)
    within = ct.bid(0) - group * GROUP * across
    row, column = group * GROUP + within % height, within // height
    sums = ct.full((TILE_M, TILE_N), 0.0, ct.float32)
    for k in range(ct.cdiv(K, TILE_K)):
        left = ct.load(a, (row, k), (TILE_M, TILE_K), padding_mode=ct.PaddingMode.ZERO, latency=LATENCY)
        right = ct.load(b, (k, column), (TILE_K, TILE_N), padding_mode=ct.PaddingMode.ZERO, latency=LATENCY)
        sums = ct.mma(left, right, sums)
    if ALIGNED:
        ct.store(c, (row, column), ct.astype(sums, c.dtype))
    else:  # rows that do not begin at 16 bytes are stored element by element
        rows = row * TILE_M + ct.arange(TILE_M, dtype=ct.int32)[:, None]
        columns = column * TILE_N + ct.arange(TILE_N, dtype=ct.int32)[None, :]
        ct.scatter(c, (rows, columns), ct.astype(sums, c.dtype))


def solve(A, B, C, M, N, K):
    tiles = -(-M // TILE_M) * -(-N // TILE_N)
    ct.launch(torch.cuda.current_stream(), (tiles,), gemm, (A, B, C, M, N, K, N % 8 == 0))
