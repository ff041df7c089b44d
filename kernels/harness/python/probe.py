"""Prints one line of JSON that says what this interpreter has for kernels written in Python. Nothing is imported for it."""
import glob
import importlib.metadata
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig

site = [path for path in dict.fromkeys(sysconfig.get_paths()[key] for key in ("purelib", "platlib")) if os.path.isdir(path)]


def version(*names):
    """Of the first of these distributions that is installed, or ""."""
    for name in names:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return ""


def first_file(*patterns):
    """The last, which is the newest, that fits the first pattern that fits any."""
    for folder in sys.path:
        for pattern in patterns:
            found = sorted(glob.glob(os.path.join(folder, pattern)))
            if found:
                return found[-1]
    return ""


def torch_cuda():
    path = first_file("torch/version.py")
    if not path:
        return ""
    with open(path) as file:
        said = re.search(r"^cuda\b[^=]*=\s*['\"]([\d.]+)", file.read(), re.MULTILINE)
    return said.group(1) if said else ""


def tileiras_archs(path):
    if not path:
        return []
    try:
        said = subprocess.run([path, "--help"], capture_output=True, text=True, timeout=10, stdin=subprocess.DEVNULL).stdout
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return []
    return sorted(set(re.findall(r"\bsm_\d+\b", said)), key=lambda name: int(name[3:]))


def compiler():
    named = os.environ.get("CC", "")
    return shutil.which(named) if named else shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")


def found_tileiras():
    """What cuTile would take: that of its packages where all three are of one version, else one of the PATH or of a toolkit."""
    versions = [version(name).split(".")[:2] for name in ("nvidia-cuda-tileiras", "nvidia-cuda-nvcc", "nvidia-nvvm")]
    if versions[0] == versions[1] == versions[2]:
        packaged = first_file("nvidia/*/bin/tileiras")
        if packaged:
            return packaged, version("nvidia-cuda-tileiras")
    folders = [os.environ.get("PATH", ""), os.path.join(os.environ.get("CUDA_HOME") or "/usr/local/cuda", "bin")]
    path = shutil.which("tileiras", path=os.pathsep.join(folders))
    return (path, "of the toolkit") if path else ("", "")


tileiras, tileiras_version = found_tileiras()
print("explog-python " + json.dumps({
    "format": 2,
    "site": [{"path": path, "modified": os.stat(path).st_mtime_ns // 1000} for path in site],
    "python": platform.python_version(),
    "managed": sys.prefix == sys.base_prefix and os.path.exists(os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")),
    "torch": version("torch"), "torch_cuda": torch_cuda(),
    "triton": version("triton", "triton-nightly", "pytorch-triton"),
    "cutile": version("cuda-tile"),
    "tileiras": tileiras_version, "tileiras_path": tileiras,
    "tileiras_archs": tileiras_archs(tileiras),
    "cutedsl": version("nvidia-cutlass-dsl"),
    "numpy": version("numpy"),
    "cupti": version("nvidia-cuda-cupti", "nvidia-cuda-cupti-cu13", "nvidia-cuda-cupti-cu12"),
    "cupti_path": first_file("nvidia/cu*/lib/libcupti.so*", "nvidia/cuda_cupti/lib/libcupti.so*"),
    "matmul_heuristics": first_file("nvidia/nvMatmulHeuristics/lib/libnvMatmulHeuristics.so*"),
    "compiler": compiler() or "",
    "headers": os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")),
}))
