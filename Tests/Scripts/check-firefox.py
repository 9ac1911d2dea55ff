#!/usr/bin/env python3
"""Opens the page of devices in Firefox, and lets two devices merge there.

    Tests/Scripts/check-firefox.py .build-web/page

What needs a pointer is played in a Chromium, by check-page.py; here it is the engine, how it is
packed into the page, and what the page stands on that another browser has to have. Firefox is driven
over WebDriver BiDi, with nothing but Python's own modules.
"""

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from browser import Failure, Socket

address = "file://" + os.path.join(os.path.abspath(sys.argv[1]), "betwixt.html")
NAMES = ["firefox", "firefox-esr"]
SAME = "document.getElementById('state').className === 'same'"


class Firefox:
    """A Firefox without a window, and one page in it."""

    def __init__(self, program):
        self.number = 0
        self.problems = []
        self.profile = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", self.profile,
             "--remote-debugging-port=0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # Read to its end: a pipe that is full would hold the browser up.
        self.addresses = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        try:
            self.socket = Socket(self.listening() + "/session")
            self.ask("session.new", capabilities={})
            self.ask("session.subscribe", events=["log.entryAdded"])
            tree = self.ask("browsingContext.getTree")
        except BaseException:
            self.close()
            raise
        self.context = tree["contexts"][0]["context"]

    def listen(self):
        for line in self.process.stderr:
            if "WebDriver BiDi listening on " in line:
                self.addresses.put(line.rsplit(" ", 1)[1].strip())
        self.addresses.put(None)

    def listening(self):
        try:
            address = self.addresses.get(timeout=120)
        except queue.Empty:
            address = None
        if address is None:
            raise Failure("Firefox does not start")
        return address

    def ask(self, method, **parameters):
        self.number += 1
        self.socket.send(
            json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.number:
                if message["type"] == "error":
                    raise Failure(f"{method}: {message['message']}")
                return message["result"]
            entry = message.get("params", {})
            if message.get("method") == "log.entryAdded" and entry["level"] == "error":
                self.problems.append(entry["text"])

    def load(self, url):
        self.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def run(self, expression):
        answer = self.ask(
            "script.evaluate", expression=f"JSON.stringify(({expression}) ?? null)",
            target={"context": self.context}, awaitPromise=False)
        if answer["type"] == "exception":
            raise Failure(f"{expression}: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"]["value"])

    def wait(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while not self.run(expression):
            if time.monotonic() > end:
                raise Failure(f"waited {seconds} s for {expression}: {self.problems}")
            time.sleep(0.05)

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def play(page):
    start = time.monotonic()
    page.load(address)
    page.wait("document.querySelectorAll('.handle').length > 0")
    seconds = time.monotonic() - start
    page.wait(SAME)
    first = page.run("page.devices[0].list.digest")
    page.run("""(() => {
      const [list, other] = [page.devices[0].list, page.devices[1].list];
      const items = list.items;
      const index = items.findIndex((item, at) => item.section === items[at - 1]?.section);
      list.move(items[index].id, { before: items[index - 1].id });
      other.remove(items[0].id);
    })()""")
    page.wait("new Set(page.devices.map((device) => device.list.digest)).size === 1 &&"
              f" page.devices[0].list.digest !== {first!r}")
    page.wait(SAME)
    if page.problems:
        raise Failure(str(page.problems))
    print(f"Firefox: the page was there after {seconds:.1f} s, and two devices merged")


def main():
    program = next((path for path in map(shutil.which, NAMES) if path), None)
    if program is None:
        print("no Firefox here: left out")
        return
    page = Firefox(program)
    try:
        play(page)
    finally:
        page.close()


main()
