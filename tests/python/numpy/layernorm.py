import numpy as np


def reference(x, weight, bias, eps):
    away = x - x.mean(axis=1, keepdims=True)
    return away / np.sqrt((away * away).mean(axis=1, keepdims=True) + eps) * weight + bias
