import torch

torch.backends.cuda.matmul.allow_tf32 = True


def reference(A, B, C):
    torch.matmul(A, B, out=C)
