"""explog from Python: the command that the wheel brings, and its JSON answers.

    import explog_cli
    explog_cli.run("recommend", "--kernel", "softmax", "--backend", "cuda", "--arch", "sm_90")["recommendations"]
"""
import json
import os
import subprocess
import sys

from .lookup import lookup

__all__ = ["Refused", "lookup", "program", "run"]


class Refused(Exception):
    """What explog says of a command that it cannot follow; `error` has code, exit, message, hint and retryable."""

    def __init__(self, error):
        super().__init__(error["message"] + (f" ({error['hint']})" if error.get("hint") else ""))
        self.error = error


def program():
    """The path of the explog that belongs to this module."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "explog")
    return os.environ.get("EXPLOG", beside)


def run(*words, input=None):
    """Runs `explog WORDS --json`: its answer. A negative answer (a revert, nothing found) is an answer, no exception."""
    done = subprocess.run([program(), *map(str, words), "--json", "--quiet"], input=input, capture_output=True, text=True, check=False)
    if done.stdout.strip():
        return json.loads(done.stdout)
    try:
        error = json.loads(done.stderr.splitlines()[-1])["error"]  # warnings are lines before it
    except (ValueError, KeyError, IndexError):
        error = {"code": "error", "exit": done.returncode, "message": done.stderr.strip() or "no answer", "hint": "", "retryable": False}
    if error["exit"] == 1:
        return {"format": 1, "error": error}
    raise Refused(error)


def main():
    """The command `explog`: this process becomes it."""
    os.execv(program(), ["explog", *sys.argv[1:]])
