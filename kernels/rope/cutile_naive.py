# A block rotates one head of one position in place: both halves gathered and scattered by their indices.
import cuda.tile as ct
import torch


@ct.kernel
def rope(x, cosines, sines, HALF: ct.Constant[int], WIDTH: ct.Constant[int]):
    position, head = ct.bid(1), ct.bid(0)
    pairs = ct.arange(WIDTH, dtype=ct.int32)
    here = pairs < HALF
    low = ct.gather(x, (position, head, pairs), mask=here)
    high = ct.gather(x, (position, head, pairs + HALF), mask=here)
    cosine, sine = ct.gather(cosines, (position, pairs)), ct.gather(sines, (position, pairs))
    ct.scatter(x, (position, head, pairs), low * cosine - high * sine, mask=here)
    ct.scatter(x, (position, head, pairs + HALF), high * cosine + low * sine, mask=here)


def solve(x, cosines, sines, N, H, D):
    half = D // 2
    ct.launch(torch.cuda.current_stream(), (H, N), rope, (x, cosines, sines, half, 1 << (half - 1).bit_length()))
