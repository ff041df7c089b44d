"""Sums rows as often as REPEATS says: each repetition but the first is waste."""
import numpy as np

REPEATS = 8  # tune: REPEATS 1 3 8 16
# tune: LABEL 1 2
LABEL = 1
# tune where: REPEATS < 16 OR LABEL = 1


if REPEATS == 3:
    raise ValueError("no kernel does this three times")


def solve(x, scaled, sums, factor):
    for _ in range(REPEATS):
        np.multiply(x, np.float32(factor), out=scaled)
        sums[...] = x.sum(axis=1, dtype=np.float64)
