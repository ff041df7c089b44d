import triton
import triton.language as tl


@triton.jit
def ln_forward(X, Y, W, B, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        total += tl.load(X + row * stride + c, mask=c < N, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / N
    var = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        x = tl.load(X + row * stride + c, mask=c < N, other=0.0).to(tl.float32)
        x = tl.where(c < N, x - mean, 0.0)
        var += x * x
    rstd = 1 / tl.sqrt(tl.sum(var, axis=0) / N + eps)
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        w = tl.load(W + c, mask=c < N)
        b = tl.load(B + c, mask=c < N)
        x = tl.load(X + row * stride + c, mask=c < N).to(tl.float32)
        tl.store(Y + row * stride + c, (x - mean) * rstd * w + b, mask=c < N)
