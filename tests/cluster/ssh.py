"""`launch ssh` through real sshd's on loopback: three hosts see the plan's folder, the fourth works on a copy."""
import os
import shutil
import signal
import subprocess
import time

from world import Skip, expect

PORTS = {"h1": 18822, "h2": 18823, "h3": 18824, "far": 18825}


class Hosts:
    """An sshd a host. That of `far` has a mount namespace of its own, in which the shared folder is empty."""

    def __init__(self, world):
        self.folder = world.work / "ssh"
        self.folder.mkdir(mode=0o700)
        sshd = shutil.which("sshd") or "/usr/sbin/sshd"
        if not os.path.exists(sshd) or not shutil.which("ssh"):
            raise Skip("no sshd (scripts/setup cluster)")
        if os.geteuid() != 0:
            raise Skip("sshd of the test's own needs root")
        os.makedirs("/run/sshd", exist_ok=True)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        config = "".join(f"Host {host}\n  HostName 127.0.0.1\n  Port {port}\n  HostKeyAlias explog\n" for host, port in PORTS.items())
        known = "explog " + (self.folder / "host.pub").read_text()
        (self.folder / "known").write_text(known)
        (self.folder / "config").write_text(f"{config}Host *\n  IdentityFile {self.folder}/user\n  UserKnownHostsFile {self.folder}/known\n"
                                            "  IdentitiesOnly yes\n  StrictHostKeyChecking yes\n")
        for host, port in PORTS.items():
            self.serve(world, sshd, host, port)

    def serve(self, world, sshd, host, port):
        (self.folder / f"{host}.conf").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {self.folder}/host\nPidFile none\nUsePAM no\nStrictModes no\n"
            f"AuthorizedKeysFile {self.folder}/authorized\nPermitRootLogin yes\nMaxStartups 50\n"
            f"SetEnv TMPDIR={world.work} XDG_CACHE_HOME={world.work}/cache EXPLOG_SHIPPED=off\n")
        words = [sshd, "-D", "-e", "-f", str(self.folder / f"{host}.conf")]
        if host == "far":
            words = ["unshare", "-m", "sh", "-c", f"mount -t tmpfs none {world.plan.parent} && exec " + " ".join(words)]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=open(self.folder / f"{host}.log", "w"))
        world.processes.append(process)
        for _ in range(100):
            if subprocess.run(["ssh", "-F", self.folder / "config", host, "true"], capture_output=True, check=False).returncode == 0:
                return
            if process.poll() is not None:
                break
            time.sleep(0.1)
        raise Skip(f"sshd does not start: {(self.folder / f'{host}.log').read_text()[-300:]}")

    def workers(self):
        found = subprocess.run(["pgrep", "-f", "campaign resume --out"], capture_output=True, text=True, check=False).stdout.split()
        mine = []
        for pid in found:
            try:
                environment = open(f"/proc/{pid}/environ", "rb").read()
            except OSError:
                continue
            if str(self.folder.parent).encode() in environment:
                mine.append(int(pid))
        return mine


def four_hosts(world):
    n = 12
    hosts = Hosts(world)
    copy = os.path.expanduser("~/.cache/explog/plans")
    kept = set(os.listdir(copy)) if os.path.isdir(copy) else set()
    words = ["launch", "ssh", *PORTS, "--pass=-F", f"--pass={hosts.folder}/config"]
    plan = world.write_plan(n)
    shown = world.explog_does(*words, "--dry-run", "--", *plan)
    checked = subprocess.run(["bash", "-n"], input=shown, text=True, capture_output=True, check=False)
    expect("#!/bin/bash" in shown and checked.returncode == 0 and not world.plan.exists(), checked.stderr)
    try:
        launched = world.start(*words, "--", *plan)
        world.wait_for("a first result", lambda: world.done_count() > 0)
        begin = time.monotonic()
        launched.send_signal(signal.SIGTERM)
        out = launched.communicate(timeout=60)[0]
        expect(launched.returncode == 75, f"exit {launched.returncode}: {out[-900:]}")
        world.wait_for("the end of all workers", lambda: not hosts.workers(), 60)
        took = time.monotonic() - begin
        again = world.start(*words, "--", "campaign", "resume", "--out", world.plan)
        world.kill_worker("h2")
        out = again.communicate(timeout=200)[0]
        expect("exit" in out, f"nobody says that a worker was killed: {out[-900:]}")
        # What the one that was killed had may be left to whoever comes next.
        world.explog_does("campaign", "resume", "--out", world.plan, "--db", world.work / "home.db")
        records = world.everything_is_there(n)
        nodes = {item["node"] for item in world.status()["items"]}
        expect("far" in nodes, f"the host with a copy did nothing: {nodes}")
        databases = sorted(world.work.glob("explog-*/*.db"))
        events = world.equal_stores([str(db) for db in databases], records)
        expect({db.stem for db in databases} == set(PORTS), f"{databases}")
    finally:
        for name in set(os.listdir(copy)) - kept if os.path.isdir(copy) else ():
            shutil.rmtree(f"{copy}/{name}")
    return f"{n} items, ended in {took:.0f} s and begun again, results of {len(nodes)} nodes, {events} events in equal stores"


CASES = [four_hosts]
