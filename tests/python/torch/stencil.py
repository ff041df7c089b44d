import torch.nn.functional as F


def reference(x, w, H, W):
    return F.conv2d(x.view(1, 1, H, W), w[None, None], padding="same").view(H, W)
