"""Signals, also while compiling, closed pipes and full outputs (F24), and an input that pauses (F18)."""
import json
import os
import pathlib
import re
import signal
import subprocess
import time

from harness import HANG, RECORD, Outcome, expect, expect_clear, feed_slowly, lines, wait_for_records


def stopped_stream(case, wanted):
    """Feeds an add slowly, stops it with a signal, and checks that what it reports stored is stored."""
    writer = case.start("add", "--jsonl", "-", stdin=subprocess.PIPE)
    feed_slowly(writer, [(0, 64), (100, 64)])
    wait_for_records(case, 128)
    writer.stdin.write(lines(10, 300))
    writer.stdin.flush()
    time.sleep(0.5)  # it waits for more input now
    writer.send_signal(wanted)
    code = writer.wait(timeout=HANG)  # although its input stays open
    out, err = writer.stdout.read(), writer.stderr.read()
    for pipe in (writer.stdin, writer.stdout, writer.stderr):
        pipe.close()
    outcome = Outcome(["add --jsonl -"], code, out, err)
    expect_clear(outcome, [130], "interrupted; [0-9]+ records are stored")
    told = int(re.search(r"interrupted; (\d+)", err).group(1))
    expect(len(case.ids()) == told == 138, f"{told} records reported, {len(case.ids())} stored of 138 fed")
    case.expect_sound()
    return f"exit 130 while waiting for input; {told} reported stored, {told} stored"


def interrupt(case):
    """F24: SIGINT ends a slow add with exit 130; what it read is stored and reported."""
    return stopped_stream(case, signal.SIGINT)


def terminate(case):
    """F24: SIGTERM does the same."""
    return stopped_stream(case, signal.SIGTERM)


def interrupt_import(case):
    """F24: SIGINT in the middle of a large import: what is reported stored is stored, whole transactions only."""
    path = case.file("many.jsonl", lines(30000))
    for wait in (0.02, 0.1, 0.3):
        before = len(case.ids())
        importer = case.start("import", path, "--json")
        time.sleep(wait)
        importer.send_signal(signal.SIGINT)
        out, err = importer.communicate(timeout=HANG)
        expect(importer.returncode in (0, 130, -signal.SIGINT), f"exit {importer.returncode}: {err!r}")
        if importer.returncode >= 0:
            told = json.loads(out)
            stored = len(case.ids())
            expect(stored == before + told["added"], f"{stored} stored, {before} before, reported {told}")
            expect(told["skipped"] <= before, f"{before} known, reported {told}")  # all of them, unless it ended among them
    case.succeed("import", path)
    expect(len(set(case.ids())) == len(case.ids()) == 30000, "not each record once after importing again")
    case.expect_sound()
    return "3 moments; reports true, importing again completes it"


def pausing_input(case):
    """F18: an add whose input pauses stores what it has and lets others write meanwhile."""
    slow = case.start("add", "--jsonl", "-", stdin=subprocess.PIPE)
    feed_slowly(slow, [(0, 64), (100, 64)])
    wait_for_records(case, 128)
    begin = time.monotonic()
    case.add(1)
    expect(time.monotonic() - begin < 20, "another add waited for the pausing one")
    out, err = slow.communicate(timeout=HANG)
    expect(slow.returncode == 0 and out.startswith("added 128"), f"exit {slow.returncode}: {out!r} {err!r}")
    case.expect_sound()
    return "stored while the input pauses; another add went through"


def closed_pipe(case):
    """F24: readers whose output is closed early (`| head -1`) end quietly with exit 0."""
    case.fill(3000)
    for command in (["list", "-n", "0"], ["list", "-n", "0", "--json"], ["export"], ["export", "--csv"],
                    ["export", "--markdown"], ["query", "--sql", "SELECT * FROM experience"], ["search", "number*", "-n", "0"]):
        reader = case.start(*command)
        first = reader.stdout.readline()
        reader.stdout.close()
        reader.stdout = None
        _, err = reader.communicate(timeout=HANG)
        expect(first and reader.returncode == 0 and not err, f"`{command}`: exit {reader.returncode}, {err!r}")
    closed = case.run("list", wrap=["bash", "-c", 'exec "$@" >&-', "closed"])
    expect(closed.code == 3 and closed.err.count("\n") == 1, f"closed standard output: {closed}")
    return "7 readers end with exit 0 and silence; a standard output that was never open is exit 3"


# A compiler is busy with it for hours.
DOUBLING = '#if __INCLUDE_LEVEL__ < 60\n#include "endless.cpp"\n#include "endless.cpp"\n#endif\nextern "C" void solve(const float* a, const float* b, float* c, int n) {}\n'


def processes_with(mark):
    """Processes whose environment has the mark."""
    found = []
    for each in pathlib.Path("/proc").iterdir():
        try:
            if each.name.isdigit() and mark.encode() in (each / "environ").read_bytes():
                found.append(int(each.name))
        except OSError:  # ended meanwhile, or somebody else's
            pass
    return found


def compiler_ends_with_us(case):
    """F24: INT, TERM and HUP end the compilers that explog waits for, and explog as they always do."""
    source = case.file("endless.cpp", DOUBLING)
    for wanted in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        mark = f"EXPLOG_FAULT_ENDING={os.getpid()}-{int(wanted)}-{time.monotonic_ns()}"
        name, value = mark.split("=")
        check = case.start("check", "vector_add", source, env={**case.env, name: value}, start_new_session=True)
        end = time.monotonic() + HANG
        while not [one for one in processes_with(mark) if one != check.pid]:
            expect(time.monotonic() < end and check.poll() is None, "no compiler was started")
            time.sleep(0.05)
        time.sleep(0.3)  # its own helpers are at work
        check.send_signal(wanted)
        check.communicate(timeout=HANG)
        expect(check.returncode == -wanted, f"exit {check.returncode} after signal {wanted}")
        end = time.monotonic() + 10
        while left := processes_with(mark):
            expect(time.monotonic() < end, f"{len(left)} processes go on after signal {wanted}")
            time.sleep(0.05)
    return "3 signals in the middle of compiling: no process is left"


def full_output(case):
    """F24: an output that cannot be written is exit 3 with one line; what add stored stays."""
    case.fill(100)
    for command in (["list"], ["export"], ["stats"], ["query", "--sql", "SELECT * FROM experience"], ["add", *RECORD],
                    ["recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90"], ["--help"], ["doctor"]):
        with open("/dev/full", "w", encoding="utf-8") as full:
            outcome = case.run(*command, stdout=full)
        expect_clear(outcome, [3], "cannot write standard output: No space left")
    expect(len(case.ids()) == 101, f"{len(case.ids())} records of 101")
    return "8 commands: exit 3 in one line"


TESTS = [interrupt, terminate, interrupt_import, pausing_input, closed_pipe, compiler_ends_with_us, full_output]
