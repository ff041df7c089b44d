import torch


def reference(a, b):
    return torch.nn.functional.silu(a) * b
