import torch


def reference(x, y):
    y.copy_(torch.softmax(x.float(), dim=-1).to(x.dtype))
