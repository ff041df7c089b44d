"""Files that are not what they should be: damaged (F14), newer (F20), moved away (F23)."""
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

from concurrency import reading_commands
from harness import HANG, RECORD, Outcome, Skip, expect, expect_clear, feed_slowly, lines, wait_for_records

TROUBLE = ("terminate", "Traceback", "std::", "Aborted", "Segmentation", "AddressSanitizer")


def try_everything(case, some_id, more, codes=(0, 1, 3)):
    """Runs every command on a damaged database; returns how many of them noticed."""
    commands = reading_commands(some_id) + [
        ["export"], ["export", "--csv"], ["export", "--markdown"], ["query", "strategies"], ["query", "failures"],
        ["doctor"], ["search", "speedup>1", "sort:-speedup"], ["merge", "--duplicates"],
        ["add", *RECORD], ["import", more], ["doctor", "--rebuild"]]
    noticed = 0
    for command in commands:
        outcome = case.run(*command)
        expect(outcome.code in codes, str(outcome))
        expect(not any(word in outcome.err for word in TROUBLE), str(outcome))
        if outcome.code == 3:
            noticed += 1
            if command[0] == "doctor":
                expect("BAD" in outcome.out, str(outcome))
            else:
                expect_clear(outcome, [3])
                expect("  hint: " in outcome.err, f"no hint: {outcome}")
    return noticed


def flip(path, offset, length=24):
    with open(path, "r+b") as file:
        file.seek(offset)
        old = file.read(length)
        file.seek(offset)
        file.write(bytes(byte ^ 0xA5 for byte in old))


def pages_of_tables(path):
    """A few page numbers of each table and index."""
    db = sqlite3.connect(path)
    try:
        rows = db.execute("SELECT name, pageno, pagetype FROM dbstat ORDER BY name, pageno").fetchall()
        size = db.execute("PRAGMA page_size").fetchone()[0]
    except sqlite3.OperationalError:
        raise Skip("this Python's SQLite has no dbstat") from None
    finally:
        db.close()
    pages = {}
    for name, number, _ in rows:
        pages.setdefault(name, []).append(number)
    return size, {name: [numbers[0], numbers[len(numbers) // 2]] for name, numbers in pages.items()}


def ready(case):
    """A closed database with some hundred records, a copy of it, and what the commands need."""
    case.fill(400)
    case.add(1)
    some_id = case.ids()[0]
    good = case.folder / "good.db"
    shutil.copyfile(case.db, good)
    return some_id, good, case.file("more.jsonl", lines(20, 5000))


def put_back(case, good):
    for path in case.db.parent.iterdir():
        path.unlink()
    shutil.copyfile(good, case.db)


def flipped_pages(case):
    """F14: bytes turned over in pages of each table, index and the header: an answer or one clear line, never a crash."""
    some_id, good, more = ready(case)
    size, pages = pages_of_tables(good)
    noticed = tries = 0
    for name, numbers in sorted(pages.items()):
        for number in sorted(set(numbers)):
            # The head of the page (its type and cell pointers), and the cells at its end.
            for place in (0 if number > 1 else 100, size - 600):
                put_back(case, good)
                flip(case.db, (number - 1) * size + place, 24 if place < 200 else 500)
                noticed += try_everything(case, some_id, more)
                tries += 1
    expect(noticed > tries, f"only {noticed} refusals in {tries} damaged files")
    return f"{tries} damaged pages of {len(pages)} tables and indices, 17 commands each: {noticed} clear refusals, no crash"


def flipped_header(case):
    """F14: each part of the file's header turned over."""
    some_id, good, more = ready(case)
    noticed = 0
    for offset in (0, 16, 18, 20, 24, 28, 36, 40, 44, 48, 52, 56, 60, 64, 68, 92, 96):
        put_back(case, good)
        flip(case.db, offset, 4 if offset != 18 else 2)
        noticed += try_everything(case, some_id, more)
    expect(noticed > 17, f"only {noticed} refusals")
    return f"17 places in the header: {noticed} clear refusals, no crash"


def truncated(case):
    """F14: a file cut short at many lengths, down to nothing."""
    some_id, good, more = ready(case)
    size = good.stat().st_size
    noticed = 0
    for length in (1, 50, 100, 1000, 8191, 8192, 8193, size // 3, size // 2, size - 8192, size - 1):
        put_back(case, good)
        os.truncate(case.db, length)
        noticed += try_everything(case, some_id, more)
    expect(noticed > 40, f"only {noticed} refusals")
    put_back(case, good)
    os.truncate(case.db, 0)  # an empty file is an empty database
    expect_clear(case.run("show", some_id), [1])
    case.expect_ids(case.add(1))
    return f"11 lengths: {noticed} clear refusals; an empty file is an empty database"


def foreign_files(case):
    """F14: text, a folder, a device, another application's database: refused and left as they were."""
    case.db.parent.mkdir()
    other = sqlite3.connect(case.folder / "other.db")
    other.execute("CREATE TABLE event (rid)")
    other.commit()
    other.close()
    text = case.file("text", "not a database\n" * 100)
    for path in (text, str(case.folder / "other.db"), str(case.folder), "/dev/null"):
        before = Path(path).read_bytes() if Path(path).is_file() else b""
        case.env["EXPLOG_DB"] = path
        for command in (["list"], ["stats"], ["add", *RECORD], ["recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90"]):
            expect_clear(case.run(*command), [3])
        expect(not before or Path(path).read_bytes() == before, f"{path} was changed")
    return "4 kinds of file refused in one line, none changed"


def logs_of_others(case):
    """F14: the log (-wal) deleted, cut, turned over, or that of another database: sound, or refused in one line."""
    some_id, good, more = ready(case)
    holder = sqlite3.connect(case.db, isolation_level=None)  # keeps the log beside the database
    holder.execute("SELECT count(*) FROM event").fetchone()
    case.add(5)
    log = Path(f"{case.db}-wal").read_bytes()
    held = case.db.read_bytes()
    holder.close()
    case.env["EXPLOG_DB"] = str(case.folder / "other" / "test.db")
    case.fill(10)
    case.env["EXPLOG_DB"] = str(case.db)
    expect(len(log) > 10000, "no log to damage")
    logs = {"deleted": None, "cut": log[: len(log) // 2], "cut in its header": log[:20], "empty": b"",
            "turned over": log[:5000] + bytes(byte ^ 0x5A for byte in log[5000:5200]) + log[5200:], "noise": os.urandom(50000)}
    for name, content in logs.items():
        put_back(case, case.file("held.db", held))
        if content is not None:
            Path(f"{case.db}-wal").write_bytes(content)
        expect(len(case.ids()) in range(401, 407), f"{name}: {len(case.ids())} records")
        case.expect_sound()
        case.expect_ids(case.add(1))
    shutil.copyfile(case.folder / "other" / "test.db", case.db)  # another database under this log
    Path(f"{case.db}-wal").write_bytes(log)
    noticed = try_everything(case, some_id, more)
    return f"{len(logs)} kinds of damaged log: what was whole is read; a foreign log: {noticed} clear refusals, no crash"


def newer_schema(case):
    """F20: a database of a newer explog is read with a note and not written."""
    case.fill(50)
    db = sqlite3.connect(case.db)
    db.execute("PRAGMA user_version=99")
    db.commit()
    db.close()
    before = case.db.read_bytes()
    more = case.file("more.jsonl", lines(5))
    for command in (["add", *RECORD], ["add", "--jsonl", more], ["import", more], ["doctor", "--rebuild"]):
        outcome = case.run(*command)
        expect(outcome.code == 3, str(outcome))
        expect("newer explog" in outcome.err + outcome.out, str(outcome))
        if command[0] != "doctor":
            expect_clear(outcome, [3], "upgrade explog")
    listed = case.run("list", "-n", "0")
    expect(listed.code == 0 and len(listed.out.splitlines()) == 51, str(listed))
    expect(listed.err.count("\n") == 1 and "reading only" in listed.err, str(listed))
    expect(case.db.read_bytes() == before, "the newer database was changed")
    return "4 writing commands refused with the way out; list reads with one note; not a byte changed"


def moved_away(case):
    """F23: the database moved, replaced or deleted under a writer: refused in one line, nothing half written."""
    for how in ("moved", "replaced", "deleted"):
        shutil.rmtree(case.db.parent, ignore_errors=True)
        case.fill(10)
        elsewhere = case.folder / f"elsewhere-{how}.db"
        replacement = case.folder / "replacement.db"
        shutil.copyfile(case.db, replacement)
        writer = case.start("add", "--jsonl", "-", stdin=subprocess.PIPE)
        feed_slowly(writer, [(100, 64), (200, 64)])
        wait_for_records(case, 10 + 128)
        if how == "deleted":
            case.db.unlink()
        else:
            os.rename(case.db, elsewhere)
        if how == "replaced":
            os.rename(replacement, case.db)
        feed_slowly(writer, [(400, 128)])
        code = writer.wait(timeout=HANG)  # at once, although its input stays open
        out, err = writer.stdout.read(), writer.stderr.read()
        for pipe in (writer.stdin, writer.stdout, writer.stderr):
            pipe.close()
        expect_clear(Outcome([how], code, out, err), [3], "moved or replaced")
        if how == "replaced":
            expect(len(case.ids()) == 10, f"the replacement has {len(case.ids())} records, not its own 10")
            case.expect_sound()
        else:
            expect(not case.db.exists(), f"{how}: a file was made in its place")
        if how != "deleted":
            case.env["EXPLOG_DB"] = str(elsewhere)
            expect(len(case.ids()) == 10 + 128, f"{how}: {len(case.ids())} records of 138")
            expect(case.run("doctor").code == 0, "the moved file is damaged")
            case.env["EXPLOG_DB"] = str(case.db)
    return "moved, replaced, deleted: refused in one line, whole transactions only, the other file untouched"


TESTS = [flipped_pages, flipped_header, truncated, foreign_files, logs_of_others, newer_schema, moved_away]
