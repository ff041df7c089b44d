"""`launch slurm` on a real Slurm: four nodes of one host, whose jobs are killed, cancelled, preempted and drained away."""
import os
import shutil
import subprocess
import time
from pathlib import Path

from world import Skip, expect

CONF = """ClusterName=explog
SlurmctldHost=localhost
SlurmctldPort=18817
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={d}/munge.sock
CredType=cred/munge
StateSaveLocation={d}/state
SlurmdSpoolDir={d}/spool-%n
SlurmctldPidFile={d}/ctld.pid
SlurmdPidFile={d}/%n.pid
SlurmctldLogFile={d}/ctld.log
SlurmdLogFile={d}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SchedulerParameters=bf_interval=2,sched_interval=2,requeue_delay=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
ReturnToService=2
KillWait=20
NodeName=n[1-4] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[18831-18834] CPUs=1 State=UNKNOWN
PartitionName=low Nodes=n[1-4] Default=YES MaxTime=INFINITE PriorityTier=1 PreemptMode=REQUEUE GraceTime=15
PartitionName=high Nodes=n[1-4] MaxTime=INFINITE PriorityTier=10
"""


class Slurm:
    """munged, slurmctld and four slurmd, each started here and ended by its id."""

    def __init__(self, world):
        for name in ("munged", "slurmctld", "slurmd"):
            if not shutil.which(name) and not Path(f"/usr/sbin/{name}").exists():
                raise Skip(f"no {name} (scripts/setup cluster)")
        if os.geteuid() != 0:
            raise Skip("a slurmctld of the test's own needs root")
        self.world, self.d = world, world.work / "slurm"
        for name in ["state", *(f"spool-n{i}" for i in range(1, 5))]:
            (self.d / name).mkdir(parents=True)
        (self.d / "slurm.conf").write_text(CONF.format(d=self.d))
        key = self.d / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        world.env["SLURM_CONF"] = str(self.d / "slurm.conf")
        self.daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.d}/munge.sock", f"--pid-file={self.d}/munged.pid",
                    f"--log-file={self.d}/munged.log", f"--seed-file={self.d}/munge.seed")
        time.sleep(0.5)
        self.daemon("slurmctld", "-D")
        for i in range(1, 5):
            self.daemon("slurmd", "-D", "-N", f"n{i}")
        for _ in range(100):
            if self.says("sinfo", "-h", "-N", "-p", "low", "-o", "%T").split() == ["idle"] * 4:
                return
            time.sleep(0.2)
        raise Skip(f"Slurm does not start: {self.says('sinfo')} {self.log('ctld.log')} {self.log('n1.log')}")

    def daemon(self, name, *words):
        path = shutil.which(name) or f"/usr/sbin/{name}"
        self.world.processes.append(subprocess.Popen([path, *words], env=self.world.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def log(self, name):
        path = self.d / name
        return path.read_text()[-300:] if path.exists() else ""

    def says(self, *words):
        done = subprocess.run(words, env=self.world.env, cwd=self.world.work, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def job_on(self, node):
        """The job that runs there, as 1_2."""
        rows = [row.split() for row in self.says("squeue", "-h", "-r", "-t", "R", "-o", "%N %i").splitlines()]
        return next((row[1] for row in rows if row[0] == node), "")


def sixty_items_on_four_nodes(world):
    n = 60
    slurm = Slurm(world)
    world.explog_does("launch", "slurm", "--shards", "4", "--pass=--time=30", "--", *world.write_plan(n))
    try:
        return through_all_of_it(world, slurm, n)
    finally:
        slurm.says("scancel", "-u", "root")
        for _ in range(100):
            if not slurm.says("squeue", "-h").strip():
                break
            time.sleep(0.2)


def through_all_of_it(world, slurm, n):
    world.wait_for("work on all nodes", lambda: all(world.claims_of(f"n{i}") for i in range(1, 5)))
    killed = world.kill_worker("n1")  # its job has ended then; the others have its items
    cancelled = slurm.job_on("n2")
    slurm.says("scancel", cancelled)
    other = subprocess.run(["srun", "-w", "n1", "--overlap", "-t", "5", world.other_version(), "campaign", "resume", "--out", str(world.plan)],
                           env=world.env, cwd=world.work, capture_output=True, text=True, check=False)
    expect(other.returncode == 4 and "belongs to explog" in other.stderr, f"another version: exit {other.returncode}, {other.stderr}")
    slurm.says("scontrol", "update", "NodeName=n3", "State=DRAIN", "Reason=test")
    preempted = slurm.job_on("n3") or slurm.job_on("n4")
    # A job of more weight takes n4, and the worker there goes on when it has ended.
    weight = world.start("-p", "high", "-w", "n4", "-t", "5", "sleep", "4", program=shutil.which("srun"))
    world.away(60)
    slurm.says("scontrol", "update", "NodeName=n3", "State=RESUME")
    weight.wait(timeout=120)
    slurm.says("sbatch", "--array=1-2", "-t", "30", str(world.plan / "launch.sbatch"))  # instead of those that are gone
    world.wait_for("the end of the plan", lambda: world.done_count() == n, 200)
    records = world.everything_is_there(n)
    databases = [str(db) for db in sorted(world.work.glob("explog-*/*.db"))]
    events = world.equal_stores(databases, records)
    attempts = [item["attempts"] for item in world.status()["items"]]
    expect(killed and cancelled and preempted and max(attempts) > 1, f"nothing was disturbed: {killed} {cancelled} {preempted} {attempts}")
    left = [left for left in world.plan.glob("items/*/left-*.json") if "preempted" in left.read_text()]
    outputs = {out.name: out.read_text()[-400:] for out in world.plan.glob("slurm/*.out")}
    lefts = [left.read_text() for left in world.plan.glob("items/*/left-*.json")]
    expect(left, f"no worker ended in order: {lefts} {outputs}")
    return (f"{n} items once each, {sum(a > 1 for a in attempts)} of them begun again, {len(left)} after a worker that ended in order, "
            f"{events} events in {len(databases)} equal stores")


CASES = [sixty_items_on_four_nodes]
