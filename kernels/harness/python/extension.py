# Behind the constants that `explog task import` writes: SOURCES, BESIDE (what they include), CFLAGS, CUDA_CFLAGS, LDFLAGS,
# BINDING. The sources are built once, for the GPU that is there, and kept where this candidate may write.
import fcntl
import glob
import hashlib
import importlib.util
import os
import re
import site
import tempfile

import torch

HERE = os.path.dirname(os.path.abspath(__file__))


def packaged(pattern):
    """Of the interpreter's packages: NVIDIA's libraries, CUTLASS."""
    return sorted(path for folder in site.getsitepackages() for path in glob.glob(os.path.join(folder, pattern)))


def includes():
    return [HERE, *packaged("nvidia/cudnn/include"), *packaged("cutlass_library/source/include"), *packaged("flashinfer/data/cutlass/include"),
            *glob.glob("/usr/local/cutlass/include"), *glob.glob("/usr/local/cutlass/tools/util/include")]


def for_linker(flag):
    """-lcudnn as the file that a package brings, which has no plain name."""
    found = packaged(f"nvidia/*/lib/lib{flag[2:]}.so*") if flag.startswith("-l") else []
    return found[0] if found else flag


def arch():
    major, minor = torch.cuda.get_device_capability()
    return f"{major}.{minor}{'a' if major >= 9 else ''}"


def build_torch(name, paths, folder):
    from torch.utils import cpp_extension

    os.environ["TORCH_CUDA_ARCH_LIST"] = arch()
    own = [flag for flag in CUDA_CFLAGS if not re.search(r"arch|gencode|code=", flag)]
    cpp_extension.load(name, paths, extra_cflags=CFLAGS, extra_cuda_cflags=own,
                       extra_ldflags=[for_linker(flag) for flag in LDFLAGS], extra_include_paths=includes(), build_directory=folder, with_cuda=True)
    return os.path.join(folder, name + ".so")


def build_tvm_ffi(name, paths, folder):
    import tvm_ffi.cpp

    os.environ["TVM_FFI_CUDA_ARCH_LIST"] = arch()
    return tvm_ffi.cpp.build(name, cpp_files=[p for p in paths if not p.endswith(".cu")], cuda_files=[p for p in paths if p.endswith(".cu")],
                             extra_cflags=CFLAGS, extra_cuda_cflags=CUDA_CFLAGS, extra_ldflags=[for_linker(flag) for flag in LDFLAGS],
                             extra_include_paths=includes(), build_directory=folder)


def load_torch(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_tvm_ffi(name, path):
    import tvm_ffi

    return tvm_ffi.load_module(path)


def complaint(error):
    """The line of a compiler that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines() if re.search(r"error[: ]", line) and "Error building" not in line]
    return lines[0].replace(HERE + "/", "") if lines else str(error)


def key():
    texts = [open(os.path.join(HERE, name), "rb").read() for name in SOURCES + BESIDE]
    words = [torch.__version__, arch(), *CFLAGS, *CUDA_CFLAGS, *LDFLAGS]
    return hashlib.sha256(b"\0".join(texts) + "\0".join(words).encode()).hexdigest()[:16]


def extension():
    build, load = (build_tvm_ffi, load_tvm_ffi) if BINDING == "tvm_ffi" else (build_torch, load_torch)
    name = "explog_" + key()
    kept = os.path.join(os.environ.get("EXPLOG_WRITABLE") or tempfile.gettempdir(), name + ".so")
    with open(kept + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a process that ends lets it go: others of this candidate wait for its product
        if not os.path.exists(kept):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    made = build(name, [os.path.join(HERE, source) for source in SOURCES], folder)
                except RuntimeError as error:
                    raise RuntimeError(complaint(error)) from None
                with open(made, "rb") as product, open(kept + ".part", "wb") as copy:
                    copy.write(product.read())
                os.replace(kept + ".part", kept)
    return load(name, kept)


EXTENSION = extension()
