import torch
from helpers import halved


def generate_input(rows, width, label, seed, depth=1):
    assert width % 16 == 0
    x = torch.rand(rows, width)
    weights = {"scale": torch.rand(width // 2), "groups": width // 16}
    return x, weights, torch.empty(rows, width // 2)


def ref_kernel(data):
    x, weights, out = data
    out[...] = halved(x[:, ::2]) * weights["scale"]
    return out


def check_implementation(data, output):
    return True, ""
