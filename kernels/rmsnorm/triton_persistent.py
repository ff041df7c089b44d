# strategy: triton_persistent
# after: triton_rows.py
# predicts: 1.02 to 1.1x at D = 1024 and 4096: a program loads the weights once for all of its rows, and the next tile during this one; a loss at N = 64, where there is nothing to share
#
# As many programs as the GPU holds walk through the tiles with the weights in registers.
import triton
import triton.language as tl

TILE = 2048
PER_WARP = 512
PROGRAMS = 528  # 4 on each of 132 multiprocessors
STAGES = 2


@triton.jit
def rmsnorm(x, weight, y, N, D, eps, ROWS: tl.constexpr, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    columns = tl.arange(0, BLOCK)[None, :]
    factor = tl.load(weight + columns, mask=columns < D)
    for tile in tl.range(tl.program_id(0), tl.cdiv(N, ROWS), tl.num_programs(0), num_stages=STAGES):
        rows = tile * ROWS + tl.arange(0, ROWS)[:, None]
        inside = (rows < N) & (columns < D)
        at = rows.to(tl.int64) * D + columns
        value = tl.load(x + at, mask=inside, other=0.0)
        scale = tl.rsqrt(tl.sum(value * value, 1) / D + eps)[:, None]
        tl.store(y + at, value * scale * factor, mask=inside)


def solve(x, weight, y, N, D, eps):
    width = triton.next_power_of_2(D)
    rows = max(TILE // width, 1)
    rmsnorm[(min(triton.cdiv(N, rows), PROGRAMS),)](x, weight, y, N, D, eps, ROWS=rows, BLOCK=width, STAGES=STAGES,
                                                    num_warps=min(max(rows * width // PER_WARP, 1), 16))
