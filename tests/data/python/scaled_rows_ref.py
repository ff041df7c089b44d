import numpy as np


def reference(x, weight, out, N, D, eps, **more):
    x = x.reshape(N, D)
    out[...] = (x / np.sqrt((x * x).mean(axis=1, keepdims=True) + eps) * weight).reshape(-1)
