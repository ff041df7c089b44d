import torch
import torch.nn.functional as F


def reference(a, b, y):
    torch.mul(F.silu(a), b, out=y)
