"""Killed at a system call (F1, F21), or told by one that the disk failed (F6)."""
import shutil
from pathlib import Path

from harness import RECORD, Failed, Skip, count_calls, expect, expect_clear, lines, need_program, sampled

CALLS = ["pwrite64", "fdatasync", "ftruncate", "unlink"]
SCHEMAS = len(list((Path(__file__).parents[2] / "schema").glob("[0-9]*.sql")))  # versions so far: the newest is in force


def strace(case, call, action, when):
    return [need_program("strace"), "-f", "-qq", "-o", str(case.folder / "trace"), "-e", f"trace={call}", "-e",
            f"inject={call}:{action}:when={when}"]


def calls_of(case, command, calls=CALLS):
    """How often a command makes each system call, tried on the case's database, which is put back."""
    trace = str(case.folder / "trace")
    wrap = [need_program("strace"), "-f", "-qq", "-o", trace, "-e", "trace=" + ",".join(calls)]
    outcome = case.run(*command, wrap=wrap)
    if outcome.code != 0 and "ptrace" in outcome.err.lower():
        raise Skip("strace is not permitted here")
    expect(outcome.code == 0, str(outcome))
    return {call: count_calls(trace, call) for call in calls}


class Snapshot:
    """The case's database folder as it was, to begin each try from the same state."""

    def __init__(self, case):
        self.now, self.kept = case.db.parent, case.folder / "kept"
        self.now.mkdir(exist_ok=True)
        shutil.copytree(self.now, self.kept)

    def restore(self):
        for path in self.now.iterdir():  # files are written over, so that inodes stay and the origin with them
            if not (self.kept / path.name).exists():
                path.unlink()
        for path in self.kept.iterdir():
            shutil.copyfile(path, self.now / path.name)


def kill_everywhere(case, command, check, calls=CALLS, all_of=60, before=lambda: None):
    """Kills `command` at each system call it makes; `check(outcome)` looks at what is left each time. `before()` puts
    back what lies outside the database's folder. A command with two threads does not write equally often each time: one
    that was done before the call it was to die at is looked at all the same, but three of four must have been killed."""
    snapshot = Snapshot(case)
    counts = calls_of(case, command, calls)
    tries = done_before = 0
    for call in calls:
        for n in sampled(counts[call], all_of):
            snapshot.restore()
            before()
            outcome = case.run(*command, wrap=strace(case, call, "signal=KILL", n))
            expect(outcome.code in (-9, 0), f"killed at {call} {n}: {outcome}")
            done_before += outcome.code == 0
            try:
                check(outcome)
            except Failed as e:
                raise Failed(f"killed at {call} {n} of {counts[call]}: {e}") from None
            tries += 1
    expect(done_before * 4 <= tries, f"{done_before} of {tries} were done before the call they were to be killed at")
    return tries - done_before


def kill_add(case):
    """F1: an add killed at any write leaves its record or nothing, never a printed id without its record."""
    known = case.add(3)

    def check(outcome):
        case.expect_sound()
        case.expect_ids(known + outcome.out.split())
        expect(len(case.ids()) in (3, 4), f"{len(case.ids())} records of 3 or 4")
        case.expect_ids(case.add(1))

    tries = kill_everywhere(case, ["add", *RECORD], check)
    return f"{tries} kills; printed ids present, log contiguous, projections equal the log"


def kill_batch(case, command, all_of):
    known = case.add(3)

    def check(outcome):
        case.expect_sound()
        case.expect_ids(known)
        before = len(case.ids()) - 3
        expect(before in (0, 300), f"half a transaction: {before} of 300 records")
        expect(before == 300 or "added" not in outcome.out, f"reported and lost: {outcome}")
        case.succeed(*command)
        case.expect_sound()
        expect(len(set(case.ids())) == len(case.ids()) == 303, f"{len(case.ids())} records of 303 after the retry")

    return kill_everywhere(case, command, check, all_of=all_of)


def kill_add_jsonl(case):
    """F1: an add of 300 lines killed at any write stores all or nothing; a retry with its key completes it."""
    path = case.file("records.jsonl", lines(300))
    tries = kill_batch(case, ["add", "--jsonl", path, "--idempotency-key", "k"], 25)
    return f"{tries} kills; all or nothing, each record once after the retry"


def kill_import(case):
    """F1: an import killed at any write stores all or nothing; importing again ends with each record once."""
    path = case.file("records.jsonl", lines(300))
    return f"{kill_batch(case, ['import', path], 60)} kills; all or nothing, each record once after the retry"


def kill_creation(case):
    """F21: killed at any write while the database is made, the next add makes it and stores its record."""

    def check(outcome):
        ids = outcome.out.split() + case.add(1)
        case.expect_sound()
        case.expect_ids(ids)
        expect(len(case.ids()) in (1, 2), f"{len(case.ids())} records of 1 or 2")
        with open(case.db, "rb") as file:
            version = int.from_bytes(file.read(100)[60:64], "big")
        expect(version == SCHEMAS, f"user_version is {version}, not {SCHEMAS}")

    return f"{kill_everywhere(case, ['add', *RECORD], check)} kills while creating; the next add works"


def eio(case):
    """F6: a failing fdatasync is exit 3 with one line; an id that is printed is there afterwards."""
    known = case.add(2)
    snapshot = Snapshot(case)
    count = calls_of(case, ["add", *RECORD])["fdatasync"]
    expect(count > 0, "add does not sync")
    refused = 0
    for when in [f"{n}" for n in range(1, count + 1)] + [f"{n}+" for n in range(1, count + 1)]:
        snapshot.restore()
        outcome = case.run("add", *RECORD, wrap=strace(case, "fdatasync", "error=EIO", when))
        if outcome.code != 0:
            expect_clear(outcome, [3], "I/O error")
            expect(outcome.out == "", f"an id in spite of the error: {outcome}")
            refused += 1
        case.expect_ids(known + outcome.out.split())
        case.expect_sound()
        case.expect_ids(case.add(1))
    expect(refused > 0, "no failing sync was reported")
    return f"{2 * count} failing syncs, {refused} refusals; printed ids present"


TESTS = [kill_add, kill_add_jsonl, kill_import, kill_creation, eio]
