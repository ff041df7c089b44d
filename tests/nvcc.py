"""Asks nvcc whether sources compile, and remembers by content which do."""
import concurrent.futures
import hashlib
import json
import shutil
import subprocess


def find_nvcc():
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def version(nvcc):
    return subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout


def key(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def first_error(command):
    """What a compiler says against a source; empty when it compiles."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    lines = (done.stdout + done.stderr).splitlines()
    return next((line for line in lines if "error" in line), f"{command[0]} ended with {done.returncode}")


def answers(questions, ask, jobs, memory):
    """ask(question) for each (key, question): the first error, or "". `memory` knows the keys of what compiled before; an
    empty key is never remembered."""
    try:
        good = set(json.loads(memory.read_text()))
    except (OSError, ValueError):
        good = set()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        errors = list(pool.map(lambda x: "" if x[0] in good else ask(x[1]), questions))
    good |= {k for (k, _), error in zip(questions, errors) if k and not error}
    if memory.parent.is_dir():
        memory.write_text(json.dumps(sorted(good), indent=0))
    return errors
