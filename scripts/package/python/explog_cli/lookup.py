"""What `explog tune` found, read with the standard library alone: this file may be copied beside a kernel's launcher."""
import json
import os
import sqlite3

QUERY = ("SELECT e.body FROM attempt a JOIN event e ON e.rid = a.rid "
         "WHERE a.strategy = 'autotune' ORDER BY e.at DESC, e.rid DESC")


def database():
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.environ.get("EXPLOG_DB") or os.path.join(home, "explog", "explog.db")


def bucket(shape):
    """Each dimension as the power of two that is not below it."""
    return {name: 1 << max(int(n) - 1, 0).bit_length() for name, n in shape.items()}


def lookup(task, shape, db=None, **key):
    """The best parameters for this shape, else for its bucket, else None: lookup("softmax", {"N": 4096, "D": 1024}, gpu="NVIDIA H100").

    `key` narrows it down: kernel, source, dtype, backend, arch, gpu, flags, toolkit. DISABLE_AUTOTUNE gives the original.
    """
    disabled = any(os.environ.get(name, "0") not in ("", "0") for name in ("DISABLE_AUTOTUNE", "EXPLOG_DISABLE_TUNE"))
    best, fit = None, 0
    path = db or database()
    if not os.path.exists(path):
        return None
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        for (body,) in connection.execute(QUERY):
            found = json.loads(body).get("tuned") or {}
            has = found.get("key", {})
            if found.get("format") != 1 or has.get("task") != task or any(has.get(k) != v for k, v in key.items()):
                continue
            near = 4 if has["shape"] == shape else 2 if bucket(has["shape"]) == bucket(shape) else 0
            near += bool(near and found["complete"])
            if near > fit and found["best"]["ms"] > 0:
                best, fit = found["original" if disabled else "best"]["params"], near
    return best
