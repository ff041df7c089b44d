"""What tests share that need a verdict from times measured here and now, on a machine that may be busy.

The gain is so large that noise of 100% hides none of it; and what a neighbour spoiled is measured again for a bounded time. A
verdict that was reached is never asked for again: a wrong one fails the test.
"""
import json
import shutil
import time
from pathlib import Path

KERNELS = Path(__file__).resolve().parents[1] / "kernels"
TIMES = 12
# Why the judge could not say anything: each comes from the machine.
DISTURBED = ("noise", "undecided", "unstable", "too_few_blocks", "unconfirmed", "machine_busy")


def tries(seconds=150):
    """0, 1, 2 ... with pauses that grow, because what disturbs comes and goes, until the seconds are over."""
    end = time.monotonic() + seconds
    number = 0
    while number == 0 or time.monotonic() < end:
        yield number
        number += 1
        time.sleep(min(number, 10))


def disturbed(decided):
    """Whether this verdict (of bench, or of a campaign's version) is none, because of what else the machine did."""
    return decided.get("verdict") == "inconclusive" and decided.get("reason") in DISTURBED


def repeated(kernel, times=TIMES):
    """The text of a softmax kernel that does its work so many times over."""
    return ("#define solve once\n" + kernel + "\n#undef solve\nextern \"C\" void solve(const float* x, float* y, int N, int D) {\n"
            f"  for (int i = 0; i < {times}; ++i) once(x, y, N, D);\n}}\n")


def softmax_task(folder):
    """The shipped task in a folder of its own: fewer rows are timed, and its naive.cpp does the work TIMES times over, so that
    its vectorized.cpp is 20 times faster and more. Returns the paths of both."""
    shutil.copytree(KERNELS / "softmax", folder)
    naive, description = folder / "naive.cpp", folder / "task.json"
    naive.write_text(repeated(naive.read_text()))
    task = json.loads(description.read_text())
    for backend in task["backends"]:
        if backend["name"] == "host":
            backend["timed"] = [{"N": 16, "D": 4096}]
    description.write_text(json.dumps(task))
    return naive, folder / "vectorized.cpp"
