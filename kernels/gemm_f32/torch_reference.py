import torch

torch.backends.cuda.matmul.allow_tf32 = False


def reference(A, B, C):
    torch.matmul(A, B, out=C)
