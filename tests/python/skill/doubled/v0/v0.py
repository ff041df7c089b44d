def run_kernel(x, y, N, D):
    y.copy_(x)
    y.mul_(2.0)
