#!/usr/bin/env python3
"""Asks betwixt.js in a browser for what its types promise, and for what goes wrong.

    Tests/Scripts/check-library.py .build-web/page
"""

import os
import re
import sys
import tempfile

from browser import Browser, NoBrowser, check, served

folder = os.path.abspath(sys.argv[1])

PAGE = """<!doctype html>
<title>Library</title>
<script src="betwixt.js"></script>
<script>
  const errors = [];
  addEventListener("error", (event) => { errors.push(event.message); event.preventDefault(); });
  addEventListener("unhandledrejection", (event) => errors.push(`unhandled: ${event.reason}`));
  addEventListener("pageshow", ({ persisted }) => (globalThis.isBack = persisted));

  const wait = (time) => new Promise((done) => setTimeout(done, time));

  async function until(holds) {
    for (let count = 0; count < 500; count++) {
      if (holds()) return;
      await wait(20);
    }
    throw new Error(`not within 10 s: ${holds}`);
  }

  /** The code of what is thrown; `undefined` if nothing is. */
  function code(body) {
    try {
      body();
    } catch (error) {
      return error instanceof Betwixt.Error ? error.code : String(error);
    }
  }

  const codeOf = (promise) => promise.then(() => undefined, (error) => error.code ?? error.message);

  /** Two lists that are one, with what was written before. */
  function two(engines = [betwixt, betwixt]) {
    const id = betwixt.id();
    return engines.map((engine) => engine.list({ id }));
  }

  /** Their sessions; what one sends arrives in a task of its own. */
  function meet(lists, options = () => ({})) {
    const sessions = [];
    lists.forEach((list, side) => {
      const send = (bytes) => setTimeout(() => sessions[1 - side].receive(bytes));
      sessions.push(list.session({ send, ...options(side) }));
    });
    return sessions;
  }

  const same = ([left, right]) => left.digest === right.digest;

  /** What is on the drive under a name. */
  async function kept(id, name) {
    const list = betwixt.list({ id });
    await list.keep(name);
    const { items } = list;
    await list.close();
    return items.map(({ fields }) => fields.title);
  }

  Betwixt.load().then((engine) => (globalThis.betwixt = engine));
</script>
"""


def uncaught(page):
    """The errors that nobody caught since this was asked last."""
    page.run("wait(0)")
    page.problems.clear()
    return page.run("errors.splice(0)")


def check_values(page):
    """What was written is read, whatever the name and the text."""
    heard = page.run(r"""(() => {
      const list = betwixt.list();
      const value = (field) => list.item(list.insert({ field })).fields.field;
      const names = list.item(list.insert({ ["__proto__"]: "a name" })).fields;
      const bytes = list.item(list.insert({ ["__proto__"]: new Uint8Array(2) })).fields;
      return {
        tooGreat: [2n ** 63n, 2n ** 64n + 7n, -(2n ** 63n) - 1n].map((field) => code(() => list.insert({ field }))),
        greatest: [2n ** 63n - 1n, -(2n ** 63n)].every((number) => value(number) === number),
        mark: value("\uFEFFhello") === "\uFEFFhello",
        name: Object.hasOwn(names, "__proto__") && names["__proto__"] === "a name",
        plain: Object.getPrototypeOf(bytes) === Object.prototype,
        double: typeof value(2 ** 53) + typeof value(2n ** 53n) + typeof value(2 ** 53 - 1),
      };
    })()""")
    check(heard.pop("tooGreat") == ["edit"] * 3, "an integer of more than 64 bits")
    check(heard.pop("double") == "numberbigintnumber", "numbers from 2^53")
    check(all(heard.values()), str(heard))
    conflicts = page.run("""(() => {
      const lists = two();
      const id = lists[0].insert({ position: "p", life: "l" });
      lists[1].merge(lists[0].save());
      lists.forEach((list, side) => {
        list.set(id, { position: `p${side}`, life: `l${side}` });
        list.move(id, { section: side + 1 });
      });
      return lists[0].merge(lists[1].save()).conflicts;
    })()""")
    fields = {c["field"]: c for c in conflicts if "register" not in c}
    check(set(fields) == {"position", "life"}, f"conflicts: {conflicts}")
    check({fields["life"]["loser"], fields["life"]["winner"]} == {"l0", "l1"}, f"values: {fields}")
    registers = [c for c in conflicts if "register" in c]
    check(len(registers) == 1 and registers[0]["field"] == "position", f"registers: {registers}")
    check("winner" not in registers[0], f"a place has a value: {registers}")


def check_bytes(page):
    heard = page.run("""(() => {
      const list = betwixt.list();
      for (let count = 0; count < 3; count++) list.insert();
      const saved = list.save();
      const shifted = new Uint8Array(saved.length + 8);
      shifted.set(saved, 8);
      const forms = [saved.slice().buffer, new DataView(shifted.buffer, 8), Array.from(saved), undefined];
      const version = list.version.slice().buffer;
      return {
        read: forms.map((form) => code(() => betwixt.read(form)) ?? betwixt.read(form).length),
        merged: forms.map((form) => code(() => betwixt.list({ id: list.id }).merge(form))),
        delta: list.delta(version).length < list.delta().length,
        slices: [list.slice(0), list.slice(0, Infinity), list.slice(), list.slice(1), list.slice(2, 1)]
          .map((items) => items.length),
      };
    })()""")
    check(heard["read"] == [3, 3, "bytes", "bytes"], f"read: {heard}")
    check(heard["merged"] == [None, None, "bytes", "bytes"], f"merge: {heard}")
    check(heard["delta"] and heard["slices"] == [3, 3, 3, 2, 0], str(heard))


def check_types(page):
    """The types name what there is, and no more."""
    types = open(os.path.join(folder, "betwixt.d.ts"), encoding="utf-8").read()
    inner = {"List": ["ask", "about", "turn", "changed", "drags"],
             "Session": ["told", "ask", "perform", "settle", "closed"],
             "Engine": ["call", "rawAnswer", "answer", "opened"], "BetwixtStatic": []}
    objects = {"List": "Betwixt.List.prototype", "Session": "Betwixt.Session.prototype",
               "Engine": "Betwixt.prototype"}
    for name, object in objects.items():
        body = re.search(rf"export interface {name} {{(.*?)\n}}", types, re.S).group(1)
        said = set(re.findall(r"^  (?:readonly )?(\w+)[(:]", body, re.M))
        there = set(page.run(f"Object.getOwnPropertyNames({object})"))
        missing = there - said - set(inner[name]) - {"constructor"}
        check(not missing, f"{name} has {sorted(missing)}, which have no type")
        own = "['id', 'replica', 'report', 'isClosed', 'bytesSent', 'bytesReceived']"
        extra = said - there - set(page.run(own))
        check(not extra, f"{name} has no {sorted(extra)}")
    codes = set(re.findall(r"`([a-z]+)`", re.search(r"interface BetwixtError.*?code: string", types, re.S).group(0)))
    check({"request", "edit", "handle", "files", "event"} <= codes, f"codes: {sorted(codes)}")
    check("readonly Error:" in types and page.run("code(() => betwixt.list().rows)") == "request", "errors")


def main():
    try:
        started = Browser()
    except NoBrowser as none:
        print(f"{none} here: left out")
        return
    with started as browser, tempfile.TemporaryDirectory() as place:
        with open(os.path.join(place, "page.html"), "w", encoding="utf-8") as file:
            file.write(PAGE)
        os.symlink(os.path.join(folder, "betwixt.js"), os.path.join(place, "betwixt.js"))
        with served(place) as address:
            page = browser.open(address + "/page.html")
            page.wait("globalThis.betwixt !== undefined")
            for step in [check_values, check_bytes, check_types]:
                step(page)
                left = uncaught(page)
                check(not left, f"{step.__name__}: {left}")
                print(step.__name__.replace("check_", "").replace("_", " "), "holds")


main()
