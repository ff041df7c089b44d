# strategy: triton_block_shapes
# after: triton_online.py
# predicts: 1.3 to 2x at D = 4096 and 1024: the block is as wide as the row, which stays in registers, so each element is read once and needs one exp
#
# One program a row, held whole: the width is rounded up to a power of two, which is what tl.arange takes.
import triton
import triton.language as tl

WARPS = 4
PER_WARP = 0  # elements of a row for each warp; 0: always as many warps as above


@triton.jit
def softmax(x, y, D, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * D
    columns = tl.arange(0, BLOCK)
    inside = columns < D
    value = tl.load(x + row + columns, mask=inside, other=float("-inf"))
    weight = tl.exp(value - tl.max(value, 0))
    tl.store(y + row + columns, weight / tl.sum(weight, 0), mask=inside)


def solve(x, y, N, D):
    width = triton.next_power_of_2(D)
    warps = min(max(width // PER_WARP, 1), 16) if PER_WARP else WARPS
    softmax[(N,)](x, y, D, BLOCK=width, num_warps=warps)
