import torch


def reference(Q, K, V, num_heads):
    q, k, v = (x.reshape(x.shape[0], num_heads, -1).transpose(0, 1) for x in (Q, K, V))
    weights = torch.softmax(torch.bmm(q, k.transpose(1, 2)) * q.shape[2] ** -0.5, dim=-1)
    return (weights @ v).transpose(0, 1).reshape(Q.shape)
