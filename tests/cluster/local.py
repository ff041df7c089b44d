"""Workers of one host: those of `launch local`, those that are killed, told to end, set to another time, or of another version."""
import signal
import subprocess
import time
from pathlib import Path

from harness import need_program
from world import expect


def killed_away_and_another_time(world):
    n = 18
    plan = world.write_plan(n)
    faketime = need_program("faketime")
    clock = world.work / "clock"
    clock.write_text("+0\n")
    library = next((str(p) for p in Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), faketime)
    stepped = {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    databases = [world.work / f"{name}.db" for name in "abc"]
    workers = [world.start(*plan, "--shard", f"{k}/3", "--node", f"node{k}", "--db", databases[k - 1], **(stepped if k == 3 else {}))
               for k in (1, 2, 3)]
    world.wait_for("a first result", lambda: world.done_count() > 1)
    clock.write_text("+40d\n")
    refused = world.start("campaign", "resume", "--out", world.plan, program=world.other_version())
    said = refused.communicate(timeout=60)[0]
    expect(refused.returncode == 4 and "belongs to explog" in said, f"another version: exit {refused.returncode}, {said}")
    world.kill_worker("node1")
    clock.write_text("-2d\n")
    world.away(6)
    for worker in workers[1:]:
        out = worker.communicate(timeout=150)[0]
        failed = [f"{item}" for item in world.status()["items"] if item.get("failed")] if worker.returncode else []
        expect(worker.returncode == 0, f"exit {worker.returncode}: {out[-600:]} {' '.join(failed)[:900]}")
    events = world.equal_stores(databases, world.everything_is_there(n))
    again = [item for item in world.status()["items"] if item["attempts"] > 1]
    expect(again, "nothing was taken over from the worker that was killed")
    return f"{n} items once each, {len(again)} taken over, {events} events in {len(databases)} equal stores"


def told_to_end(world):
    n = 6
    db = world.work / "node.db"
    plan = world.write_plan(n)
    launched = world.start("launch", "local", "--shards", "2", "--db", db, "--", *plan)
    world.wait_for("work", lambda: world.plan.exists() and len(list(world.plan.glob("items/*/claim-1.json"))) > 1)
    begin = time.monotonic()
    launched.send_signal(signal.SIGTERM)
    out = launched.communicate(timeout=60)[0]
    took = time.monotonic() - begin
    expect(launched.returncode == 75, f"exit {launched.returncode}: {out[-800:]}")
    status = world.status()
    expect(status["running"] == 0 and status["lost"] == 0 and status["preempted"] > 0, f"{status}")
    left = subprocess.run(["pgrep", "-f", str(world.plan)], capture_output=True, text=True, check=False).stdout.split()
    expect(not left, f"still running: {left}")
    world.explog_does("launch", "local", "--shards", "2", "--db", db, "--", "campaign", "resume", "--out", world.plan)
    world.everything_is_there(n)
    return f"75 after {took:.1f} s, {status['preempted']} preempted items went on"


def what_will_not_do(world):
    plan = world.write_plan(2)
    world.explog_does(*plan, "--db", world.work / "node.db")
    (world.work / "k1.cpp").write_text((world.work / "k1.cpp").read_text() + "// another\n")
    other = world.start(*plan, "--db", world.work / "node.db")
    said = other.communicate(timeout=60)[0]
    expect(other.returncode == 2 and "another plan is there already" in said, f"exit {other.returncode}: {said}")
    list_file = world.plan / "plan.json"
    list_file.write_text(list_file.read_text().replace('"format":1', '"format":9'))
    newer = world.start("campaign", "status", "--out", world.plan)
    said = newer.communicate(timeout=60)[0]
    expect(newer.returncode == 3 and "9" in said and "work_plan.md" in said, f"exit {newer.returncode}: {said}")
    return "another plan in the same folder and a list of a later format are refused"


def an_item_that_kills_its_command(world):
    """A command that a signal ends is tried again, and after three times the item has its end."""
    plan = world.write_plan(1)
    slow = world.start(*plan, "--node", "node", "--db", world.work / "node.db")
    for _ in range(3):
        pids = []

        def children():
            pids[:] = subprocess.run(["pgrep", "-P", str(slow.pid)], capture_output=True, text=True, check=False).stdout.split()
            return pids or slow.poll() is not None

        world.wait_for("the command", children)
        for pid in pids:
            subprocess.run(["kill", "-9", pid], check=False)
        world.wait_for("its end", lambda p=tuple(pids): not any(Path(f"/proc/{pid}").exists() for pid in p))
    out = slow.communicate(timeout=60)[0]
    status = world.status()
    expect(slow.returncode == 1 and status["done"] == 1 and status["items"][0]["exit"] == 137 and status["items"][0]["failed"],
           f"exit {slow.returncode}: {out} {status}")
    return "exit 137 is its end"


def a_baseline_that_is_wrong(world):
    """The list says why an item failed, also where the command gave an answer and no error."""
    plan = world.write_plan(1)
    (world.work / "k0.cpp").write_text((world.work / "k0.cpp").read_text().replace("x[i] + y[i]", "x[i] - y[i]"))
    world.explog_does(*plan, "--db", world.work / "node.db", code=1)
    item = world.status()["items"][0]
    expect(item["failed"] and item["exit"] == 7 and "fails its own task" in item["said"], f"{item}")
    return "exit 7, and the campaign's own sentence"


CASES = [a_baseline_that_is_wrong, what_will_not_do, an_item_that_kills_its_command, told_to_end, killed_away_and_another_time]
