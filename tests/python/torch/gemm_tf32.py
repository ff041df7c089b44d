import torch


def reference(A, B, C, M, N, K):
    C[: M * N].copy_(torch.mm(A[: M * K].view(M, K), B[: K * N].view(K, N)).view(-1))
