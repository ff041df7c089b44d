import torch


def reference(x: torch.Tensor):
    return x.t().contiguous()
