#!/usr/bin/env python3
"""Calls one compiled candidate a few times with its own buffers, for a profiler to look at.

    ncu --clock-control none --metrics gpu__time_duration.sum --csv scripts/gpu/call_candidate.py LIBRARY TASK.json N=4096,D=4096

It shares nothing with the harness but the shared object: buffers come from PyTorch, inputs are its normal numbers.
"""
import ctypes
import json
import math
import sys

import torch

TYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16,
         "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8}
SCALARS = {"f32": ctypes.c_float, "f64": ctypes.c_double, "i32": ctypes.c_int, "i64": ctypes.c_longlong}


def main():
    library, task, text = sys.argv[1:4]
    task = json.load(open(task))
    dims = {name: int(value) for name, value in (part.split("=") for part in text.split(","))}
    scope = dict(dims, sqrt=math.sqrt)
    arguments, keep = [], []
    for a in task["arguments"]:
        if a["role"] == "scalar":
            arguments.append(SCALARS[a["dtype"]](eval(str(a["value"]), {}, scope)))
            continue
        shape = [int(eval(str(e), {}, scope)) for e in a["shape"]]
        tensor = torch.randn(shape, device="cuda").to(TYPES[a["dtype"]])
        keep.append(tensor)
        arguments.append(ctypes.c_void_p(tensor.data_ptr()))
    torch.cuda.synchronize()
    solve = ctypes.CDLL(library).solve
    solve.restype = None
    for _ in range(7):
        solve(*arguments)
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
