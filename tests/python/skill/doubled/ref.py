import torch


def reference(x, y, N, D):
    y[...] = x[:, :] * 2.0


def setup(N=96, D=64, seed=42, **more):
    return {"inputs": {"x": torch.rand(N, D), "y": torch.empty(N, D), "N": N, "D": D}, "outputs": ["y"]}
