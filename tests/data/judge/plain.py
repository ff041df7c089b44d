def solve(x, y, z, N):
    pass
