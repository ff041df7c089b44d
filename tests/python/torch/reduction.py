import torch


def reference(x, y):
    y[0] = torch.sum(x)
