"""A real PostgreSQL for the tests: made in a folder of its own, on a Unix socket and a port of the loopback."""
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

MEMORY = Path("/dev/shm")  # servers are stopped at once, the power does not fail: nothing need reach a disk


def find_binaries():
    """The folder of initdb and pg_ctl, which Debian keeps off the PATH; None when there is no server."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def unprivileged():
    """A user to run the server as: it refuses to run as root. Empty when we are not root."""
    if os.geteuid() != 0:
        return ""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            pass
    raise RuntimeError("no unprivileged user to run PostgreSQL as")


class PostgresServer:
    """`with PostgresServer() as server:` starts one; its super user is `admin`, its database `team`.

    place: the folder for its data instead of memory."""

    def __init__(self, settings=(), place=None):
        self.bin = find_binaries()
        if self.bin is None:
            raise FileNotFoundError("PostgreSQL's server is not installed (Debian: postgresql)")
        self.user = unprivileged()
        self.folder = Path(tempfile.mkdtemp(prefix="explog-pg-", dir=place or (MEMORY if MEMORY.is_dir() else None)))
        self.data = self.folder / "data"
        self.port = free_port()
        self.settings = settings
        if self.user:
            shutil.chown(self.folder, self.user)
        self.folder.chmod(0o755)

    def __enter__(self):
        try:
            self.as_server("initdb", "-D", self.data, "-U", "admin", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
            self.configure()
            self.start()
            self.sql("CREATE DATABASE team", database="postgres")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if (self.data / "postmaster.pid").exists():
            self.as_server("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def configure(self):
        lines = [f"port = {self.port}", f"unix_socket_directories = '{self.folder}'", "listen_addresses = '127.0.0.1'",
                 "logging_collector = off", "max_connections = 60", *self.settings]
        if int(re.search(r"\d+", self.as_server("postgres", "--version"))[0]) >= 14:
            lines.append("recovery_init_sync_method = syncfs")  # back in half a second after an immediate stop, not three
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def as_server(self, program, *args, check=True, **more):
        command = [str(self.bin / program), *map(str, args)]
        if self.user:
            command = ["runuser", "-u", self.user, "--", *command]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, cwd="/", check=False, **more)
        if check and done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stdout[-500:]}")
        return done.stdout

    def start(self):
        # The server's output goes to a file: a pipe would stay open as long as it runs.
        self.as_server("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "-t", "60", "start")

    def stop(self, mode="immediate"):
        self.as_server("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")

    def crash(self):
        """As a power failure: no shutdown, then recovery from the log."""
        self.stop("immediate")
        self.start()

    def url(self, user="admin", stream="main", tcp=False, more=""):
        host = "127.0.0.1" if tcp else str(self.folder).replace("/", "%2F")
        return f"postgresql://{user}@{host}:{self.port}/team?stream={stream}{more}"

    def psql(self, *args, user="admin", database="team", **more):
        command = [str(self.bin / "psql"), "-X", "-q", "-h", str(self.folder), "-p", str(self.port), "-U", user,
                   "-d", database, "-v", "ON_ERROR_STOP=1", *args]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **more)

    def sql(self, statement, user="admin", database="team"):
        """Rows as lists of text; a refused statement raises."""
        done = self.psql("-A", "-t", "-F", "\t", "-c", statement, user=user, database=database)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return [line.split("\t") for line in done.stdout.splitlines()]

    def refusal(self, statement, user):
        """What the server says against a statement; empty when it was done."""
        done = self.psql("-A", "-t", "-c", statement, user=user)
        return done.stderr.strip() if done.returncode != 0 else ""

    def value(self, statement, **more):
        return self.sql(statement, **more)[0][0]

    def make_role(self, name, password=None):
        secret = f" PASSWORD '{password}'" if password else ""
        self.sql(f"CREATE ROLE {name} LOGIN{secret}")

    def dump(self, path):
        self.as_server("pg_dump", "-h", self.folder, "-p", self.port, "-U", "admin", "-Fc", "-f", path, "team")

    def restore(self, path):
        """Replaces the database by a dump of it."""
        self.sql("DROP DATABASE team WITH (FORCE)", database="postgres")
        self.sql("CREATE DATABASE team", database="postgres")
        self.as_server("pg_restore", "-h", self.folder, "-p", self.port, "-U", "admin", "-d", "team", path)

    def wait_until_up(self, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.psql("-c", "SELECT 1").returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("the server does not come up")
