"""What people and scripts see of a PostgreSQL remote: `explog remote`, `sync`, `redact`, and local work without a server."""
import json
import signal
import sqlite3
import subprocess
import time

from postgres_cases import WAIT, expect
from postgres_wire import Proxy
from harness import RECORD, lines


class Team:
    """Databases of people with logins of their own, on the server of a case."""

    def __init__(self, case, *founding):
        self.case = case
        done = self.explog("founder", "remote", "init", case.server.url(), *founding)
        expect("is ready" in done.out, f"{done}")

    def path(self, name):
        return self.case.folder / f"{name}.db"

    def start(self, name, *args):
        return subprocess.Popen([self.case.explog, "--db", str(self.path(name)), *map(str, args)], env=self.case.env,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def explog(self, name, *args, codes=(0,)):
        process = self.start(name, *args)
        out, err = process.communicate(timeout=WAIT)
        done = Done(process.returncode, out, err)
        expect(done.code in codes, f"{name} {' '.join(map(str, args))[:80]}: {done}")
        return done

    def joins(self, *names, url=None):
        for name in names:
            self.explog(name, "remote", "add", "team", url or self.case.server.url(user=name), "--trust", "team")

    def add(self, name, count=1):
        file = self.case.folder / "records.jsonl"
        file.write_text(lines(count))
        self.explog(name, "--quiet", "add", "--jsonl", file)

    def sync(self, name, *args, codes=(0,)):
        return json.loads(self.explog(name, "sync", "--json", *args, codes=codes).out)

    def log(self, name):
        db = sqlite3.connect(f"file:{self.path(name)}?mode=ro", uri=True)
        try:
            return db.execute("SELECT hex(o.origin), e.rid & 1099511627775, hex(e.id), e.kind, e.at, e.body FROM event e "
                              "JOIN origin o ON o.no = e.rid >> 40 ORDER BY 1, 2").fetchall()
        finally:
            db.close()


class Done:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __str__(self):
        return f"exit {self.code}, out {self.out[:300]!r}, err {self.err[:400]!r}"


def a_team_shares(case):
    for founding in (["--member", "north", "--member", "south"], ["--hardened", "--member", "north", "--moderator", "south"]):
        team = Team(case, *founding)
        team.joins("north", "south")
        team.add("north", 2500)
        team.add("south", 3)
        would = team.sync("north", "--dry-run")
        expect(would["pushed"] == 2500 and case.server.value("SELECT count(*) FROM explog.event") == "0", f"{would}")
        expect(team.sync("north", "--push")["pushed"] == 2500, "north's were not pushed")
        status = json.loads(team.explog("south", "sync", "--status", "--json").out)["remotes"][0]
        expect((status["ahead"], status["behind"], status["error"]) == (3, 2500, ""), f"{status}")
        done = team.sync("south")
        expect((done["pulled"], done["pushed"]) == (2500, 3), f"{done}")
        expect(team.sync("north", "--pull")["pulled"] == 3, "south's did not come")
        expect(team.log("north") == team.log("south"), "the logs differ")
        case.expect_contiguous(4)
        again = team.explog("founder", "remote", "init", case.server.url())
        expect(founding[0].strip("-") in again.out or "plain" in again.out, f"{again}")
        other = team.explog("founder", "remote", "init", case.server.url(), "--hardened", codes=(0, 4))
        expect((other.code == 0) == ("--hardened" in founding), f"the tier changed: {other}")
        case.__init__(case.server, case.explog, case.folder)
        for file in case.folder.glob("*.db*"):
            file.unlink()
    return "init, push, status, pull, dry run in both tiers: equal logs"


def redaction_reaches_the_server(case):
    for founding in (["--member", "north", "--member", "south"], ["--hardened", "--member", "north", "--member", "south"]):
        team = Team(case, *founding)
        team.joins("north", "south")
        ident = team.explog("north", "add", *RECORD, "--notes", "the key is hunter2").out.strip()
        team.sync("north")
        team.sync("south")
        team.explog("north", "redact", ident, "--reason", "a secret")
        team.sync("north")
        secret = int(case.server.value("SELECT count(*) FROM explog.event WHERE position('hunter2'::bytea in body) > 0"))
        expect(secret == 0, "the server keeps the secret")
        team.sync("south")
        expect(b"hunter2" not in team.path("south").read_bytes(), "south keeps the secret")
        team.joins("west", url=case.server.url(user="south"))
        expect(team.sync("west")["quarantined"] == 0 and team.log("west") == team.log("south"), "a newcomer has not the same")
        case.__init__(case.server, case.explog, case.folder)
        for file in case.folder.glob("*.db*"):
            file.unlink()
    return "an erased body is erased at the server and at readers, and the chain still holds for a newcomer"


def local_work_needs_no_server(case):
    team = Team(case, "--member", "north")
    team.joins("north")
    case.server.stop()
    try:
        team.add("north", 3)
        began = time.monotonic()
        done = team.explog("north", "sync", codes=(5,))
        seconds = time.monotonic() - began
        expect(seconds < 3 and "nothing is lost" in done.err, f"{seconds:.1f} s, {done}")
        status = json.loads(team.explog("north", "sync", "--status", "--json", codes=(5,)).out)["remotes"][0]
        expect(status["error"] and "ahead" not in status, f"{status}")
    finally:
        case.server.start()
    expect(team.sync("north")["pushed"] == 3, "it does not go on")
    return f"the server is off: adding works, sync says so with exit 5 after {seconds:.1f} s, and goes on when it is back"


def killed_syncs_go_on(case):
    """kill -9 at any instant of a push and of a pull."""
    team = Team(case, "--member", "north", "--member", "south")
    team.joins("north", "south")
    team.add("north", 20000)
    kills = 0
    for name in ("north", "south"):
        for step in range(12 if case.long else 6):
            process = team.start(name, "sync")
            time.sleep(0.02 + 0.05 * step)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            process.communicate()
        team.explog(name, "sync")
        expect(not json.loads(team.explog(name, "doctor", "--json", codes=(0, 1)).out) is None, "doctor is silent")
    expect(team.log("north") == team.log("south") and len(team.log("south")) == 20000, "the logs differ")
    case.expect_contiguous(20)
    return f"{kills} syncs were killed: no event is missing, none is there twice"


def a_set_back_server_is_filled_again(case):
    team = Team(case, "--hardened", "--moderator", "north", "--moderator", "south")
    team.joins("north", "south", "west", url=case.server.url(user="north"))
    team.add("north", 1500)
    team.sync("north")
    case.server.dump(case.server.folder / "dump")
    team.add("north", 700)
    team.add("south", 5)
    for name in ("north", "south", "north"):
        team.sync(name)
    case.server.restore(case.server.folder / "dump")
    (case.server.folder / "dump").unlink()
    done = team.explog("south", "sync")
    expect("restored" in done.err, f"{done}")
    team.sync("west")
    expect(team.log("west") == team.log("south") == team.log("north"), "the logs differ")
    expect(len(team.log("west")) == 2205, "events are missing")
    return "what the server lost came back from south, north's signed events too"


def an_idle_sync_takes_at_most_three_round_trips(case):
    """Counted on the wire: how often the client speaks after the server did, the beginning included, the farewell not."""
    turns = []

    def plan(link, side, data):
        if side == "client" and getattr(link, "last", "server") == "server" and data[:1] != b"X":
            turns.append(data[:1])
        link.last = side
        return data

    said = []
    for founding in (["--member", "north"], ["--hardened", "--member", "north"]):
        team = Team(case, *founding)
        with Proxy(case.server.port, plan) as proxy:
            team.joins("north", url=f"postgresql://north@127.0.0.1:{proxy.port}/team?sslmode=disable")
            team.add("north", 100)
            team.sync("north")
            team.sync("north")  # sees its own batch pass by
            turns.clear()
            done = team.sync("north")
        expect(done["pushed"] == done["pulled"] == 0, f"{done}")
        expect(0 < len(turns) <= 3, f"{len(turns)} round trips: {turns}")
        said.append(str(len(turns)))
        case.__init__(case.server, case.explog, case.folder)
        for file in case.folder.glob("*.db*"):
            file.unlink()
    return f"{' and '.join(said)} round trips, connecting included, in the plain and the hardened tier"


def secrets_are_stored_nowhere(case):
    secret = "s3cr3t-w0rd"
    team = Team(case, "--member", "north")
    for url in (f"postgresql://north:{secret}@127.0.0.1/team", f"postgresql://north@127.0.0.1/team?password={secret}",
                f"postgresql://north:{secret}/x@127.0.0.1/team", f"postgresql://north@h/team?sslpassword={secret}"):
        for words in (["add", "team", url], ["init", url]):
            done = team.explog("north", "remote", *words, codes=(2,))
            expect(secret not in done.out + done.err, f"the password is shown: {done}")
    team.add("north", 1)
    kept = [file.name for file in case.folder.iterdir() if secret.encode() in file.read_bytes()]
    expect(not kept, f"the password is in {kept}")
    return "a URL with a password is refused by add and init, and neither shown nor stored"


TESTS = [a_team_shares, redaction_reaches_the_server, local_work_needs_no_server, killed_syncs_go_on,
         a_set_back_server_is_filled_again, an_idle_sync_takes_at_most_three_round_trips, secrets_are_stored_nowhere]
