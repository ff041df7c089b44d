"""A kernel alone, and beside it how it is launched (schema/formats/python.md):

    launch = {"kernel": softmax, "grid": lambda N: (N,), "args": ["x", "y", "D"], "constants": {"BLOCK": 1024}, "num_warps": 8}

Stands before contracts.py, tuned.py and runner.py in one file, and before contracts.py in compile.py's too. Errors are one line for the author.
"""

import importlib
import inspect
import re


class Failure(Exception):
    """Ends a command: the text is for a person. What it is called in a verdict follows from the command."""


def plain(text):
    """Without the colours that a compiler gives its words for a terminal."""
    return re.sub(r"\x1b\[[0-9;]*m", "", str(text))


def is_indexed(value):
    """Called as kernel[grid](...): Triton's, tuned or not, and what acts as one."""
    return hasattr(type(value), "__getitem__") and hasattr(type(value), "run")


def is_cutile(value):
    return type(value).__module__.startswith("cuda.tile") and type(value).__name__ == "kernel"


def is_cute(value):
    return inspect.isfunction(value) and hasattr(value, "_dsl_cls")


def is_kernel(value):
    return is_indexed(value) or is_cutile(value) or is_cute(value)


def kernels_of(module):
    return {name: value for name, value in vars(module).items() if is_kernel(value)}


def is_described(module):
    return isinstance(getattr(module, "launch", None), dict)


def asked(function, known):
    """Of the names of a function's parameters those that are not known and have no default."""
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name not in known]


def unknown(what, name, known):
    return Failure(f"launch: {what} asks for {name}, which is none of {', '.join(known)}")


def given(written, known, what, named=False):
    """A value as it stands; or what a function makes of those that its parameters name; or, where texts name, the one so named."""
    if inspect.isfunction(written) and not is_cute(written):
        for name in asked(written, known):
            raise unknown(what, name, known)
        parameters = inspect.signature(written).parameters.values()
        if any(p.kind == p.VAR_KEYWORD for p in parameters):
            return written(**known)
        return written(**{p.name: known[p.name] for p in parameters if p.name in known})
    if named and isinstance(written, str):
        if written not in known:
            raise unknown(what, written, known)
        return known[written]
    return written


def whole_grid(written, known):
    made = given(written, known, "grid", True)
    made = tuple(given(one, known, "grid", True) for one in (made if isinstance(made, (tuple, list)) else (made,)))
    if not 1 <= len(made) <= 3 or not all(isinstance(size, int) and size > 0 for size in made):
        raise Failure(f"launch: grid is {made}, not one to three whole numbers above 0")
    return made


def kernel_of(module, description):
    """The kernel that is launched: the one named, or the only one."""
    if "kernel" in description:
        kernel = description["kernel"]
        if not is_kernel(kernel):
            raise Failure(f"launch: kernel is a {type(kernel).__name__}, not a kernel of triton, cuda.tile or cutlass")
        return kernel
    found = kernels_of(module)
    if len(found) != 1:
        have = f"there are {', '.join(found)}" if found else "the file has none"
        raise Failure(f'launch: it says no "kernel", and {have}')
    return next(iter(found.values()))


def function_of(kernel):
    """The function as it was written."""
    while True:
        inner = [getattr(kernel, name) for name in ("_pyfunc", "fn", "__wrapped__") if hasattr(kernel, name)]
        if not inner:
            return kernel
        kernel = inner[0]


def parameters_of(kernel):
    return list(inspect.signature(function_of(kernel)).parameters.values())


def arguments_of(description, kernel, known, constants):
    """Values of "args" in order; without it, those of the task that have names of the kernel's parameters, by name."""
    if "args" in description:
        written = description["args"]
        if not isinstance(written, (tuple, list)):
            raise Failure('launch: "args" is no list')
        return [given(one, known, "args", True) for one in written], {}
    wanted = [p for p in parameters_of(kernel) if p.name not in constants and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return [], {p.name: known[p.name] for p in wanted if p.name in known}


def in_order(kernel, positional, named):
    """All values in the order of a kernel's parameters."""
    parameters, values, rest = parameters_of(kernel), [], list(positional)
    for p in parameters:
        if p.name in named:
            values.append(named[p.name])
        elif rest:
            values.append(rest.pop(0))
        elif p.default is not p.empty:
            values.append(p.default)
        else:
            raise Failure(f"launch: the kernel's {p.name} gets no value; name it in args or constants")
    if rest or set(named) - {p.name for p in parameters}:
        more = next(iter(set(named) - {p.name for p in parameters}), None)
        what = f"{more}, which is no parameter of the kernel" if more else f"{len(positional)} values in args, more than the kernel takes"
        raise Failure(f"launch: it gives {what}")
    return values


def only_these(description, names, language):
    for name in description:
        if name not in names:
            raise Failure(f"launch: {language} takes no {name}; what is known is {', '.join(names)}")


def indexed_call(description, kernel, known, constants, positional, named):
    """Of Triton: what else is described are its options; the grid may ask for what the kernel's own tuning chooses."""
    options = {name: given(value, known, name) for name, value in description.items() if name not in ("kernel", "grid", "args", "constants")}
    grid = description["grid"]
    late = inspect.isfunction(grid) and asked(grid, known)
    size = (lambda meta: whole_grid(grid, {**meta, **known})) if late else whole_grid(grid, known)

    def call():  # what a launch gives, Triton's compiled kernel, is no result
        kernel[size](*positional, **named, **constants, **options)

    return call


def cutile_call(description, kernel, known, constants, positional, named):
    only_these(description, ("kernel", "grid", "args", "constants"), "cuTile")
    tile, torch = importlib.import_module("cuda.tile"), importlib.import_module("torch")
    size, values = whole_grid(description["grid"], known), tuple(in_order(kernel, positional, {**named, **constants}))
    return lambda: tile.launch(torch.cuda.current_stream(), size, kernel, values)


compiled_by_cute = {}


def cute_value(value, parameter):
    """An array as CuTe DSL takes it: a Pointer where that is what the function takes, else a Tensor of its shape."""
    runtime, cutlass = importlib.import_module("cutlass.cute.runtime"), importlib.import_module("cutlass")
    if not hasattr(value, "data_ptr"):
        return value
    dtype = getattr(cutlass, {"float64": "Float64", "float32": "Float32", "float16": "Float16", "bfloat16": "BFloat16", "int64": "Int64",
                              "int32": "Int32", "uint8": "Uint8"}[str(value.dtype).split(".")[-1]])
    if "Pointer" in str(parameter.annotation):
        space = importlib.import_module("cutlass.cute").AddressSpace.gmem
        return runtime.make_ptr(dtype, value.data_ptr(), space, assumed_align=16)
    if hasattr(value, "__dlpack__") and getattr(value.device, "type", "") != "meta":
        return runtime.from_dlpack(value, assumed_align=16)
    order = tuple(reversed(range(len(value.shape))))
    return runtime.make_fake_compact_tensor(dtype, tuple(value.shape), stride_order=order, assumed_align=16)


def cute_call(description, kernel, known, constants, positional, named):
    """A @cute.jit function has the launches of its kernels in it. Where it takes tensors it is compiled for each of their shapes."""
    if kernel._decorator_kind != "jit":
        raise Failure("launch: a @cute.kernel is launched by a @cute.jit function; describe that one")
    only_these(description, ("kernel", "args", "constants"), "CuTe DSL")
    parameters = parameters_of(kernel)
    stream = next((p.name for p in parameters if "CUstream" in str(p.annotation)), None)
    values = in_order(kernel, positional, {**named, **constants, **({stream: None} if stream else {})})
    values = [cute_value(value, p) for value, p in zip(values, parameters)]
    numbers = {name: str(value) for name, value in known.items() if not hasattr(value, "data_ptr")}
    key = (kernel, str(numbers))

    def all_values(compiling):
        if stream:
            current = importlib.import_module("torch").cuda.current_stream().cuda_stream
            values[[p.name for p in parameters].index(stream)] = importlib.import_module("cuda.bindings.driver").CUstream(current)
        return [v for v, p in zip(values, parameters) if compiling or "Constexpr" not in str(p.annotation)]

    def call():
        if key not in compiled_by_cute:
            compiled_by_cute[key] = importlib.import_module("cutlass.cute").compile(kernel, *all_values(True))
        compiled_by_cute[key](*all_values(False))

    return call


def launcher(module, arguments):
    """A function that launches the module's kernel as it describes, with the task's arguments and dimensions by name."""
    description = module.launch
    kernel = kernel_of(module, description)
    if not isinstance(description.get("constants", {}), dict):
        raise Failure('launch: "constants" is no dict')
    constants = {name: given(value, arguments, f"constant {name}") for name, value in description.get("constants", {}).items()}
    if "grid" not in description and not is_cute(kernel):
        raise Failure('launch: it says no "grid", such as "grid": lambda N: (N,)')
    known = {**arguments, **constants}
    values = arguments_of(description, kernel, known, constants)
    call = indexed_call if is_indexed(kernel) else cutile_call if is_cutile(kernel) else cute_call
    return call(description, kernel, known, constants, *values)
