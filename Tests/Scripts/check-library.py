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

  /** What carries bytes to a session in order, each in a task of its own. */
  function way(peer) {
    const bytes = [];
    // Timers alone do not keep their order.
    return (next) => {
      bytes.push(next);
      setTimeout(() => peer().receive(bytes.shift()));
    };
  }

  function meet(lists, options = () => ({})) {
    const sessions = [];
    lists.forEach((list, side) => {
      const send = way(() => sessions[1 - side]);
      sessions.push(list.session({ send, ...options(side) }));
    });
    return sessions;
  }

  const same = ([left, right]) => left.digest === right.digest;

  /** Does something with what the drive holds, behind the back of the library. */
  async function withStore(name, body) {
    const opening = indexedDB.open("betwixt");
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const transaction = opening.result.transaction(name, "readwrite");
    const request = body(transaction.objectStore(name));
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    opening.result.close();
    return request.result;
  }

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


def check_refusals(page):
    """A page whose clock is ahead is told that its writes stay with it, and so is the other."""
    told = page.run("""(async () => {
      const late = await Betwixt.load(undefined, { now: () => Date.now() + 7 * 86_400_000 });
      const lists = two([late, betwixt]);
      const item = lists[0].insert({ position: "first" });
      const told = [[], []];
      meet(lists, (side) => ({
        onRefused: (refusal) => told[side].push(refusal),
        onSynced: (digest) => told[side].push(digest),
      }));
      await until(() => told.every((news) => news.length === 2));
      return { told, item, length: lists[1].length, digests: lists.map((list) => list.digest) };
    })()""")
    (left, one), (right, other) = told["told"]
    check(left["byPeer"] and not right["byPeer"], f"who refused: {left}, {right}")
    check(left["isDeferred"] and "ahead of the clock" in left["reason"], f"why: {left}")
    item = told["item"]
    check(left["writes"] == right["writes"] == [
        {"id": item, "field": "life", "register": True},
        {"id": item, "field": "position", "register": True},
        {"id": item, "field": "position"}], f"what: {left}")
    check([one, other] == told["digests"] and one != other, f"the digests: {told}")
    check(told["length"] == 0, "a refused write was taken")


def check_listeners(page):
    """What one listener throws stops neither the edit nor the others, nor what is kept."""
    heard = page.run("""(async () => {
      const lists = two();
      const name = lists[0].id;
      for (const list of lists) await list.keep(name);
      lists[1].insert({ title: "From the other" });
      await lists[1].storage.save();
      let count = 0;
      lists[0].subscribe(() => { throw new Error("of a listener"); });
      lists[0].subscribe(() => (count += 1));
      const edit = code(() => lists[0].insert({ title: "Own" }));
      await lists[0].storage.save();
      return { edit, count, length: lists[0].length, titles: await kept(lists[0].id, name) };
    })()""")
    check("edit" not in heard and heard["count"] == 2 and heard["length"] == 2, str(heard))
    check(sorted(heard["titles"]) == ["From the other", "Own"], f"kept is {heard['titles']}")
    errors = uncaught(page)
    check(len(errors) == 2 and all("of a listener" in error for error in errors), str(errors))
    check(page.run("code(() => betwixt.list().subscribe(1))") == "request", "a listener that is none")


def check_answers(page):
    """A listener that answers each item tells its peer once, and bytes that come at once stay in order."""
    heard = page.run("""(async () => {
      const lists = two();
      for (let count = 0; count < 300; count++) lists[0].insert({ title: `${count}` });
      lists[1].subscribe((changes) => {
        for (const { id } of changes?.inserted ?? []) lists[1].set(id, { seen: true });
      });
      const counts = new Map();
      const { call } = betwixt;
      betwixt.call = function (operation, ...rest) {
        counts.set(operation, (counts.get(operation) ?? 0) + 1);
        return call.call(this, operation, ...rest);
      };
      const [, session] = meet(lists);
      await until(() => lists[0].items.filter(({ fields }) => fields.seen).length === 300 && same(lists));
      delete betwixt.call;
      return { told: counts.get(Betwixt.operations.changed), isClosed: session.isClosed };
    })()""")
    check(heard["told"] < 10 and not heard["isClosed"], f"300 edits were told {heard['told']} times")
    heard = page.run("""(async () => {
      const lists = two();
      const closed = [];
      lists[0].insert({ title: "Left" });
      lists[1].insert({ title: "Right" });
      const early = [];
      const sessions = [];
      sessions.push(lists[0].session({
        send: (bytes) => sessions[1] ? sessions[1].receive(bytes) : early.push(bytes),
        onClose: (reason) => closed.push(reason),
      }));
      const queue = [];
      sessions.push(lists[1].session({
        send: (bytes) => sessions[0].receive(bytes), onClose: (reason) => closed.push(reason),
      }));
      for (const bytes of early) sessions[1].receive(bytes);
      await until(() => same(lists));
      lists[1].subscribe((changes) => changes && lists[1].insert({ title: "Answer" }));
      for (let count = 0; count < 5; count++) lists[0].insert({ title: "Later" });
      await until(() => lists[0].length > 7 && same(lists));
      return closed;
    })()""")
    check(heard == [], f"sessions ended: {heard}")


def check_sessions(page):
    """What a session lacks is said at once, and a way out that is gone ends it, not the edit."""
    heard = page.run("""(async () => {
      const lists = two();
      const codes = [code(() => lists[0].session({})), code(() => lists[0].session())];
      const left = lists[0].sessions.size;
      const closed = [];
      let isGone = false;
      const sessions = [];
      const there = way(() => sessions[1]);
      sessions.push(lists[0].session({
        send: (bytes) => {
          if (isGone) throw new Error("the channel is closed");
          there(bytes);
        },
        onClose: (reason) => closed.push(reason),
      }));
      sessions.push(lists[1].session({ send: way(() => sessions[0]) }));
      lists[0].insert({ title: "Before" });
      await until(() => lists[1].length === 1);
      isGone = true;
      const edit = code(() => lists[0].insert({ title: "After" }));
      await until(() => closed.length > 0);
      return { codes, left, edit, closed, length: lists[0].length, sessions: lists[0].sessions.size };
    })()""")
    check(heard["codes"] == ["request", "request"] and heard["left"] == 0, str(heard))
    check("edit" not in heard and heard["length"] == 2, f"the edit: {heard}")
    check(heard["closed"] == ["the connection was cut"] and heard["sessions"] == 0, f"the session: {heard}")
    errors = uncaught(page)
    check(len(errors) == 1 and "the channel is closed" in errors[0], str(errors))
    reason = page.run("""(() => {
      let reason;
      const session = betwixt.list().session({ send: () => {}, onClose: (words) => (reason = words) });
      session.receive(new Uint8Array(64));
      return reason;
    })()""")
    check(re.fullmatch("(malformed|checksum): .*", reason or ""), f"after bytes that are none: {reason}")


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
    sections = page.run("""(() => {
      const list = betwixt.list();
      const sections = [0, 5, -5, 2 ** 51, -(2 ** 51), 2 ** 52 - 1, 2 ** 53 - 1, -(2 ** 53 - 1), 2n ** 53n, -(2n ** 53n),
        2n ** 63n - 1n, -(2n ** 63n)];
      const read = sections.map((section) => {
        const id = list.insert({}, { section });
        const { section: once } = list.item(id);
        list.move(id, { section: 0 });
        list.move(id, { section: once, at: 0 });
        return once === section && list.item(id).section === section;
      });
      const codes = [2 ** 53, 2n ** 63n, -(2n ** 63n) - 1n, 0.5, "1"].map((section) =>
        code(() => list.insert({}, { section })));
      return { read, codes, small: list.item(list.insert({}, { section: 7n })).section === 7 };
    })()""")
    check(all(sections["read"]) and sections["small"], f"sections: {sections}")
    check(sections["codes"] == ["number"] * 5, f"sections that are none: {sections}")
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
        slices: [list.slice(0), list.slice(0, Infinity), list.slice(), list.slice(1), list.slice(2, 1),
          list.slice(-1), list.slice(0, -1), list.slice(-9, -2)].map((items) => items.length),
      };
    })()""")
    check(heard["read"] == [3, 3, "bytes", "bytes"], f"read: {heard}")
    check(heard["merged"] == [None, None, "bytes", "bytes"], f"merge: {heard}")
    check(heard["delta"] and heard["slices"] == [3, 3, 3, 2, 0, 1, 2, 1], str(heard))


def check_closing(page):
    """The last edit before close() is kept, and none comes after it."""
    heard = page.run("""(async () => {
      const list = betwixt.list();
      await list.keep(list.id);
      list.insert({ title: "Last" });
      const closing = list.close();
      const later = [code(() => list.insert({ title: "Too late" })), code(() => list.share("late")),
        await codeOf(list.keep("late"))];
      await closing;
      const alone = betwixt.list();
      alone.close();
      const freed = [list, alone].map(({ handle }) => code(() => betwixt.call(Betwixt.operations.count, handle)));
      return { later, freed, titles: await kept(list.id, list.id) };
    })()""")
    check(set(heard["later"] + heard["freed"]) == {"handle"}, str(heard))
    check(heard["titles"] == ["Last"], f"kept is {heard['titles']}")
    heard = page.run("""(async () => {
      const list = betwixt.list();
      await list.keep(list.id, { onError: () => {} });
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = () => { throw new Error("the drive is full"); };
      list.insert({ title: "Unsaved" });
      const closed = await codeOf(list.close());
      IDBObjectStore.prototype.put = put;
      const length = list.length;
      await list.close();
      return { closed, length, titles: await kept(list.id, list.id) };
    })()""")
    check(heard == {"closed": "storage", "length": 1, "titles": ["Unsaved"]}, str(heard))
    check(uncaught(page) == [], "closing left errors")


def check_failing_storage(page):
    """A name that is taken is refused for good; a save that fails later is told, and tried again."""
    heard = page.run("""(async () => {
      const [first, other] = [betwixt.list(), betwixt.list()];
      const name = first.id;
      await first.keep(name);
      const refused = await codeOf(other.keep(name));
      other.insert({ title: "Not kept" });
      await wait(50);
      return { refused, isKept: other.storage !== null };
    })()""")
    check(heard == {"refused": "list", "isKept": False}, str(heard))
    check(uncaught(page) == [], "an edit after a keep that failed leaves an error")
    heard = page.run("""(async () => {
      const told = [];
      const [heard, unheard] = [betwixt.list(), betwixt.list()];
      await heard.keep(heard.id, { onError: ({ code, message, cause }) => told.push(code, message, cause.name) });
      await unheard.keep(unheard.id);
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = () => { throw new Error("the drive is full"); };
      for (const list of [heard, unheard]) {
        list.insert({ title: "One" });
        // While the first is being saved.
        list.insert({ title: "Two" });
      }
      await until(() => heard.storage.failure && unheard.storage.failure);
      IDBObjectStore.prototype.put = put;
      heard.insert({ title: "Three" });
      await until(() => heard.storage.failure === null);
      return { told, titles: await kept(heard.id, heard.id) };
    })()""")
    told = ["storage", "the drive is full", "Error"]
    check(heard == {"told": told, "titles": ["One", "Two", "Three"]}, str(heard))
    errors = uncaught(page)
    check(len(errors) == 1 and "the drive is full" in errors[0], str(errors))


def check_lost_database(page):
    """A database that is taken away, that is refused, or that another tab holds as it was once."""
    heard = page.run("""(async () => {
      const told = [];
      const list = betwixt.list();
      const storage = await list.keep(list.id, { onError: (error) => told.push(error.message) });
      storage.exchange = async function (...stores) {
        delete storage.exchange;
        const head = await this.exchange(...stores);
        // As where it is deleted, and there is an edit meanwhile.
        this.disconnect();
        list.insert({ title: "Two" });
        return head;
      };
      list.insert({ title: "One" });
      await storage.save();
      return { told, titles: await kept(list.id, list.id) };
    })()""")
    check(heard == {"told": [], "titles": ["One", "Two"]}, f"taken away while it is saved: {heard}")
    heard = page.run("""(async () => {
      const { open } = IDBFactory.prototype;
      IDBFactory.prototype.open = () => { throw new DOMException("denied", "SecurityError"); };
      const list = betwixt.list();
      const codes = [await codeOf(betwixt.keptNames()), await codeOf(list.keep(list.id))];
      IDBFactory.prototype.open = open;
      return codes;
    })()""")
    check(heard == ["storage", "storage"], f"refused: {heard}")
    heard = page.run("""(async () => {
      const ended = (request) => new Promise((done) => (request.onsuccess = request.onerror = () => done(request.result)));
      await ended(indexedDB.deleteDatabase("betwixt"));
      const old = await ended(indexedDB.open("betwixt", 1));
      const list = betwixt.list();
      list.insert({ title: "Held" });
      const late = wait(5_000).then(() => "nothing");
      const held = await Promise.race([codeOf(list.keep(list.id)), late]);
      old.close();
      await wait(100);
      await list.keep(list.id);
      return { held, titles: await kept(list.id, list.id) };
    })()""")
    check(heard == {"held": "storage", "titles": ["Held"]}, f"held by another tab: {heard}")


def check_handles(page):
    """A list that is closed leaves its place to another one, and its handle to nobody."""
    heard = page.run("""(async () => {
      const first = betwixt.list();
      await first.close();
      const handles = [first.handle];
      for (let count = 0; count < 3; count++) {
        const list = betwixt.list();
        handles.push(list.handle);
        if (count === 2) handles.push(code(() => betwixt.call(Betwixt.operations.count, handles[2])), list.length);
        await list.close();
      }
      return handles.map((handle) => typeof handle === "number" ? handle % 2 ** 32 : handle)
        .concat(new Set(handles).size);
    })()""")
    place = heard[0]
    check(heard == [place] * 4 + ["handle", 0, 6], f"handles: {heard}")


def check_pieces(page):
    """An edit of a list that is kept writes what is new, not the list; now and then all is written anew."""
    heard = page.run("""(async () => {
      const list = betwixt.list();
      for (let count = 0; count < 2000; count++) list.insert({ title: `Item ${count}` });
      await list.keep(list.id);
      const whole = (await betwixt.keptBytes(list.id))[0].length;
      const { put } = IDBObjectStore.prototype;
      let sum = 0, largest = 0, parts = 0;
      IDBObjectStore.prototype.put = function (value, key) {
        const size = value.length ?? value.version.length;
        [sum, largest] = [sum + size, Math.max(largest, size)];
        return put.call(this, value, key);
      };
      const { id } = list.items[1000];
      try {
        for (let count = 0; count < 300; count++) {
          list.set(id, { note: `typing ${count}` });
          await list.storage.save();
          parts = Math.max(parts, (await betwixt.keptBytes(list.id)).length);
        }
        await list.storage.save();
      } finally {
        IDBObjectStore.prototype.put = put;
      }
      const now = (await betwixt.keptBytes(list.id)).length;
      const again = betwixt.list({ id: list.id });
      await again.keep(list.id);
      return { whole, sum, largest, parts, now, isSame: same([list, again]) };
    })()""")
    check(heard["isSame"], f"what is read is another list: {heard}")
    # One writing of all, and of each edit a piece and a version.
    check(heard["sum"] - heard["largest"] < 300 * 400, f"bytes written: {heard}")
    check(heard["largest"] < 2 * heard["whole"] and 200 < heard["parts"] < 300 and heard["now"] < 60, str(heard))


def check_tabs(page):
    """Tabs that write one kept list in any order lose nothing of each other, nor does who opens it."""
    heard = page.run("""(async () => {
      // Park and Miller's numbers: the same each time. Long titles bring it about that all is saved anew.
      let state = 20261125;
      const draw = (below) => (state = state * 48271 % 2147483647) % below;
      const all = betwixt.list();
      const name = all.id;
      const tabs = [];
      const open = async () => {
        const tab = (await Betwixt.load()).list({ id: name });
        await tab.keep(name);
        tabs.push(tab);
      };
      for (let count = 0; count < 3; count++) await open();
      const outcomes = [];
      for (let step = 0; step < 900; step++) {
        const tab = tabs[draw(tabs.length)];
        const { items } = tab;
        const item = items[draw(items.length || 1)]?.id;
        const act = draw(8);
        if (act < 3 || !item) tab.insert({ title: "x".repeat(draw(4000)) }, { at: draw(items.length + 1) });
        else if (act === 3) tab.move(item, { at: draw(items.length) });
        else if (act === 4) tab.set(item, { title: `Change ${step}` });
        else if (act === 5) tab.remove(item);
        else if (act === 6) await tab.storage.save();
        else if (step % 5 === 0) {
          all.merge(tab.delta());
          await tab.close();
          tabs.splice(tabs.indexOf(tab), 1);
          await open();
        }
      }
      for (let round = 0; round < 2; round++) {
        for (const tab of tabs) await tab.storage.save();
      }
      for (const tab of tabs) all.merge(tab.delta());
      await open();
      const digests = new Set([all, ...tabs].map((list) => list.digest));
      for (const tab of tabs) await tab.close();
      return { digests: digests.size, length: all.length, parts: (await betwixt.keptBytes(name)).length };
    })()""")
    check(heard["digests"] == 1 and heard["length"] > 200, f"lists differ: {heard}")


def check_listeners_that_edit(page):
    """What a listener writes while the writes of another tab come in is kept as they are."""
    heard = page.run("""(async () => {
      const missing = [];
      // One piece or two that come in, of which the listener answers each or the first.
      for (const [ownFirst, count, answers] of [[false, 1, 1], [true, 1, 1], [true, 2, 2], [true, 2, 1]]) {
        const list = betwixt.list();
        const tab = (await Betwixt.load()).list({ id: list.id });
        for (const each of [list, tab]) await each.keep(list.id);
        for (let piece = 0; piece < count; piece++) {
          list.insert({ title: `piece ${piece}` });
          await list.storage.save();
        }
        let left = answers;
        const stop = tab.subscribe((changes) => changes && left-- > 0 && tab.insert({ title: `answer ${left}` }));
        if (ownFirst) tab.insert({ title: "its own" });
        await tab.storage.save();
        await tab.storage.save();
        stop();
        const titles = await kept(list.id, list.id);
        for (const { fields } of tab.items) if (!titles.includes(fields.title)) missing.push(fields.title);
        if (tab.length !== count + answers + (ownFirst ? 1 : 0)) missing.push(`there are ${tab.length}`);
        for (const each of [list, tab]) await each.close();
      }
      return missing;
    })()""")
    check(heard == [], f"what is not kept: {heard}")


def check_kept(page):
    """What is kept is listed, deleted, and told from what is damaged; an open list writes it anew."""
    heard = page.run("""(async () => {
      const list = betwixt.list();
      const name = `kept ${list.id}`;
      list.insert({ title: "Saved" });
      await list.keep(name);
      list.insert({ title: "Added" });
      await list.storage.save();
      const before = [(await betwixt.keptNames()).includes(name), (await betwixt.keptBytes(name)).length];
      const damage = async (store, key) => {
        const bytes = await withStore(store, (kept) => kept.get(key));
        bytes[bytes.length - 40] ^= 4;
        await withStore(store, (kept) => kept.put(bytes, key));
      };
      await damage("writes", [name, 1]);
      const refused = await betwixt.list({ id: list.id }).keep(name).catch((error) => error);
      // What is whole is got back.
      const rest = betwixt.list({ id: list.id });
      for (const bytes of await betwixt.keptBytes(name)) code(() => rest.merge(bytes));
      // Who has it open writes on, and writes all of it anew once it was deleted.
      list.insert({ title: "Later" });
      await list.storage.save();
      await betwixt.forget(name);
      const gone = [(await betwixt.keptNames()).includes(name), (await betwixt.keptBytes(name)).length];
      const empty = await kept(list.id, name);
      await list.storage.save();
      const anew = await kept(list.id, name);
      await list.close();
      await damage("documents", name);
      const locked = await codeOf(betwixt.list({ id: list.id }).keep(name));
      await betwixt.forget(name);
      const other = betwixt.list();
      const free = await codeOf(other.keep(name));
      await other.close();
      // A list that is kept without a head, as whoever wrote it in another way would have it.
      const plain = betwixt.list();
      plain.insert({ title: "Plain" });
      await withStore("documents", (documents) => documents.put(plain.save(), plain.id));
      const read = await kept(plain.id, plain.id);
      const codes = [await codeOf(betwixt.list().keep()), code(() => betwixt.forget()), code(() => betwixt.keptBytes(5))];
      return {
        before, refused: [refused.code, /kept [0-9a-f]+.* is damaged/.test(refused.message)], gone, empty, anew, locked,
        free, read, codes, rest: rest.items.map(({ fields }) => fields.title),
      };
    })()""")
    check(heard["before"] == [True, 2] and heard["gone"] == [False, 0] and heard["empty"] == [], str(heard))
    check(heard["refused"] == ["bytes", True] and heard["rest"] == ["Saved"], f"damage: {heard}")
    check(heard["anew"] == ["Saved", "Added", "Later"] and heard["locked"] == "bytes", str(heard))
    check("free" not in heard or heard["free"] is None, f"a name that was made free: {heard}")
    check(heard["read"] == ["Plain"] and heard["codes"] == ["request"] * 3, str(heard))


def check_numbers_used_twice(page):
    """Two writes under one number, by a document and its copy, are both kept, however they come together."""
    heard = page.run("""(async () => {
      const writer = (seed) => Betwixt.load(undefined, { random: (count) => new Uint8Array(count).fill(seed) });
      const first = (await writer(7)).list();
      const item = first.insert({ title: "Milk" });
      const base = first.save();
      const copies = [];
      for (const field of ["note", "other"]) {
        const copy = (await writer(5)).read(base);
        copy.set(item, { [field]: "x" });
        copies.push(copy.save());
      }
      let count = 0;
      const heard = [];
      /** What is kept after two lists were open, one after the other or both. */
      const expectBoth = async (body) => {
        const name = `${first.id} ${count++}`;
        await body(name);
        const list = betwixt.list({ id: first.id });
        await list.keep(name);
        heard.push(Object.keys(list.item(item).fields).sort().join());
        await list.close();
      };
      const opened = async (bytes, name) => {
        const list = betwixt.read(bytes);
        await list.keep(name);
        return list;
      };
      for (const isEdited of [false, true]) {
        const edit = (...lists) => isEdited && lists.forEach((list) => list.insert({ title: "Bread" }));
        await expectBoth(async (name) => {
          const list = await opened(copies[0], name);
          list.merge(copies[1]);
          edit(list);
          await list.storage.save();
          // Once they are there, an edit is a piece again.
          list.set(item, { title: "Eggs" });
          await list.storage.save();
          heard.push((await betwixt.keptBytes(name)).length);
          await list.close();
        });
        await expectBoth(async (name) => {
          await (await opened(copies[1], name)).close();
          const list = betwixt.read(copies[0]);
          edit(list);
          await list.keep(name);
          await list.close();
        });
        await expectBoth(async (name) => {
          const list = await opened(copies[0], name);
          const server = betwixt.read(copies[1]);
          edit(server);
          meet([list, server]);
          await until(() => same([list, server]));
          await Promise.all([list.close(), server.close()]);
        });
        await expectBoth(async (name) => {
          const tabs = [await opened(base, name), await opened(base, name)];
          await tabs[0].storage.save();
          tabs.forEach((tab, side) => tab.merge(copies[side]));
          edit(...tabs);
          for (const tab of tabs) await tab.storage.save();
          await Promise.all(tabs.map((tab) => tab.close()));
        });
      }
      return heard;
    })()""")
    both = "note,other,title"
    check(heard == [2, both, both, both, both] * 2, f"what is kept of two writes: {heard}")


def check_unseen(page):
    """What comes from the drive and is not shown, an edit under a removal, is told to the page and to its peers."""
    heard = page.run("""(async () => {
      const [list, server] = two();
      const item = list.insert({ title: "Milk" });
      await list.keep(list.id);
      const tab = betwixt.list({ id: list.id });
      await tab.keep(list.id);
      meet([list, server]);
      await until(() => same([list, server]));
      const told = [];
      list.subscribe((changes) => changes && told.push(...changes.hiddenEdits));
      tab.set(item, { title: "Eggs" });
      await tab.close();
      list.remove(item);
      await list.storage.save();
      await until(() => same([list, server]));
      const titles = server.removed.map(({ fields }) => fields.title);
      await Promise.all([list.close(), server.close()]);
      return { isTold: told.length === 1 && told[0] === item, titles };
    })()""")
    check(heard == {"isTold": True, "titles": ["Eggs"]}, f"what is not seen: {heard}")


def check_rescue(page):
    """What is whole of what is kept is kept on, what waits for its time too, and the page is told once."""
    heard = page.run("""(async () => {
      const ahead = await Betwixt.load(undefined, { now: () => Date.now() + 7 * 86_400_000 });
      const damage = async (store, key) => {
        const bytes = await withStore(store, (kept) => kept.get(key));
        bytes[bytes.length - 40] ^= 4;
        await withStore(store, (kept) => kept.put(bytes, key));
      };
      const heard = [];
      for (const [store, part] of [["writes", 1], ["documents", 0]]) {
        const list = betwixt.list();
        const name = list.id;
        list.insert({ title: "Whole" });
        await list.keep(name);
        for (const title of ["One", "Two"]) {
          list.insert({ title });
          await list.storage.save();
        }
        await list.close();
        const later = ahead.list({ id: name });
        await later.keep(name);
        later.insert({ title: "Next week" });
        await later.close();
        await damage(store, part ? [name, part] : name);
        const codes = [await codeOf(betwixt.list({ id: name }).keep(name))];
        const told = [];
        const again = betwixt.list({ id: name });
        await again.keep(name, { onDamage: ({ code, message }) => told.push(code, /is damaged/.test(message)) });
        const waiting = again.storage.waitingCount > 0;
        await again.close();
        const next = ahead.list({ id: name });
        codes.push(await codeOf(next.keep(name)));
        heard.push([codes, told, waiting, next.items.map(({ fields }) => fields.title)]);
        await next.close();
      }
      // Another list, or nothing damaged, is no damage.
      const other = betwixt.list();
      other.insert();
      await other.keep(other.id, { onDamage: () => heard.push("told") });
      heard.push(await codeOf(betwixt.list().keep(other.id, { onDamage: () => heard.push("told") })));
      await other.close();
      return heard;
    })()""")
    codes, told = ["bytes", None], ["bytes", True]
    check(heard == [[codes, told, True, ["Whole", "Two", "Next week"]],
                    [codes, told, True, ["One", "Two", "Next week"]], "list"], f"what is rescued: {heard}")


def check_piece_that_waits(page):
    """What another tab writes ahead of the clock, beside pieces that are read, is shown in its time."""
    heard = page.run("""(async () => {
      let now = Date.now();
      const mine = await Betwixt.load(undefined, { now: () => now });
      const ahead = await Betwixt.load(undefined, { now: () => Date.now() + 7 * 86_400_000 });
      const [list, other] = two([mine, ahead]);
      list.insert({ title: "Now" });
      await list.keep(list.id);
      await other.keep(list.id);
      other.insert({ title: "Next week" });
      await other.storage.save();
      await list.storage.save();
      const early = [list.length, list.storage.waitingCount > 0];
      list.insert({ title: "Later today" });
      await list.storage.save();
      await other.storage.save();
      now += 8 * 86_400_000;
      await list.storage.save();
      const late = [list.length, list.storage.waitingCount, other.length, same([list, other])];
      await Promise.all([list.close(), other.close()]);
      return { early, late };
    })()""")
    check(heard == {"early": [1, True], "late": [3, 0, 3, True]}, f"a piece that waits: {heard}")


def check_waiting_writes(page):
    """What was kept under a clock that was ahead stays on the drive until the clock is there."""
    heard = page.run("""(async () => {
      const late = await Betwixt.load(undefined, { now: () => Date.now() + 7 * 86_400_000 });
      const lists = two([late, betwixt]);
      await lists[0].keep(lists[0].id);
      lists[0].insert({ title: "Next week" });
      await lists[0].close();
      await lists[1].keep(lists[1].id);
      lists[1].insert({ title: "Today" });
      await lists[1].close();
      const again = late.list({ id: lists[0].id });
      await again.keep(again.id);
      return { now: await kept(again.id, again.id), later: again.items.map(({ fields }) => fields.title) };
    })()""")
    check(heard["now"] == ["Today"], f"today there is {heard['now']}")
    check(sorted(heard["later"]) == ["Next week", "Today"], f"next week there is {heard['later']}")


def check_clock_repair(page):
    """Once the clock is right, what it kept back is made again, also what waits on the drive."""
    heard = page.run("""(async () => {
      let ahead = 400 * 86_400_000;
      const mine = await Betwixt.load(undefined, { now: () => Date.now() + ahead });
      const [list, other] = two([mine, betwixt]);
      await list.keep(list.id);
      const item = list.insert({ title: "Milk" });
      await list.close();
      ahead = 0;
      const again = mine.list({ id: list.id });
      await again.keep(list.id);
      again.insert({ title: "Bread" });
      const waiting = again.storage.waitingCount;
      const before = [again.length, await again.repairClock(), again.length, waiting];
      again.set(item, { title: "Milk and eggs" });
      await again.storage.save();
      other.merge(again.delta());
      // What one tab writes under such a clock, another has not, and the drive has something else.
      ahead = 400 * 86_400_000;
      again.insert({ title: "Salt" });
      await again.storage.save();
      ahead = 0;
      const tab = mine.list({ id: list.id });
      ahead = 400 * 86_400_000;
      tab.insert({ title: "Oil" });
      ahead = 0;
      await tab.keep(list.id);
      await again.close();
      const last = [await tab.repairClock(), tab.items.length, await tab.repairClock()];
      await tab.close();
      return {
        before, last, other: other.items.map(({ fields }) => fields.title).sort(),
        kept: (await kept(list.id, list.id)).sort(),
      };
    })()""")
    check(heard["before"] == [1, 3, 2, 3], f"what was repaired: {heard}")
    check(heard["other"] == ["Bread", "Milk and eggs"], f"what others have: {heard}")
    check(heard["last"][1:] == [4, 0] and heard["last"][0] > 0, f"what was written in two tabs: {heard}")
    check(heard["kept"] == ["Bread", "Milk and eggs", "Oil", "Salt"], f"what is kept: {heard}")


def check_system_clock(page):
    """The clock of the system is followed back, at once where it was far ahead, and by a repair."""
    heard = page.run("""(async () => {
      const { now } = Date;
      const heard = [];
      try {
        for (const ahead of [2 * 86_400_000, 30_000]) {
          const [list, other] = two([await Betwixt.load(), betwixt]);
          const withheld = () => other.merge(list.save()).withheld.length;
          Date.now = () => now() + ahead;
          list.insert({ title: "While it was ahead" });
          Date.now = now;
          const before = [withheld() > 0, list.engine.now() - now() > 10_000];
          const count = await list.repairClock();
          list.insert({ title: "Later" });
          heard.push([...before, count > 0, withheld(), other.length, list.engine.now() - now() > 10_000]);
        }
      } finally {
        Date.now = now;
      }
      return heard;
    })()""")
    check(heard == [[True, False, True, 0, 2, False], [False, True, False, 0, 2, False]],
          f"the clock of the system: {heard}")


def check_repair_while_sharing(page):
    """A page that is told of its clock puts it right at once, within the session that told it."""
    heard = page.run("""(async () => {
      let ahead = 7 * 86_400_000;
      const mine = await Betwixt.load(undefined, { now: () => Date.now() + ahead });
      const [list, other] = two([mine, betwixt]);
      const repairs = [];
      list.share("clock", {
        onRefused: ({ byPeer, isDeferred }) => {
          if (!byPeer || !isDeferred) return;
          ahead = 0;
          list.repairClock().then((count) => repairs.push(count));
        },
      });
      const link = other.share("clock");
      await until(() => link.peerCount === 1);
      const before = list.replica;
      const item = list.insert({ title: "Milk" });
      await until(() => other.length === 1 && same([list, other]));
      other.set(item, { title: "Eggs" });
      list.insert({ title: "Bread" });
      await until(() => list.item(item).fields.title === "Eggs" && other.length === 2 && same([list, other]));
      const sessions = [list.sessions.size, other.sessions.size];
      await Promise.all([list.close(), other.close()]);
      return { repairs, sessions, isNew: list.replica !== before };
    })()""")
    check(heard == {"repairs": [3], "sessions": [1, 1], "isNew": True}, f"repaired while sharing: {heard}")


def check_greetings(page):
    """Tabs that greet each other at once, however often, are all connected, each with each."""
    heard = page.run("""(async () => {
      const heard = [];
      for (const count of [2, 4]) {
        const id = betwixt.id();
        const lists = Array.from({ length: count }, () => betwixt.list({ id }));
        const links = lists.map((list) => list.share("greetings"));
        for (let round = 0; round < 4; round++) {
          for (const link of links) link.greet();
          await wait(round);
        }
        lists.forEach((list) => list.insert());
        await wait(300);
        heard.push([new Set(lists.map((list) => list.digest)).size, lists[0].length === count,
          links.every((link) => link.peerCount === count - 1)]);
        for (const list of lists) await list.close();
      }
      const self = betwixt.list();
      const links = [self.share("self"), self.share("self")];
      await wait(50);
      heard.push(self.sessions.size + links[0].peerCount);
      await self.close();
      return heard;
    })()""")
    check(heard == [[1, True, True]] * 2 + [0], f"greetings that cross: {heard}")


def check_lost_peers(page):
    """Tabs meet again after a save that failed, and after one of them stood still for too long."""
    heard = page.run("""(async () => {
      let now = Date.now();
      const mine = await Betwixt.load(undefined, { now: () => now });
      const lists = two([mine, betwixt]);
      const [list, other] = lists;
      await list.keep(list.id, { onError: () => {} });
      const links = lists.map((list) => list.share("lost"));
      const areTogether = () => same(lists) && links.every((link) => link.peerCount === 1);
      other.insert({ title: "Before" });
      await until(() => list.length === 1 && areTogether());
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = () => { throw new Error("the drive is full"); };
      other.insert({ title: "While it is full" });
      await until(() => links.every((link) => link.peerCount === 0));
      IDBObjectStore.prototype.put = put;
      for (const list of lists) list.insert({ title: "After" });
      await until(areTogether);
      // While something is stored nobody listens, and nobody is lost by that.
      await list.save();
      await wait(300);
      const [session] = list.sessions;
      for (let count = 0; count < 2; count++) {
        now += 120_000;
        session.ask(Betwixt.operations.tick);
      }
      const lost = links[0].peerCount;
      // A page that is shown does not wait for the pause to end.
      const waiting = () => [...links[0].peers.values()].filter(({ timer }) => timer).length;
      const before = waiting();
      document.dispatchEvent(new Event("visibilitychange"));
      const after = waiting();
      other.insert({ title: "Late" });
      await until(areTogether);
      const result = [lost, before, after, list.length, list.sessions.size, other.sessions.size];
      for (const list of lists) await list.close();
      return result;
    })()""")
    check(heard == [0, 1, 0, 5, 1, 1], f"tabs that lost each other: {heard}")


def check_stopped_engine(page):
    """An engine that stops ends its sessions and links, each told once, and its lists can be closed."""
    heard = page.run("""(async () => {
      const engine = await Betwixt.load();
      const lists = two([engine, betwixt]);
      const [list, other] = lists;
      const unsaved = engine.list();
      for (const each of [list, unsaved]) await each.keep(each.id, { onError: () => {} });
      const [link, there] = lists.map((each) => each.share("stopped"));
      await until(() => link.peerCount === 1 && there.peerCount === 1);
      const told = [];
      const session = list.session({ send: () => {}, onClose: (reason) => told.push(reason) });
      unsaved.insert();
      const trap = () => { throw new WebAssembly.RuntimeError("unreachable"); };
      const { memory, betwixt_reserve, betwixt_count } = engine.exports;
      engine.exports = { memory, betwixt_reserve, betwixt_count, betwixt_call: trap };
      const codes = [code(() => list.insert()), code(() => list.insert()), code(() => session.cut()),
        code(() => session.end()), code(() => session.receive(new Uint8Array(4))), code(() => list.share("again"))];
      other.insert();
      await until(() => there.peerCount === 0);
      const left = [session.isClosed, list.sessions.size, list.links.size, link.peerCount];
      // Longer than a session waits until it looks at the time.
      await wait(5_500);
      codes.push(await codeOf(list.close()), await codeOf(unsaved.close()), code(() => list.length));
      left.push(list.storage, unsaved.storage);
      await other.close();
      return { told, codes, left };
    })()""")
    check(heard["told"] == ["the engine has stopped: unreachable"], f"what was told: {heard}")
    check(heard["codes"] == ["engine"] * 2 + [None] * 3 + ["engine", None, "engine", "handle"], f"codes: {heard}")
    check(heard["left"] == [True, 0, 0, 0, None, None], f"what is left: {heard}")


def check_arguments(page):
    """What is no object, is misspelt or is not there is refused, and not passed over."""
    codes = page.run("""(async () => {
      const list = betwixt.list();
      const item = list.insert({ title: "Milk" });
      const empty = Object.assign(Object.create(null), { title: "Eggs" });
      const refused = [
        () => list.insert(new Map([["title", "x"]])), () => list.insert("text"), () => list.insert(5),
        () => list.insert(["x"]), () => list.insert(null), () => list.set(item, new Date()),
        () => betwixt.list(list.id), () => betwixt.list({ ID: list.id }),
        () => list.insert({}, { befor: item }), () => list.insert({}, { before: item, at: 0 }),
        () => list.move(item, item), () => list.insert({}, { after: undefined }),
        () => list.move(item, { before: undefined }), () => betwixt.id(NaN), () => betwixt.id(-1),
        () => betwixt.id(1e9), () => list.insert({ note: "x".repeat(65_536) }),
        () => list.set(item, { when: new Date() }), () => list.delta(new Uint8Array([1, 2, 3])),
        () => betwixt.read(Uint8Array.of(0x89, 0x42, 0x54, 0x44)), () => list.session(null),
      ].map(code);
      refused.push(...await Promise.all([
        Betwixt.load("no-engine.wasm"), Betwixt.load("http://127.0.0.1:1/"), Betwixt.load(new Uint8Array(9)),
        Betwixt.load(undefined, null),
      ].map(codeOf)));
      refused.push(code(() => list.share()), typeof code(() => list.items.push(1)));
      const taken = [
        () => list.insert(empty), () => list.insert({}, { at: undefined }),
        () => list.insert({ title: undefined }, {}), () => betwixt.list({ id: undefined }),
      ].map(code);
      return { refused, taken, count: list.length, id: betwixt.id(3).length };
    })()""")
    check(codes["refused"] == ["request"] * 11 + ["id"] * 2 + ["number"] * 3
          + ["edit", "edit", "bytes", "bytes", "request", "engine", "engine", "engine", "request", "request", "string"], f"refused: {codes}")
    check(codes["taken"] == [None] * 4 and codes["count"] == 4 and codes["id"] == 6, f"taken: {codes}")


def check_wrong_arguments(page):
    """Whatever is given, what is thrown is an error with a code, and nothing is done."""
    heard = page.run("""(async () => {
      const list = betwixt.list();
      list.insert({ title: "Milk" });
      const gone = new Uint8Array(8);
      const view = new DataView(gone.buffer, 2);
      structuredClone(gone.buffer, { transfer: [gone.buffer] });
      const symbol = Symbol("none");
      const strange = Object.create(null);
      const round = {};
      round.round = round;
      const send = () => {};
      const session = list.session({ send });
      const codes = {
        bytes: [gone, view, gone.buffer].flatMap((bytes) => [
          () => list.merge(bytes), () => list.delta(bytes), () => betwixt.read(bytes), () => session.receive(bytes),
          () => betwixt.openFile("a.trip", bytes), () => betwixt.joinFiles([{ name: "a.trip", bytes }]),
        ]).concat(() => list.insert({ field: gone })),
        request: [
          () => list.share("x", null), () => list.share("x", { onSync: send }), () => list.share("x", { onSynced: 5 }),
          () => list.startDrags(null), () => betwixt.joinFiles(), () => betwixt.joinFiles([null]),
          () => betwixt.joinFiles([{ name: 5, bytes: new Uint8Array(1) }]), () => list.losses(symbol, "x"),
          () => list.losses("x"), () => list.export(symbol), () => betwixt.openFile(symbol, new Uint8Array(1)),
          () => list.session({ send, onClose: 5 }), () => list.session({ send, onSynced: "x" }),
        ],
        event: [() => list.event(1n), () => list.event(round)],
        id: [() => list.item(symbol), () => list.remove(strange), () => betwixt.list({ id: symbol })],
        number: [
          () => list.slice(symbol), () => list.slice(0, 1n), () => betwixt.id(symbol), () => betwixt.id(strange),
          () => list.insert({}, { section: symbol }), () => list.insert({}, { section: strange }),
        ],
        edit: [() => list.insert({}, { at: symbol }), () => list.insert({ field: symbol })],
      };
      const wrong = Object.entries(codes).flatMap(([name, bodies]) =>
        bodies.map((body) => [String(body), code(body)]).filter(([, code]) => code !== name));
      const broken = Uint8Array.of(0x1f, 0x8b, 1, 2, 3);
      const promises = await Promise.all([list.keep("x", null), list.keep("x", { onError: 5 }),
        list.keep("x", { onDamage: 5 }), Betwixt.load(gone),
        Betwixt.load(undefined, { now: 5 }), Betwixt.load(undefined, { random: "x" }), Betwixt.load(broken),
      ].map(codeOf));
      const taken = code(() => list.share("x", { onSynced: undefined, onRefused: null }).close());
      const left = [list.length, list.links.size, list.storage];
      await list.close();
      return { wrong, promises, taken, left };
    })()""")
    check(heard["wrong"] == [], f"codes: {heard['wrong']}")
    check(heard["promises"] == ["request", "request", "request", "bytes", "request", "request", "engine"], str(heard))
    check("taken" not in heard and heard["left"] == [1, 0, None], str(heard))


def check_endless_listeners(page):
    """A listener that answers every edit with another is stopped, and the engine is not."""
    count = page.run("""(() => {
      const list = betwixt.list();
      list.subscribe(() => list.insert({ title: "again" }));
      list.insert({ title: "once" });
      const [one, two] = [betwixt.list(), betwixt.list()];
      one.subscribe(() => two.insert());
      two.subscribe(() => one.insert());
      one.insert();
      return [list.length, one.length + two.length, betwixt.list().length];
    })()""")
    check(count[0] > 1 and count[1] > 2 and count[2] == 0, f"how often: {count}")
    errors = uncaught(page)
    check(errors and all("without an end" in error for error in errors), str(errors[:3]))


def check_back(browser, url):
    """Who goes back gets a page that shares and keeps as before."""
    left, right = browser.open(url), browser.open(url)
    for tab in (left, right):
        tab.wait("globalThis.betwixt !== undefined")
        tab.run("""(async () => {
          globalThis.list = betwixt.list({ id: "ba".repeat(16) });
          await list.keep("back");
          globalThis.link = list.share("back");
        })()""")
    left.wait("link.peerCount === 1")
    left.load("about:blank")
    right.wait("link.peerCount === 0")
    right.run("list.insert({ title: 'Meanwhile' })")
    left.back()
    left.wait("globalThis.list !== undefined")
    check(left.run("isBack"), "the browser opened the page anew, so that nothing was tried")
    left.wait("link.peerCount === 1 && list.length === 1")
    left.run("list.insert({ title: 'After' })")
    right.wait("list.length === 2")
    check(left.run("list.storage.save().then(() => list.digest)") == right.run("list.digest"), "they differ")
    # Without the other tab only the drive can tell.
    left.load("about:blank")
    right.run("(async () => { list.insert({ title: 'Alone' }); await list.close(); })()")
    left.back()
    left.wait("globalThis.isBack && list.length === 3")
    check(not left.problems and not right.problems, str(left.problems + right.problems))


def check_types(page):
    """The types name what there is, and no more."""
    types = open(os.path.join(folder, "betwixt.d.ts"), encoding="utf-8").read()
    inner = {"List": ["mustBeOpen", "ask", "request", "about", "turn", "changed", "drags", "finish",
                      "repair"],
             "Session": ["told", "ask", "leave", "perform", "read", "step", "give", "settle"],
             "Engine": ["call", "rawAnswer", "answer", "opened", "mustRun", "stop"], "BetwixtStatic": []}
    objects = {"List": "Betwixt.List.prototype", "Session": "Betwixt.Session.prototype",
               "Engine": "Betwixt.prototype"}
    for name, object in objects.items():
        body = re.search(rf"export interface {name} {{(.*?)\n}}", types, re.S).group(1)
        said = set(re.findall(r"^  (?:readonly )?(\w+)[(:]", body, re.M))
        there = set(page.run(f"Object.getOwnPropertyNames({object})"))
        missing = there - said - set(inner[name]) - {"constructor"}
        check(not missing, f"{name} has {sorted(missing)}, which have no type")
        own = "['id', 'replica', 'report', 'storage', 'isClosed', 'bytesSent', 'bytesReceived']"
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
            for step in [check_refusals, check_listeners, check_answers, check_sessions, check_values,
                         check_bytes, check_arguments, check_wrong_arguments, check_endless_listeners,
                          check_closing, check_failing_storage, check_lost_database, check_handles,
                         check_pieces, check_tabs, check_listeners_that_edit, check_kept, check_numbers_used_twice, check_unseen, check_rescue,
                         check_piece_that_waits, check_waiting_writes, check_clock_repair, check_system_clock,
                         check_repair_while_sharing,
                         check_greetings, check_lost_peers,
                         check_stopped_engine, check_types]:
                step(page)
                left = uncaught(page)
                check(not left, f"{step.__name__}: {left}")
                print(step.__name__.replace("check_", "").replace("_", " "), "holds")
            check_back(browser, address + "/page.html")
            print("back holds")


main()
