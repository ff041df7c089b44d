import triton
import triton.language as tl


@triton.jit
def embed_positions(q_ptr, cos, sin, seq, HALF: tl.constexpr):
    token = tl.program_id(0)
    i = tl.arange(0, HALF)
    c = tl.load(cos + token % seq * HALF + i)
    s = tl.load(sin + token % seq * HALF + i)
    a = tl.load(q_ptr + token * 2 * HALF + i)
    b = tl.load(q_ptr + token * 2 * HALF + HALF + i)
    tl.store(q_ptr + token * 2 * HALF + i, a * c - b * s)
    tl.store(q_ptr + token * 2 * HALF + HALF + i, b * c + a * s)
