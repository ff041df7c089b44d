"""Exchange through a folder that is interrupted, damaged, set back or slow (F2, F5, F11-F14, F16, F18, F19).

The same for PostgreSQL is in tests/sync/postgres; random mixtures of it all are in tests/sync/convergence.
"""
import json
import os
import shutil
import subprocess
import time

from harness import RECORD, expect, expect_clear, lines, need_program
from kills import kill_everywhere, strace

RECORDS = 30
FRIEND = "friend.db"


class Team:
    """The case's database and a friend's, which share a folder."""

    def __init__(self, case):
        self.case = case
        self.share = case.folder / "share"
        self.share.mkdir()
        self.friend = case.folder / FRIEND
        case.succeed("remote", "add", "team", f"dir:{self.share}", "--trust", "team")
        self.at_friend("remote", "add", "team", f"dir:{self.share}", "--trust", "team")

    def at_friend(self, *args, db=None):
        return self.case.succeed("--db", str(db or self.friend), *args)

    def friends_ids(self, db=None):
        out = self.case.run("--db", str(db or self.friend), "query", "--csv", "--sql", "SELECT id FROM log").out
        return {line for line in out.split() if line != "id"}

    def files(self):
        return sorted(self.share.glob("explog-v1/*/*.exl"))

    def empty(self):
        shutil.rmtree(self.share)
        self.share.mkdir()

    def expect_equal(self):
        """After both have synced they hold the same events, and every count can be made again from them."""
        self.at_friend("sync")
        self.case.succeed("sync")
        self.at_friend("sync")
        mine, theirs = set(self.case.ids()), self.friends_ids()
        expect(mine == theirs, f"{len(mine)} events here, {len(theirs)} at the friend's, {len(mine & theirs)} in both")
        self.case.expect_sound()
        doctor = self.case.run("--db", str(self.friend), "doctor", "--rebuild")
        expect(doctor.code == 0, str(doctor))


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 0x10
    path.write_bytes(bytes(data))


def kill_push(case):
    """F2: a push killed at any write: nobody sees half of it, and the next one completes it."""
    team = Team(case)
    case.fill(RECORDS)

    def check(_outcome):
        expect(len(team.friends_ids()) in (0, RECORDS), "the friend saw half a push")
        seen = json.loads(team.at_friend("sync", "--json"))
        expect(seen["pulled"] in (0, RECORDS) and seen["quarantined"] == 0, str(seen))
        team.expect_equal()
        expect(len(case.ids()) == RECORDS, f"{len(case.ids())} events")
        team.friend.unlink()
        team.at_friend("remote", "add", "team", f"dir:{team.share}", "--trust", "team")
        team.empty()

    calls = ["pwrite64", "write", "fsync", "fdatasync", "renameat", "rename", "mkdirat"]
    tries = kill_everywhere(case, ["sync", "--push"], check, calls, all_of=8, before=team.empty)
    return f"{tries} kills; the friend got all or nothing, the next sync completed it"


def kill_pull(case):
    """F2: a pull killed at any write: what it stored is whole, its place is not ahead of it, the next one completes it."""
    team = Team(case)
    for part in range(3):
        case.succeed("--db", str(team.friend), "add", "--jsonl", "-", input=lines(RECORDS, part * RECORDS))
        team.at_friend("sync")
    there = team.friends_ids()

    def check(_outcome):
        case.expect_sound()
        case.succeed("sync", "--pull")
        expect(set(case.ids()) == there, f"{len(case.ids())} events of {len(there)}")
        case.expect_sound()

    tries = kill_everywhere(case, ["sync", "--pull"], check, ["pwrite64", "fdatasync", "ftruncate"], all_of=10)
    return f"{tries} kills; nothing half, nothing twice, nothing left out"


def kill_merge(case):
    """F2: a merge killed at any write stores all or nothing; merging again completes it."""
    other = case.folder / "other.db"
    case.succeed("--db", str(other), "add", "--jsonl", "-", input=lines(RECORDS))
    case.add(1)

    def check(_outcome):
        case.expect_sound()
        expect(len(case.ids()) in (1, 1 + RECORDS), f"{len(case.ids())} events: half a merge")
        case.succeed("merge", str(other))
        expect(len(case.ids()) == 1 + RECORDS, f"{len(case.ids())} events")

    return f"{kill_everywhere(case, ['merge', str(other)], check, all_of=10)} kills; all or nothing, complete when repeated"


def full_share(case):
    """F5: no space in the folder: exit 5 in one line, nothing half is seen, the local database works on; then it goes on."""
    team = Team(case)
    case.fill(RECORDS)
    case.succeed("sync")
    case.add(1)
    refused = 0
    for n in range(1, 5):  # the key's file, the segment's
        outcome = case.run("sync", "--push", wrap=strace(case, "write", "error=ENOSPC", n))
        if outcome.code == 0:
            continue
        refused += 1
        expect(outcome.code in (3, 5), str(outcome))
        expect("No space left" in outcome.err, str(outcome))
        case.add(1)
        case.expect_sound()
        expect(not list(team.share.glob("explog-v1/*/.tmp*")), "a half file is left")
    expect(refused >= 2, f"only {refused} refusals")
    team.expect_equal()
    return f"{refused} full disks: one line each, the next sync completed what was missing"


def cut_and_flipped(case):
    """F13: a segment file cut or flipped anywhere: named and left alone, the others are read; it is mended by itself."""
    team = Team(case)
    case.fill(600)
    case.succeed("sync")
    third = case.folder / "third.db"
    team.at_friend("remote", "add", "team", f"dir:{team.share}", db=third)
    case.succeed("--db", str(third), "add", *RECORD)
    team.at_friend("sync", "--push", db=third)
    bad = max(team.files(), key=lambda f: f.stat().st_size)
    good = bad.read_bytes()
    tries = 0
    for at in [*range(0, len(good), max(512, len(good) // 12)), len(good) - 1]:
        for harm in ("cut", "flip"):
            bad.write_bytes(good[:at]) if harm == "cut" else flip(bad, at)
            old = time.time() - 2 * 3600 * (tries % 2)  # being copied still, or broken for good
            os.utime(bad, (old, old))
            fresh = case.folder / f"reader{tries}.db"
            team.at_friend("remote", "add", "team", f"dir:{team.share}", db=fresh)
            outcome = case.run("--db", str(fresh), "sync", "--pull", "--json")
            expect(outcome.code == (6 if tries % 2 else 5), str(outcome))
            review = case.succeed("--db", str(fresh), "trust", "review")
            expect(bad.name[:20] in review, f"the review does not name the file: {review}")
            expect(bad.name[:20] in outcome.err, f"the file is not named: {outcome}")
            expect(json.loads(outcome.out)["pulled"] == 1, f"the good file was not read: {outcome}")
            bad.write_bytes(good)
            expect(json.loads(team.at_friend("sync", "--pull", "--json", db=fresh))["pulled"] == 600, "not read when whole")
            tries += 1
    flip(bad, 100)
    case.succeed("sync", "--full")  # its writer looks at its own files again
    expect([f for f in team.files() if f.read_bytes() == good], "its writer did not write it again")
    return f"{tries} damaged files: named, others read, read once whole; the writer's next full sync replaces it"


def twice_and_backwards(case):
    """F11: segments read twice, in any order, from other folders: the same state, nothing counted twice."""
    team = Team(case)
    for part in range(4):
        case.succeed("add", "--jsonl", "-", input=lines(20, part * 20))
        case.succeed("sync")
    files = team.files()
    expect(len(files) == 4, f"{len(files)} files")
    elsewhere = team.share / "explog-v1" / ("0" * 32)
    elsewhere.mkdir()
    for file in files:
        shutil.copy(file, elsewhere / file.name)
    for hidden in ([files[0]], [files[1], files[2]], []):  # a folder that is copied in a strange order
        for file in files:
            for copy in (file, elsewhere / file.name):
                copy.with_suffix(".away").unlink(missing_ok=True)
                if file in hidden:
                    copy.rename(copy.with_suffix(".away"))
                elif not copy.exists():
                    shutil.copy(case.folder / "kept" / file.name, copy)
        (case.folder / "kept").mkdir(exist_ok=True)
        for file in files:
            for copy in (file.with_suffix(".away"), file):
                if copy.exists():
                    shutil.copy(copy, case.folder / "kept" / file.name)
        for _ in range(2):
            outcome = case.run("--db", str(team.friend), "sync", "--full")
            expect(outcome.code in (0, 6), str(outcome))
    team.expect_equal()
    return "copies under another's folder, gaps, repeated full syncs: the same events, each once"


def clones(case):
    """F19: a copied database goes on under a name of its own; one set back to an older copy does too; nothing is lost."""
    team = Team(case)
    case.fill(RECORDS)
    case.succeed("sync")
    clone = case.folder / "clone.db"
    for suffix in ("", ".key"):
        shutil.copy(f"{case.db}{suffix}", f"{clone}{suffix}")
    known = [*case.add(3)]
    known.append(case.succeed("--db", str(clone), "add", *RECORD).strip())
    for db in (case.db, clone, case.db, clone):
        team.at_friend("sync", db=db)
    case.expect_ids(known)
    expect(set(case.ids()) == team.friends_ids(clone), "the clone and the original differ")
    older = case.db.read_bytes()
    known += case.add(2)
    case.succeed("sync")
    case.db.write_bytes(older)  # in place: same inode, same key
    for suffix in ("-wal", "-shm"):
        case.db.with_name(case.db.name + suffix).unlink(missing_ok=True)
    known += case.add(2)
    outcome = case.run("sync")
    expect(outcome.code == 0 and "older copy" in outcome.err, str(outcome))
    known += case.add(1)
    team.expect_equal()
    case.expect_ids(known)
    origins = case.rows("SELECT DISTINCT origin FROM log")
    expect(len(origins) == 3, f"{len(origins)} origins: the original's, the clone's, the one after the restore")
    return "copied with its key, set back in place: three names, every printed id present everywhere"


def share_set_back(case):
    """F16: the folder is restored from an older copy, or emptied: what it lost is sent again, by whoever has it."""
    team = Team(case)
    case.fill(RECORDS)
    case.succeed("sync")
    older = case.folder / "older"
    shutil.copytree(team.share, older)
    case.add(3)
    case.succeed("sync")
    team.at_friend("sync")
    for content in (older, None):
        shutil.rmtree(team.share)
        shutil.copytree(older, team.share) if content else team.share.mkdir()
        outcome = case.run("sync")
        if content is None:
            expect_clear(outcome, [5], "is gone")
            case.succeed("sync", "--full")
        third = case.folder / f"third{content is None}.db"
        team.at_friend("remote", "add", "team", f"dir:{team.share}", db=third)
        team.at_friend("sync", db=third)
        expect(team.friends_ids(third) == set(case.ids()), "the folder does not hold everything again")
    team.expect_equal()
    return "set back and emptied: everything is there again after one sync"


def damaged_then_pulled(case):
    """F14: a database that is lost or damaged comes back from the folder, under a new name."""
    team = Team(case)
    case.fill(RECORDS)
    case.succeed("sync")
    before = set(case.ids())
    content = bytearray(case.db.read_bytes())
    for page in range(8192, len(content), 8192):
        content[page:page + 64] = b"\xee" * 64
    case.db.write_bytes(bytes(content))
    there = [f.read_bytes() for f in team.files()]
    outcome = case.run("sync")
    expect_clear(outcome, [3])
    expect([f.read_bytes() for f in team.files()] == there, "a damaged database changed what is shared")
    shutil.rmtree(case.db.parent)
    case.succeed("remote", "add", "team", f"dir:{team.share}", "--trust", "team")
    case.succeed("sync")
    expect(set(case.ids()) == before, f"{len(case.ids())} of {len(before)} events came back")
    known = case.add(1)
    team.expect_equal()
    case.expect_ids(known)
    return "refused in one line, nothing shared was touched; a new file pulls everything back"


def slow_remote(case):
    """F18: while a sync waits for its remote, adding and reading go on, and a second sync says that one is running."""
    need_program("strace")
    team = Team(case)
    for part in range(3):
        case.succeed("--db", str(team.friend), "add", "--jsonl", "-", input=lines(20, part * 20))
        team.at_friend("sync")
        if part == 0:
            case.succeed("sync")
    case.add(1)
    last = [file for file in team.files() if file.stem.split(".")[0].endswith("3c")][0]  # events 41 to 60
    # Held up behind what it has taken in already, and in front of what it is about to send.
    for flag, call, more in (("--pull", "read", ["-P", str(last)]), ("--push", "renameat", [])):
        wrap = [need_program("strace"), "-f", "-qq", "-o", "/dev/null", *more, "-e", f"trace={call}", "-e",
                f"inject={call}:delay_enter=4000000:when=1"]
        syncing = case.start("sync", flag, wrap=wrap, stderr=subprocess.DEVNULL)
        time.sleep(1.5)
        expect(syncing.poll() is None, f"sync {flag} was not held up")
        begin = time.monotonic()
        case.add(1)
        case.succeed("list")
        took = time.monotonic() - begin
        expect(took < 1.5, f"add and list took {took:.1f} s beside sync {flag}")
        again = case.run("sync")
        expect(again.code == 5 and "another sync" in again.err, str(again))
        syncing.wait(timeout=60)
        syncing.stdout.close()
    team.expect_equal()
    return "add and list at once beside a sync that waits; a second sync is told so"


def remote_that_fails(case):
    """A remote that is away: its own line and exit status, the other remotes are synced, local commands know nothing of it."""
    team = Team(case)
    case.fill(RECORDS)
    case.succeed("remote", "add", "away", f"dir:{case.folder / 'not_mounted'}")
    outcome = case.run("sync", "--json")
    expect(outcome.code == 4 and "not_mounted" in outcome.err, str(outcome))
    report = json.loads(outcome.out)
    expect([r["name"] for r in report["remotes"]] == ["away", "team"], str(report))
    expect("error" in report["remotes"][0] and report["remotes"][1]["pushed"] == RECORDS, str(report))
    outcome = case.run("sync", "--status", "--json")
    state = {r["name"]: r for r in json.loads(outcome.out)["remotes"]}
    expect("not_mounted" in state["away"]["error"] and state["team"]["ahead"] == 0, str(state))
    for command in (["add", *RECORD], ["list"], ["stats"], ["recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90"]):
        outcome = case.run(*command)
        expect(outcome.code == 0 and "away" not in outcome.err, str(outcome))
    case.succeed("remote", "remove", "away")
    team.expect_equal()
    return "named once a sync, the other remote synced, four local commands silent about it"


TESTS = [kill_push, kill_pull, kill_merge, full_share, cut_and_flipped, twice_and_backwards, clones, share_set_back,
         damaged_then_pulled, slow_remote, remote_that_fails]
