import torch.nn.functional as F


def reference(x, weight, bias, D, eps):
    return F.layer_norm(x, (D,), weight, bias, eps)
