# Operators that are sums and pointwise parts: taken apart, so that the rules of their parts apply; run in the scope of
# magnitude_torch.py.


def parts(engine, call):
    engine.types.apart += 1
    try:
        with Tracker(engine):
            return call()
    finally:
        engine.types.apart -= 1


def shift(engine, x, dim):
    """The largest along a dimension as a number without error: any other would give the same result."""
    top = x.amax(dim, keepdim=True)
    for kind in engine.carried:
        setattr(top, kind, torch.zeros_like(top))
    return top


def softmax(engine, x, dim, *_):
    def call():
        e = torch.exp(x - shift(engine, x, dim))
        return e / e.sum(dim, keepdim=True)

    return parts(engine, call)


def log_softmax(engine, x, dim, *_):
    def call():
        away = x - shift(engine, x, dim)
        return away - away.exp().sum(dim, keepdim=True).log()

    return parts(engine, call)


def logsumexp(engine, x, dim, keepdim=False):
    def call():
        top = shift(engine, x, dim)
        total = (x - top).exp().sum(dim, keepdim=True).log() + top
        return total if keepdim else total.squeeze(dim)

    return parts(engine, call)


def variance(x, dim, correction, keepdim):
    dims = list(range(x.dim())) if not dim else [dim] if isinstance(dim, int) else list(dim)
    away = x - x.mean(dims, keepdim=True)
    count = math.prod(x.shape[d] for d in dims)
    return (away * away).sum(dims, keepdim=keepdim) / max(0, count - correction)


def var(engine, x, dim=None, unbiased=None, *_, correction=1, keepdim=False, root=False):
    if isinstance(dim, bool):  # var(x, unbiased)
        dim, unbiased = None, dim
    correction = int(unbiased) if isinstance(unbiased, bool) else 1 if correction is None else correction
    return parts(engine, lambda: variance(x, dim, correction, keepdim).sqrt() if root else variance(x, dim, correction, keepdim))


def layer_norm(engine, x, shape, weight, bias, eps):
    dims = list(range(x.dim() - len(shape), x.dim()))

    def call():
        mean = x.mean(dims, keepdim=True)
        scale = (variance(x, dims, 0, True) + eps).rsqrt()
        y = (x - mean) * scale
        y = y if weight is None else y * weight
        return (y if bias is None else y + bias), mean, scale

    return parts(engine, call)


def group_norm(engine, x, weight, bias, n, c, hxw, groups, eps):
    def call():
        flat = x.reshape(n, groups, -1)
        mean = flat.mean(2, keepdim=True)
        scale = (variance(flat, 2, 0, True) + eps).rsqrt()
        y = ((flat - mean) * scale).reshape(x.shape)
        per = [1, c] + [1] * (x.dim() - 2)
        y = y if weight is None else y * weight.reshape(per)
        return (y if bias is None else y + bias.reshape(per)), mean.squeeze(2), scale.squeeze(2)

    return parts(engine, call)


def vector_norm(engine, x, ord=2, dim=None, keepdim=False, **_):
    def call():
        dims = list(range(x.dim())) if dim is None else dim
        size = x.abs()
        if ord == float("inf"):
            return size.amax(dims, keepdim=keepdim)
        return size.sum(dims, keepdim=keepdim) if ord == 1 else (size**ord).sum(dims, keepdim=keepdim) ** (1.0 / ord)

    return parts(engine, call)


def nll_loss(engine, x, target, weight, reduction, ignored):
    def call():
        kept = target != ignored
        at = torch.where(kept, target, torch.zeros_like(target))
        scale = kept.to(x.dtype) if weight is None else weight[at] * kept
        loss = -x.gather(x.dim() - 1, at.unsqueeze(-1)).squeeze(-1) * (1 if weight is None and kept.all() else scale)
        total = scale.sum()
        return (loss if reduction == 0 else loss.sum() / total if reduction == 1 else loss.sum()), total

    return parts(engine, call)


COMPOSED = {"nll_loss_forward": nll_loss, "_softmax": softmax, "_log_softmax": log_softmax, "logsumexp": logsumexp, "var": var,
            "std": lambda engine, *args, **kwargs: var(engine, *args, **kwargs, root=True), "native_layer_norm": layer_norm,
            "native_group_norm": group_norm, "linalg_vector_norm": vector_norm}
