"""Many processes at once (F8, F9), and readers that wait for nobody, also where they may not write."""
import fcntl
import os
import shutil
import sqlite3
import subprocess
import time

from harness import HANG, RECORD, Skip, expect, expect_clear, lines, need_program

IN_TIME = 20  # seconds: a reader that waits for a writer would wait 30


def reading_commands(some_id):
    return [["list"], ["search", "conflicts"], ["show", some_id], ["stats"],
            ["query", "--sql", "SELECT count(*) AS n FROM experience"],
            ["recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_80", "--bottleneck", "memory"]]


def read_everything(case, some_id, **more):
    """Every reading command answers, silently and in time; returns what they said."""
    answers = []
    for command in reading_commands(some_id):
        begin = time.monotonic()
        outcome = case.run(*command, **more)
        expect(outcome.code == 0 and outcome.out and not outcome.err, str(outcome))
        expect(time.monotonic() - begin < IN_TIME, f"`{command[0]}` waited for the writer")
        answers.append(outcome.out)
    return answers


def adders(case):
    """F8: two hundred adders at once with readers beside them: all stored, seq 1..200, every exit 0."""
    processes = [case.start("add", *RECORD) for _ in range(200)]
    readers = [case.start("query", "--csv", "--sql", "SELECT count(*), max(seq) FROM log") for _ in range(20)]
    ids = []
    for process in processes:
        out, err = process.communicate(timeout=HANG)
        expect(process.returncode == 0 and not err, f"an adder: exit {process.returncode}, {err!r}")
        ids.append(out.strip())
    for process in readers:
        out, err = process.communicate(timeout=HANG)
        expect(process.returncode == 0 and not err, f"a reader: exit {process.returncode}, {err!r}")
        count, last = out.splitlines()[1].split(",")
        expect(count == (last or "0"), f"a reader saw {count} records up to number {last}")
    case.expect_ids(ids)
    expect([row["seq"] for row in case.rows("SELECT seq FROM log ORDER BY seq")] == list(range(1, 201)), "seq is not 1..200")
    case.expect_sound()
    return "200 processes, 20 readers: all stored, seq 1..200, consistent counts read"


def stress(case):
    """F9: writers of all sizes, rebuilds that checkpoint, and kill -9 in between: nothing printed is lost."""
    case.fill(100)
    path = case.file("more.jsonl", lines(500, 1000))
    ids, killed = [], 0
    for i in range(12):
        adding = [case.start("add", *RECORD) for _ in range(6)]
        others = [case.start("import", path), case.start("doctor", "--rebuild"), case.start("add", "--jsonl", path)]
        if i % 2:
            time.sleep(0.005 * i)
            others[2].kill()
            killed += 1
        for process in adding + others[:2]:
            out, err = process.communicate(timeout=HANG)
            expect(process.returncode == 0, f"`{' '.join(process.args[1:])}`: exit {process.returncode}: {out!r} {err!r}")
            ids += out.split() if process in adding else []
        others[2].communicate(timeout=HANG)
    case.expect_ids(ids)
    case.expect_sound()
    return f"12 rounds of 9 processes, {killed} killed: {len(ids)} printed ids present, sound"


def readers_beside_writer(case):
    """Readers answer at once, from what is committed, while a writer keeps its transaction open."""
    case.fill(200)
    case.succeed("add", *RECORD)
    some_id = case.ids()[0]
    before = read_everything(case, some_id)
    lock = open(f"{case.db}.lock", "rb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    writer = sqlite3.connect(case.db, isolation_level=None)
    try:
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("DELETE FROM event")
        writer.execute("DELETE FROM cell")
        writer.execute("DELETE FROM attempt")
        expect(read_everything(case, some_id) == before, "the answers differ while a writer works")
        writer.execute("ROLLBACK")
    finally:
        lock.close()
        writer.close()
    return f"{len(before)} commands: the same answers in time beside an open transaction"


def as_nobody(case):
    """Arguments that run a command as a user who owns nothing; the program is copied to where all may read."""
    if os.getuid() != 0:
        raise Skip("needs root to become another user")
    program = case.folder / "explog"
    # By another process: a test beside this one that starts a program meanwhile would inherit the open file, which is busy then.
    subprocess.run(["cp", case.explog, program], check=True)
    program.chmod(0o755)
    case.explog = str(program)
    return {"user": 65534, "group": 65534, "extra_groups": []}


def read_only(case):
    """Reading needs no permission to write: not on the file, not on the folder, nor with a log left behind."""
    case.fill(200)
    case.db.chmod(0o644)
    case.add(1)  # the last writer to close takes the private log files along
    some_id = case.ids()[0]
    before = read_everything(case, some_id)
    nobody = as_nobody(case)
    case.db.chmod(0o444)
    case.db.parent.chmod(0o555)
    expect(read_everything(case, some_id, **nobody) == before, "the answers differ on a read-only database")
    refused = case.run("add", *RECORD, **nobody)
    expect_clear(refused, [3], "is not writable: Permission denied\n  hint: .*--db or EXPLOG_DB")
    case.db.chmod(0o666)
    lock = case.db.with_name(case.db.name + ".lock")
    lock.chmod(0o444)
    expect_clear(case.run("add", *RECORD, **nobody), [3], r"\.lock is not writable: .*\n  hint: .*--db or EXPLOG_DB")
    lock.chmod(0o666)
    for end in ("-wal", "-shm"):
        case.db.with_name(case.db.name + end).unlink(missing_ok=True)
    expect_clear(case.run("add", *RECORD, **nobody), [3], r"the folder .* is not writable: .*\n  hint: .*--db or EXPLOG_DB")
    lock.chmod(0o600)
    case.db.chmod(0o644)
    case.db.parent.chmod(0o755)
    case.add(1)
    holder = sqlite3.connect(case.db, isolation_level=None)  # keeps the log of later writers beside the database
    try:
        holder.execute("SELECT count(*) FROM event").fetchone()
        case.add(3)
        before = read_everything(case, some_id)
        holder.execute("BEGIN IMMEDIATE")
        case.db.parent.chmod(0o555)
        expect(read_everything(case, some_id, **nobody) == before, "the answers differ beside a writer")
        holder.execute("ROLLBACK")
        left = shutil.copytree(case.db.parent, case.folder / "left")  # as a killed writer leaves it
    finally:
        holder.close()
    expect((left / (case.db.name + "-wal")).stat().st_size > 0, "no log was left behind")
    case.env["EXPLOG_DB"] = str(left / case.db.name)
    expect(read_everything(case, some_id, **nobody) == before, "the answers differ with a log left behind")
    (left / (case.db.name + "-shm")).unlink()
    outcome = case.run("list", **nobody)
    if outcome.code != 0:
        expect_clear(outcome, [3], "log")
    return "closed, beside a writer, and with a log left behind: six commands answer the same; add is refused"


def read_only_mount(case):
    """On read-only media, where not even root can write, reading works."""
    need_program("unshare")
    case.fill(200)
    some_id = case.ids()[0]
    before = read_everything(case, some_id)
    mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 77; shift; exec "$@"'
    wrap = ["unshare", "-m", "bash", "-c", mount, "mount", str(case.db.parent)]
    tried = case.run("list", wrap=wrap)
    if tried.code == 77 or "unshare failed" in tried.err:
        raise Skip("no mount permission")
    expect(read_everything(case, some_id, wrap=wrap) == before, "the answers differ on read-only media")
    refused = case.run("add", *RECORD, wrap=wrap)
    expect_clear(refused, [3], "is not writable: Read-only file system\n  hint: .*--db or EXPLOG_DB")
    return "six commands answer the same; add is refused"


TESTS = [adders, stress, readers_beside_writer, read_only, read_only_mount]
