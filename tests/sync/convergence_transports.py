"""The transports of tests/sync/convergence. Each has
    remotes(index)   (name, URL) of the remotes that database `index` uses; database 0 uses all of them
    fault()          does one random harm to what is shared; says what
    heal()           ends what a fault began (a stopped server is started again); called before the rest
    close()
"""
import random
import shutil
from pathlib import Path

# Which fault of which file: each must be noticed, none may be believed.
HARMS = ["truncate", "flip", "duplicate", "rename", "junk", "set_back", "withhold"]


class Directories:
    """Folders that some of the databases share."""

    def __init__(self, folder: Path, rng: random.Random, databases: int):
        self.rng = rng
        self.folders = [folder / f"share{i}" for i in range(rng.choice([1, 2, 2, 3]))]
        for share in self.folders:
            share.mkdir()
        self.backups = {}
        self.withheld = []  # (where it lies meanwhile, where it belongs)
        self.used = {i: rng.sample(range(len(self.folders)), rng.randint(1, len(self.folders))) for i in range(databases)}
        self.used[0] = list(range(len(self.folders)))

    def remotes(self, index):
        used = self.used.get(index, self.used[0])
        return [(f"share{i}", f"dir:{self.folders[i]}") for i in used]

    def fault(self):
        self.deliver()
        share = self.rng.choice(self.folders)
        files = sorted(share.glob("explog-v1/*/*.exl"))
        harm = self.rng.choice(HARMS)
        if harm == "set_back":
            return self.set_back(share)
        if not files:
            return "nothing to harm"
        file = self.rng.choice(files)
        data = file.read_bytes()
        if harm == "truncate":
            file.write_bytes(data[: self.rng.randrange(len(data))])
        elif harm == "flip":
            at = self.rng.randrange(len(data))
            file.write_bytes(data[:at] + bytes([data[at] ^ (1 << self.rng.randrange(8))]) + data[at + 1:])
        elif harm == "withhold":  # those behind it arrive first
            kept = share.parent / f"withheld-{self.rng.randrange(10**9)}"
            self.withheld.append((file.rename(kept), file))
        elif harm == "duplicate":
            (self.rng.choice(files).parent / file.name).write_bytes(data)
        elif harm == "rename":  # its contents under another's name
            self.rng.choice(files).write_bytes(data)
        else:
            (file.parent / ("0" * 32 + "-junk.exl")).write_bytes(self.rng.randbytes(100))
            (file.parent / ".tmp-1").write_bytes(data[:20])
            (share / "explog-v1" / "README").write_text("not a segment")
        return f"{harm} {file.name[:40]} in {share.name}"

    def set_back(self, share):
        """As when the folder is restored from a backup, or a mirror lags."""
        kept = self.backups.pop(share, None)
        now = share / "explog-v1"
        if kept is None:
            if now.exists():
                self.backups[share] = shutil.copytree(now, share.parent / f"{share.name}-backup-{self.rng.randrange(10**9)}")
            return f"backup of {share.name}"
        shutil.rmtree(now, ignore_errors=True)
        shutil.copytree(kept, now)
        return f"{share.name} set back"

    def deliver(self):
        for kept, place in self.withheld:
            if place.parent.is_dir():
                kept.replace(place)
        self.withheld = []

    def heal(self):
        self.deliver()

    def close(self):
        pass


def make(names, explog, folder, rng, databases):
    """`merge` needs nothing shared: World itself merges files."""
    made = []
    if "dir" in names:
        made.append(Directories(folder, rng, databases))
    if "postgresql" in names:
        import convergence_postgres  # needs PostgreSQL's programs

        made.append(convergence_postgres.Server(explog, rng, databases, alone=not made))
    return made
