def reference(x, y):
    y[0] = x.sum()
