# strategy: cutile_persistent_scheduling
# after: cutile_group.py
# predicts: 1.02 to 1.1x at 4096 (1,024 tiles on 132 multiprocessors); a loss at 1024, where 64 tiles leave nothing to walk through
#
# One block a multiprocessor walks through the tiles.
import cuda.tile as ct
import torch

TILE_M = 128
TILE_N = 128
TILE_K = 64
GROUP = 8
BLOCKS = 132  # multiprocessors of an H100 or H200; fewer or more are right, too


@ct.kernel
def gemm(a, b, c, M: int, N: int, K: int, ALIGNED: ct.Constant[bool]):
    across, down = ct.cdiv(N, TILE_N), ct.cdiv(M, TILE_M)
    for tile in range(ct.bid(0), across * down, ct.num_blocks(0)):
        group = tile // (GROUP * across)
        height = min(down - group * GROUP, GROUP)
        within = tile - group * GROUP * across
        row, column = group * GROUP + within % height, within // height
        sums = ct.full((TILE_M, TILE_N), 0.0, ct.float32)
        for k in range(ct.cdiv(K, TILE_K)):
            left = ct.load(a, (row, k), (TILE_M, TILE_K), padding_mode=ct.PaddingMode.ZERO, latency=4)
            right = ct.load(b, (k, column), (TILE_K, TILE_N), padding_mode=ct.PaddingMode.ZERO, latency=4)
            sums = ct.mma(left, right, sums)
        if ALIGNED:
            ct.store(c, (row, column), ct.astype(sums, c.dtype))
        else:  # rows that do not begin at 16 bytes are stored element by element
            rows = row * TILE_M + ct.arange(TILE_M, dtype=ct.int32)[:, None]
            columns = column * TILE_N + ct.arange(TILE_N, dtype=ct.int32)[None, :]
            ct.scatter(c, (rows, columns), ct.astype(sums, c.dtype))


def solve(A, B, C, M, N, K):
    tiles = -(-M // TILE_M) * -(-N // TILE_N)
    ct.launch(torch.cuda.current_stream(), (min(tiles, BLOCKS),), gemm, (A, B, C, M, N, K, N % 8 == 0))
