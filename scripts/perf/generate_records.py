#!/usr/bin/env python3
"""Writes N records as explog JSON lines and the same rows as CSV, for scripts/perf/store.

Usage: generate_records.py N OUT.jsonl [OUT.csv]. The same N gives the same bytes. Records look like a tuning log of eight
kernels on five cards with an agent's log mixed in: a tenth carry a hypothesis and notes; about 450 bytes a line, as real ones have.
"""
import csv
import json
import random
import sys

KERNELS = [("gemm", "sgemm_tiled", 3, "compute"), ("conv2d", "conv_direct", 4, "compute"), ("softmax", "softmax_rows", 2, "memory"),
           ("attention", "fmha_fwd", 4, "compute"), ("rmsnorm", "rms_rows", 2, "memory"), ("reduction", "block_sum", 1, "memory"),
           ("transpose", "transpose_tiles", 2, "memory"), ("pnpoly", "pnpoly_base", 1, "unknown")]
ARCHS = [("sm_75", "RTX 2080 Ti"), ("sm_80", "A100"), ("sm_86", "RTX A6000"), ("sm_90", "H200"), ("sm_100", "B200")]
MOVES = ["block_x:up", "block_x:down", "coarsen_x:up", "coarsen_x:down", "vector_width:up", "smem_padding:on", "readonly_cache:on",
         "unroll:up", "num_warps:up", "num_stages:up", "smem_tiling:on", "precompute:on"]
WORDS = ("bank conflicts in the shared tile register pressure spills occupancy drops loads are not coalesced "
         "tail wave latency hidden by more warps stores wait for the barrier epilogue").split()


def record(rng, i):
    kind, name, dims, bound = KERNELS[rng.randrange(len(KERNELS))]
    arch, gpu = ARCHS[rng.randrange(len(ARCHS))]
    move = MOVES[rng.randrange(len(MOVES))]
    before = round(0.05 * 1.5 ** (rng.random() * 12), 6)
    after = round(before / rng.choice((0.7, 0.95, 1.0, 1.01, 1.1, 1.4)) * (1 + rng.random() / 100), 6)
    block = 32 << rng.randrange(4)
    row = {"kernel_type": kind, "kernel": name, "backend": "cuda", "arch": arch, "gpu": gpu, "dtype": "f32",
           "shape": {"MNKB"[d]: 128 << rng.randrange(2) for d in range(dims)},
           "bottleneck": bound, "strategy": move,
           "params": {"from": block, "to": block * 2},
           "state": {"block_x": block, "coarsen_x": 1 << rng.randrange(3), "smem_padding": rng.randrange(2)},
           "latency_before_ms": before, "latency_after_ms": after, "correctness": "pass",
           "source_before": f"{name}/{gpu}/{i % 5000}"}
    if i % 10 == 0:
        row["hypothesis"] = " ".join(rng.choice(WORDS) for _ in range(8))
        row["notes"] = " ".join(rng.choice(WORDS) for _ in range(12))
    return row


def main():
    n, lines = int(sys.argv[1]), open(sys.argv[2], "w")
    table = csv.writer(open(sys.argv[3], "w")) if len(sys.argv) > 3 else None
    rng = random.Random(7)
    columns = list(record(random.Random(7), 0))
    for i in range(n):
        row = record(rng, i)
        lines.write(json.dumps(row, separators=(",", ":")) + "\n")
        if table:
            table.writerow([json.dumps(row[c], separators=(",", ":")) if isinstance(row.get(c), dict) else row.get(c, "")
                            for c in columns])


main()
