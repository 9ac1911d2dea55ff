"""A browser that is driven over its debugging protocol, with nothing but Python's own modules.

    with Browser() as browser:
        page = browser.open("file:///tmp/betwixt.html")
        page.run("document.title")
"""

import base64
import contextlib
import functools
import http.server
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time
import urllib.request

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]


def find():
    """The path of a Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Socket:
    """The client's side of a WebSocket."""

    def __init__(self, url):
        host, path = url.removeprefix("ws://").split("/", 1)
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            more = self.socket.recv(4096)
            if not more:
                raise ConnectionError("the browser went away")
            self.rest += more
        self.rest = self.rest.split(b"\r\n\r\n", 1)[1]

    def send(self, text):
        data = text.encode()
        size = len(data)
        head = b"\x81"
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += b"\xfe" + struct.pack(">H", size)
        else:
            head += b"\xff" + struct.pack(">Q", size)
        # Firefox takes a mask of zeros for none.
        mask = os.urandom(4)
        stream = (mask * (size // 4 + 1))[:size]
        masked = int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")
        self.socket.sendall(head + mask + masked.to_bytes(size, "big"))

    def take(self, count):
        while len(self.rest) < count:
            more = self.socket.recv(65536)
            if not more:
                raise ConnectionError("the browser went away")
            self.rest += more
        data, self.rest = self.rest[:count], self.rest[count:]
        return data

    def receive(self):
        whole = b""
        while True:
            first, second = self.take(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            data = self.take(size)
            if first & 15 in (0, 1, 2):
                whole += data
                if first & 128:
                    return whole.decode()


class Failure(Exception):
    """What the page threw, or the browser refused."""


class NoBrowser(Failure):
    """There is none on this machine. One that is there and does not run is a failure."""


def check(holds, words):
    if not holds:
        raise Failure(words)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, says nothing, and has no icon, for which browsers ask."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()


@contextlib.contextmanager
def served(place):
    """Serves a folder while it lasts; gives the address."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=place))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()


class Page:
    def __init__(self, url):
        self.socket = Socket(url)
        self.number = 0
        self.problems = []
        for domain in ["Page", "Runtime", "Log"]:
            self.ask(domain + ".enable")

    def ask(self, method, **parameters):
        """Asks the browser and waits for the answer."""
        self.number += 1
        self.socket.send(
            json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.number:
                if "error" in message:
                    raise Failure(f"{method}: {message['error']['message']}")
                return message["result"]
            self.note(message)

    def note(self, message):
        """Keeps what a page should not say: exceptions, and errors of the console."""
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(
                details.get("exception", {}).get("description", details["text"]))
        elif message.get("method") == "Log.entryAdded":
            if parameters["entry"]["level"] == "error":
                self.problems.append(parameters["entry"]["text"])
        elif message.get("method") == "Runtime.consoleAPICalled":
            if parameters["type"] in ("error", "assert"):
                self.problems.append(" ".join(
                    str(part.get("value", part.get("description", "?")))
                    for part in parameters["args"]))

    def run(self, script):
        """The value of a script, awaited."""
        answer = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True,
            userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, script, seconds=20):
        """Waits until a script is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(script)
            if value:
                return value
            time.sleep(0.05)
        raise Failure(f"not within {seconds} s: {script}")

    def pointer(self, kind, x, y, buttons=1):
        self.ask(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons,
            clickCount=1)

    def touch(self, kind, *points):
        self.ask(
            "Input.dispatchTouchEvent", type=kind,
            touchPoints=[{"x": x, "y": y} for x, y in points])

    def key(self, key, modifiers=0):
        codes = {" ": 32, "Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40, "Tab": 9,
                 "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34, "Delete": 46, "F2": 113}
        code = codes.get(key, ord(key[0].upper()))
        names = {" ": "Space"}
        for kind in ["rawKeyDown", "keyUp"]:
            self.ask(
                "Input.dispatchKeyEvent", type=kind, key=key, code=names.get(key, key),
                windowsVirtualKeyCode=code, modifiers=modifiers)

    def type(self, text):
        self.ask("Input.insertText", text=text)

    def picture(self, path):
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def load(self, url):
        self.ask("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def back(self):
        history = self.ask("Page.getNavigationHistory")
        entry = history["entries"][history["currentIndex"] - 1]
        self.ask("Page.navigateToHistoryEntry", entryId=entry["id"])


class Browser:
    """A Chromium without a window, with a profile of its own."""

    def __init__(self, *options, size=(1280, 900)):
        path = find()
        if not path:
            raise NoBrowser("there is no Chromium")
        self.folder = tempfile.mkdtemp(prefix="betwixt-browser-")
        command = [
            path, "--headless=new", "--remote-debugging-port=0", "--no-sandbox",
            "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update",
            "--remote-allow-origins=*", f"--window-size={size[0]},{size[1]}",
            f"--user-data-dir={self.folder}", *options, "about:blank"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.port = self.wait_for_port()
        except BaseException:
            self.close()
            raise

    def wait_for_port(self):
        path = os.path.join(self.folder, "DevToolsActivePort")
        for _ in range(1200):
            if os.path.exists(path):
                lines = open(path).read().split("\n")
                if len(lines) > 1:
                    return int(lines[0])
            if self.process.poll() is not None:
                raise Failure("Chromium ends at once")
            time.sleep(0.05)
        raise Failure("Chromium does not start")

    def open(self, url):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        target = json.load(urllib.request.urlopen(request, timeout=60))
        page = Page(target["webSocketDebuggerUrl"])
        page.load(url)
        return page

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
