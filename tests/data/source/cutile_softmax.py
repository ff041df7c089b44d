import cuda.tile as ct

TILE_SIZE = 1024


@ct.kernel
def softmax_gather(x, out, n_cols: ct.Constant[int], TILE: ct.Constant[int]):
    row = ct.bid(0)
    cols = ct.arange(TILE, dtype=ct.int32)
    v = ct.gather(x, (row, cols), check_bounds=True, padding_value=-3.4e38)
    v = ct.astype(v, ct.float32)
    e = ct.exp(v - ct.max(v, 0, keepdims=True))
    ct.scatter(out, (row, cols), e / ct.sum(e, 0, keepdims=True))
