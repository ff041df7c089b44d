import torch

torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False  # the task's sums are f32


def reference(A, B, C):
    torch.matmul(A, B, out=C)
