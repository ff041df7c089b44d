# strategy: thread_coarsening
# after: triton_early_weight.py
# predicts: 1.05 to 1.2x at D = 1024 (two rows a program share the weights' load); nothing at 4096 and wider
#
# Short rows share a program: a tile of rows x columns with about 2,048 elements.
import triton
import triton.language as tl

TILE = 2048
PER_WARP = 512
EVEN = 0       # no masks where the tile covers rows and columns exactly
STREAMING = 0  # lines of x and y leave the caches first, those of the weights last


@triton.jit
def rmsnorm(x, weight, y, N, D, eps, ROWS: tl.constexpr, BLOCK: tl.constexpr, FULL: tl.constexpr,
            STREAMING: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    columns = tl.arange(0, BLOCK)[None, :]
    at = rows.to(tl.int64) * D + columns
    early: tl.constexpr = "evict_first" if STREAMING else ""
    late: tl.constexpr = "evict_last" if STREAMING else ""
    if FULL:
        value = tl.load(x + at, eviction_policy=early)
        factor = tl.load(weight + columns, eviction_policy=late)
    else:
        inside = (rows < N) & (columns < D)
        value = tl.load(x + at, mask=inside, other=0.0, eviction_policy=early)
        factor = tl.load(weight + columns, mask=columns < D, eviction_policy=late)
    scale = tl.rsqrt(tl.sum(value * value, 1) / D + eps)[:, None]
    if FULL:
        tl.store(y + at, value * scale * factor, eviction_policy=early)
    else:
        tl.store(y + at, value * scale * factor, mask=inside, eviction_policy=early)


def solve(x, weight, y, N, D, eps):
    width = triton.next_power_of_2(D)
    rows = max(TILE // width, 1)
    full = bool(EVEN) and width == D and N % rows == 0
    rmsnorm[(triton.cdiv(N, rows),)](x, weight, y, N, D, eps, ROWS=rows, BLOCK=width, FULL=full, STREAMING=STREAMING,
                                     num_warps=min(max(rows * width // PER_WARP, 1), 16))
