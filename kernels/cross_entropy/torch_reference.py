import torch.nn.functional as F


def reference(x, target):
    return F.cross_entropy(x, target.long(), reduction="none")
