"""Compiles the kernels that a Python file launches, for a GPU that need not be there.

    compile.py JOB.json        replies on descriptor 4, a line of JSON each:
        {"loaded": true}       the file was imported
        {"kernel": ..., "dims": ..., "code": N, "registers": ..., "stack": ..., "shared": ...}
                               its code lies in the job's folder as N.cubin, N.ptx, N.ttgir and N.tileir, as far as there is
                               one; Triton's also says "num_warps" and "num_stages"
        {"error": ...}         one line; the last
        {"done": true}         the last

The file is called as the judge calls it, with tensors that have shapes and no memory; where it would launch, the kernel is compiled.
"""
import importlib.util
import io
import json
import os
import sys
import traceback
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # an isolated interpreter leaves it out

from explog_contracts import Arguments, Failure, contract_of, plain  # noqa: E402
from explog_cubin import resources  # noqa: E402
from explog_tensors import DTYPES, Refused, prepare_torch, processor  # noqa: E402

replies = os.fdopen(4, "w", buffering=1)
job = json.load(open(sys.argv[1]))
seen = {}
dims = ""
TEXTS = ("ptx", "ttgir", "tileir")  # of one kernel, beside its cubin


def reply(**fields):
    replies.write(json.dumps(fields) + "\n")


def compiled(name, cubin, key, **more):
    """Tells of a kernel once, whichever shapes lead to it. Texts among `more` are kept, the rest are facts."""
    if (name, key) in seen:
        return
    seen[name, key] = True
    facts = resources(cubin)
    texts = {kind: more.pop(kind) for kind in TEXTS if kind in more}
    facts.update(more)
    for kind, content in {"cubin": cubin, **texts}.items():
        with open(os.path.join(job["code"], f"{len(seen)}.{kind}"), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    reply(kernel=name, dims=dims, code=len(seen), **facts)


# One function a backend: from now on launches compile.

def prepare_triton(arch):
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.runtime.driver import driver

    number = int("".join(c for c in arch if c.isdigit()))
    target = GPUTarget("cuda", number, 32)

    def once(call, **_):
        call()
        return [1.0, 1.0, 1.0]

    class Driver:
        get_current_target = staticmethod(lambda: target)
        get_current_device = staticmethod(lambda: 0)
        set_current_device = staticmethod(lambda device: None)
        get_current_stream = staticmethod(lambda device=None: 0)
        get_device_capability = staticmethod(lambda device=None: (number // 10, number % 10))
        get_benchmarker = staticmethod(lambda: once)
        get_active_torch_device = staticmethod(lambda: "meta")
        get_device_properties = staticmethod(lambda device=None: {"multiprocessor_count": processor(arch).multi_processor_count})
        utils = types.SimpleNamespace(get_device_properties=lambda device=None: dict(
            max_shared_mem=232448, max_num_regs=65536, multiprocessor_count=processor(arch).multi_processor_count,
            warpSize=32, sm_clock_rate=0, mem_clock_rate=0, mem_bus_width=0))

    driver.set_active(Driver())
    run = triton.JITFunction.run

    def compile_instead(self, *args, grid, warmup, **kwargs):
        kernel = run(self, *args, grid=grid, warmup=True, **kwargs)
        made = kernel.metadata
        compiled(self.fn.__name__, kernel.asm["cubin"], kernel.hash, shared=made.shared, num_warps=made.num_warps,
                 num_stages=made.num_stages, ptx=kernel.asm["ptx"], ttgir=kernel.asm["ttgir"])
        return kernel

    triton.JITFunction.run = compile_instead


def tile_ir(bytecode):
    """The text of Tile IR, by the toolkit's disassembler: packages before 13.4 have none, and cuTile may call it otherwise."""
    try:
        from cuda.tile._compile import _bytecode_to_mlir_text
        return {"tileir": _bytecode_to_mlir_text(bytecode)}
    except Exception:
        return {}


def prepare_cutile(arch):
    import cuda.tile as ct
    from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel

    code = arch.rstrip("af")
    types_of = {name: getattr(ct, name + "_" if name == "bool" else name) for name in DTYPES}

    def array(tensor):
        """What cuTile assumes of a tensor at run time: which strides are one, and what 16 divides."""
        shape, strides = tuple(tensor.shape), tuple(tensor.stride())
        dtype = types_of[str(tensor.dtype).split(".")[-1]]
        size = max(16 // tensor.element_size(), 1)
        constant = tuple(1 if stride == 1 and i == len(shape) - 1 else None for i, stride in enumerate(strides))
        return ArrayConstraint(
            dtype, len(shape), index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),
            may_alias_internally=False, stride_constant=constant,
            stride_divisible_by=tuple(1 if c else size if s % size == 0 else 1 for s, c in zip(strides, constant)),
            shape_divisible_by=tuple(16 if s % 16 == 0 else 1 for s in shape), base_addr_divisible_by=16)

    def parameter(value, annotation):
        if hasattr(value, "data_ptr"):
            return array(value)
        if "Constant" in str(annotation):
            return value
        from cuda.tile.compilation import ScalarConstraint
        return ScalarConstraint(ct.float32 if isinstance(value, float) else ct.int32)

    def launch(stream, grid, kernel, args, **_):
        notes = [p.annotation for p in __import__("inspect").signature(kernel._pyfunc).parameters.values()]
        signature = KernelSignature([parameter(a, n) for a, n in zip(args, notes)], CallingConvention.cutile_python_v1())
        key = (str(signature), str(kernel._compiler_options))
        if (kernel._pyfunc.__name__, key) in seen:
            return
        made = {}
        for form in ("cubin", "tileir_bytecode"):
            out = io.BytesIO()
            export_kernel(kernel, [signature], out, gpu_code=code, output_format=form)
            made[form] = out.getvalue()
        compiled(kernel._pyfunc.__name__, made["cubin"], key, **tile_ir(made["tileir_bytecode"]))

    ct.launch = launch


def prepare_cutedsl(arch):
    """CuTe DSL reads the arch from its environment, and leaves its cubins in a folder; what it compiled is not executed."""
    from cutlass.base_dsl import jit_executor
    from cutlass.cutlass_dsl import cuda_jit_executor

    folder, told = os.environ["CUTE_DSL_DUMP_DIR"], set()

    def tell(self, *_, **__):
        for name in sorted(set(os.listdir(folder)) - told):
            told.add(name)
            if name.endswith(".cubin"):
                with open(os.path.join(folder, name), "rb") as file:
                    compiled(self.function_name.split("_")[1] if "_" in self.function_name else self.function_name,
                             file.read(), name)

    jit_executor.JitCompiledFunction.__call__ = tell
    for name in dir(cuda_jit_executor):
        kind = getattr(cuda_jit_executor, name)
        if isinstance(kind, type) and issubclass(kind, jit_executor.JitCompiledFunction):
            kind.__call__ = tell


PREPARE = {"triton": prepare_triton, "cutile": prepare_cutile, "cutedsl": prepare_cutedsl, "python": lambda arch: None}


# The candidate.

def load(path):
    # Beside it lie the modules that it imports.
    sys.path.insert(0, job["folder"]) if job["folder"] else None
    spec = importlib.util.spec_from_file_location("candidate", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["candidate"] = module
    spec.loader.exec_module(module)
    return module


class NoMemory:
    """A device of contracts.py, on which nothing is ever computed: what a call returns is not looked at."""

    on_gpu = True

    def __init__(self, tensor):
        self.tensor = tensor

    def array(self, _, extents, dtype):
        return self.tensor(extents, dtype)

    def is_array(self, value):
        return hasattr(value, "data_ptr")

    def without_gaps(self, array):
        return array.is_contiguous()


def call(module, case, device):
    bind, _ = contract_of(module, device, False)
    function, args, named = bind(Arguments(case, case, device))[0]
    function(*args, **named)


def where(error, path):
    """FILE:LINE of the deepest frame in the candidate, and what Triton says of a kernel's own lines."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    line = lines[-1] if lines else getattr(error, "lineno", None) if isinstance(error, SyntaxError) else None
    return job["name"] + (f":{line}" if line else "")


def innermost(error):
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def describe(error, path):
    if isinstance(error, (Refused, Failure)):
        return f"{where(error, path)}: {error}"
    place, error = where(error, path), innermost(error)
    if isinstance(error, ModuleNotFoundError):
        return f"{place}: imports {error.name}, which is not installed for this interpreter"
    text = plain(getattr(error, "error_message", None) or error)
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    kernel_line = getattr(getattr(error, "node", None), "lineno", None)
    said = f"{type(error).__name__}: {lines[0] if not kernel_line else lines[-1]}"
    return f"{place}: {said}" + (f" (line {kernel_line} of the kernel)" if kernel_line else "")


def main():
    global dims
    path = job["path"]
    try:
        device = NoMemory(prepare_torch(job["arch"]))
        PREPARE[job["backend"]](job["arch"])
        module = load(path)
        reply(loaded=True)
        for case in job["cases"]:
            dims = ", ".join(f"{name}={value}" for name, value in case["dims"].items())
            call(module, case, device)
    except BaseException as error:  # also SystemExit: a module that ends the interpreter says so
        return reply(error=describe(error, path))
    if not seen and job["backend"] != "python":
        return reply(error=f"{job['name']}: {job['entry']} launches no kernel")
    reply(done=True)


main()
