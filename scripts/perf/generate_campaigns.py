#!/usr/bin/env python3
"""Writes records of many campaigns as explog JSON lines, made from the records that ship.

    explog export | scripts/perf/generate_campaigns.py CAMPAIGNS RECORDS > OUT.jsonl

Each campaign tries RECORDS / CAMPAIGNS changes of one kernel, a nightly one after the other: times are those of shipped
records with a per cent of noise, and every fiftieth record keeps its profile. The same arguments give the same bytes.
"""
import json
import random
import sys


def main():
    campaigns, records = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(19)
    by_kernel = {}
    for line in sys.stdin:
        record = json.loads(line)
        record = record.get("record", record)
        if record.get("latency_after_ms") and record.get("kernel"):
            by_kernel.setdefault((record["kernel"].split("/")[0], record["backend"]), []).append(record)
    kernels = sorted(key for key, rows in by_kernel.items() if len(rows) >= 3)
    each, start = records // campaigns, 1767323045000
    for c in range(campaigns):
        kernel, backend = kernels[c % len(kernels)]
        pool = by_kernel[kernel, backend]
        for i in range(1, each + 1):
            row = dict(pool[rng.randrange(len(pool))])
            if (c * each + i) % 50:
                row.pop("metrics_before", None), row.pop("metrics_after", None)
            noise = 1 + rng.gauss(0, 0.01)
            row["latency_after_ms"] = round(row["latency_after_ms"] * noise, 7)
            for key in ("speedup", "speedup_lo", "speedup_hi"):
                if key in row:
                    row[key] = round(row[key] / noise, 6)
            for key in ("id", "outcome", "cause", "rid"):
                row.pop(key, None)
            row.update(campaign=f"{kernel}-nightly-{c:04d}", iteration=i, at=(start + c * 3600_000 + i * 20_000) // 1000)
            sys.stdout.write(json.dumps(row, separators=(",", ":")) + "\n")


main()
