"""What the PostgreSQL tests share: one server, a database for each test, and running tests/sync/probe/remote_probe."""
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "fault"))
from harness import expect  # noqa: E402

WAIT = 120  # seconds; only what hangs takes as long


class Case:
    """One test: the server with an empty database `team`, and a folder."""

    def __init__(self, server, explog, folder):
        self.server, self.explog, self.folder = server, explog, folder
        self.probe = str(Path(explog).parent / "remote_probe")
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("PG")} | {"HOME": str(folder), "EXPLOG_SHIPPED": "off"}
        server.sql("DROP DATABASE IF EXISTS team WITH (FORCE)", database="postgres")
        server.sql("CREATE DATABASE team", database="postgres")
        for role in ("north", "south", "stranger", "west"):
            server.sql(f"DO $$ BEGIN CREATE ROLE {role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")

    def start(self, *args, **more):
        env = self.env | more.pop("env", {})
        return subprocess.Popen([self.probe, *map(str, args)], env=env, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def finish(self, process, seconds=WAIT):
        out, err = process.communicate(timeout=seconds)
        expect(out.startswith("{"), f"the probe died: {process.returncode} {out[:200]} {err[:300]}")
        return json.loads(out)

    def run(self, *args, **more):
        return self.finish(self.start(*args, **more))

    def init(self, *words, stream="main"):
        done = self.run(self.server.url(stream=stream), "init", *words)
        expect(done["exit"] == 0, f"init: {done}")

    def push(self, name, segments=2, events=5, body=100, user="admin", url=None, trick=(), **more):
        return self.run(url or self.server.url(user=user), "push", name, segments, events, body, *trick, **more)

    def pull(self, user="admin", url=None):
        return self.run(url or self.server.url(user=user), "pull")

    def expect_contiguous(self, batches):
        """Positions 1..n without a hole, the counter at n, every event there, every origin's head at its last batch."""
        row = self.server.sql("""
            SELECT count(*), coalesce(min(pos), 0), coalesce(max(pos), 0), (SELECT head_pos FROM explog.stream),
                   (SELECT count(*) FROM explog.event), coalesce(sum(last_seq - first_seq + 1), 0),
                   (SELECT coalesce(sum(head_seq), 0) FROM explog.origin) FROM explog.batch""")[0]
        count, low, high, head, events, ranges, heads = map(int, row)
        expect(count == batches, f"{count} batches, {batches} were pushed")
        expect(low == min(1, batches) and high == count == head, f"positions {low}..{high}, {count} of them, counter {head}")
        expect(events == ranges == heads, f"{events} events, batches hold {ranges}, heads say {heads}")


def tier_words(tier):
    return ["hardened", "north", "south"] if tier == "hardened" else ["north", "south"]
