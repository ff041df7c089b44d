"""A headless Chromium that is spoken to through its pipe (the DevTools protocol), and what its pictures hold."""
import base64
import json
import os
import select
import subprocess
import time
import zlib


class Browser:
    def __init__(self, program, folder):
        to_child, self.write_end = os.pipe()
        self.read_end, from_child = os.pipe()

        def hand_over():
            # 3 and 4 are what the browser reads and writes; first away from wherever the pipes are.
            down, up = os.dup(to_child), os.dup(from_child)
            high = [os.dup2(fd, n) for fd, n in ((down, 60), (up, 61))]
            os.dup2(high[0], 3), os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             f"--user-data-dir={folder}", "about:blank"], preexec_fn=hand_over, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child), os.close(from_child)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def close(self):
        self.process.terminate()
        self.process.wait(20)

    def message(self, patience):
        end = time.time() + patience
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], max(0, end - time.time()))
            if not ready:
                raise TimeoutError("the browser says nothing")
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        words = {"id": self.number, "method": method, "params": params}
        if self.session:
            words["sessionId"] = self.session
        os.write(self.write_end, json.dumps(words).encode() + b"\0")
        while True:
            message = self.message(120)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def value(self, expression):
        got = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(f"{expression}: {got['exceptionDetails']}")
        return got["result"].get("value")

    def open(self, path):
        self.events = []
        self.call("Page.navigate", url="file://" + path)
        for _ in range(200):
            if self.value("document.readyState === 'complete' && location.href.startsWith('file:')"):
                return
            time.sleep(0.05)
        raise TimeoutError(f"{path} does not load")

    def said(self):
        """What the page wrote to the console, and what it asked for besides itself."""
        lines = []
        for event in self.events:
            what, params = event.get("method"), event.get("params", {})
            if what in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
                lines.append(f"console: {json.dumps(params)[:300]}")
            elif what == "Log.entryAdded":
                lines.append(f"log: {params['entry']['text'][:300]}")
            elif what == "Network.requestWillBeSent" and params.get("type") != "Document":
                if not params["request"]["url"].startswith("data:"):
                    lines.append(f"request: {params['request']['url'][:300]}")
        return lines

    def picture(self, clip=None):
        options = {"format": "png", "captureBeyondViewport": True}
        if clip:
            options["clip"] = clip
        return base64.b64decode(self.call("Page.captureScreenshot", **options)["data"])


def pixels(png):
    """Rows of (red, green, blue) of an 8-bit PNG without interlacing."""
    at, data, width, channels = 8, b"", 0, 3
    while at < len(png):
        size = int.from_bytes(png[at:at + 4], "big")
        kind, body = png[at + 4:at + 8], png[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, channels = int.from_bytes(body[:4], "big"), {2: 3, 6: 4}[body[9]]
        if kind == b"IDAT":
            data += body
        at += 12 + size
    raw, stride, rows = zlib.decompress(data), width * channels, []
    above = bytearray(stride)
    for start in range(0, len(raw), stride + 1):
        row = unfiltered(raw[start], bytearray(raw[start + 1:start + 1 + stride]), above, channels)
        rows.append([tuple(row[i:i + 3]) for i in range(0, stride, channels)])
        above = row
    return rows


def unfiltered(kind, row, above, step):
    for i in range(len(row)):
        left, up, corner = row[i - step] if i >= step else 0, above[i], above[i - step] if i >= step else 0
        if kind == 4:
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        else:
            near = (0, left, up, (left + up) // 2)[kind]
        row[i] = (row[i] + near) & 255
    return row


def ink(png):
    """The share of pixels that are not of the commonest colour."""
    flat = [p for row in pixels(png) for p in row]
    counts = {}
    for p in flat:
        counts[p] = counts.get(p, 0) + 1
    return 1 - max(counts.values()) / len(flat)
