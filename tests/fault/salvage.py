"""What `doctor --salvage` gets out of a damaged database."""
import json
import os
import shutil
import sqlite3

from damage import TROUBLE, flip, pages_of_tables
from harness import expect

RECORDS = 600


def events(case):
    return {row["id"]: row["body"] for row in case.rows("SELECT id, body FROM log ORDER BY rid")}


def ready(case):
    """A closed database with records of two commands, one of them taken back; its ids and a copy of it."""
    case.fill(RECORDS)
    case.add(1)
    gone = case.ids()[5]
    case.succeed("retract", gone, "--reason", "a slip")
    good = case.folder / "good.db"
    shutil.copyfile(case.db, good)
    return good, events(case)


def rescue(case, number):
    """Salvages into a new database, which must be sound; what it holds, by id."""
    out = case.folder / f"rescued{number}.db"
    outcome = case.run("doctor", "--salvage", str(out))
    expect(outcome.code in (0, 1, 6), str(outcome))
    expect(not any(word in outcome.err for word in TROUBLE), str(outcome))
    held = case.run("--db", str(out), "query", "--jsonl", "--sql", "SELECT id, body FROM log")
    expect(case.run("--db", str(out), "doctor", "--rebuild").code == 0, "what was rescued is not sound")
    expect(not (case.folder / f"rescued{number}.db.salvage").exists(), "the working file stayed")
    return outcome, {row["id"]: row["body"] for row in map(json.loads, held.out.splitlines())}


def check_true(held, written, where):
    for some_id, body in held.items():
        expect(some_id in written, f"{where}: a record that never was: {some_id}")
        expect(body == written[some_id] or '"origin"' in body, f"{where}: a record says something else: {body}")


def salvage_whole(case):
    good, written = ready(case)
    outcome, held = rescue(case, 0)
    expect(outcome.code == 0, str(outcome))
    expect(held == written, f"{len(held)} of {len(written)} events, or others")
    counted = case.run("--db", str(case.folder / "rescued0.db"), "query", "--csv", "--sql", "SELECT count(*) FROM experience").out
    expect(str(RECORDS) in counted, f"the retracted record counts again: {counted}")
    for bad in (["doctor", "--salvage", str(good)], ["--db", str(case.folder / "none.db"), "doctor", "--salvage", str(case.folder / "x.db")]):
        expect(case.run(*bad).code == 2, f"{bad} was not refused")
    return f"all of {len(held)} events of a sound database, the retracted one still retracted"


def salvage_flipped(case):
    """A page of each table and index, and the header: what is lost is that page's."""
    good, written = ready(case)
    size, pages = pages_of_tables(good)
    places = {f"{name} {page}": (page - 1) * size for name, numbers in pages.items() for page in numbers} | {"header": 0}
    least = len(written)
    for number, (name, offset) in enumerate(places.items()):
        shutil.copyfile(good, case.db)
        for more in ("-wal", "-shm"):
            case.db.with_name(case.db.name + more).unlink(missing_ok=True)
        flip(case.db, offset)
        outcome, held = rescue(case, number)
        check_true(held, written, name)
        lost = len(written) - len(held)
        expect(lost <= 40, f"{name}: {lost} of {len(written)} lost by one page: {outcome}")
        expect(lost == 0 or outcome.code == 6, f"{name}: {lost} lost and not said: {outcome}")
        least = min(least, len(held))
    return f"{len(places)} places: at least {least} of {len(written)} events each time, none of them changed"


def salvage_truncated(case):
    good, written = ready(case)
    told = []
    for number, share in enumerate((0.9, 0.5, 0.1, 0)):
        shutil.copyfile(good, case.db)
        os.truncate(case.db, int(good.stat().st_size * share))
        outcome, held = rescue(case, number)
        check_true(held, written, f"{share:.0%}")
        told.append(f"{len(held)} at {share:.0%}")
        if share == 0:
            expect(outcome.code == 1 and not held, str(outcome))
    expect(int(told[0].split()[0]) > len(written) / 2, f"of nine tenths of a file {told[0]}")
    return f"of {len(written)} events " + ", ".join(told)


def salvage_journal(case):
    """What was committed and never came into the file itself is in the journal."""
    case.add(1)
    keep = sqlite3.connect(case.db)  # keeps the last connection from emptying the journal
    keep.execute("SELECT count(*) FROM event").fetchall()
    case.fill(50)
    written = events(case)
    copy = case.folder / "copy"
    copy.mkdir()
    for more in ("", "-wal"):
        shutil.copyfile(str(case.db) + more, copy / ("test.db" + more))
    keep.close()
    expect((copy / "test.db-wal").stat().st_size > 0, "there is no journal to read")
    flip(copy / "test.db", 0)
    case.env["EXPLOG_DB"] = str(copy / "test.db")
    outcome, held = rescue(case, 0)
    expect(held == written, f"{len(held)} of {len(written)}: {outcome}")
    return f"{len(held)} events, most of them from the journal"


TESTS = [salvage_whole, salvage_flipped, salvage_truncated, salvage_journal]
