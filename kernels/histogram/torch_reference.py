import torch


# torch.bincount waits for the device to learn how many bins there are. Counts up to 2^24 are whole numbers of f32.
def reference(x):
    return torch.histc(x.float(), bins=256, min=0, max=256)
