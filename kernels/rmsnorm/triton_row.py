# strategy: triton_block_shapes
# after: triton_naive.py
# predicts: 1.1 to 1.4x at D = 4096 and 1024: the block is as wide as the row, which is read once and stays in registers
#
# One program a row, held whole.
import triton
import triton.language as tl

WARPS = 4
PER_WARP = 0  # elements of a row for each warp; 0: always as many warps as above
RSQRT = 0     # one reciprocal square root a row instead of a division an element
EARLY = 0     # the weights are asked for before the sum needs the row


@triton.jit
def rmsnorm(x, weight, y, D, eps, BLOCK: tl.constexpr, RSQRT: tl.constexpr, EARLY: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * D
    columns = tl.arange(0, BLOCK)
    inside = columns < D
    value = tl.load(x + row + columns, mask=inside, other=0.0)
    if EARLY:
        factor = tl.load(weight + columns, mask=inside)
    mean = tl.sum(value * value, 0) / D
    if not EARLY:
        factor = tl.load(weight + columns, mask=inside)
    if RSQRT:
        result = value * tl.rsqrt(mean + eps) * factor
    else:
        result = value / tl.sqrt(mean + eps) * factor
    tl.store(y + row + columns, result, mask=inside)


def solve(x, weight, y, N, D, eps):
    width = triton.next_power_of_2(D)
    warps = min(max(width // PER_WARP, 1), 16) if PER_WARP else WARPS
    rmsnorm[(N,)](x, weight, y, D, eps, BLOCK=width, RSQRT=RSQRT, EARLY=EARLY, num_warps=warps)
