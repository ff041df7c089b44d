# A kernel as kernel-opt-skill has them: setup() makes its arguments, flat, and run_kernel() is called with them.
import numpy as np


def setup(N=64, D=32, seed=42, **more):
    draw = np.random.default_rng(seed)
    x, weight = draw.standard_normal(N * D, dtype=np.float32), draw.standard_normal(D, dtype=np.float32)
    return {"inputs": {"x": x, "weight": weight, "out": np.zeros(N * D, np.float32), "N": N, "D": D, "eps": 0.25, "BLOCK": 16}, "outputs": ["out"]}


def run_kernel(**kw):
    x, out = kw["x"].reshape(kw["N"], kw["D"]), kw["out"].reshape(kw["N"], kw["D"])
    assert kw["BLOCK"] == 16
    scale = 1 / np.sqrt((x * x).mean(axis=1, keepdims=True, dtype=np.float64) + kw["eps"])
    out[...] = x * scale.astype(np.float32) * kw["weight"]
