import torch
import torch.nn as nn


class Model(nn.Module):
    """Halves in pairs of columns."""

    def forward(self, x, place):
        return x[:, 1:-1:2] + place[0]


shape = (16, 130)
most = 10


def get_inputs():
    return [torch.rand(*shape), torch.randint(0, most, (shape[0],))]


def get_init_inputs():
    return []
