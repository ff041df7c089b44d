"""Between client and server: a proxy that misbehaves, and a server that never was one."""
import socket
import struct
import threading
import time


def serve(handle):
    """Listens on the loopback; `handle(connection)` runs in a thread for each. Returns (port, close)."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)

    def guarded(connection):
        try:
            handle(connection)
        except OSError:
            pass  # the other side left
        finally:
            connection.close()

    def accept():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=guarded, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1], listener.close


class Proxy:
    """Passes everything on to the server, but for what `plan(link, side, data)` says. A plan returns the bytes to pass on; it
    may sleep, or call link.cut()."""

    def __init__(self, server_port, plan=None):
        self.server_port, self.plan = server_port, plan or (lambda link, side, data: data)
        self.links = 0
        self.port, self.close = serve(self.handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def handle(self, client):
        self.links += 1
        server = socket.create_connection(("127.0.0.1", self.server_port))
        link = Link(client, server, self.links)
        back = threading.Thread(target=self.pump, args=(link, "server", server, client), daemon=True)
        back.start()
        self.pump(link, "client", client, server)
        back.join()

    def pump(self, link, side, source, target):
        try:
            while data := source.recv(1 << 16):
                target.sendall(self.plan(link, side, data))
        except OSError:
            pass
        link.cut()


class Link:
    def __init__(self, client, server, number):
        self.client, self.server, self.number = client, server, number
        self.sent = 0         # bytes of the client so far
        self.marked = False   # for plans, as is
        self.harm = None

    def cut(self):
        for one in (self.client, self.server):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def message(kind, body=b""):
    return kind + struct.pack(">I", len(body) + 4) + body


READY = message(b"Z", b"I")


def row_description(types):
    fields = b"".join(b"c\0" + struct.pack(">IhIhih", 0, 0, oid, -1, -1, 1) for oid in types)
    return message(b"T", struct.pack(">h", len(types)) + fields)


def data_row(values):
    return message(b"D", struct.pack(">h", len(values)) + b"".join(struct.pack(">i", len(v)) + v for v in values))


class FakeServer:
    """Lets everybody in; answers each statement with what `answer(connection)` sends."""

    def __init__(self, answer):
        self.answer = answer
        self.port, self.close = serve(self.handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def url(self):
        return f"postgresql://x@127.0.0.1:{self.port}/team?connect_timeout=2"

    def handle(self, connection):
        stream = connection.makefile("rb")
        while True:  # the start, maybe after a question for encryption
            length, code = struct.unpack(">II", stream.read(8))
            stream.read(length - 8)
            if code == 196608:
                break
            connection.sendall(b"N")
        connection.sendall(message(b"R", struct.pack(">I", 0)) + READY)
        while kind := stream.read(1):
            stream.read(struct.unpack(">I", stream.read(4))[0] - 4)
            if kind in b"QS":
                self.answer(connection)


def first_words(address, seconds=5):
    """What a client says first to a server at `address` that refuses encryption; (port, heard), where
    heard() waits for the list of what was said."""
    heard = []
    listener = socket.socket()
    listener.bind((address, 0))
    listener.listen(1)

    def listen():
        connection, _ = listener.accept()
        connection.settimeout(seconds)
        try:
            heard.append(connection.recv(8))
            connection.sendall(b"N")
            heard.append(connection.recv(1024))
        except OSError:
            heard.append(b"")
        connection.close()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()

    def result():
        thread.join(seconds)
        return heard

    return listener.getsockname()[1], result


def own_address():
    """An address of this machine that is not the loopback, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(("192.0.2.1", 9))  # nothing is sent
            address = one.getsockname()[0]
        except OSError:
            return None
    return None if address.startswith("127.") else address


def sleep_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("what was waited for did not happen")
        time.sleep(0.02)
