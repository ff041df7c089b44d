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


def remembered(memory):
    """The keys of what compiled before."""
    try:
        return set(json.loads(memory.read_text()))
    except (OSError, ValueError):
        return set()


def remember(memory, keys):
    if memory.parent.is_dir():
        memory.write_text(json.dumps(sorted(remembered(memory) | set(keys)), indent=0))


def answers(questions, ask, jobs, memory):
    """ask(question) for each (key, question): the first error, or "". Of what compiled before nothing is asked."""
    good = remembered(memory)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        errors = list(pool.map(lambda x: "" if x[0] in good else ask(x[1]), questions))
    remember(memory, (key for (key, _), error in zip(questions, errors) if not error))
    return errors
