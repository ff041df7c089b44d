# strategy: online_softmax
# after: triton_naive.py
# predicts: 1.3 to 1.5x: the scores are computed once instead of twice, a third of the products less, for a rescale of the output a tile
#
# One pass over the keys with a running maximum. Rows configure it: larger tiles, more warps, exp2, a pipeline, an
# early load of the values, a main loop without masks.
import triton
import triton.language as tl

BLOCK_M = 16
BLOCK_N = 16
WARPS = 4
STAGES = 1
EXP2 = 0   # exponentials to the base of two, with the factor folded into the scale
EARLY = 0  # values are asked for before the scores' exponentials
SPLIT = 0  # tiles of keys that lie inside go without a mask; the last one alone has it


@triton.jit
def advance(state, query, k, v, base, start, inner, N, D, scale, MASKED: tl.constexpr, BLOCK_N: tl.constexpr,
            EXP2: tl.constexpr, EARLY: tl.constexpr):
    top, total, output = state
    keys = start + tl.arange(0, BLOCK_N)
    at = base + keys.to(tl.int64) * D
    here = inner < D
    if MASKED:
        key = tl.load(k + at[None, :] + inner[:, None], mask=here[:, None] & (keys < N)[None, :], other=0.0)
    else:
        key = tl.load(k + at[None, :] + inner[:, None], mask=here[:, None], other=0.0)
    if EARLY:
        value = tl.load(v + at[:, None] + inner[None, :], mask=here[None, :] & (keys < N)[:, None], other=0.0)
    score = tl.dot(query, key) * scale
    if MASKED:
        score = tl.where((keys < N)[None, :], score, float("-inf"))
    higher = tl.maximum(top, tl.max(score, 1))
    if EXP2:
        weight = tl.exp2(score - higher[:, None])
        kept = tl.exp2(top - higher)
    else:
        weight = tl.exp(score - higher[:, None])
        kept = tl.exp(top - higher)
    if not EARLY:
        value = tl.load(v + at[:, None] + inner[None, :], mask=here[None, :] & (keys < N)[:, None], other=0.0)
    output = tl.dot(weight.to(value.dtype), value, output * kept[:, None])
    return higher, total * kept + tl.sum(weight, 1), output


@triton.jit
def attention(q, k, v, o, N, D, scale, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_D: tl.constexpr,
              EXP2: tl.constexpr, EARLY: tl.constexpr, SPLIT: tl.constexpr):
    base = tl.program_id(1).to(tl.int64) * N * D
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    inner = tl.arange(0, BLOCK_D)
    at = base + rows[:, None].to(tl.int64) * D + inner[None, :]
    inside = (rows < N)[:, None] & (inner < D)[None, :]
    query = tl.load(q + at, mask=inside, other=0.0)
    top = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    output = tl.zeros((BLOCK_M, BLOCK_D), tl.float32)
    whole = N // BLOCK_N * BLOCK_N if SPLIT else 0
    for start in range(0, whole, BLOCK_N):
        top, total, output = advance((top, total, output), query, k, v, base, start, inner, N, D, scale, False, BLOCK_N,
                                     EXP2, EARLY)
    for start in range(whole, N, BLOCK_N):
        top, total, output = advance((top, total, output), query, k, v, base, start, inner, N, D, scale, True, BLOCK_N,
                                     EXP2, EARLY)
    tl.store(o + at, (output / total[:, None]).to(o.dtype.element_ty), mask=inside)


def solve(q, k, v, o, H, N, D):
    width = max(triton.next_power_of_2(D), 16)
    scale = D**-0.5 * (1.4426950408889634 if EXP2 else 1.0)
    attention[(triton.cdiv(N, BLOCK_M), H)](q, k, v, o, N, D, scale, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, BLOCK_D=width,
                                            EXP2=EXP2, EARLY=EARLY, SPLIT=SPLIT, num_warps=WARPS, num_stages=STAGES)
