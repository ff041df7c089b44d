import torch
import torch.nn.functional as F

torch.backends.cudnn.allow_tf32 = False  # cuDNN's own choice would be TF32


def reference(x, w):
    return F.conv2d(x[None, None], w[None, None], padding="same")[0, 0]
