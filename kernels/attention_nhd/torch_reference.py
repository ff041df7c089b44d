import torch.nn.functional as F


def reference(Q, K, V, num_heads):
    heads = [x.view(x.shape[0], num_heads, -1).transpose(0, 1)[None] for x in (Q, K, V)]
    return F.scaled_dot_product_attention(*heads)[0].transpose(0, 1).reshape(Q.shape)
