# strategy: cutile_tma_access
# after: cutile_heads.py
# predicts: 1.2 to 2x at D = 128: both halves of 16 heads as whole tiles instead of an address an element
#
# x seen as N x H x 2 x D/2, so that a half is a tile; what lies outside is neither read nor written.
import cuda.tile as ct
import torch

HEADS = 16
OCCUPANCY = 1  # blocks that should share a multiprocessor
LATENCY = 4    # how heavy the traffic of a load is, from 1 to 10


@ct.kernel(occupancy=OCCUPANCY)
def rope(halves, cosines, sines, WIDTH: ct.Constant[int]):
    position, head = ct.bid(1), ct.bid(0)
    low = ct.load(halves, (position, head, 0, 0), (1, HEADS, 1, WIDTH), padding_mode=ct.PaddingMode.ZERO, latency=LATENCY)
    high = ct.load(halves, (position, head, 1, 0), (1, HEADS, 1, WIDTH), padding_mode=ct.PaddingMode.ZERO, latency=LATENCY)
    cosine = ct.reshape(ct.load(cosines, (position, 0), (1, WIDTH), padding_mode=ct.PaddingMode.ZERO), (1, 1, 1, WIDTH))
    sine = ct.reshape(ct.load(sines, (position, 0), (1, WIDTH), padding_mode=ct.PaddingMode.ZERO), (1, 1, 1, WIDTH))
    ct.store(halves, (position, head, 0, 0), low * cosine - high * sine)
    ct.store(halves, (position, head, 1, 0), high * cosine + low * sine)


def solve(x, cosines, sines, N, H, D):
    half = D // 2
    ct.launch(torch.cuda.current_stream(), (-(-H // HEADS), N), rope,
              (x.view(N, H, 2, half), cosines, sines, 1 << (half - 1).bit_length()))
