"""What a file's own setup() says of a kernel's arguments, for a task that is drafted from it.

    draft_setup.py FILE DIMS WHOSE     DIMS: a JSON object; WHOSE setup() it is: the kernel's or the reference's. The last line of the output is a JSON object:
        {"parameters": [{"name": "x", "dtype": "f32", "count": 4096, "written": false}, {"name": "eps", "dtype": "f32", "value": 1e-5}, ...]}
        {"error": ...}           one line; with "missing": a module that this interpreter does not have
"""
import importlib.util
import inspect
import json
import os
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from explog_tensors import NAMES, Refused, prepare_torch  # noqa: E402

DTYPES = {name: short for short, name in NAMES.items()}


def sees_gpu():
    try:
        import torch
        return torch.cuda.is_available()
    except ImportError:
        return False


def setup_of(path):
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location("candidate", path)
    module = sys.modules["candidate"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(module, "setup", None)):
        raise Refused("has no setup()")
    return module.setup


def check_dims(setup, dims):
    parameters = inspect.signature(setup).parameters.values()
    names = [p.name for p in parameters]
    if not any(p.kind == p.VAR_KEYWORD for p in parameters):
        for name in dims:
            if name not in names:
                raise Refused(f"setup() has no parameter {name}; it has {', '.join(names)}")
    for p in parameters:
        if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) and p.name not in dims:
            raise Refused(f"setup() asks for {p.name}, which --dims does not give")


def count_of(value):
    count = 1
    for size in value.shape:
        count *= int(size)
    return count


def parameter(name, value, written, dims, whose):
    """Nothing for what a kernel's own setup() goes on making beside the task's arguments, such as the sizes of its blocks."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        kind = str(value.dtype).split(".")[-1]
        if kind not in DTYPES:
            raise Refused(f"setup() makes '{name}' of {kind}; a task knows {', '.join(DTYPES)}")
        return {"name": name, "dtype": DTYPES[kind], "count": count_of(value), "written": written}
    if isinstance(value, float):
        return {"name": name, "dtype": "f32", "value": value}
    if isinstance(value, int) and name in dims:
        if value != dims[name]:
            raise Refused(f"setup() makes '{name}' {value}, and --dims says {dims[name]}")
        return {"name": name, "dtype": "i32" if value < 1 << 31 else "i64"}
    if isinstance(value, int) and whose == "reference":
        return {"name": name, "dtype": "i32", "value": int(value)}
    return None


def parameters_of(path, dims, whose):
    if not sees_gpu():
        prepare_torch("sm_90")
    setup = setup_of(path)
    check_dims(setup, dims)
    made = setup(**dims)
    given = made.get("inputs") if isinstance(made, dict) else None
    if not isinstance(given, dict):
        raise Refused('setup() must return {"inputs": {name: value}, "outputs": [name]}')
    for name in made.get("outputs", []):
        if name not in given:
            raise Refused(f"setup() says that '{name}' is an output, and makes no such array")
    rows = [parameter(name, value, name in made.get("outputs", []), dims, whose) for name, value in given.items()]
    return [row for row in rows if row]


def main():
    path, dims = sys.argv[1], json.loads(sys.argv[2])
    name = os.path.basename(path)
    try:
        said = {"parameters": parameters_of(path, dims, sys.argv[3])}
    except Refused as error:
        said = {"error": f"{name}: {error}"}
        if " torch" in str(error) and "not installed" in str(error):
            said["missing"] = "torch"
    except ModuleNotFoundError as error:
        said = {"error": f"{name} imports {error.name}, which {sys.executable} does not have", "missing": error.name}
    except BaseException as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        said = {"error": " ".join(f"{name}{f':{lines[-1]}' if lines else ''}: {type(error).__name__}: {error}".split())}
    print("\n" + json.dumps(said), flush=True)


main()
