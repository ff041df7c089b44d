"""A PostgreSQL server as a transport of tests/sync/convergence, and what happens to servers.

One server a process serves all of its histories, one after the other, each with a database of its own. Clients go through a
proxy, which breaks connections and stops the server in the middle of what they say.
"""
import multiprocessing.util
import subprocess
import threading

from postgres_server import PostgresServer
from postgres_wire import Proxy

HARMS = ["cut", "cut", "crash", "stop", "set_back"]
ROLE = "north"
started = []  # the server of this process


def server_of_this_process():
    if not started:
        # Stops are immediate, power does not fail: what was written need not be forced to the disk.
        server = PostgresServer(["fsync = off", "full_page_writes = off", "shared_buffers = 32MB"])
        server.__enter__()
        server.make_role(ROLE)
        started.append(server)
        multiprocessing.util.Finalize(None, server.__exit__, exitpriority=10)
    return started[0]


class Server:
    def __init__(self, explog, rng, databases, alone):
        self.rng = rng
        self.server = server_of_this_process()
        self.lock = threading.Lock()  # the proxy's threads stop the server too
        self.up, self.kept = True, False
        self.armed = []  # (harm, side, bytes): for the next connection
        for name in ("team", "kept"):
            self.admin(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self.admin("CREATE DATABASE team")
        tier = rng.choice([["--member", ROLE], ["--hardened", "--moderator", ROLE]])
        subprocess.run([explog, "--quiet", "remote", "init", self.server.url(), *tier], check=True, stdout=subprocess.DEVNULL)
        self.proxy = Proxy(self.server.port, self.plan)
        self.used = set(range(databases)) if alone else {0, *rng.sample(range(databases), rng.randint(1, databases))}

    def admin(self, statement):
        self.server.sql(statement, database="postgres")

    def remotes(self, index):
        url = f"postgresql://{ROLE}@127.0.0.1:{self.proxy.port}/team"
        return [("team", url)] if index in self.used else []

    # -- harms that wait for a connection, in the proxy's threads ------------------------------------------------

    def plan(self, link, side, data):
        if self.armed and link.harm is None:
            link.harm = self.armed.pop()
        if link.harm and side == link.harm[1]:
            link.sent += len(data)
            if link.sent > link.harm[2]:
                self.strike(link)
        return data

    def strike(self, link):
        what, link.harm = link.harm[0], ()
        with self.lock:
            if what == "crash" and self.up:
                self.server.crash()
        link.cut()

    # -- faults --------------------------------------------------------------------------------------------------

    def fault(self):
        self.start()
        harm = self.rng.choice(HARMS)
        if harm in ("cut", "crash"):
            side, length = self.rng.choice(["client", "server"]), int(2 ** self.rng.uniform(4, 17))
            self.armed = [(harm, side, length)]
            return f"{harm} after {length} bytes of the {side}"
        with self.lock:
            if harm == "stop":
                self.server.stop("immediate")
                self.up = False
                return "the server is stopped"
            return self.set_back()

    def set_back(self):
        """As when the server is restored from a backup."""
        self.admin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'team'")
        if not self.kept:
            self.admin("CREATE DATABASE kept TEMPLATE team")
            self.kept = True
            return "backup of the server"
        self.admin("DROP DATABASE team WITH (FORCE)")
        self.admin("ALTER DATABASE kept RENAME TO team")
        self.kept = False
        return "the server is set back"

    def start(self):
        with self.lock:
            if not self.up:
                self.server.start()
            self.up = True

    def heal(self):
        self.armed = []
        self.start()

    def close(self):
        self.heal()
        self.proxy.close()
