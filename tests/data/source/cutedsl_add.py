import cutlass.cute as cute


@cute.kernel
def vector_add(gA: cute.Tensor, gB: cute.Tensor, gC: cute.Tensor):
    tidx, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    i = bidx * 256 + tidx
    gC[i] = gA[i] + gB[i]
