"""What the fault tests share: a folder and a database each, running explog, and looking at what it stored."""
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

HANG = 60  # seconds; only a program that hangs takes as long
MEMORY = Path("/dev/shm")  # programs are killed, the power does not fail: what is synced need not reach a disk

RECORD = ["--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--bottleneck", "memory",
          "--strategy", "smem_tiling", "--latency-before", "2", "--latency-after", "1"]


class Failed(Exception):
    """A promise was broken."""


class Skip(Exception):
    """The fault cannot be caused here."""


def expect(condition, message):
    if not condition:
        raise Failed(message)


def need_program(name):
    path = shutil.which(name)
    if path is None:
        raise Skip(f"{name} is not installed")
    return path


def lines(n, start=0):
    """`n` different records as JSON lines; each belongs to one of some contexts and has searchable prose."""
    strategies = ["smem_tiling", "vectorized_loads", "warp_shuffle", "loop_unroll", "async_copy"]
    rows = []
    for i in range(start, start + n):
        rows.append(json.dumps({
            "kernel_type": ["gemm", "softmax", "attention"][i % 3], "backend": ["cuda", "triton"][i % 2],
            "arch": ["sm_80", "sm_90"][i % 2], "bottleneck": ["memory", "compute"][i % 2],
            "strategy": strategies[i % 5], "latency_before_ms": 2.0 + i, "latency_after_ms": 1.0 + i / 2,
            "notes": f"attempt number{i} with bank conflicts", "params": {"step": i}}) + "\n")
    return "".join(rows)


class Outcome:
    """How a command ended."""

    def __init__(self, command, code, out, err):
        self.command, self.code, self.out, self.err = command, code, out, err

    def __str__(self):
        return f"`{' '.join(self.command)[-160:]}`: exit {self.code}, out {self.out[:200]!r}, err {self.err[:400]!r}"


class Case:
    """One test: an empty folder with EXPLOG_DB in it."""

    def __init__(self, explog):
        self.folder = Path(tempfile.mkdtemp(prefix="explog-fault-", dir=MEMORY if MEMORY.is_dir() else None))
        self.folder.chmod(0o755)
        self.explog = explog
        self.db = self.folder / "data" / "test.db"
        self.env = {**os.environ, "EXPLOG_DB": str(self.db), "EXPLOG_SHIPPED": "off", "LC_ALL": "C.UTF-8"}

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def start(self, *args, wrap=(), **more):
        """Starts explog, behind the command `wrap`, with pipes on its three streams."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([*wrap, self.explog, *args], **{"env": self.env, "text": True, **pipes, **more})

    def run(self, *args, wrap=(), input=None, **more):
        """Runs explog to its end."""
        if input is not None:
            more["stdin"] = subprocess.PIPE
        process = self.start(*args, wrap=wrap, **more)
        try:
            out, err = process.communicate(input, timeout=HANG)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failed(f"`{' '.join(args)[:160]}` hangs")
        return Outcome(args, process.returncode, out or "", err or "")

    def succeed(self, *args, **more):
        outcome = self.run(*args, **more)
        expect(outcome.code == 0, str(outcome))
        return outcome.out

    def add(self, n=1):
        """Adds single records; returns their ids."""
        return [self.succeed("add", *RECORD).strip() for _ in range(n)]

    def fill(self, n):
        self.succeed("add", "--jsonl", "-", input=lines(n))

    def rows(self, sql):
        """Rows of an SQL question to explog itself, as dictionaries."""
        outcome = self.run("query", "--jsonl", "--sql", sql)
        expect(outcome.code in (0, 1), str(outcome))
        return [json.loads(line) for line in outcome.out.splitlines()]

    def ids(self):
        """Ids of all events, by sequence."""
        return [row["id"] for row in self.rows("SELECT id FROM log ORDER BY rid")]

    def expect_ids(self, wanted):
        present = set(self.ids())
        for one in wanted:
            expect(one.replace("-", "") in present, f"the id {one} was printed and is not there")

    def expect_sound(self):
        """No damage, no hole in the sequence, and projections equal to the log bit for bit."""
        doctor = self.run("doctor", "--rebuild")
        expect(doctor.code == 0, str(doctor))
        for phrase in ("no damage found", "no hole", "projections equal the log, bit for bit"):
            expect(phrase in doctor.out, f"doctor does not say '{phrase}': {doctor}")
        with_sqlite = sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)
        try:
            found = with_sqlite.execute("PRAGMA integrity_check").fetchone()[0]
        finally:
            with_sqlite.close()
        expect(found == "ok", f"integrity_check: {found}")


def expect_clear(outcome, codes, pattern=""):
    """A refusal: one of the exit codes, one line that matches `pattern`, at most one hint, no stack trace."""
    expect(outcome.code in codes, str(outcome))
    said = [line for line in outcome.err.splitlines() if line]
    messages = [line for line in said if not line.startswith("  hint: ")]
    expect(len(messages) == 1 and len(said) <= 2 and messages[0].startswith("explog: "), f"not one clear line: {outcome}")
    expect(re.search(pattern, outcome.err), f"the message lacks '{pattern}': {outcome}")


def wait_for_records(case, n):
    """Waits until a writer at work has stored `n` records."""
    end = time.monotonic() + HANG
    while len(case.ids()) < n:
        expect(time.monotonic() < end, f"{n} records were not stored")
        time.sleep(0.05)


def feed_slowly(process, lots):
    """Feeds lots of lines, each (first, how many), a second apart, so that the program stores what it has."""
    for start, n in lots:
        process.stdin.write(lines(n, start))
        process.stdin.flush()
        time.sleep(1.1)


def count_calls(trace, call):
    """How often a system call stands in an strace output file."""
    with open(trace, encoding="utf-8", errors="replace") as file:
        return sum(1 for line in file if re.search(rf"\b{call}\(", line))


def sampled(count, all_of=60, steps=20):
    """1..count: all of the first, then about `steps` spread over the rest."""
    rest = range(all_of + 1, count + 1)
    return list(range(1, min(count, all_of) + 1)) + list(rest[:: max(1, len(rest) // steps)])
