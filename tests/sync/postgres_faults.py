"""Lost acknowledgements, broken and stalled connections, a restored server, a full disk, and servers that are none."""
import os
import socket
import struct
import threading
import time

from postgres_cases import expect, tier_words
from postgres_server import PostgresServer
from postgres_wire import READY, FakeServer, Proxy, data_row, message, row_description, serve, sleep_until

INT8, BYTEA, TEXT, UUID, INT4, INT2, BOOL = 20, 17, 25, 2950, 23, 21, 16
GREETING = [TEXT, TEXT, UUID, INT8, BOOL, BOOL, UUID, INT8, BYTEA, BYTEA]


def url_through(proxy, user="admin"):
    return f"postgresql://{user}@127.0.0.1:{proxy.port}/team"


def lost_acknowledgement(case):
    """The reply to every push is dropped once, so the pusher never knows whether its batch was committed."""
    case.init()
    case.push("a", segments=1)  # registers the origin
    dropped = []

    def plan(link, side, data):
        if side == "client" and b"INSERT INTO explog.batch" in data:
            link.marked = True
        if side == "server" and link.marked and b"SELECT 1" in data and len(dropped) < 4:
            dropped.append(link.number)
            link.cut()
        return data

    with Proxy(case.server.port, plan) as proxy:
        done = case.push("a", segments=8, url=url_through(proxy), trick=("singly",))
    expect(done["exit"] == 0 and done["stored"] == 7, f"{done}")
    expect(len(dropped) == 4, f"only {len(dropped)} replies were dropped")
    case.expect_contiguous(8)
    expect(case.pull()["events"] == 40, "the reader has not everything")
    return f"{len(dropped)} replies to COMMIT were lost: no batch is missing, none is there twice"


def connections_that_break(case):
    """Each link breaks after some bytes of the client, every time later."""
    case.init()
    cuts = 0
    for limit in range(100, 6000, 590):
        def plan(link, side, data, limit=limit):
            nonlocal cuts
            if side == "client" and link.number <= 2:
                link.sent += len(data)
                if link.sent > limit:
                    data = data[: max(0, len(data) - (link.sent - limit))]
                    link.server.sendall(data)
                    cuts += 1
                    link.cut()
                    return b""
            return data

        with Proxy(case.server.port, plan) as proxy:
            for _ in range(4):  # a connection that breaks while it is made is not tried again by itself
                done = case.push(f"o{limit}", segments=2, url=url_through(proxy), trick=("singly",))
                if done["exit"] != 5:
                    break
        expect(done["exit"] == 0, f"cut after {limit} bytes: {done}")
    case.expect_contiguous(20)
    return f"{cuts} links were cut somewhere in what the client says: all batches once"


def a_stalled_client_blocks_nobody(case):
    case.init()
    case.push("slow", segments=1, events=200, body=1000)
    stalled = threading.Event()

    def plan(link, side, data):
        if side == "client" and b"INSERT INTO explog.batch" in data:
            link.server.sendall(data[: len(data) // 2])
            stalled.set()
            time.sleep(8)
            return data[len(data) // 2:]
        return data

    with Proxy(case.server.port, plan) as proxy:
        slow = case.start(url_through(proxy), "push", "slow", 2, 200, 1000)
        expect(stalled.wait(20), "the client did not come to its push")
        began = time.monotonic()
        expect(case.push("b", segments=20)["stored"] == 20, "another pusher was blocked")
        expect(case.pull()["events"] == 300, "a reader was blocked")
        seconds = time.monotonic() - began
        # Parsing half a statement takes the weak locks that every reader and writer shares; nothing else.
        locks = int(case.server.value("SELECT count(*) FROM pg_locks l WHERE pid <> pg_backend_pid() AND locktype <> 'virtualxid' AND "
                                      "mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')"))
        expect(seconds < 5 and locks == 0, f"others took {seconds:.1f} s; {locks} strong locks are held")
        expect(case.finish(slow)["exit"] == 0, "the stalled client failed")
    return f"half a batch on the wire for 8 s: no row is locked, 20 batches of another went through in {seconds:.1f} s"


def a_dead_backend(case):
    """The administrator ends all connections while batches are pushed."""
    case.init()
    pusher = case.start(case.server.url(), "push", "a", 400, 20, 200, "singly")
    ended = 0
    while pusher.poll() is None:
        ended += int(case.server.value("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'explog%'"))
        time.sleep(0.4 if ended else 0.01)  # the first one surely while it pushes
    done = case.finish(pusher)
    expect(done["exit"] == 0 or done["exit"] == 5, f"{done}")
    while done["exit"] == 5:
        done = case.push("a", 400, 20, 200)
    expect(done["exit"] == 0 and ended > 0, f"{done}, {ended} connections were ended")
    case.expect_contiguous(400)
    return f"{ended} connections were ended by pg_terminate_backend: 400 batches, each once"


def a_restored_server(case):
    case.init()
    case.push("a", segments=3)
    case.server.dump(case.server.folder / "dump")
    case.push("a", segments=6)
    case.push("b", segments=4)
    stop = case.folder / "stop"
    poller = case.start(case.server.url(), "poll", stop)
    time.sleep(1)  # the poller has all ten batches
    case.server.restore(case.server.folder / "dump")
    expect(int(case.server.value("SELECT head_pos FROM explog.stream")) == 3, "the dump was not restored")
    time.sleep(0.5)
    case.push("c", segments=9)  # positions 4.. now mean something else
    case.push("b", segments=4)
    case.push("a", segments=6)
    time.sleep(0.5)
    stop.touch()
    report = case.finish(poller)
    expect(report["exit"] == 0 and "restored" in report["note"], f"{report}")
    expect(report["origins"] == 3 and report["events"] == 5 * 19, f"{report}")
    case.expect_contiguous(19)
    os.unlink(case.server.folder / "dump")
    return "a reader whose position the server no longer knew started again and has all; pushers filled the hole"


def drop_the_schema(server):
    """As an administrator would: PostgreSQL may choose the drop as the victim of a deadlock with a reader, and it is done again."""
    while refused := server.refusal("DROP SCHEMA explog CASCADE", "admin"):
        expect("deadlock detected" in refused, refused)


def a_log_made_anew(case):
    case.init()
    case.push("a", segments=3)
    stop = case.folder / "stop"
    poller = case.start(case.server.url(), "poll", stop)
    time.sleep(0.5)
    drop_the_schema(case.server)
    case.init()
    case.push("a", segments=3)
    case.push("d", segments=2)
    time.sleep(0.5)
    stop.touch()
    report = case.finish(poller)
    expect(report["exit"] == 0 and "anew" in report["note"] and report["events"] == 25, f"{report}")
    return "another epoch: the reader starts again"


def the_servers_disk_is_full(case):
    case.init()
    case.push("a", segments=1)
    case.server.sql("""CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
        CREATE TRIGGER full_disk BEFORE INSERT ON explog.event EXECUTE FUNCTION full_disk()""")
    done = case.push("a", segments=3)
    expect(done["exit"] == 5 and "disk" in done["hint"], f"{done}")
    case.server.sql("DROP TRIGGER full_disk ON explog.event")
    expect(case.push("a", segments=3)["stored"] == 2, "it does not go on")
    case.expect_contiguous(3)
    return "exit 5 with a word about the disk; nothing half, and on it goes with room"


def a_hole_and_a_loss_in_the_tables(case):
    case.init()
    case.push("a", segments=4)
    case.server.sql("DELETE FROM explog.event WHERE seq = 8")
    report = case.pull()
    expect(any("missing" in fault for fault in report["faults"]), f"a lost event was not noticed: {report}")
    case.server.sql("UPDATE explog.batch SET n_bytes = 10 WHERE pos = 3")
    report = case.pull()
    expect(any("larger than it says" in fault for fault in report["faults"]), f"a lie about the size was not noticed: {report}")
    case.server.sql("DELETE FROM explog.batch WHERE pos = 2")
    report = case.pull()
    expect(report["exit"] == 5 and "hole" in report["what"], f"a lost batch was not noticed: {report}")
    return "a lost event and a wrong size are faults of their batch, a lost batch stops the reader"


def refusals_for_now_are_tried_again(case):
    """The first three tries of every push are refused as serialisation failure, deadlock and lock timeout."""
    case.init()
    case.push("a", segments=1)
    case.server.sql("""CREATE SEQUENCE tries; CREATE FUNCTION busy() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE n bigint := nextval('tries') % 4;
        BEGIN
          IF n <> 0 THEN RAISE EXCEPTION 'busy' USING ERRCODE = (ARRAY['40001', '40P01', '55P03'])[n]; END IF;
          RETURN NULL;
        END $$;
        CREATE TRIGGER busy BEFORE INSERT ON explog.batch FOR EACH STATEMENT EXECUTE FUNCTION busy()""")
    done = case.push("a", segments=4, trick=("singly",))
    expect(done["exit"] == 0 and done["stored"] == 3, f"{done}")
    tries = int(case.server.value("SELECT last_value FROM tries"))
    expect(tries == 12, f"{tries} tries")
    case.server.sql("DROP TRIGGER busy ON explog.batch")
    case.expect_contiguous(4)
    return "40001, 40P01 and 55P03: each batch went in at the fourth try, once"


def serialisable_transactions(case):
    """As engines have them that know nothing weaker: pushers at one counter refuse each other with 40001."""
    said = []
    for tier in ("plain", "hardened"):
        case.init(*tier_words(tier))
        case.server.sql("ALTER DATABASE team SET default_transaction_isolation = 'serializable'")
        by_hand = 0
        running = {n: case.start(case.server.url(user="north"), "push", f"p{n}", 15, 10, 100, "singly") for n in range(6)}
        while running:
            for n, process in list(running.items()):
                done = case.finish(process)
                expect(done["exit"] in (0, 5), f"{done}")
                del running[n]
                if done["exit"] == 5:
                    by_hand += 1
                    expect(by_hand < 60, f"no end of retries: {done}")
                    running[n] = case.start(case.server.url(user="north"), "push", f"p{n}", 15, 10, 100, "singly")
        case.expect_contiguous(90)
        expect(case.pull(user="north")["events"] == 900, "the reader has not everything")
        said.append(f"{tier}: {by_hand} pushes repeated by hand")
        case.__init__(case.server, case.explog, case.folder)
    return f"6 pushers, 90 batches, all serialisable; {', '.join(said)}"


def a_standby_that_lags(case):
    """A reader sent to a copy that is behind waits; when the copy takes over without the rest, it starts again."""
    primary = case.server
    case.init()
    case.push("a", segments=3)
    standby = PostgresServer()
    stop = case.folder / "stop"
    try:
        standby.as_server("pg_basebackup", "-h", primary.folder, "-p", primary.port, "-U", "admin", "-D", standby.data, "-R",
                          "-c", "fast")
        standby.configure()
        standby.start()
        standby.sql("ALTER SYSTEM SET primary_conninfo = ''")  # it hears no more of the primary
        standby.sql("SELECT pg_reload_conf()")
        sleep_until(lambda: standby.value("SELECT count(*) FROM pg_stat_wal_receiver") == "0")
        case.push("a", segments=6)
        with Proxy(primary.port) as proxy:
            poller = case.start(url_through(proxy), "poll", stop)
            time.sleep(0.7)  # it has six batches
            proxy.server_port = standby.port
            time.sleep(0.7)
            said = case.push("b", url=url_through(proxy))
            expect(said["exit"] == 5, f"a push to a standby: {said}")
            standby.as_server("pg_ctl", "-D", standby.data, "-w", "promote")
            pushed = case.push("b", segments=4, url=url_through(proxy))
            expect(pushed["exit"] == 0, f"a push to the new primary: {pushed}")
            time.sleep(0.5)
            stop.touch()
            report = case.finish(poller)
        expect(report["exit"] == 0 and report["failures"] == 0, f"{report}")
        expect("restored" in report["note"] and report["events"] == 30 + 20, f"{report}")
    finally:
        standby.__exit__()
    return "behind: nothing new, no alarm, pushes exit 5; promoted without the rest: the reader starts again and has all"


def no_server_and_no_tables(case):
    done = case.pull(url="postgresql://x@127.0.0.1:1/team")
    expect(done["exit"] == 5 and "refused" in done["what"], f"{done}")
    done = case.pull()
    expect(done["exit"] == 4 and "remote init" in done["hint"], f"{done}")
    done = case.pull(url=case.server.url().replace("/team", "/nowhere"))
    expect(done["exit"] == 4 and "does not exist" in done["what"], f"{done}")
    return "no server: exit 5; no tables, no database: exit 4 and what to do"


# ---- servers that are none ----

def endless_rows(connection):
    connection.sendall(message(b"1") + message(b"2") + row_description(GREETING))
    rows = data_row([b"1", b"plain", b"u" * 16, struct.pack(">q", 1), b"\1", b"\1", b"o" * 16, struct.pack(">q", 1), b"h" * 32,
                     b"h" * 32]) * 1000
    while True:
        connection.sendall(rows)


def wrong_types(connection):
    connection.sendall(message(b"1") + message(b"2") + row_description([INT8]) + data_row([b"\0" * 8]) + message(b"C", b"SELECT 1\0") + READY)


def wrong_lengths(connection):
    connection.sendall(message(b"1") + message(b"2") + row_description(GREETING) +
                       data_row([b"1", b"plain", b"u" * 3, b"x", *[b""] * 6]) + message(b"C", b"SELECT 1\0") + READY)


def one_huge_row(connection):
    connection.sendall(message(b"1") + message(b"2") + row_description(GREETING))
    connection.sendall(b"D" + struct.pack(">Ihi", 1 << 30, 10, (1 << 30) - 10))
    block = b"x" * (1 << 20)
    for _ in range(1024):
        connection.sendall(block)


def endless_notices(connection):
    while True:
        connection.sendall(message(b"N", b"SNOTICE\0C00000\0M" + b"n" * 1000 + b"\0\0") * 100)


def endless_notifications(connection):
    while True:
        connection.sendall(message(b"A", struct.pack(">I", 1) + b"c" * 1000 + b"\0" + b"p" * 1000 + b"\0") * 100)


def garbage(connection):
    connection.sendall(os.urandom(1 << 16))


def copy_instead(connection):
    connection.sendall(message(b"1") + message(b"2") + message(b"H", b"\0\0\0"))
    while True:
        connection.sendall(message(b"d", b"x" * 1000) * 100)


def hang_up(connection):
    connection.shutdown(socket.SHUT_RDWR)


def reaped(process, seconds, what):
    """Waits for a process; (exit status, largest resident memory in MiB)."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_maxrss / 1024
        time.sleep(0.05)
    process.kill()
    expect(False, f"{what}: it hangs")


def servers_that_are_none(case):
    worst = 0.0
    tricks = [endless_rows, wrong_types, wrong_lengths, one_huge_row, garbage, copy_instead, hang_up, endless_notices,
              endless_notifications]
    for trick in tricks:
        with FakeServer(trick) as fake:
            process = case.start(fake.url(), "pull")
            code, memory = reaped(process, 60, trick.__name__)
            said = process.stdout.read()
        worst = max(worst, memory)
        expect(code == 5, f"{trick.__name__}: exit {code}, {said}")
        expect(memory < 400, f"{trick.__name__}: {memory:.0f} MiB")
    return f"{len(tricks)} kinds of nonsense: exit 5 each, at most {worst:.0f} MiB"


def a_server_that_trickles(case):
    def handle(connection):
        while True:
            connection.sendall(b"N")
            time.sleep(0.3)

    port, close = serve(handle)
    began = time.monotonic()
    done = case.pull(url=f"postgresql://x@127.0.0.1:{port}/team?connect_timeout=2&sslmode=require")
    close()
    expect(done["exit"] == 5 and time.monotonic() - began < 20, f"{done}")
    silent, close = serve(lambda connection: time.sleep(60))
    began = time.monotonic()
    done = case.pull(url=f"postgresql://x@127.0.0.1:{silent}/team?connect_timeout=2")
    seconds = time.monotonic() - began
    close()
    expect(done["exit"] == 5 and seconds < 5, f"{seconds:.1f} s: {done}")
    return f"a silent server is left after connect_timeout ({seconds:.1f} s)"


HEADERS = [INT8, UUID, INT8, INT8, INT8, BYTEA, BYTEA, BYTEA, INT4, BYTEA]
EVENTS = [INT8, INT8, UUID, INT2, INT2, INT8, BYTEA, BYTEA]


def long(number):
    return struct.pack(">q", number)


def header(position):
    return [long(position), b"o" * 16, long(position), long(position), long(100), b"p" * 32, b"h" * 32, b"s" * 64,
            struct.pack(">i", 1), b"k" * 32]


def event(seq, body):
    return [long(1), long(seq), b"i" * 16, b"\0\1", b"\0\1", long(0), body, b""]


# What a server says to the nth question of a pull: 2 asks for batches, 3 for their events.
TURNS = {
    "endless batches": (2, HEADERS, lambda n: header(n + 1)),
    "a batch out of order": (2, HEADERS, lambda n: header(n + 7)),
    "no batches but texts": (2, [TEXT], lambda n: [b"x"]),
    "an event again and again": (3, EVENTS, lambda n: event(1, b"{}")),
    "endless events": (3, EVENTS, lambda n: event(n + 1, b"x" * 200)),
    "events of no batch": (3, EVENTS, lambda n: [long(9)] + event(1, b"{}")[1:]),
    "a number that is none": (3, EVENTS, lambda n: [b"\0\1"] + event(1, b"{}")[1:]),
}


def servers_that_turn(case):
    """Honest at first, they answer the question for batches, or for events, with rows without end."""
    case.init()
    case.push("a", segments=3)
    worst = 0.0
    for name, (question, types, row) in TURNS.items():
        def plan(link, side, data, question=question, types=types, row=row):
            if side == "client":
                link.sent += data.count(b"S\0\0\0\4")
            elif link.sent == question:
                link.client.sendall(message(b"1") + message(b"2") + row_description(types))
                n = 0
                while True:
                    link.client.sendall(b"".join(data_row(row(i)) for i in range(n, n + 500)))
                    n += 500
            return data

        with Proxy(case.server.port, plan) as proxy:
            process = case.start(url_through(proxy) + "?sslmode=disable", "pull")
            code, memory = reaped(process, 60, name)
            said = process.stdout.read()
        worst = max(worst, memory)
        expect(code == 5, f"{name}: exit {code}, {said}")
        expect(memory < 100, f"{name}: {memory:.0f} MiB")
    return f"{len(TURNS)} kinds of rows that were not asked for: exit 5 each, at most {worst:.0f} MiB"


TESTS = [lost_acknowledgement, connections_that_break, a_stalled_client_blocks_nobody, a_dead_backend, a_restored_server,
         a_log_made_anew, the_servers_disk_is_full, a_hole_and_a_loss_in_the_tables,
         refusals_for_now_are_tried_again, serialisable_transactions, a_standby_that_lags, no_server_and_no_tables,
         servers_that_are_none, servers_that_turn, a_server_that_trickles]
