# strategy: cutile_tile_size
# after: cutile_naive.py
# predicts: 2 to 4x at 4096 x 32 x 128: a block takes 16 heads of a position, which share its angles, instead of one
#
# A tile of heads x pairs a block. Rows configure it.
import cuda.tile as ct
import torch

HEADS = 16
OCCUPANCY = 1  # blocks that should share a multiprocessor
LATENCY = 4    # how heavy the traffic of a load is, from 1 to 10


@ct.kernel(occupancy=OCCUPANCY)
def rope(x, cosines, sines, HALF: ct.Constant[int], WIDTH: ct.Constant[int]):
    position = ct.bid(1)
    heads = ct.reshape(ct.bid(0) * HEADS + ct.arange(HEADS, dtype=ct.int32), (HEADS, 1))
    pairs = ct.reshape(ct.arange(WIDTH, dtype=ct.int32), (1, WIDTH))
    here = pairs < HALF
    low = ct.gather(x, (position, heads, pairs), mask=here, latency=LATENCY)
    high = ct.gather(x, (position, heads, pairs + HALF), mask=here, latency=LATENCY)
    cosine, sine = ct.gather(cosines, (position, pairs)), ct.gather(sines, (position, pairs))
    ct.scatter(x, (position, heads, pairs), low * cosine - high * sine, mask=here)
    ct.scatter(x, (position, heads, pairs + HALF), high * cosine + low * sine, mask=here)


def solve(x, cosines, sines, N, H, D):
    half = D // 2
    ct.launch(torch.cuda.current_stream(), (-(-H // HEADS), N), rope,
              (x, cosines, sines, half, 1 << (half - 1).bit_length()))
