import torch.nn.functional as F


def reference(x, weight, D, eps):
    return F.rms_norm(x, (D,), weight, eps)
