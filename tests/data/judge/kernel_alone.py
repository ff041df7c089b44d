import triton


@triton.jit
def rows(x, y, N):
    pass
