import torch


def reference(x, y):
    torch.sum(x, 0, keepdim=True, out=y)
