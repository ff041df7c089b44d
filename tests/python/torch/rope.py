import torch


def reference(x, cosines, sines, D):
    a, b = x.chunk(2, dim=-1)
    c, s = cosines.unsqueeze(1), sines.unsqueeze(1)
    x.copy_(torch.cat((a * c - b * s, b * c + a * s), dim=-1))
