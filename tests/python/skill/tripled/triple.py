import torch


def setup(n=500, seed=1, **more):
    return {"inputs": {"x": torch.rand(n), "y": torch.empty(n), "n": n}, "outputs": ["y"]}


def run_kernel(**given):
    given["y"].copy_(given["x"])
    given["y"].mul_(3.0)
