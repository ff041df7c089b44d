"""What a candidate in Python may look like, and how it is called (schema/formats/python.md). In one file with launch.py,
which stands before it, tuned.py and runner.py behind it.
"""

import importlib
import inspect
import math
import sys

# Element types by name: of __array_interface__, and torch's own name.
TYPES = {
    "f32": ("<f4", "float32"),
    "f64": ("<f8", "float64"),
    "f16": ("<f2", "float16"),
    "bf16": ("<i2", "bfloat16"),  # which the interface has no word for: 16-bit integers, seen as bfloat16
    "i32": ("<i4", "int32"),
    "i64": ("<i8", "int64"),
    "u8": ("|u1", "uint8"),
}


class Memory:
    """One of the harness's buffers, as NumPy and torch take memory over."""

    def __init__(self, kind, address, extents, letters):
        interface = {"data": (address, False), "shape": tuple(extents), "typestr": letters, "version": 3}
        setattr(self, kind, interface)


class Device:
    """Arrays of the library that candidates of this device use: torch on a GPU, NumPy on the host."""

    def __init__(self, on_gpu):
        self.on_gpu = on_gpu
        name = "torch" if on_gpu else "numpy"
        try:
            self.library = importlib.import_module(name)
        except ImportError as error:
            raise Failure(f"{sys.executable} has no {name}: {error}") from error
        if on_gpu and not self.library.cuda.is_available():
            raise Failure(f"the torch of {sys.executable} sees no GPU")

    def array(self, address, extents, dtype):
        letters, name = TYPES[dtype]
        if not self.on_gpu:
            return self.library.asarray(Memory("__array_interface__", address, extents, letters))
        array = self.library.as_tensor(Memory("__cuda_array_interface__", address, extents, letters), device="cuda")
        return array.view(self.library.bfloat16) if name == "bfloat16" else array

    def is_array(self, value):
        return isinstance(value, self.library.Tensor if self.on_gpu else self.library.ndarray)

    def check(self, to, value):
        if tuple(to.shape) != tuple(value.shape):
            raise Failure(f"it returned an array of {tuple(value.shape)} where {tuple(to.shape)} is wanted")
        if to.dtype != value.dtype:
            raise Failure(f"it returned an array of {value.dtype} where {to.dtype} is wanted")

    def without_gaps(self, array):
        return array.is_contiguous() if self.on_gpu else array.flags.c_contiguous

    def copy(self, to, value):
        if self.on_gpu:
            to.copy_(value)
        else:
            to[...] = value

    def span(self, array):
        """Where the elements of an array without gaps lie: address and bytes. Nothing for others, and for what only acts as an array."""
        if not self.on_gpu:
            return (array.ctypes.data, array.nbytes) if type(array) is self.library.ndarray and array.flags.c_contiguous else None
        plain = type(array) in (self.library.Tensor, self.library.nn.Parameter) and array.is_contiguous()
        return (array.data_ptr(), array.numel() * array.element_size()) if plain else None


class Arguments:
    """What a candidate is called with at one shape, by the task's names."""

    def __init__(self, task, shape, device):
        self.dims = shape["dims"]
        self.values, self.inputs, self.outputs = {}, [], []
        for argument, given in zip(task["arguments"], shape["arguments"]):
            name, role = argument["name"], argument["role"]
            if role == "scalar":
                value = given["value"]
                self.values[name] = value if argument["dtype"] in ("f32", "f64") else int(value)
                continue
            self.values[name] = device.array(given["address"], given["extents"], argument["dtype"])
            if role in ("in", "inout"):
                self.inputs.append(name)
            if role in ("out", "inout"):
                self.outputs.append(name)

    def named(self):
        return {**self.dims, **self.values}

    def orders(self, all_arguments):
        """Names in the orders that a function without them may mean. Benchmarks leave sizes out and have outputs last."""
        without_sizes = [name for name in self.values if name not in self.dims]
        given = [name for name in without_sizes if name in self.inputs or name not in self.outputs]
        if all_arguments:
            return [list(self.values), without_sizes]
        return [self.inputs, given, [*given, *self.outputs], list(self.values)]

    # For parameters with these names, or in an order of the task's where the names are others.
    def of(self, function, all_arguments):
        known = self.named()
        parameters = inspect.signature(function).parameters.values()
        if any(p.kind == p.VAR_KEYWORD for p in parameters):
            return [], dict(self.values)
        wanted = [p.name for p in parameters if p.default is p.empty and p.kind != p.VAR_POSITIONAL]
        if all(name in known for name in wanted):
            return [], {p.name: known[p.name] for p in parameters if p.name in known}
        for order in self.orders(all_arguments):
            if len(wanted) == len(order):
                return [self.values[name] for name in order], {}
        raise self.misfit(function, wanted)

    def misfit(self, function, wanted):
        return Failure(f"{function.__name__}({', '.join(wanted)}) does not fit the task, whose arguments are {', '.join(self.values)}")

    def by_name(self, function, flat):
        """What a function asks for by the names of its parameters, these arrays flattened; nothing where it asks for more."""
        known = {name: value.reshape(-1) if name in flat else value for name, value in self.named().items()}
        parameters = inspect.signature(function).parameters.values()
        if any(p.kind == p.VAR_KEYWORD for p in parameters):
            return known
        wanted = [p for p in parameters if p.kind != p.VAR_POSITIONAL]
        if any(p.default is p.empty and p.name not in known for p in wanted):
            return None
        return {p.name: known[p.name] for p in wanted if p.name in known}


def compare_setup(name, made, wanted, device):
    """An array of setup() that is replaced by the task's must be one like it, flat or not: its kernel was written for that."""
    if made.dtype != wanted.dtype:
        raise Failure(f"setup() makes '{name}' of {made.dtype}, and the task's is of {wanted.dtype}")
    have, want = tuple(made.shape), tuple(wanted.shape)
    size, wanted_size = (math.prod(extents) for extents in (have, want))
    if size != wanted_size or (have != want and 1 not in (len(have), len(want))):
        raise Failure(f"setup() makes '{name}' of shape {have}, and the task's has {want}")
    if not device.without_gaps(made):
        raise Failure(f"setup() makes '{name}' with gaps or in another order of its dimensions, and the task's arrays have neither")


def arrays_of_setup(module, arguments, device):
    """What setup() gives for run_kernel(), held against the task."""
    made = module.setup(**arguments.dims)
    given = made.get("inputs") if isinstance(made, dict) else None
    if not isinstance(given, dict):
        raise Failure('setup() must return {"inputs": {name: value}, "outputs": [name]}')
    for name in made.get("outputs", []):
        if name not in arguments.outputs:
            raise Failure(f"setup() says that '{name}' is an output; those of the task are {', '.join(arguments.outputs)}")
    for name, value in given.items():
        if not device.is_array(value):
            continue
        if name not in arguments.values:
            raise Failure(f"setup() makes an array '{name}' that the task does not have; its arguments are {', '.join(arguments.values)}")
        if not device.is_array(arguments.values[name]):
            raise Failure(f"setup() makes an array '{name}', which is a number in the task")
        compare_setup(name, value, arguments.values[name], device)
    return given


def seed_contract(module, device):
    """setup(**dims) -> {"inputs": {...}, "outputs": [...]} and run_kernel(**inputs): setup's arrays are replaced."""

    def bind(arguments):
        given = arrays_of_setup(module, arguments, device) if hasattr(module, "setup") else {}
        return [(module.run_kernel, (), {**given, **arguments.values})]

    return bind


def give_parameters(instance, arguments):
    """Weights of a model are inputs of its task, by name, or else the last ones in order. Gives the names of these inputs."""
    own = [(name.replace(".", "_"), p) for name, p in instance.named_parameters()] if hasattr(instance, "named_parameters") else []
    names = [name for name, _ in own]
    if not set(names) <= set(arguments.inputs):
        last = arguments.inputs[-len(own):]
        if [tuple(arguments.values[name].shape) for name in last] != [tuple(p.shape) for _, p in own]:
            lacking = next(name for name in names if name not in arguments.inputs)
            raise Failure(f"its model has a parameter {lacking} that the task does not have; its inputs are {', '.join(arguments.inputs)}")
        names = last
    for name, (own_name, parameter) in zip(names, own):
        value = arguments.values[name]
        if tuple(value.shape) != tuple(parameter.shape):
            raise Failure(f"its model's {own_name} is {tuple(parameter.shape)}, the task's {tuple(value.shape)}")
        parameter.requires_grad = False
        parameter.data = value
    return set(names)


def model_contract(module, model, device):
    """KernelBench: forward(*inputs) of ModelNew (or Model) returns the outputs. Weights of the task become the model's."""

    def bind(arguments):
        first = module.get_init_inputs() if hasattr(module, "get_init_inputs") else []
        instance = model(*first)
        instance = instance.cuda() if device.on_gpu and hasattr(instance, "cuda") else instance
        taken = give_parameters(instance, arguments)
        named = arguments.by_name(instance.forward, ()) if hasattr(instance, "forward") else None
        if named is not None and not set(named) & taken:
            return [(instance, (), named)]
        return [(instance, [arguments.values[name] for name in arguments.inputs if name not in taken], {})]

    return bind


def function_contract(function, all_arguments):
    """solve(...) with the task's arguments, or run(...) with its inputs: outputs are written, or returned."""

    def bind(arguments):
        return [(function, *arguments.of(function, all_arguments))]

    return bind


def reference_contract(function):
    """reference(...) of a task, by names (schema/formats/task.md): with the task's shapes, else with flat outputs, else all flat."""

    def bind(arguments):
        arrays = [*arguments.inputs, *arguments.outputs]
        ways = [arguments.by_name(function, flat) for flat in ((), arguments.outputs, arrays)]
        if ways[0] is None:
            raise arguments.misfit(function, inspect.signature(function).parameters)
        return [(function, (), way) for way in ways]

    return bind


def launch_contract(module):
    """A kernel alone, with a description of its launch."""

    def bind(arguments):
        return [(launcher(module, arguments.named()), (), {})]

    return bind


def contract_of(module, device, is_reference):
    """How the module is called; and whether what it returns may have any shape and type that fit, as of a reference."""

    def has(name):  # a kernel of that name is launched, not called
        return hasattr(module, name) and not (is_kernel(getattr(module, name)) and is_described(module))

    if is_reference and hasattr(module, "reference"):
        return reference_contract(module.reference), True
    if has("solve"):
        return function_contract(module.solve, True), is_reference
    if has("run_kernel"):
        return seed_contract(module, device), is_reference
    for name in ("ModelNew", "Model"):
        if hasattr(module, name):
            return model_contract(module, getattr(module, name), device), is_reference
    if has("run"):
        return function_contract(module.run, False), is_reference
    if is_described(module):
        return launch_contract(module), is_reference
    if hasattr(module, "reference"):
        return reference_contract(module.reference), True
    if kernels := kernels_of(module):
        raise Failure(f'it has the kernel {list(kernels)[-1]}, and does not say how that is launched: add launch = {{"grid": ..., "args": [...]}}, or solve()')
    raise Failure("it defines none of solve(), run_kernel(), ModelNew, run() and reference()")
