import cuda.tile as ct

GROUP_SIZE_M = 8


@ct.kernel(num_ctas=ct.ByTarget(sm_100=2, default=1), occupancy=2)
def matmul(A, B, C, tm: ct.Constant[int] = 128):
    pass


def run(a, b, c):
    TILE_N, TILE_K = 256, 64
    SCALE = 3
    ct.launch(None, (1,), matmul, (a, b, c, TILE_N, TILE_K))
