import cutlass.cute as cute


class Gemm:
    def __init__(self, mma_tiler_mn: tuple = (256, 128), use_2cta_instrs: bool = True):
        self.cluster_shape_mn = (2, 1)
        self.use_tma_store = False
