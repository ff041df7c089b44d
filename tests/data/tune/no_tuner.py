"""Wrong wherever a tuner inside of the kernel would run beside the measurement."""
import os

import numpy as np

ROWS = 1  # tune: ROWS 1 2

quiet = all(os.environ.get(name) == "1" for name in ("DISABLE_AUTOTUNE", "TILEGYM_DISABLE_AUTOTUNE"))


def solve(x, scaled, sums, factor):
    for begin in range(0, x.shape[0], ROWS):
        rows = slice(begin, begin + ROWS)
        np.multiply(x[rows], np.float32(factor if quiet else 0), out=scaled[rows])
        sums[rows] = x[rows].sum(axis=1, dtype=np.float64)
