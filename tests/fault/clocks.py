"""Wrong and stepping clocks (F10): the clock is for display; order and identity do not depend on it."""
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


TESTS = [clock_steps]
