# Watches a foreign problem run on PyTorch's meta device: tensors there have shapes and types and no memory.
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

DRAWN = {"rand", "randn", "randint", "rand_like", "randn_like", "randint_like", "uniform_", "normal_", "random_"}
KEEPING = {"contiguous", "to", "long", "int", "float", "half", "bfloat16", "double", "bool", "clone", "view", "reshape", "cuda", "cpu",
           "unsqueeze", "squeeze", "expand", "transpose", "permute", "detach", "requires_grad_", "t", "T", "__get__", "flatten"}
LAWLESS = {"bernoulli", "bernoulli_", "native_dropout", "dropout", "rand", "randn", "randint", "rand_like", "randn_like", "uniform_", "normal_",
           "multinomial", "randperm"}
VIEWS = {"view", "_unsafe_view", "t", "transpose", "permute", "expand", "unsqueeze", "squeeze", "slice", "select", "detach", "alias", "clone",
         "_to_copy", "empty", "empty_like", "zeros", "ones", "as_strided", "split", "cat", "stack", "max_pool2d_with_indices", "unfold", "copy_"}
SUMS = {"sum", "mean", "var", "var_mean", "std", "prod", "norm", "linalg_vector_norm", "logsumexp", "avg_pool1d", "avg_pool2d", "avg_pool3d",
        "_adaptive_avg_pool2d", "_adaptive_avg_pool3d", "mse_loss", "smooth_l1_loss", "huber_loss", "nll_loss_forward", "kl_div", "trace", "dot"}
NORMS = {"native_batch_norm", "_native_batch_norm_legit", "cudnn_batch_norm", "native_group_norm", "native_layer_norm"}
ALONG = {"cumsum", "cumprod", "_softmax", "_log_softmax", "logcumsumexp"}


DEVICE = ["meta"]  # or "cpu", where a problem needs its numbers


class Meta(TorchFunctionMode):
    """Keeps everything on one device, and remembers of each tensor how it was made."""

    building = False

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        name = getattr(function, "__name__", "")
        if "device" in kwargs:
            kwargs["device"] = DEVICE[0]
        kwargs.pop("generator", None)
        if name in ("cuda", "cpu"):
            return args[0]
        if name == "item" and self.building:
            return 0.0  # of a setting of layers, such as a rate that grows from one to the next
        if name == "to":
            args = tuple(DEVICE[0] if is_device(a) else a for a in args)
        result = function(*args, **kwargs)
        if isinstance(result, torch.Tensor):
            self.remember(name, args, kwargs, result)
        return result

    @staticmethod
    def remember(name, args, kwargs, result):
        first = args[0] if args and isinstance(args[0], torch.Tensor) else None
        try:
            if name in DRAWN:
                result.explog_made = name
                numbers = [a for a in args if isinstance(a, int) and not isinstance(a, bool)]
                if name == "randint":
                    high = kwargs.get("high", numbers[1] if len(numbers) > 1 else numbers[0] if numbers else None)
                    low = kwargs.get("low", numbers[0] if len(numbers) > 1 else 0)
                    result.explog_range = (low, high)
            elif name in KEEPING and first is not None:
                for key in ("explog_made", "explog_range"):
                    if hasattr(first, key):
                        setattr(result, key, getattr(first, key))
            elif name not in ("__set__", "__setitem__", "fill_"):
                result.explog_made = name
                result.__dict__.pop("explog_range", None)
        except (AttributeError, IndexError, TypeError):
            pass


def is_device(value):
    return isinstance(value, (str, torch.device)) and str(value).split(":")[0] in ("cuda", "cpu")


def is_initial():
    """Whether a new layer's weights are being drawn, which the reference goes on to replace."""
    frame = sys._getframe()
    while frame:
        if frame.f_code.co_filename.endswith("torch/nn/init.py"):
            return True
        frame = frame.f_back
    return False


class Work(TorchDispatchMode):
    """Counts what the operators of a call add up: the longest sum of one output element, and all operations."""

    def __init__(self):
        super().__init__()
        self.terms, self.flops, self.lawless = 1, 0, set()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        name = function.overloadpacket.__name__
        if name in LAWLESS and not is_initial():
            self.lawless.add(name.strip("_"))
        out = result[0] if isinstance(result, (tuple, list)) and result else result
        if isinstance(out, torch.Tensor) and name not in VIEWS:
            terms = self.terms_of(name, args, out)
            self.terms = max(self.terms, terms)
            self.flops += self.operations_of(name, terms) * out.numel()
        return result

    @staticmethod
    def operations_of(name, terms):
        """For one element of the output."""
        if name in NORMS or name in ALONG:
            return 7 if name in NORMS else 4
        products = name in ("mm", "bmm", "addmm", "baddbmm", "convolution") or "attention" in name
        return 2 * terms if products else max(terms, 1)

    @staticmethod
    def terms_of(name, args, out):
        tensors = [a for a in args if isinstance(a, torch.Tensor)]
        if name in ("mm", "bmm"):
            return tensors[0].shape[-1]
        if name in ("addmm", "baddbmm"):
            return tensors[1].shape[-1]
        if name == "convolution":
            weight = tensors[1]
            transposed, groups = args[6], args[8]
            across = weight.shape[0] // groups if transposed else weight.shape[1]
            return across * math.prod(weight.shape[2:])
        if "attention" in name and len(tensors) > 1:
            return max(tensors[0].shape[-1], tensors[1].shape[-2])
        if name in ALONG and tensors[0].dim():
            return tensors[0].shape[args[1] if isinstance(args[1], int) else -1]
        if name == "native_layer_norm":
            return math.prod(args[1])
        if name == "native_group_norm":
            return out.numel() // max(1, out.shape[0] * args[6])
        if "batch_norm" in name:
            return out.numel() // max(1, out.shape[1])
        return max(1, tensors[0].numel() // max(1, out.numel())) if name in SUMS and tensors else 1


PlainGenerator = torch.Generator


class Generator(PlainGenerator):
    """Of whatever device is asked for: nothing is drawn."""

    def __new__(cls, *words, **named):
        return PlainGenerator.__new__(cls, "cpu")


torch.Generator = Generator
