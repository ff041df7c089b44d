# What a problem of KernelBench or GPU MODE says of arguments and shapes. It is run on tensors without memory, once for each
# changed parameter. Of the files problem_*.py one program is made, in the order of src/bench/foreign_python.cpp. Each line that
# it reads from descriptor 3 is a problem, a JSON list of KIND, PATH and words; each line that it writes to descriptor 4 is the
# answer, an object; schema/formats/task.md says what of it becomes a task.
import ast
import glob
import importlib.util
import inspect
import json
import math
import os
import re
import signal
import symtable
import sys
import tempfile

PROBLEMS, ANSWERS = 3, 4


def tell(answer):
    with open(ANSWERS, "w", encoding="ascii", closefd=False) as answers:
        answers.write(answer + "\n")


try:
    import torch

    assert int(torch.__version__.split(".")[0]) >= 2, torch.__version__
except Exception as missing:
    tell(json.dumps({"missing": str(missing)}))
    sys.exit(0)

sys.dont_write_bytecode = True
NAME = re.compile(r"[A-Za-z_]\w{0,63}$")


class Refused(Exception):
    """Why this is no task, in one line."""


def described(value, name):
    """A tensor or a number as an argument; what else it is where it is neither."""
    if isinstance(value, torch.Tensor):
        return {"name": name, "dtype": str(value.dtype), "sizes": list(value.shape), "made": getattr(value, "explog_made", ""),
                "range": getattr(value, "explog_range", None)}
    if isinstance(value, (bool, int, float)):
        return {"name": name, "value": value}
    raise Refused(f"{name} is a {type(value).__name__}, and arguments are arrays and numbers")


def numbers_of(run):
    """All that may follow a parameter, as one list: sizes, upper bounds of whole numbers, terms, operations."""
    sizes = [n for a in run["inputs"] + run["outputs"] for n in a.get("sizes", ())]
    bounds = [a["range"][1] for a in run["inputs"] if a.get("range") and isinstance(a["range"][1], int)]
    return sizes + bounds + run.get("numbers", []) + [run["terms"], run["flops"]]


def explained(first, samples):
    """The arguments of the first run with expressions in place of their sizes."""
    count = len(samples.at[0][1])
    texts = iter(samples.explain(count - 2))
    for a in first["inputs"] + first["outputs"]:
        if "sizes" in a:
            a["shape"] = [next(texts) for _ in a.pop("sizes")]
    for a in first["inputs"]:
        if a.get("range") and isinstance(a["range"][1], int):
            a["high"] = next(texts)
    first["numbers"] = [next(texts) for _ in first.get("numbers", ())]
    used = [text for a in first["inputs"] + first["outputs"] for text in a.get("shape", ())] + first["numbers"] + [a["high"] for a in first["inputs"] if "high" in a]
    first["dims"] = [name for name in samples.base if name in names_in(used)]
    for key, count_of, text in (("reduction", "terms", samples.expression(count - 2)), ("work", "flops", samples.power_law(count - 1))):
        known = text and set(names_in([text])) <= set(first["dims"])
        first[key] = text if known else str(first[count_of])
    first["multiples"] = samples.multiples
    return first


def observed(inputs, outputs, work):
    if work.lawless:
        raise Refused(f"its reference draws random numbers ({', '.join(sorted(work.lawless))}): no two calls are alike")
    return {"inputs": inputs, "outputs": outputs, "terms": work.terms, "flops": work.flops}


def flat(value):
    return list(value) if isinstance(value, (tuple, list)) else [value]


def named_outputs(values):
    return [described(v, f"out{i}" if len(values) > 1 else "out") for i, v in enumerate(values)]
