"""What the tests of campaigns share: a folder and a database, running explog, and one line a test."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "fault"), str(ROOT / "tests")]
from harness import Failed, expect  # noqa: E402
from measured import disturbed, softmax_task, tries  # noqa: E402

EXPLOG = os.path.abspath(sys.argv[1])
WORK = Path(tempfile.mkdtemp(prefix="explog-campaign-"))
ENVIRONMENT = dict(os.environ, EXPLOG_DB=str(WORK / "explog.db"), EXPLOG_SHIPPED="off", TMPDIR=str(WORK))
SOFTMAX = WORK / "tasks" / "softmax"
NAIVE, BETTER = softmax_task(SOFTMAX)


def explog(*words, code=0, folder=WORK):
    done = subprocess.run([EXPLOG, *map(str, words)], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    answered = done.stdout or "--json" not in words
    expect(code == done.returncode or (code is None and answered), f"{' '.join(map(str, words))}: exit {done.returncode}, {done.stdout[-600:]}{done.stderr[-600:]}")
    return done.stdout


def campaign(*words, code=0, out="out"):
    said = json.loads(explog("campaign", *words, "--out", out, "--json", code=code))
    expect("error" not in said, f"{' '.join(map(str, words))}: {said}")
    return said


def written(name, text):
    (WORK / name).write_text(text)
    return WORK / name


def start(out="out", versions="9", file="mine.cpp"):
    """A campaign whose baseline was judged, however badly its time is known."""
    if file == "mine.cpp":
        shutil.copy(NAIVE, WORK / file)
    shutil.rmtree(WORK / out, ignore_errors=True)
    return campaign("start", SOFTMAX, file, "--max-time", "1", "--noise", "100", "--rules", "explore", "--max-versions", versions, out=out)


def undisturbed(course):
    """What `course` says of a campaign that it begins, once more while the machine is too busy for a verdict on v1."""
    for _ in tries():
        said = course()
        if not disturbed(said.get("last") or next((v for v in said.get("versions", []) if v["v"] == 1), {})):
            break
    return said


def git(*words, folder):
    done = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"git {words}: {done.stderr}")
    return done.stdout.strip()


def run_tests(tests):
    """All, or those that are named behind the program; exits with 1 when a promise was broken."""
    chosen = [test for test in tests if len(sys.argv) < 3 or test.__name__ in sys.argv[2:]]
    failed = 0
    try:
        for test in chosen:
            began = time.monotonic()
            try:
                said = test()
                print(f"ok {test.__name__} ({time.monotonic() - began:.0f} s) - {said}", flush=True)
            except Failed as e:
                failed += 1
                print(f"FAIL {test.__name__} - {e}", flush=True)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    print(f"{len(chosen) - failed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)
