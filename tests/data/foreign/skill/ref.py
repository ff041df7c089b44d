def reference(x, y, N):
    y[...] = 2 * x
