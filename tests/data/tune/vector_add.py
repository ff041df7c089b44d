# Configurations of somebody's kernel in Triton, which `tune import` reads.
import triton

configs = [triton.Config({"MODE": 2}, num_warps=8, num_stages=3)]
