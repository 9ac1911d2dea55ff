#!/usr/bin/env python3
"""Runs the functions of the documentation that take a list over a WebSocket and a data channel.

    Tests/Scripts/check-transports.py .build-web/page .build-release/release/betwixt

A page in a browser and a document of the command become one over a WebSocket, and by files, and two
lists over a connection of WebRTC, each more than a message may hold.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

import websocket
from browser import Browser, NoBrowser, check, served

folder, betwixt = map(os.path.abspath, sys.argv[1:3])
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def functions():
    """What the documentation shows, as it stands there."""
    text = open(os.path.join(root, "Sources/BetwixtWeb/README.md"), encoding="utf-8").read()
    parts = [part for part in re.findall(r"```js\n(.*?)```", text, re.S) if part.startswith("function ")]
    check(len(parts) == 3, "the documentation shows three functions")
    return "".join(parts)


def said(*arguments):
    return subprocess.run(
        [betwixt, *arguments], check=True, capture_output=True, text=True,
        env=dict(os.environ, BETWIXT_STATE=os.path.join(os.getcwd(), "state"))).stdout


def check_socket(page):
    """A list of the page and a document of the command."""
    made = said("new", "--name", "Rome", "--start", "2026-05-01", "--days", "3", "rome.trip")
    document = re.search(r"document ([0-9a-f]{32})", made).group(1)
    said("add", "rome.trip", "--day", "2", "--title", "Colosseum")
    os.environ["BETWIXT_STATE"] = os.path.join(os.getcwd(), "state")
    port, _ = websocket.listen(0, [betwixt, "sync", "--stdio", "rome.trip"])
    page.run(f"""(() => {{
      globalThis.trip = betwixt.list({{ id: "{document}" }});
      trip.insert({{ title: "Lunch of the page", kind: "custom" }}, {{ section: 1 }});
      globalThis.socket = overSocket(trip, "ws://127.0.0.1:{port}");
    }})()""")
    page.wait("trip.items.length === 2 && socket.readyState === 3")
    digest = said("digest", "rome.trip").split()[0]
    check(page.run("trip.digest") == digest, "the page and the document hold different trips")
    check("Lunch of the page" in said("show", "rome.trip"), "the document does not show what the page wrote")


def check_connecting_again(page):
    """An edit that comes after a connection has ended is told by the next."""
    port, _ = websocket.listen(0, [betwixt, "sync", "--stdio", "rome.trip"])
    page.run(f"""(() => {{ globalThis.leave = stayConnected(trip, "ws://127.0.0.1:{port}"); }})()""")
    for number in (1, 2):
        page.run(f"trip.insert({{ title: 'Stroll {number}', kind: 'custom' }}, {{ section: 2 }})")
        said("add", "rome.trip", "--day", "1", "--title", f"Supper {number}")
        page.wait(f"trip.length === {2 + 2 * number}")
        deadline = time.monotonic() + 20
        while f"Stroll {number}" not in said("show", "rome.trip"):
            check(time.monotonic() < deadline, f"the document has no “Stroll {number}”")
            time.sleep(0.1)
    page.run("leave()")


def check_broken_session(page):
    """A session that ends while the socket is open takes the socket along, so that the next one begins."""
    heard = page.run("""(async () => {
      const id = betwixt.id();
      const [here, there] = [betwixt.list({ id }), betwixt.list({ id })];
      const Real = WebSocket;
      globalThis.WebSocket = class extends EventTarget {
        static CLOSED = 3;
        constructor() {
          super();
          this.readyState = 0;
          this.session = null;
          setTimeout(() => this.open());
        }
        open() {
          this.readyState = 1;
          this.onopen();
          this.dispatchEvent(new Event("open"));
          const send = (bytes) => setTimeout(() => this.onmessage({ data: bytes.slice().buffer }));
          this.session = there.session({ send });
        }
        send(bytes) {
          const copy = bytes.slice();
          setTimeout(() => this.session.receive(copy));
        }
        close() {
          if (this.readyState === 3) return;
          this.readyState = 3;
          setTimeout(() => {
            this.session.cut();
            this.onclose();
            this.dispatchEvent(new Event("close"));
          });
        }
      };
      const leave = stayConnected(here, "ws://nowhere");
      there.insert({ title: "One" });
      const until = async (count) => {
        for (let round = 0; round < 200 && here.length < count; round++) {
          await new Promise((done) => setTimeout(done, 50));
        }
      };
      await until(1);
      const save = () => Promise.reject(new Error("the drive is full"));
      here.storage = { save, saveLater() {}, close: async () => {} };
      there.insert({ title: "Two" });
      await until(2);
      await new Promise((done) => setTimeout(done, 300));
      here.storage = null;
      there.insert({ title: "Three" });
      await until(3);
      leave();
      globalThis.WebSocket = Real;
      return here.items.map(({ fields }) => fields.title);
    })()""")
    check(heard == ["One", "Two", "Three"], f"what came over the sockets: {heard}")


def check_document(page):
    """The page opens a document that the command edits in place, and the command what the page saves of it."""
    said("add", "rome.trip", "--day", "3", "--title", "Dinner")
    page.run("""(async () => {
      const trips = await Betwixt.load("betwixt-trips.wasm");
      const bytes = new Uint8Array(await (await fetch("rome.trip")).arrayBuffer());
      globalThis.opened = trips.openFile("rome.trip", bytes);
    })()""")
    digest = said("digest", "rome.trip").split()[0]
    check(page.run("opened.digest") == digest, "the page shows another document than the command")
    page.run("opened.insert({ title: 'Walk', kind: 'custom' }, { section: 3 })")
    with open("page.trip", "wb") as file:
        file.write(bytes(page.run("[...opened.save()]")))
    said("merge", "rome.trip", "page.trip", "-o", "rome.trip")
    check("Walk" in said("show", "rome.trip"), "the document lacks what was saved by the page")


def check_forgetting(page):
    """What the command has let go stays so in what a page keeps, though nothing was written for it."""
    said("add", "rome.trip", "--day", "1", "--title", "Gone", "note=conf-123")
    page.run("""(async () => {
      globalThis.take = async (name) => {
        kept.merge(await (await fetch(name)).arrayBuffer());
        await kept.storage.save();
      };
      globalThis.kept = betwixt.list({ id: trip.id });
      await kept.keep("rome");
    })()""")
    for number, command in enumerate([["show"], ["remove"], ["compact", "--keep", "0"]]):
        said(*command, "rome.trip", *(["Gone"] if command == ["remove"] else []))
        said("export", "rome.trip", "-o", f"copy{number}.trip")
        page.run(f"take('copy{number}.trip')")
    digest = said("digest", "rome.trip").split()[0]
    again = page.run("""(async () => {
      const before = kept.digest;
      await kept.close();
      const again = betwixt.list({ id: trip.id });
      await again.keep("rome");
      return [before, again.digest];
    })()""")
    check(again == [digest, digest], f"kept is {again}, and the document {digest}")


def check_channel(page):
    """Two lists of one page over a connection of its own."""
    page.run("""(async () => {
      const id = betwixt.id();
      globalThis.lists = [betwixt.list({ id }), betwixt.list({ id })];
      // More than one message of a data channel may hold.
      for (let i = 0; i < 8000; i++) lists[0].insert({ title: `Stop ${i} `.repeat(8) });
      lists[1].insert({ title: "From the other" });
      const sides = [new RTCPeerConnection(), new RTCPeerConnection()];
      globalThis.channels = sides.map((side) => side.createDataChannel("list", { negotiated: true, id: 0 }));
      sides.forEach((side, i) => {
        side.onicecandidate = ({ candidate }) => candidate && sides[1 - i].addIceCandidate(candidate);
      });
      channels.forEach((channel, i) => overChannel(lists[i], channel));
      await sides[0].setLocalDescription(await sides[0].createOffer());
      await sides[1].setRemoteDescription(sides[0].localDescription);
      await sides[1].setLocalDescription(await sides[1].createAnswer());
      await sides[0].setRemoteDescription(sides[1].localDescription);
      globalThis.sides = sides;
    })()""")
    page.wait("lists[0].length === 8001 && lists[0].digest === lists[1].digest", seconds=60)
    page.run("lists[1].insert({ title: 'Later' })")
    page.wait("lists[0].length === 8002 && lists[0].digest === lists[1].digest")
    page.run("sides.forEach((side) => side.close())")


def main():
    try:
        started = Browser()
    except NoBrowser as none:
        print(f"{none} here: left out")
        return
    with started as browser, tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        with open("page.html", "w", encoding="utf-8") as file:
            file.write(f"<!doctype html><title>Transports</title><script src='betwixt.js'></script><script>{functions()}"
                       "Betwixt.load().then((engine) => { globalThis.betwixt = engine; });</script>")
        for name in ["betwixt.js", "betwixt-trips.wasm"]:
            os.symlink(os.path.join(folder, name), name)
        with served(place) as address:
            page = browser.open(address + "/page.html")
            page.wait("globalThis.betwixt !== undefined")
            for step in [check_socket, check_connecting_again, check_broken_session, check_document,
                         check_forgetting, check_channel]:
                step(page)
                check(not page.problems, f"{step.__name__}: {page.problems}")
                print(step.__name__.replace("check_", "").replace("_", " "), "holds")
        os.chdir("/")


main()
