"""`launch ssh` through real sshd's, each in a network namespace of its own: three hosts see the plan's folder, the fourth works on
a copy, and one of them loses its network for a minute."""
import glob
import os
import shutil
import signal
import subprocess
import time

from world import Skip, expect

NAMES = ["h1", "h2", "h3", "far"]


class Network:
    """A namespace a host with one link to here. Addresses are those that RFC 2544 keeps for tests."""

    def __init__(self):
        self.hosts = {host: (f"xl{os.getpid()}-{k}", f"198.18.{os.getpid() % 250}.{4 * k + 1}", f"198.18.{os.getpid() % 250}.{4 * k + 2}")
                      for k, host in enumerate(NAMES)}
        for name, here, there in self.hosts.values():
            made = self.ip(f"netns add {name}", f"link add {name} type veth peer name eth0 netns {name}", f"addr add {here}/30 dev {name}",
                           f"link set {name} up", f"-n {name} addr add {there}/30 dev eth0", f"-n {name} link set eth0 up", f"-n {name} link set lo up")
            if made:
                self.close()
                raise Skip(f"no network namespaces here: {made}")

    @staticmethod
    def ip(*commands):
        """The first complaint; nothing where all of them worked."""
        for words in commands:
            try:
                done = subprocess.run(["ip", *words.split()], capture_output=True, text=True, check=False)
            except OSError as e:
                return str(e)
            if done.returncode != 0:
                return done.stderr.strip()
        return ""

    def close(self):
        for name, _, _ in self.hosts.values():
            self.ip(f"netns del {name}")

    def cut(self, host):
        expect(not self.ip(f"link set {self.hosts[host][0]} down"), f"the link of {host} stays")

    def mend(self, host):
        expect(not self.ip(f"link set {self.hosts[host][0]} up"), f"the link of {host} stays down")


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
        self.network = Network()
        try:
            self.start(world, sshd)
        except BaseException:
            self.network.close()
            raise

    def start(self, world, sshd):
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        config = "".join(f"Host {host}\n  HostName {there}\n  HostKeyAlias explog\n" for host, (_, _, there) in self.network.hosts.items())
        known = "explog " + (self.folder / "host.pub").read_text()
        (self.folder / "known").write_text(known)
        (self.folder / "config").write_text(f"{config}Host *\n  IdentityFile {self.folder}/user\n  UserKnownHostsFile {self.folder}/known\n"
                                            "  IdentitiesOnly yes\n  StrictHostKeyChecking yes\n")
        for host, (name, _, there) in self.network.hosts.items():
            self.serve(world, sshd, host, name, there)

    def serve(self, world, sshd, host, name, there):
        (self.folder / f"{host}.conf").write_text(
            f"Port 22\nListenAddress {there}\nHostKey {self.folder}/host\nPidFile none\nUsePAM no\nStrictModes no\n"
            f"AuthorizedKeysFile {self.folder}/authorized\nPermitRootLogin yes\nMaxStartups 50\n"
            f"SetEnv TMPDIR={world.work} XDG_CACHE_HOME={world.work}/cache EXPLOG_SHIPPED=off\n")
        words = [sshd, "-D", "-e", "-f", str(self.folder / f"{host}.conf")]
        words = ["ip", "netns", "exec", name, *words]  # a mount namespace of its own too
        if host == "far":
            words[4:] = ["sh", "-c", f"mount --make-rprivate / && mount -t tmpfs none {world.plan.parent} && exec " + " ".join(words[4:])]
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


class Plan:
    """A plan that the hosts work on; what they keep in the user's own folder is gone afterwards."""

    def __init__(self, world, n):
        self.world, self.n, self.start_words = world, n, world.write_plan(n)

    def __enter__(self):
        self.copies = os.path.expanduser("~/.cache/explog/plans")
        self.kept = self.kept_copies()
        self.hosts = Hosts(self.world)
        self.launch = ["launch", "ssh", *NAMES, "--pass=-F", f"--pass={self.hosts.folder}/config"]
        self.resume = ["campaign", "resume", "--out", self.world.plan]
        return self

    def __exit__(self, *_):
        for process in self.world.processes:
            process.kill()
        self.hosts.network.close()
        for name in self.kept_copies() - self.kept:
            shutil.rmtree(f"{self.copies}/{name}")

    def kept_copies(self):
        return set(os.listdir(self.copies)) if os.path.isdir(self.copies) else set()

    def copied_item_begun(self):
        return any(glob.glob(f"{self.copies}/{name}/items/*/claim-1.json") for name in self.kept_copies() - self.kept)

    def is_whole(self):
        """All items once, equal stores on all hosts: how many events, of which nodes."""
        records = self.world.everything_is_there(self.n)
        nodes = {item["node"] for item in self.world.status()["items"]}
        databases = sorted(self.world.work.glob("explog-*/*.db"))
        expect({db.stem for db in databases} == set(NAMES), f"{databases}")
        return self.world.equal_stores([str(db) for db in databases], records), nodes


def four_hosts(world):
    with Plan(world, 24) as plan:
        shown = world.explog_does(*plan.launch, "--dry-run", "--", *plan.start_words)
        checked = subprocess.run(["bash", "-n"], input=shown, text=True, capture_output=True, check=False)
        expect("#!/bin/bash" in shown and checked.returncode == 0 and not world.plan.exists(), checked.stderr)
        launched = world.start(*plan.launch, "--", *plan.start_words)
        world.wait_for("a first result", lambda: world.done_count() > 0)
        begin = time.monotonic()
        launched.send_signal(signal.SIGTERM)
        out = launched.communicate(timeout=60)[0]
        expect(launched.returncode == 75, f"exit {launched.returncode}: {out[-900:]}")
        world.wait_for("the end of all workers", lambda: not plan.hosts.workers(), 60)
        took = time.monotonic() - begin
        again = world.start(*plan.launch, "--", *plan.resume)
        world.kill_worker("h2")
        out = again.communicate(timeout=200)[0]
        expect("exit" in out, f"nobody says that a worker was killed: {out[-900:]}")
        # What the one that was killed had may be left to whoever comes next.
        world.explog_does(*plan.resume, "--db", world.work / "home.db")
        events, nodes = plan.is_whole()
        expect("far" in nodes, f"the host with a copy did nothing: {nodes}")
    return f"{plan.n} items, ended in {took:.0f} s and begun again, results of {len(nodes)} nodes, {events} events in equal stores"


def a_minute_without_network(world):
    """One host that sees the folder and the one that does not cannot be reached: nobody waits for them, they go on, nothing is lost.

    What the second did by then may have been done by others too, who cannot know of it; the plan takes one result of each item.
    """
    with Plan(world, 12) as plan:
        launched = world.start(*plan.launch, "--", *plan.start_words)
        world.wait_for("work on h1", lambda: world.claims_of("h1"))
        world.wait_for("work on far", plan.copied_item_begun)
        for host in ("h1", "far"):
            plan.hosts.network.cut(host)
        begin = time.monotonic()
        out = launched.communicate(timeout=200)[0]
        expect("far: exit" in out, f"nobody says that far is out of reach: {out[-900:]}")
        time.sleep(max(0.0, 60 - (time.monotonic() - begin)))
        took = time.monotonic() - begin
        for host in ("h1", "far"):
            plan.hosts.network.mend(host)
        world.explog_does(*plan.launch, "--", *plan.resume)
        events, nodes = plan.is_whole()
    return f"{plan.n} items, two hosts out of reach for {took:.0f} s, results of {len(nodes)} nodes, {events} events in equal stores"


CASES = [four_hosts, a_minute_without_network]
