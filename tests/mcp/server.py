"""One `explog mcp` that is talked to frame by frame: what the tests of this folder share."""
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODERN, NEWEST_HANDSHAKE = "2026-07-28", "2025-11-25"
sys.path.insert(0, str(ROOT / "tests"))
from measured import disturbed, softmax_task, tries  # noqa: E402, F401

META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}


class Place:
    """A folder with a database of its own."""

    def __init__(self, explog, shipped="off"):
        self.explog = os.path.abspath(explog)
        self.folder = Path(tempfile.mkdtemp(prefix="explog-mcp-"))
        self.environment = dict(os.environ, EXPLOG_DB=str(self.folder / "explog.db"), EXPLOG_SHIPPED=shipped)

    def run(self, *words, code=0):
        done = subprocess.run([self.explog, *map(str, words)], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, check=False)
        assert code is None or done.returncode == code, f"{words}: exit {done.returncode}, {done.stdout} {done.stderr}"
        return done.stdout

    def softmax(self):
        """The name of a task in this folder, and the paths of its wasteful kernel and of one that is many times faster."""
        return "tasks/softmax", *softmax_task(self.folder / "tasks" / "softmax")

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    """The process, a thread that reads its lines, and what came without having been asked for."""

    def __init__(self, place, *words):
        self.process = subprocess.Popen([place.explog, "mcp", *words], cwd=place.folder, env=place.environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines, self.early, self.number, self.sizes = queue.Queue(), [], 0, {}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, message):
        raw = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(raw + b"\n")
        self.process.stdin.flush()

    def next(self, timeout=60):
        line = self.lines.get(timeout=timeout)
        assert line is not None, f"the server ended: {self.process.wait()} {self.process.stderr.read()}"
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0", line
        self.sizes[message.get("id")] = len(line)
        return message

    def answer(self, number, timeout=60):
        for i, message in enumerate(self.early):
            if message.get("id") == number:
                return self.early.pop(i)
        while True:
            message = self.next(timeout)
            if message.get("id") == number and "method" not in message:
                return message
            self.early.append(message)

    def ask(self, method, params=None, modern=False, timeout=60):
        self.number += 1
        params = dict(params or {})
        if modern:
            params["_meta"] = {**META, **params.get("_meta", {})}
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.answer(self.number, timeout)

    def shake(self, version=NEWEST_HANDSHAKE):
        result = self.ask("initialize", {"protocolVersion": version, "capabilities": {},
                                         "clientInfo": {"name": "test", "version": "1"}})["result"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def call(self, tool, arguments=None, failed=False, timeout=60):
        result = self.ask("tools/call", {"name": tool, "arguments": arguments or {}}, modern=True, timeout=timeout)["result"]
        assert result["isError"] == failed, result
        size = self.sizes[self.number]
        assert size <= (65536 if (arguments or {}).get("full") else 8192), f"{tool}: {size} bytes"
        return result["structuredContent"]

    def leave(self):
        """What it said on its way out; its exit code must be 0 and its standard error empty."""
        self.process.stdin.close()
        rest = []
        while (line := self.lines.get(timeout=60)) is not None:
            rest.append(json.loads(line))
        code, said = self.process.wait(timeout=60), self.process.stderr.read().decode()
        assert code == 0 and said == "", f"exit {code}: {said}"
        return rest
