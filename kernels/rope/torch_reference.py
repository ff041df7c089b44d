import torch


def reference(x, cosines, sines):
    a, b = x.chunk(2, dim=-1)
    c, s = cosines[:, None], sines[:, None]
    x.copy_(torch.cat((a * c - b * s, b * c + a * s), dim=-1))
