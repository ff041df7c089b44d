# strategy: thread_coarsening
# after: triton_row_warps.py
# predicts: 1.5 to 3x at D = 128: 16 rows a program instead of one, so that a warp has more to load than one line; nothing at 4096
#
# Short rows share a program: a tile of rows x columns with about 2,048 elements.
import triton
import triton.language as tl

TILE = 2048
PER_WARP = 512
EXP2 = 0       # exponentials to the base of two, the unit's own, with the factor folded in
STREAMING = 0  # lines of x and y leave the caches first
EVEN = 1       # no masks where the tile covers rows and columns exactly


@triton.jit
def softmax(x, y, N, D, ROWS: tl.constexpr, BLOCK: tl.constexpr, EXP2: tl.constexpr, STREAMING: tl.constexpr,
            FULL: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    columns = tl.arange(0, BLOCK)[None, :]
    at = rows.to(tl.int64) * D + columns
    early: tl.constexpr = "evict_first" if STREAMING else ""
    if FULL:
        value = tl.load(x + at, eviction_policy=early)
    else:
        inside = (rows < N) & (columns < D)
        # Rows beyond the last are zeros, not -inf: their maximum is subtracted, too.
        value = tl.load(x + at, mask=inside, other=0.0, eviction_policy=early)
        value = tl.where(columns < D, value, float("-inf"))
    if EXP2:
        # The difference first: large values times log2(e) would lose their last bits to it.
        weight = tl.exp2((value - tl.max(value, 1)[:, None]) * 1.4426950408889634)
    else:
        weight = tl.exp(value - tl.max(value, 1)[:, None])
    result = weight / tl.sum(weight, 1)[:, None]
    if FULL:
        tl.store(y + at, result, eviction_policy=early)
    else:
        tl.store(y + at, result, mask=inside, eviction_policy=early)


def solve(x, y, N, D):
    width = triton.next_power_of_2(D)
    rows = max(TILE // width, 1)
    full = bool(EVEN) and width == D and N % rows == 0
    softmax[(triton.cdiv(N, rows),)](x, y, N, D, ROWS=rows, BLOCK=width, EXP2=EXP2, STREAMING=STREAMING, FULL=full,
                                     num_warps=min(max(rows * width // PER_WARP, 1), 16))
