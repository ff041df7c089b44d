import numpy as np


def reference(x, target):
    top = x.max(axis=1, keepdims=True)
    chosen = np.take_along_axis(x, target[:, None], 1)[:, 0]
    return np.log(np.exp(x - top).sum(axis=1)) + (top[:, 0] - chosen)
