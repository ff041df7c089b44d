# What NumPy's functions do to magnitudes; run in the scope of magnitude_numpy.py, which says by which rules.


def is_float(v):
    return np.issubdtype(np.asarray(v).dtype, np.floating)


def stays(a, dtype):
    return is_float(a.v) and np.issubdtype(np.dtype(dtype), np.floating)


def plain(x):
    if isinstance(x, Tracked):
        return x.v
    return type(x)(plain(y) for y in x) if isinstance(x, (tuple, list)) else x


def magnitude(x):
    if isinstance(x, Tracked):
        return 0.0 if x.m is None else x.m
    return type(x)(magnitude(y) for y in x) if isinstance(x, (tuple, list)) and any(isinstance(y, Tracked) for y in x) else 0.0


def like(x):
    """The magnitudes of an argument that is moved: zeros where it has none."""
    if isinstance(x, Tracked):
        return np.zeros(x.v.shape) if x.m is None else x.m
    if isinstance(x, (tuple, list)) and any(isinstance(y, Tracked) for y in x):
        return type(x)(like(y) if isinstance(y, (Tracked, np.ndarray)) else y for y in x)
    return np.zeros(x.shape) if isinstance(x, np.ndarray) and is_float(x) else x


def finished(v, m):
    v, m = np.asarray(v), np.asarray(m)
    m = np.where(np.isfinite(m), m, 0.0)
    return Tracked(Tracked.rounding(v), m if not Tracked.rounding.bits else np.zeros(v.shape))


def pointwise(ufunc, args, kwargs):
    kwargs = {k: plain(v) for k, v in kwargs.items() if k not in ("dtype", "casting")}
    values = [plain(a) for a in args]
    with np.errstate(all="ignore"):
        v = ufunc(*values, **kwargs)
        if isinstance(v, tuple):
            raise TypeError(f"explog knows no magnitude of numpy.{ufunc.__name__}")
        if not is_float(v):
            return Tracked(np.asarray(v))
        Tracked.operations += np.size(v)
        m = np.zeros(np.shape(v))
        for i, a in enumerate(args):
            of = argument_magnitude(ufunc.__name__, a)
            if of is not None and of.any():
                near = list(values)
                near[i] = a.v + STEP * of
                m = m + np.nan_to_num(np.abs(ufunc(*near, **kwargs) - v) / STEP, nan=0.0, posinf=0.0)
        if ufunc.__name__ in ADDITIONS:
            m = np.maximum(m, np.abs(v))
        elif ufunc.__name__ not in EXACT:
            m = m + np.abs(v)
    return finished(v, m)


def argument_magnitude(name, a):
    if not isinstance(a, Tracked) or a.m is None:
        return None
    return np.maximum(a.m, np.abs(a.v)) if name in EXPONENTIAL else a.m


def contraction(product, args):
    """Sums of products: |a| |b|, m(a) |b| and |a| m(b)."""
    a, b = (plain(x) for x in args[:2])
    if not (is_float(a) or is_float(b)):
        return Tracked(np.asarray(product(a, b)))
    Tracked.operations += 2.0 * np.size(product(a, b)) * np.shape(a)[-1]
    if Tracked.rounding.single:
        return finished(product(a[..., ::-1].astype("f4"), np.flip(b, -2 if np.ndim(b) > 1 else 0).astype("f4")).astype("f8"), 0.0) \
            if product is np.matmul else finished(product(a.astype("f4"), b.astype("f4")).astype("f8"), 0.0)
    m = np.sqrt(product(a * a, b * b)) if Tracked.narrow else product(np.abs(a), np.abs(b))
    for i, x in enumerate(args[:2]):
        if isinstance(x, Tracked) and x.m is not None and x.m.any():
            m = m + (product(x.m, np.abs(b)) if i == 0 else product(np.abs(a), x.m))
    return finished(product(a, b), m)


def summed(x, axis=None, running=False, kwargs=None, add=None, **more):
    keep = {k: v for k, v in {**(kwargs or {}), **more}.items() if k == "keepdims" and v not in (None, np._NoValue)}
    if isinstance(x, (list, tuple)):
        x = moved(np.stack, (x,), {})
    Tracked.operations += x.v.size
    add = add or (np.cumsum if running else np.sum)
    if x.m is None:
        return Tracked(np.asarray(add(x.v, axis=axis, **keep)))
    if Tracked.rounding.single and not running:
        flat = np.flip(x.v, axis).astype("f4")
        return finished(add(flat, axis=axis, **keep).astype("f8"), 0.0)
    return finished(add(x.v, axis=axis, **keep), add(np.abs(x.v) + x.m, axis=axis, **keep))


def mean(x, axis=None, keepdims=False, **_):
    return summed(x, axis, keepdims=keepdims, add=np.mean)


def var(x, axis=None, ddof=0, keepdims=False, **_):
    away = x - mean(x, axis, True)
    total = summed(away * away, axis, keepdims=keepdims)
    return total / (x.v.size // max(1, total.v.size) - ddof)


def chosen(x, choose, axis=None, keepdims=False, **_):
    """The largest or smallest along an axis, with the magnitude that it has."""
    if x.m is None or isinstance(axis, tuple):
        function = np.max if choose is np.argmax else np.min
        v = np.asarray(function(x.v, axis=axis, keepdims=keepdims))
        return Tracked(v) if x.m is None else Tracked(v, np.asarray(np.max(x.m, axis=axis, keepdims=keepdims)))
    flat = x.reshape(-1) if axis is None else x
    at = np.expand_dims(choose(flat.v, axis=axis or 0), axis or 0)
    v, m = (np.take_along_axis(part, at, axis or 0) for part in (flat.v, flat.m))
    if axis is None:
        shape = (1,) * x.v.ndim if keepdims else ()
        return Tracked(v.reshape(shape), m.reshape(shape))
    return Tracked(v, m) if keepdims else Tracked(v.squeeze(axis), m.squeeze(axis))


def moved(function, args, kwargs):
    if function.__name__ in ("take", "take_along_axis", "repeat", "where", "compress"):  # indices and conditions stay
        parts = [tuple(plain(a) if isinstance(a, Tracked) and a.m is None else pick(a) for a in args) for pick in (plain, like)]
    else:
        parts = [tuple(pick(a) for a in args) for pick in (plain, like)]
    named = [{k: pick(v) for k, v in kwargs.items()} for pick in (plain, like)]
    v = function(*parts[0], **named[0])
    if isinstance(v, (list, tuple)):
        return [Tracked(*pair) for pair in zip(v, function(*parts[1], **named[1]))]
    return Tracked(v, np.asarray(function(*parts[1], **named[1]))) if is_float(v) else Tracked(np.asarray(v))


def where(condition, a, b):
    c, pick = plain(condition), lambda x: 0.0 if magnitude(x) is None else magnitude(x)
    v = np.where(c, plain(a), plain(b))
    return Tracked(v, np.where(c, pick(a), pick(b))) if is_float(v) else Tracked(v)


def pad(x, width, mode="constant", **kwargs):
    m = np.pad(x.m, width, mode=mode) if x.m is not None else None
    return Tracked(np.pad(x.v, width, mode=mode, **kwargs), m)


def reshaped(x, shape, *_, **__):
    return Tracked(x.v.reshape(shape), None if x.m is None else x.m.reshape(shape)) if isinstance(x, Tracked) else np.reshape(x, shape)


def einsum(spec, *operands, **_):
    """Terms are nonnegative when all factors are: magnitudes are the einsum of magnitudes."""
    values, m = [plain(x) for x in operands], None
    wide = [v.astype("f4") if Tracked.rounding.single else v for v in values]
    v = np.asarray(np.einsum(spec, *wide, optimize=True), dtype="f8" if any(is_float(x) for x in values) else None)
    sizes = [np.abs(x) for x in values]
    Tracked.operations += 2.0 * float(np.einsum(spec.split("->")[0] + "->", *[np.ones(np.shape(x)) for x in values], optimize=True))
    if Tracked.narrow:
        m = np.sqrt(np.einsum(spec, *[x * x for x in values], optimize=True))
    else:
        m = np.einsum(spec, *sizes, optimize=True)
    for i, x in enumerate(operands):
        if isinstance(x, Tracked) and x.m is not None and x.m.any():
            m = m + np.einsum(spec, *sizes[:i], x.m, *sizes[i + 1:], optimize=True)
    return finished(v, m)


def norm(x, ord=None, axis=None, keepdims=False):
    if ord not in (None, 2, "fro"):
        raise TypeError("explog knows no magnitude of this norm")
    return np.sqrt(summed(x * x, axis, keepdims=keepdims))


def clip(x, low=None, high=None, **_):
    x = x if low is None else np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


def copyto(to, source, **_):
    to[...] = source


def sort(x, axis=-1, **_):
    return take_along(x, np.argsort(x.v, axis=axis, kind="stable"), axis)


def take_along(x, indices, axis=-1):
    return Tracked(*(np.take_along_axis(part, plain(indices), axis) for part in (x.v, x.m) if part is not None))


def swept(name):
    return lambda x, *args, **kwargs: chosen(x, name, *args, **kwargs)


FUNCTIONS = {
    "sum": lambda x, axis=None, **kwargs: summed(x, axis, **kwargs), "mean": mean, "average": mean, "var": var,
    "std": lambda *a, **k: np.sqrt(var(*a, **k)), "cumsum": lambda x, axis=None, **_: summed(x if axis is not None else x.reshape(-1), axis or 0, True),
    "max": swept(np.argmax), "amax": swept(np.argmax), "min": swept(np.argmin), "amin": swept(np.argmin), "where": where, "pad": pad,
    "reshape": reshaped, "dot": lambda a, b, **_: contraction(np.dot, (a, b)), "inner": lambda a, b: contraction(np.inner, (a, b)),
    "outer": lambda a, b, **_: reshaped(a, (-1, 1)) * reshaped(b, (1, -1)), "vdot": lambda a, b: contraction(np.vdot, (a, b)),
    "tensordot": lambda a, b, axes=2: contraction(lambda x, y: np.tensordot(x, y, axes), (a, b)), "einsum": einsum, "norm": norm,
    "clip": clip, "copyto": copyto, "sort": sort, "take_along_axis": take_along, "matmul": lambda a, b: contraction(np.matmul, (a, b)),
    "correlate": lambda a, b, mode="valid": contraction(lambda x, y: np.correlate(x, y, mode), (a, b)),
    "convolve": lambda a, b, mode="full": contraction(lambda x, y: np.convolve(x, y, mode), (a, b)),
}
MOVES = {"transpose", "swapaxes", "moveaxis", "rollaxis", "concatenate", "stack", "vstack", "hstack", "column_stack", "expand_dims", "squeeze",
         "broadcast_to", "flip", "fliplr", "flipud", "roll", "repeat", "tile", "take", "tril", "triu", "diagonal", "diag", "ravel", "copy",
         "atleast_1d", "atleast_2d", "split", "array_split", "rot90", "compress", "zeros_like", "ascontiguousarray"}
PLAIN = {"argmax", "argmin", "argsort", "shape", "ndim", "size", "all", "any", "isnan", "isfinite", "nonzero", "bincount", "searchsorted",
         "array_equal", "allclose", "count_nonzero", "histogram", "iscomplexobj", "result_type"}
