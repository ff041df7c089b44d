import torch
import torch.nn.functional as F

torch.backends.cuda.matmul.allow_tf32 = True


def reference(q, k, v):
    return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]
