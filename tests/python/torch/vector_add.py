import torch


def reference(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor, **kwargs):
    z.copy_(x + y)
