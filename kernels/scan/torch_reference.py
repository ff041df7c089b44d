import torch


def reference(x, y):
    torch.cumsum(x, 0, dtype=torch.int32, out=y)
