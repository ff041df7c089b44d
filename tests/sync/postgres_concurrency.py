"""Many pushers, a reader that polls, and a server that is stopped under them."""
import threading
import time

from postgres_cases import expect, tier_words

PUSHERS = 16


def storm(case, tier, segments, events, stops=0):
    """Sixteen pushers and a poller; `stops` immediate stops of the server spread over the run. Returns the poller's report,
    the failures that pushers saw, and the seconds."""
    case.init(*tier_words(tier))
    users = ["north", "south"] if tier == "hardened" else ["admin"]
    stop_file = case.folder / "stop"
    poller = case.start(case.server.url(user=users[0]), "poll", stop_file)
    failures = []

    def pusher(number):
        user = users[number % len(users)]
        while True:  # as people do: again, until it is through
            done = case.push(f"pusher{number}", segments, events, 200, user=user, trick=("singly",))
            if done["exit"] == 0:
                return
            failures.append(done["what"])
            if done["exit"] != 5 or len(failures) > 500:
                return
            time.sleep(0.1)

    threads = [threading.Thread(target=pusher, args=(n,)) for n in range(PUSHERS)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for stop in range(stops):
        goal = PUSHERS * segments * (stop + 1) // (stops + 1)
        while any(thread.is_alive() for thread in threads) and position(case) < goal:
            time.sleep(0.02)
        case.server.crash()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - began
    stop_file.touch()
    report = case.finish(poller)
    expect(report["exit"] == 0, f"the poller: {report}")
    expect(report["events"] == PUSHERS * segments * events, f"the poller has {report['events']} events: {report}")
    case.expect_contiguous(PUSHERS * segments)
    return report, failures, seconds


def position(case):
    try:
        return int(case.server.value("SELECT head_pos FROM explog.stream"))
    except RuntimeError:
        return 0


def sixteen_pushers_and_a_poller(case):
    said = []
    for tier in ("plain", "hardened"):
        segments = 400 if case.long else 30
        report, failures, seconds = storm(case, tier, segments, 20)
        expect(not failures, f"{tier}: a pusher failed: {failures[:1]}")
        said.append(f"{tier}: {report['segments']} batches in {seconds:.1f} s")
        case.__init__(case.server, case.explog, case.folder)
        (case.folder / "stop").unlink()
    return f"nothing missed, positions contiguous; {', '.join(said)}"


def three_immediate_stops(case):
    said = []
    for tier in ("plain", "hardened"):
        segments = 400 if case.long else 60
        report, failures, seconds = storm(case, tier, segments, 20, stops=3)
        said.append(f"{tier}: {report['segments']} batches, {len(failures)} pushes and {report['failures']} polls had to be "
                    f"repeated by hand, {seconds:.1f} s")
        case.__init__(case.server, case.explog, case.folder)
        (case.folder / "stop").unlink()
    return f"nothing missed, no batch twice, positions contiguous; {'; '.join(said)}"


TESTS = [sixteen_pushers_and_a_poller, three_immediate_stops]
