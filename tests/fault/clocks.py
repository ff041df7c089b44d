"""Wrong and stepping clocks (F10): the clock is for display; order and identity do not depend on it."""
import threading
from pathlib import Path

from harness import RECORD, Skip, expect, lines, need_program

TIMES = ["2026-03-01 12:00:00", "1970-01-02 00:00:00", "2106-02-08 00:00:00", "2026-03-01 11:00:00", "1999-12-31 23:59:59"]


def clock_steps(case):
    """F10: adds at 1970, 2106 and after a step back are all taken; order is that of adding, ids are unique."""
    faketime = need_program("faketime")
    ids = []
    for time in TIMES:
        wrap = [faketime, "-f", time]
        ids.append(case.succeed("add", *RECORD, wrap=wrap).strip())
        case.succeed("add", "--jsonl", "-", input=lines(50), wrap=wrap)
    shown = [row["at"][:4] for row in case.rows("SELECT at FROM log WHERE seq % 51 = 1 ORDER BY seq")]
    if len(set(shown)) == 1:
        raise Skip("faketime does not reach this program")
    expect(shown == [time[:4] for time in TIMES], f"times shown: {shown}")
    stored = case.ids()
    expect(len(set(stored)) == len(stored) == 51 * len(TIMES), "ids are not unique")
    expect(stored[::51] == [one.replace("-", "") for one in ids], "the order is not that of adding")
    for i in range(0, len(stored), 51):
        batch = stored[i + 1:i + 51]
        expect(batch == sorted(batch), "ids of one process do not rise")
    listed = [row["id"] for row in case.rows("SELECT id FROM experience ORDER BY rid DESC LIMIT 1")]
    expect(listed[0].replace("-", "") == stored[-1], "the newest is not the last added")
    case.expect_sound()
    for time in TIMES:  # questions work at any time too
        for command in (["list"], ["stats"], ["recommend", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90"]):
            case.succeed(*command, wrap=[faketime, "-f", time])
    return f"{len(TIMES)} clocks from 1970 to 2106: nothing refused, order of adding kept, ids unique and rising"


def clock_steps_while_judging(case):
    """F10: a clock that steps to and fro while a kernel is timed makes no cheat of it."""
    need_program("faketime")
    library = next((str(p) for p in Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), "")
    if not library:
        raise Skip("no libfaketime")
    clock = Path(case.file("clock", "+0\n"))
    env = {**case.env, "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    kernel = str(Path(__file__).resolve().parents[2] / "kernels/vector_add/naive.cpp")
    over, steps = threading.Event(), 0

    def step():
        nonlocal steps
        while not over.wait(0.02):
            steps += 1
            clock.write_text(("+40d\n", "-2d\n")[steps % 2])

    stepping = threading.Thread(target=step)
    stepping.start()
    try:
        outcome = case.run("bench", "vector_add", kernel, "--backend", "host", "--shape", "N=1000", "--max-time", "0.3", env=env)
    finally:
        over.set()
        stepping.join()
    expect(outcome.code in (0, 8) and "forged" not in outcome.out + outcome.err, str(outcome))
    return f"{steps} steps of 42 days: {outcome.out.splitlines()[-1].split(':')[0]}"


TESTS = [clock_steps, clock_steps_while_judging]
