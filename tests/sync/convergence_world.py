"""Databases, what happens to them, and what must be true of them in the end."""
import glob
import json
import re
import shutil
import signal
import sqlite3
import subprocess
import time

import convergence_transports

STRATEGIES = ["smem_tiling", "smem_padding", "vectorized_access", "online_softmax", "my_own_idea"]
DATABASES = 5
ROUNDS = 8  # of everybody's sync until nothing moves any more
FAKETIME = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")  # clocks do not step where it is not installed
ID = re.compile(r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", re.M)


def key_parts(key, names):
    """A cell's key: texts that end with 0, numbers of 2, 4 or 1 bytes; the origin by its name."""
    parts, at = [], 0
    for size in (0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 4, 0, 4, 1):
        end = key.index(b"\0", at) if size == 0 else at + size
        parts.append(key[at:end] if size == 0 else int.from_bytes(key[at:end], "big") - (1 << (8 * size - 1)))
        at = end + (size == 0)
    parts[10] = names[parts[10]]
    return parts


def head_size(key):
    """How long a key's head is: six texts, two numbers of 2 bytes, a text."""
    at = 0
    for _ in range(6):
        at = key.index(b"\0", at) + 1
    return key.index(b"\0", at + 4) + 1


def cells_of(first, page):
    """Keys and counts of a page. A cell is: how much of the head before it keeps, how much it adds, its tail's number,
    the tail where it is new, what it adds, the counts; numbers have seven bits a byte, those of counts the sign in the
    lowest. Records come without the file's own number of their origin."""
    size, at, before = head_size(first), 0, 0
    head, tails = first[:size], [first[size:]]

    def number():
        nonlocal at
        bits, shift = 0, 0
        while True:
            byte = page[at]
            at += 1
            bits |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return bits

    def piece(length):
        nonlocal at
        at += length
        return page[at - length:at]

    cells = []
    while at < len(page):
        kept, added, tail = number(), number(), number()
        if tail == len(tails):
            tails.append(piece(number()))
        head = head[:kept] + piece(added)
        counts = [(bits >> 1) ^ -(bits & 1) for bits in [number() for _ in range(10)]]
        before += counts[8]
        cells.append((head + tails[tail], counts[:8] + [rid & ((1 << 40) - 1) for rid in (before, before + counts[9])]))
    return cells


class Failed(Exception):
    pass


class World:
    def __init__(self, explog, folder, rng, transports):
        self.explog, self.folder, self.rng = explog, folder, rng
        self.names = []
        self.acked = set()   # ids that a command printed and that nothing may lose
        self.told = []       # what happened, for the report of a failure
        self.backups = {}    # database -> copy to restore it from
        self.merges = "merge" in transports
        self.transports = convergence_transports.make(transports, explog, folder, rng, DATABASES)
        for i in range(DATABASES):
            self.join(f"db{i}", i)

    # -- doing things ------------------------------------------------------------------------------------------

    def join(self, name, index):
        self.names.append(name)
        for transport in self.transports:
            for remote, url in transport.remotes(index):
                self.run(name, "remote", "add", remote, url, "--trust", "team", allowed=(0, 2))

    def path(self, name):
        return self.folder / f"{name}.db"

    def run(self, name, *args, allowed=(0,), kill_after=None, time_shift=None, text=None):
        """Exit status and output; None for a process that was killed."""
        command = [self.explog, "--db", str(self.path(name)), *args]
        if time_shift and FAKETIME:
            command = ["env", f"LD_PRELOAD={FAKETIME[0]}", f"FAKETIME={time_shift}", *command]
        self.told.append(f"{name} {' '.join(args)[:100]}" + (" (killed)" if kill_after is not None else ""))
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, cwd=self.folder)
        if kill_after is not None:
            time.sleep(kill_after)
            process.send_signal(signal.SIGKILL)
        out, err = process.communicate(text, timeout=180)
        if kill_after is not None and process.returncode == -signal.SIGKILL:
            return None, out
        if process.returncode not in allowed:
            raise Failed(f"{name} {' '.join(args)}: exit {process.returncode}: {err.strip()[-600:]}")
        return process.returncode, out

    def kill_time(self, chance):
        return self.rng.random() * 0.05 if self.rng.random() < chance else None

    # -- what may happen ---------------------------------------------------------------------------------------

    def step(self):
        actions = [(self.add, 6), (self.add_many, 2), (self.add_same, 2), (self.retract, 2), (self.redact, 1),
                   (self.sync, 8), (self.clone, 0.4), (self.restore, 1), (self.fault, 3)]
        if self.merges:
            actions.append((self.merge, 3))
        action, = self.rng.choices([a for a, _ in actions], [w for _, w in actions])
        action(self.rng.choice(self.names))

    def record(self):
        r = self.rng
        return {"kernel_type": r.choice(["gemm", "softmax"]), "backend": "cuda", "arch": r.choice(["sm_80", "sm_90"]),
                "strategy": r.choice(STRATEGIES), "latency_before_ms": 2.0, "latency_after_ms": r.choice([0.5, 1, 2, 3]),
                "notes": r.choice(["", "bank conflicts", "spills registers"])}

    def keep(self, out):
        self.acked.update(ID.findall(out))

    def add_lines(self, name, records, *more):
        text = "".join(json.dumps(r) + "\n" for r in records)
        shift = self.rng.choice([None] * 8 + ["-40d", "+3y"])
        # Killed, it would leave shared memory of faketime's to the next process of its number.
        kill = None if shift else self.kill_time(0.1)
        status, out = self.run(name, "--quiet", "add", "--jsonl", "-", "--json", *more, kill_after=kill, time_shift=shift,
                               text=text)
        if status == 0:
            self.acked.update(json.loads(out)["ids"])

    def add(self, name):
        self.add_lines(name, [self.record()])

    def add_many(self, name):
        self.add_lines(name, [self.record() for _ in range(self.rng.randint(2, 2500 if self.rng.random() < 0.1 else 40))])

    def add_same(self, name):
        """A public data set that several sites import: the same content has the same id everywhere."""
        file = self.folder / f"public{self.rng.randrange(3)}.jsonl"
        if not file.exists():
            file.write_text("".join(json.dumps(self.record()) + "\n" for _ in range(4)))
        self.run(name, "--quiet", "import", str(file), kill_after=self.kill_time(0.1))

    def some_id(self, name):
        db = sqlite3.connect(f"file:{self.path(name)}?mode=ro", uri=True)
        try:
            ids = [row[0] for row in db.execute("SELECT lower(hex(e.id)) FROM attempt a JOIN event e USING (rid)")]
        except sqlite3.OperationalError:
            ids = []
        finally:
            db.close()
        return self.rng.choice(sorted(ids)) if ids else None

    def retract(self, name):
        target = self.some_id(name)
        if target:
            self.run(name, "retract", target, "--reason", "measured wrongly", allowed=(0, 2), kill_after=self.kill_time(0.1))

    def redact(self, name):
        target = self.some_id(name)
        if target:
            self.run(name, "--quiet", "redact", target, "--reason", "a secret", allowed=(0, 2),
                     kill_after=self.kill_time(0.1))

    def sync(self, name, kill=0.25):
        flags = self.rng.choice([[], [], [], ["--push"], ["--pull"], ["--full"]])
        self.run(name, "sync", *flags, allowed=(0, 2, 5, 6), kill_after=self.kill_time(kill))

    def merge(self, name):
        other = self.rng.choice(self.names)
        if other != name and self.path(other).exists():
            self.run(name, "merge", str(self.path(other)), "--trust", "team", allowed=(0, 6),
                     kill_after=self.kill_time(0.2))

    def clone(self, name):
        """cp, with or without the key: the copy goes on under a name of its own."""
        if len(self.names) >= DATABASES + 3 or not self.path(name).exists():
            return
        copy = f"copy{len(self.names)}"
        self.told.append(f"{name} copied as {copy}")
        for suffix in ["", "-wal"] + ([".key"] if self.rng.random() < 0.5 else []):
            if (self.folder / f"{name}.db{suffix}").exists():
                shutil.copy(self.folder / f"{name}.db{suffix}", self.folder / f"{copy}.db{suffix}")
        self.names.append(copy)

    def restore(self, name):
        """The file's content is put back in place, as by a backup tool: inode, machine and key stay."""
        if not self.transports:
            return
        kept = self.backups.pop(name, None)
        if kept is None:
            self.run(name, "stats", allowed=(0, 1))
            self.checkpoint(name)
            self.backups[name] = self.path(name).read_bytes()
            self.told.append(f"{name} backed up")
            return
        for transport in self.transports:  # what nobody else had would be lost, rightly
            transport.heal()
        for _ in range(2):
            for member in self.names:
                self.run(member, "sync", "--full", allowed=(0, 2, 5, 6))
        self.checkpoint(name)
        self.path(name).write_bytes(kept)
        for suffix in ["-wal", "-shm"]:
            (self.folder / f"{name}.db{suffix}").unlink(missing_ok=True)
        self.told.append(f"{name} set back")

    def checkpoint(self, name):
        db = sqlite3.connect(self.path(name))
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        db.close()

    def fault(self, _name):
        if self.transports:
            self.told.append(self.rng.choice(self.transports).fault())

    # -- the end -----------------------------------------------------------------------------------------------

    def rest(self):
        for transport in self.transports:
            transport.heal()
        before = None
        for _ in range(ROUNDS):
            for name in self.names:
                if self.transports:
                    self.run(name, "sync", "--full", allowed=(0, 2, 5, 6))
            if self.merges and not self.transports:
                for name in self.names:
                    for other in self.names:
                        if other != name:
                            self.run(name, "merge", str(self.path(other)), "--trust", "team", allowed=(0, 6))
            now = [self.log(name) for name in self.names]
            if now == before:
                return
            before = now

    def rows(self, name, sql):
        db = sqlite3.connect(f"file:{self.path(name)}?mode=ro", uri=True)
        try:
            return db.execute(sql).fetchall()
        finally:
            db.close()

    def log(self, name):
        return self.rows(name, "SELECT hex(o.origin), e.rid & 1099511627775, hex(e.id), e.kind, e.version, e.at, e.body "
                               "FROM event e JOIN origin o ON o.no = e.rid >> 40 ORDER BY 1, 2")

    # Numbers of origins are each file's own: their names stand for them.
    PLACE = "(SELECT hex(origin) FROM origin WHERE no = {0} >> 40) || ':' || ({0} & 1099511627775)"

    def counts(self, name):
        names = dict(self.rows(name, "SELECT no, hex(origin) FROM origin"))
        cells = sorted(((family, grain, *key_parts(key, names), *counts) for family, grain, first, page in
                        self.rows(name, "SELECT family, grain, first, cells FROM cell")
                        for key, counts in cells_of(first, page)), key=repr)
        retractions = f"SELECT {self.PLACE.format('rid')}, {self.PLACE.format('by_rid')}, reason FROM retraction"
        attempts = f"SELECT {self.PLACE.format('rid')}, strategy, outcome, speedup FROM attempt"
        return {"cells": cells} | {what: sorted(self.rows(name, sql), key=repr)
                                   for what, sql in [("retractions", retractions), ("attempts", attempts)]}

    def compare(self):
        first, *others = self.names
        log, counts = self.log(first), self.counts(first)
        for name in others:
            theirs = self.log(name)
            if theirs != log:
                only = [r[:4] for r in log if r not in theirs][:3], [r[:4] for r in theirs if r not in log][:3]
                raise Failed(f"the logs of {first} and {name} differ ({len(log)} and {len(theirs)} events): {only}")
            for what, rows in self.counts(name).items():
                if rows != counts[what]:
                    raise Failed(f"the {what} of {first} and {name} differ")
        answers = {self.answer(name) for name in self.names}
        if len(answers) != 1:
            raise Failed(f"{len(answers)} different recommendations from the same records")
        missing = self.acked - {self.dashed(row[2]) for row in log}
        if missing:
            raise Failed(f"{len(missing)} acknowledged ids are lost: {sorted(missing)[:3]}")
        for name in self.names:
            _, out = self.run(name, "doctor", "--rebuild", "--json", allowed=(0, 1, 3))
            bad = [c for c in json.loads(out)["checks"] if not c["ok"]]
            if bad:
                raise Failed(f"doctor on {name}: {bad}")

    def answer(self, name):
        _, out = self.run(name, "recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--json")
        return out

    @staticmethod
    def dashed(digits):
        d = digits.lower()
        return f"{d[:8]}-{d[8:12]}-{d[12:16]}-{d[16:20]}-{d[20:]}"

    def close(self):
        for transport in self.transports:
            transport.close()
