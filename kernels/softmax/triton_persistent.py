# strategy: triton_persistent
# after: triton_maskless.py
# predicts: within 3% at D = 4096 (DRAM is the limit either way), 1.05x at D = 128, where a program lives too short to hide its start
#
# As many programs as the GPU holds walk through the tiles; loads of the next tile run during the arithmetic of this one.
import triton
import triton.language as tl

TILE = 2048
PER_WARP = 512
PROGRAMS = 1056  # 8 on each of 132 multiprocessors; more than there are only wait
STAGES = 2


@triton.jit
def softmax(x, y, N, D, ROWS: tl.constexpr, BLOCK: tl.constexpr, FULL: tl.constexpr, STAGES: tl.constexpr):
    columns = tl.arange(0, BLOCK)[None, :]
    for tile in tl.range(tl.program_id(0), tl.cdiv(N, ROWS), tl.num_programs(0), num_stages=STAGES):
        rows = tile * ROWS + tl.arange(0, ROWS)[:, None]
        at = rows.to(tl.int64) * D + columns
        if FULL:
            value = tl.load(x + at, eviction_policy="evict_first")
        else:
            value = tl.load(x + at, mask=(rows < N) & (columns < D), other=0.0, eviction_policy="evict_first")
            value = tl.where(columns < D, value, float("-inf"))
        # The difference first: large values times log2(e) would lose their last bits to it.
        weight = tl.exp2((value - tl.max(value, 1)[:, None]) * 1.4426950408889634)
        result = weight / tl.sum(weight, 1)[:, None]
        if FULL:
            tl.store(y + at, result, eviction_policy="evict_first")
        else:
            tl.store(y + at, result, mask=(rows < N) & (columns < D), eviction_policy="evict_first")


def solve(x, y, N, D):
    width = triton.next_power_of_2(D)
    rows = max(TILE // width, 1)
    tiles = triton.cdiv(N, rows)
    softmax[(min(tiles, PROGRAMS),)](x, y, N, D, ROWS=rows, BLOCK=width, FULL=width == D and N % rows == 0,
                                     STAGES=STAGES, num_warps=min(max(rows * width // PER_WARP, 1), 16))
