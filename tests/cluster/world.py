"""What the tests of many machines share: a plan of small items, where it stands, and whether all of it is there."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "fault"))
from harness import Failed, Skip, expect  # noqa: E402, F401

WALK = """constexpr int LANES = 4;
// item %d
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int t = 0; t < LANES; ++t)
    for (long long i = t; i < N; i += LANES) z[i] = x[i] + y[i];
}
"""
KNOBS = """// tune: REPEATS 1 2
#ifndef REPEATS
#define REPEATS 2
#endif
// item %d
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (volatile int r = 0; r < REPEATS; r = r + 1)
    for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
"""
CAMPAIGN = ["--max-time", "0.1", "--noise", "100000", "--max-versions", "1", "--rules", "explore"]
TUNE = ["--max-time", "0.1"]


class World:
    """A folder of the test's own: the inputs, the shared folder, and a database a node."""

    def __init__(self, explog):
        self.explog = os.path.abspath(explog)
        self.work = Path(tempfile.mkdtemp(prefix="explog-cluster-", dir="/tmp"))
        self.work.chmod(0o755)
        self.plan = self.work / "shared" / "plan"
        self.plan.parent.mkdir()
        self.env = {**os.environ, "EXPLOG_SHIPPED": "off", "TMPDIR": str(self.work), "XDG_CACHE_HOME": str(self.work / "cache"),
                    "LC_ALL": "C.UTF-8"}
        for name in ("EXPLOG_DB", "EXPLOG_LABEL"):
            self.env.pop(name, None)
        self.processes = []
        self.small_task()

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        shutil.rmtree(self.work, ignore_errors=True)

    def small_task(self):
        """Vectors of a thousand numbers: an item costs its compiler and little else."""
        task = json.loads((ROOT / "kernels/vector_add/task.json").read_text())
        task.update(name="small", backends=[{"name": "host", "baseline": "naive.cpp", "timed": [{"N": 1000}]}],
                    hidden=[{"N": 3}], distributions=["normal"], exact=["normal"])
        folder = self.work / "small"
        folder.mkdir()
        (folder / "task.json").write_text(json.dumps(task))
        for name in ("naive.cpp", "reference.cpp"):
            shutil.copy(ROOT / "kernels/vector_add" / name, folder)

    def write_plan(self, n):
        """Two of three are tuned, every third is a campaign that tries a version."""
        items = []
        for i in range(n):
            walk = i % 3 == 0
            (self.work / f"k{i}.cpp").write_text((WALK if walk else KNOBS) % i)
            items.append({"kind": "campaign" if walk else "tune", "task": "small", "file": f"k{i}.cpp", "options": CAMPAIGN if walk else TUNE})
        (self.work / "plan.json").write_text(json.dumps({"format": 1, "items": items}))
        return ["campaign", "start", "--plan", str(self.work / "plan.json"), "--out", str(self.plan), "--beat", "0.5", "--stale", "4"]

    def start(self, *words, program=None, **env):
        process = subprocess.Popen([program or self.explog, *map(str, words)], cwd=self.work, env={**self.env, **env},
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.processes.append(process)
        return process

    def explog_does(self, *words, code=0, **env):
        done = subprocess.run([self.explog, *map(str, words)], cwd=self.work, env={**self.env, **env}, capture_output=True, text=True, check=False)
        expect(code is None or done.returncode == code, f"{' '.join(map(str, words))}: exit {done.returncode}, {done.stdout[-900:]}{done.stderr[-900:]}")
        return done.stdout

    def status(self):
        return json.loads(self.explog_does("campaign", "status", "--out", self.plan, "--json"))

    def done_count(self):
        return len(list(self.plan.glob("items/*/done.json")))

    def wait_for(self, what, condition, seconds=150):
        until = time.monotonic() + seconds
        while not condition():
            expect(time.monotonic() < until, f"{what} did not happen in {seconds} s; {self.done_count()} done; {self.listing()}")
            time.sleep(0.05)

    def listing(self):
        try:
            status = self.status()
            return {key: status[key] for key in ("done", "running", "preempted", "lost", "waiting")}
        except Exception as e:  # the folder may be away
            return str(e)

    def claims_of(self, node):
        """Items that a node works on: claimed by it last, not left, not done."""
        found = []
        for item in self.plan.glob("items/*"):
            claims = sorted(item.glob("claim-*.json"), key=lambda c: int(c.stem.split("-")[1]))
            if claims and not (item / "done.json").exists() and not (item / claims[-1].name.replace("claim", "left")).exists():
                claim = json.loads(claims[-1].read_text())
                if claim["node"] == node:
                    found.append((item.name, claim["worker"]))
        return found

    def kill_worker(self, node):
        """kill -9 of the worker that has an item there."""
        self.wait_for(f"work on {node}", lambda: self.claims_of(node))
        worker = self.claims_of(node)[0][1]
        pid = int(worker[len(node) + 1:].split("-")[0])
        os.kill(pid, 9)
        return worker

    def everything_is_there(self, n):
        """Each item has one end and its result; each store, once synced, has the records of all of them and equals the others."""
        status = self.status()
        expect(status["done"] == n, f"{status}")
        failed = [item for item in status["items"] if item["failed"]]
        expect(not failed, f"failed: {failed[:3]}")
        records = set()
        for item in status["items"]:
            result = Path(item["result"])
            expect(result.is_dir(), f"{item} has no result")
            answer = json.loads((result / "answer.json").read_text())
            if item["kind"] == "tune":
                records.add(answer["record"])
            else:
                expect((result / "campaign/final_report.md").exists(), f"{item}: the campaign has not ended")
                for version in answer["versions"]:
                    records.update(version.get("records", []))
        expect(len(records) == n, f"{len(records)} records of {n} items")
        return records

    def equal_stores(self, databases, records):
        contents = []
        for _ in range(2):  # what one pushed in the first round, another gets in the second
            contents = []
            for db in databases:
                self.explog_does("remote", "add", "plan", f"dir:{self.plan}/log", "--db", db, code=None)
                self.explog_does("sync", "plan", "--quiet", "--db", db)
                contents.append(self.explog_does("query", "--csv", "--sql", "SELECT origin, seq, id, kind FROM log ORDER BY 1, 2", "--db", db))
        expect(len(databases) > 1 and len(set(contents)) == 1, f"{len(set(contents))} different stores of {len(databases)}")
        stored = self.explog_does("query", "--csv", "--sql", "SELECT id FROM experience", "--db", databases[0]).split()
        missing = [r for r in records if r not in stored]
        expect(not missing, f"{len(missing)} records are nowhere: {missing[:3]}")
        return len(contents[0].splitlines()) - 1

    def other_version(self):
        """The same program, but for the number that it says it has."""
        data = Path(self.explog).read_bytes()
        here = subprocess.run([self.explog, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        there = here[:-1] + chr((ord(here[-1]) - ord("0") + 1) % 10 + ord("0"))
        expect(here.encode() in data, "the version is not in the program")
        path = self.work / "other-explog"
        path.write_bytes(data.replace(here.encode() + b"\0", there.encode() + b"\0"))
        path.chmod(0o755)
        return str(path)

    def away(self, seconds):
        """The shared folder is gone for a while."""
        hidden = self.plan.parent.with_name("hidden")
        self.plan.parent.rename(hidden)
        time.sleep(seconds)
        hidden.rename(self.plan.parent)


def run(cases, explog):
    """One line a case; exit code 1 when a promise was broken, 77 when nothing could run."""
    broken = ran = 0
    for case in cases:
        world = None
        begin = time.monotonic()
        try:
            world = World(explog)
            print(f"ok   {case.__name__}: {case(world)} ({time.monotonic() - begin:.0f} s)", flush=True)
            ran += 1
        except Skip as e:
            print(f"skip {case.__name__}: {e}", flush=True)
        except Failed as e:
            print(f"FAIL {case.__name__}: {e}", flush=True)
            broken += 1
        finally:
            if world:
                world.close()
    return 1 if broken else 0 if ran else 77
