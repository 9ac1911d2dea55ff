#!/usr/bin/env python3
"""Plays the page of devices, and the page of the documentation, in a browser.

    Tests/Scripts/check-page.py .build-web/page [PICTURES]

The first folder is what Sources/BetwixtWeb/make-page made. Pictures are left in the second one.
"""

import json
import os
import re
import sys
import tempfile
import time

from browser import Browser, Failure, NoBrowser, check, served

folder = os.path.abspath(sys.argv[1])
pictures = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else tempfile.mkdtemp()
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
address = "file://" + os.path.join(folder, "betwixt.html")

SAME = "document.getElementById('state').className === 'same'"


def titles(page, device):
    return page.run(f"page.devices[{device}].list.rows.rows.map((r) => r.title ?? `Day ${{r.day}}`)")


def digests(page):
    return page.run("page.devices.map((device) => device.list.digest)")


def settled(page):
    """Waits until all devices hold the same, and looks."""
    page.wait("new Set(page.devices.map((device) => device.list.digest)).size === 1")
    page.wait(SAME)


def point(page, device, title, part="'.handle'", at=0.5):
    """A point of a row, the middle of its handle unless said."""
    return page.run(f"""(() => {{
      const device = page.devices[{device}];
      const id = device.list.rows.rows.find((row) => row.title === {title!r}).id;
      const row = device.rowElements.get(id);
      const box = (row.querySelector({part}) ?? row).getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height * {at}];
    }})()""")


def drag(page, device, title, target, at=0.8):
    """Drags a row by its handle onto a part of another row."""
    start = point(page, device, title)
    end = point(page, device, target, "'.none'", at)
    page.pointer("mousePressed", *start)
    for step in range(1, 9):
        page.pointer(
            "mouseMoved", *(a + (b - a) * step / 8 for a, b in zip(start, end)))
    return end


def opened(browser, size=None):
    start = time.monotonic()
    page = browser.open(address)
    page.wait("globalThis.page?.devices.length === 2")
    page.wait(SAME)
    page.load_time = time.monotonic() - start
    return page


def check_pointer(page):
    before = titles(page, 0)
    end = drag(page, 0, "Breakfast", "Dinner")
    check(page.run("document.querySelectorAll('.copy').length") == 1, "no copy is lifted")
    check(page.run("page.devices[0].line.style.opacity") == "1", "no line is shown")
    page.picture(os.path.join(pictures, "drag.png"))
    page.pointer("mouseReleased", *end, buttons=0)
    after = titles(page, 0)
    check(after.index("Breakfast") == before.index("Dinner"), f"not dropped there: {after[:8]}")
    settled(page)
    check(titles(page, 1) == after, "the other device shows something else")
    page.wait("!page.devices[0].toast.hidden")
    page.wait("document.querySelectorAll('.copy').length === 0")
    page.run("page.devices[0].toastButton.click()")
    settled(page)
    check(titles(page, 1) == before, "the button of the message took nothing back")


def check_forbidden(page):
    """A leg stays between its games; above all of them it turns red, and nothing is written."""
    before = digests(page)
    end = drag(page, 0, "Vancouver → Seattle", "Way to the stadium", 0.2)
    check(page.run("document.querySelectorAll('.copy.invalid').length") == 1, "it is not red")
    page.pointer("mouseReleased", *end, buttons=0)
    page.wait("document.querySelectorAll('.copy').length === 0")
    check(digests(page) == before, "a forbidden drop was written")
    start = drag(page, 0, "Breakfast", "Dinner")
    page.key("Escape")
    page.run("window.dispatchEvent(new Event('blur'))")
    page.pointer("mouseReleased", *start, buttons=0)
    check(digests(page) == before, "a cancelled drag was written")


def focus(page, device, title):
    page.run(f"""(() => {{
      const device = page.devices[{device}];
      device.focus(device.list.rows.rows.find((row) => row.title === {title!r}).id);
    }})()""")


def check_keys(page):
    focus(page, 0, "Breakfast")
    page.key(" ")
    page.wait("document.getElementById('live').textContent.startsWith('Lifted Breakfast')")
    page.key("ArrowDown")
    page.key("ArrowDown")
    page.wait("document.getElementById('live').textContent.startsWith('Between')")
    page.key("Enter")
    page.wait("document.getElementById('live').textContent.startsWith('Dropped Breakfast')")
    label = page.run("document.activeElement.getAttribute('aria-label')")
    check(label == "Move Breakfast", f"the focus is at {label}")
    settled(page)
    page.key("z", 2)
    settled(page)
    focus(page, 0, "Dinner")
    page.key("F2")
    page.wait("document.querySelector('.field') !== null")
    page.run("document.querySelector('.field').select()")
    page.type("Supper")
    page.key("Enter")
    settled(page)
    check("Supper" in titles(page, 1), "the new title is not on the other device")


def focused(page):
    return page.run("""[document.activeElement].map((element) => element.tagName === "BODY" ? "nothing"
      : element.getAttribute("aria-label") ?? element.textContent)[0]""")


def check_focus(page):
    """Whoever has no pointer stays where the work is, and hears what was done."""
    def expect(label, after):
        page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        check(focused(page) == label, f"after {after} the focus is at {focused(page)}")

    def add():
        page.run("page.devices[0].addButton.focus(); page.devices[0].addButton.click()")
        page.wait("document.activeElement.className === 'field'")

    def edit(title):
        focus(page, 0, title)
        page.key("F2")
        page.wait("document.activeElement.className === 'field'")

    undo = "(() => { const { undoButton } = page.devices[0]; undoButton.focus(); undoButton.click(); })()"
    add()
    page.key("Escape")
    expect("Add", "Add and Escape")
    add()
    # With its character, as a keyboard sends it.
    page.ask("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", text="\r",
             windowsVirtualKeyCode=13)
    expect("Add", "Add and Enter on nothing")
    edit("Dinner")
    page.key("Escape")
    expect("Move Dinner", "F2 and Escape")
    edit("Dinner")
    # An input method's keys are its own.
    page.run("""["Escape", "Enter"].forEach((key) => page.devices[0].field.dispatchEvent(
      new KeyboardEvent("keydown", { key, isComposing: true })))""")
    check(page.run("document.activeElement.className") == "field", "an input method's key ends the field")
    page.run("document.querySelector('.field').select()")
    page.type("Late dinner")
    page.key("Enter")
    expect("Move Late dinner", "F2, another title and Enter")
    page.wait("document.getElementById('live').textContent === 'Changed Late dinner'")
    page.run(undo)
    settled(page)
    expect("Undo", "the last Undo")
    check(page.run("page.devices[0].undoButton.getAttribute('aria-disabled')") == "true", "there is more")
    # What others do takes nobody away: rows before and after, and the row itself.
    for title, wanted in [("Breakfast", "Move Dinner"), ("Dinner", "Move Vancouver → Seattle")]:
        focus(page, 1, "Dinner")
        page.run(f"""(() => {{
          const {{ list }} = page.devices[0];
          list.remove(list.rows.rows.find((row) => row.title === {title!r}).id);
        }})()""")
        settled(page)
        expect(wanted, f"{title} is removed elsewhere")
        page.run(undo)
        settled(page)
    # The row below is a game.
    before = titles(page, 0)
    focus(page, 0, "Way to the stadium")
    page.key("Delete")
    page.wait("!page.devices[0].toast.hidden")
    expect("Move Dinner", "Delete above a game")
    page.run("page.devices[0].toastButton.focus(); page.devices[0].toastButton.click()")
    settled(page)
    check(titles(page, 1) == before, "the button of the message took nothing back")
    expect("Redo", "the button of the message")
    page.wait("page.devices[0].toast.hidden")
    expect("Move Dinner", "the message")


LIVE = "document.getElementById('live').textContent"
LOG = "document.querySelector('#log li').textContent"


def edit(page, title):
    focus(page, 0, title)
    page.key("F2")
    page.wait("document.activeElement.className === 'field'")


def remove(page, device, title):
    page.run(f"""(() => {{
      const {{ list }} = page.devices[{device}];
      list.remove(list.rows.rows.find((row) => row.title === {title!r}).id);
    }})()""")


def check_typing(page):
    """What is typed is for the field alone: wherever its row is, and when there is none any more."""
    before = titles(page, 0)
    top = "document.querySelector('.field').getBoundingClientRect().top"
    edit(page, "Dinner")
    page.type("Meet Ann")
    start = page.run(top)
    page.run("page.devices[0].rows.scrollTop += 40")
    check(abs(page.run(top) + 40 - start) < 2, "the field does not go with its row")
    remove(page, 1, "Dinner")
    page.wait(f"page.devices[0].list.rows.rows.length === {len(before) - 1}")
    page.run("new Promise((done) => setTimeout(done, 100))")
    for key in ["Home", "Delete", " ", "ArrowDown"]:
        page.key(key)
    check(page.run("document.activeElement.className") == "field", "what is typed on is for another row")
    place = before.index("Dinner")
    check(titles(page, 0) == before[:place] + before[place + 1:], "the keys did something else")
    page.key("Enter")
    page.wait(f"{LIVE} === 'Not written, because the item is gone'")
    said = page.run(LOG)
    check("Meet Ann" in said, f"what was typed is gone: {said}")
    check(page.run("document.querySelector('.field')") is None, "the field stays")
    page.run("page.devices[1].undoButton.click()")
    settled(page)
    edit(page, "Dinner")
    page.run("page.devices[0].field.value = 'x'.repeat(70_000); page.devices[0].field.oninput()")
    page.key("Enter")
    page.wait(f"{LIVE} === 'Not written: a title has at most 65,535 bytes, and this one 70,000'")
    # Who has gone elsewhere is not fetched back.
    edit(page, "Dinner")
    page.run("document.querySelector('.field').select()")
    page.type("Later dinner")
    page.run("page.devices[1].addButton.focus()")
    page.wait(f"{LIVE} === 'Changed Later dinner'")
    check(page.run("document.activeElement === page.devices[1].addButton"), "the focus was taken away")
    page.run("page.devices[0].undoButton.click()")
    settled(page)
    check(titles(page, 0) == before, "something else was written")


def check_letters(page):
    """Keys as they come with the shift key and caps lock, and presses that come from no pointer."""
    count = len(titles(page, 0))
    for key, modifiers, isThere in [("Backspace", 0, False), ("Z", 2, True), ("Z", 10, False), ("z", 2, True),
                                    ("y", 2, False), ("z", 2, True)]:
        if key == "Backspace":
            focus(page, 0, "Dinner")
        page.key(key, modifiers)
        page.wait(f"page.devices[0].list.rows.rows.length === {count if isThere else count - 1}")
    settled(page)
    page.run(f"page.devices[0].rowElements.get(page.devices[0].list.rows.rows.find("
             "(row) => row.title === 'Breakfast').id).querySelector('.handle').click()")
    page.wait(f"{LIVE}.startsWith('Lifted Breakfast')")
    page.key("Escape")
    page.ask("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    colours = page.run("[page.devices[0].line, document.body].map((each) => getComputedStyle(each).backgroundColor)")
    check(colours[0] != colours[1], f"the line is not seen where colours are forced: {colours}")
    page.ask("Emulation.setEmulatedMedia", features=[])


def check_offline(page):
    page.run("page.devices[1].onlineSwitch.click()")
    end = drag(page, 0, "Breakfast", "Supper")
    page.pointer("mouseReleased", *end, buttons=0)
    end = drag(page, 1, "Way to the stadium", "Hotel check-in", 0.2)
    page.pointer("mouseReleased", *end, buttons=0)
    for device, name in [(0, "Early breakfast"), (1, "Late breakfast")]:
        page.run(f"""(() => {{
          const {{ list }} = page.devices[{device}];
          list.set(list.rows.rows.find((row) => row.title === "Breakfast").id, {{ title: {name!r} }});
        }})()""")
    time.sleep(0.3)
    check(len(set(digests(page))) == 2, "devices without a connection hold the same")
    page.picture(os.path.join(pictures, "offline.png"))
    page.run("page.devices[1].onlineSwitch.click()")
    settled(page)
    said = page.wait("document.querySelector('#log li:not(.quiet)')?.textContent")
    check("breakfast" in said, f"the merge says: {said}")
    page.wait(f"{LIVE}.includes('breakfast')")
    check(titles(page, 0) == titles(page, 1), "the devices show different trips")
    page.picture(os.path.join(pictures, "merged.png"))


def check_touch(page):
    page.ask("Emulation.setTouchEmulationEnabled", enabled=True)
    before = digests(page)[0]
    start = point(page, 0, "Supper")
    end = point(page, 0, "Way to the stadium", "'.none'", 0.2)
    page.touch("touchStart", start)
    for step in range(1, 7):
        page.touch("touchMove", tuple(a + (b - a) * step / 6 for a, b in zip(start, end)))
    page.touch("touchEnd")
    page.wait(f"page.devices[0].list.digest !== {before!r}")
    settled(page)
    # A finger on a row that goes at once scrolls, and lifts nothing.
    before = digests(page)
    row = point(page, 0, "Supper", "'.title'")
    page.touch("touchStart", row)
    page.touch("touchMove", (row[0], row[1] - 60))
    page.touch("touchEnd")
    check(digests(page) == before, "a scroll was written")
    # The list runs on for a while.
    page.run("new Promise((done) => setTimeout(done, 800))")
    page.ask("Emulation.setTouchEmulationEnabled", enabled=False)


def check_ended(page):
    """A connection that a session has ended, because a save failed, is there again once saves succeed."""
    page.run("""(() => {
      const { list } = page.devices[1];
      list.storage = { save: () => Promise.reject(new Error("the drive is full")), saveLater() {}, close() {} };
      page.devices[0].list.insert({ title: "While it is full" }, { section: 1 });
    })()""")
    # The session has ended, and another one follows.
    page.wait("page.lastPause > 0")
    page.run("page.devices[1].list.storage = null; page.devices[0].list.insert({ title: 'After' }, { section: 1 })")
    settled(page)
    check({"While it is full", "After"} <= set(titles(page, 1)), f"what is there: {titles(page, 1)}")


def check_closing_up(page):
    """Rows below one that was deleted come from where they were."""
    page.run("""(() => {
      const [device] = page.devices;
      const { perform } = device;
      page.closing = 0;
      device.perform = (ask) => {
        perform.call(device, ask);
        const moving = device.rows.getAnimations({ subtree: true })
          .filter((animation) => animation instanceof CSSTransition && animation.transitionProperty === "transform");
        page.closing = Math.max(page.closing, moving.length);
      };
    })()""")
    focus(page, 0, "Breakfast")
    page.key("Delete")
    page.wait("!page.devices[0].toast.hidden")
    moving = page.run("delete page.devices[0].perform; page.closing")
    page.key("z", 2)
    settled(page)
    check(moving > 0, "rows jump where one was deleted")


def check_network(page):
    """Late and lossy: it takes longer, and ends the same."""
    page.run("document.getElementById('count').value = '4'")
    page.run("document.getElementById('count').dispatchEvent(new Event('change'))")
    page.wait("page.devices.length === 4")
    page.run("page.delayElement.value = 40; page.lossElement.value = 15")
    for round in range(4):
        for device in range(4):
            page.run(f"page.devices[{device}].list.insert({{ title: 'Stop {round}{device}' }}, {{ section: 1 }})")
    page.run("page.lossElement.value = 0")
    page.wait("new Set(page.devices.map((device) => device.list.digest)).size === 1", 40)
    check(sum(title.startswith("Stop ") for title in titles(page, 3)) == 16, "stops are missing")
    page.picture(os.path.join(pictures, "four.png"))
    # Without a delay bytes still arrive in order.
    page.run("page.delayElement.value = 0")
    page.run("""(async () => {
      for (let round = 0; round < 12; round++) {
        for (const { list } of page.devices) list.insert({ title: `Quick ${round}` }, { section: 1 });
        await new Promise((done) => setTimeout(done, round % 4));
      }
    })()""")
    settled(page)
    check(sum(title.startswith("Quick ") for title in titles(page, 3)) == 48, "quick stops are missing")


def check_count(page):
    """Another number of devices: what one of them wrote without a connection stays."""
    page.run("page.devices[1].onlineSwitch.click()")
    page.run("page.devices[1].list.insert({ title: 'Only on the tablet' }, { section: 1 })")
    page.run("page.countElement.value = '3'; page.countElement.dispatchEvent(new Event('change'))")
    page.wait("page.devices.length === 3")
    settled(page)
    check(all("Only on the tablet" in titles(page, device) for device in range(3)), "an edit is gone")


def check_access(page):
    page.ask("Accessibility.enable")
    nodes = page.ask("Accessibility.getFullAXTree")["nodes"]
    named = [(node.get("role", {}).get("value"), node.get("name", {}).get("value", ""))
             for node in nodes if not node.get("ignored")]
    for role, name in [("list", "Trip on Phone"), ("button", "Move Supper"), ("switch", "Online"),
                       ("status", ""), ("heading", "What the merge says")]:
        check((role, name) in named, f"the tree has no {role} “{name}”")
    nameless = [role for role, name in named
                if role in ("button", "combobox", "slider", "checkbox", "switch") and not name]
    check(not nameless, f"without a name: {nameless}")


def check_motion(page):
    page.ask("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-reduced-motion", "value": "reduce"}])
    page.wait("stillness.matches")
    end = drag(page, 0, "Supper", "Hotel check-in")
    timing = page.run("document.querySelector('.copy').style.transition")
    check("transform" in timing and not re.search(r"[1-9]\d*m?s", timing),
          f"something moves: {timing}")
    page.pointer("mouseReleased", *end, buttons=0)
    page.ask("Emulation.setEmulatedMedia", features=[])


def check_files(page):
    """Two copies of a trip are joined, and what is saved is what is shown."""
    copies = os.path.join(root, "Tests/BetwixtTripsTests/Resources/copies/east-coast-june")
    files = sorted(os.path.join(copies, name) for name in os.listdir(copies)
                   if name.endswith(".json") and "base" not in name)
    page.ask("DOM.enable")
    node = page.ask("Runtime.evaluate", expression="page.filesElement")["result"]["objectId"]
    page.ask("DOM.setFileInputFiles", files=files, objectId=node)
    page.run("page.filesElement.files.length")
    page.wait("page.devices[0].list.rows.name.includes('East')")
    settled(page)
    same = page.run("""(() => {
      const { list } = page.devices[0];
      const again = list.engine.openFile("again.trip", list.export("trip").bytes);
      return again.digest === list.digest;
    })()""")
    check(same, "the saved file holds something else")
    refused = page.run("""(async () => {
      await page.openFiles([new File(["{"], "broken.json")]);
      return document.querySelector("#log li").textContent;
    })()""")
    check("broken.json" in refused, f"a broken file: {refused}")
    said = "document.querySelector('#log li').textContent"
    unread = page.run(f"""(async () => {{
      const file = new File([], "holiday");
      file.arrayBuffer = () => Promise.reject(new DOMException("a folder", "NotFoundError"));
      await page.openFiles([file]);
      return {said};
    }})()""")
    check(unread == "holiday: a folder", f"what cannot be read: {unread}")
    # What fails is heard, too.
    page.run("page.download(page.devices[0], 'nonsense')")
    page.wait(f"document.getElementById('live').textContent === {said} && !{said}.startsWith('holiday')")
    check_readings(page)
    name = page.run("""(() => {
      const { list } = page.devices[0];
      const { click } = HTMLAnchorElement.prototype;
      let name;
      HTMLAnchorElement.prototype.click = function () { name = this.download; };
      list.setMetadata({ name: "" });
      page.download(page.devices[0], "json");
      list.undo();
      HTMLAnchorElement.prototype.click = click;
      return name;
    })()""")
    check(name == "Trip.json", f"a trip without a name is saved as {name}")


def check_readings(page):
    """What reading a file leaves out is said, and what is no trip is refused."""
    def read(name, text):
        page.run("page.logElement.replaceChildren()")
        page.run(f"page.openFiles([new File([{text!r}], {name!r})])")
        return page.run("page.logElement.innerText")

    event = "BEGIN:VEVENT\\nUID:1\\nDTSTART:20260501T100000\\nSUMMARY:Kept\\nEND:VEVENT\\n"
    said = read("lossy.ics", f"BEGIN:VCALENDAR\\n{event}BEGIN:VEVENT\\nUID:2\\nEND:VEVENT\\nEND:VCALENDAR\\n"
                .replace("\\n", "\n"))
    check("lossy.ics:7: skipped" in said, f"of a calendar it says {said!r}")
    check(titles(page, 0) == ["Day 1", "Kept"], "the calendar shows something else")
    said = read("long.csv", "title,date\nFirst,1926-01-01\nLast,1990-05-05\n")
    check("long.csv:1: 1 × a date outside" in said, f"of a day too far away it says {said!r}")
    row = page.run("[...page.devices[0].rows.querySelectorAll('.item')].at(-1).innerText")
    check("stored on day 23501" in row, f"the row says {row!r}")
    before = titles(page, 0)
    for name, text, words in [("todo.txt", "(A) 2026-05-01 Call due:2026-05-09\n", "tasks"),
                              ("great.json", "1e2147483648", "great.json"),
                              ("greater.json", '{"days":1,"items":[{"x":0e9999999999}]}', "")]:
        said = read(name, text)
        check(words in said and "stopped" not in said, f"of {name} it says {said!r}")
        check(name == "greater.json" or titles(page, 0) == before, f"{name} is shown")


def check_stop(browser):
    """Where the engine has stopped the page says so, and no longer that all is the same."""
    page = opened(browser)
    page.run("""(() => {
      const { memory, betwixt_reserve, betwixt_count } = page.engine.exports;
      const betwixt_call = () => { throw new WebAssembly.RuntimeError("unreachable"); };
      page.engine.exports = { memory, betwixt_reserve, betwixt_count, betwixt_call };
      page.devices[0].addButton.click();
    })()""")
    page.wait("page.stateElement.textContent.includes('load the page anew')")
    page.run("page.showState(); new Promise((done) => setTimeout(done, 500))")
    said = page.run("page.stateElement.textContent")
    check("load the page anew" in said, f"a page whose engine has stopped says {said}")
    page.load("about:blank")


def check_tabs(browser):
    """Two tabs of the file share a trip, and what is kept is there again."""
    left, right = opened(browser), opened(browser)
    for tab in (left, right):
        tab.run("page.shareElement.click()")
    left.wait("[...page.devices[0].list.links][0]?.peerCount === 1")
    has = "page.devices[0].list.rows.rows.some((row) => row.title === 'Fish market')"
    # An edit that comes while the storage is still being opened is kept as well.
    left.run("page.keepElement.click()")
    left.run("page.devices[0].list.insert({ title: 'Fish market' }, { section: 1 })")
    right.wait(has)
    digest = right.run("page.devices[0].list.digest")
    check(left.run("page.devices[0].list.digest") == digest, "the tabs hold different trips")
    left.run("page.devices[0].list.storage.save()")
    check(not left.problems and not right.problems, str(left.problems + right.problems))
    for tab in (left, right):
        tab.load("about:blank")
    again = opened(browser)
    check(not again.run(has), "it is there before anybody asked for what was kept")
    again.run("page.keepElement.click()")
    again.wait(has)
    check(again.run("page.devices[0].list.digest") == digest, "what was kept is another trip")


def check_kept(browser):
    """A trip that was kept is among the trips, with what a device wrote without a connection."""
    path = os.path.join(root, "Tests/BetwixtTripsTests/Resources/formats/plain/trip.json")
    text = open(path, encoding="utf-8").read()
    page = opened(browser)
    page.run(f"page.openFiles([new File([{json.dumps(text)}], 'trip.json')])")
    page.run("page.keepElement.click()")
    page.run("page.devices[1].onlineSwitch.click()")
    for device, title in enumerate(["Gelato", "Siesta"]):
        page.run(f"page.devices[{device}].list.insert({{ title: '{title}' }}, {{ section: 1 }})")
    check("Siesta" not in titles(page, 0), "a device without a connection is heard")
    kept = "[...page.tripElement.options].find((option) => option.textContent === 'Rome (kept here)')"
    page.wait(f"{kept} !== undefined")
    page.run("Promise.all(page.devices.map(({ list }) => list.storage.save()))")
    page.load("about:blank")
    page = opened(browser)
    page.wait(f"{kept} !== undefined")
    page.run(f"{kept}.selected = true; page.tripElement.onchange()")
    page.wait("page.devices[0].list.rows.name === 'Rome'")
    settled(page)
    check({"Gelato", "Siesta"} <= set(titles(page, 0)), f"not kept: {titles(page, 0)}")
    check(page.run("page.keepElement.checked"), "it is kept no more")
    # It goes when that was asked for twice, with what each device kept of it, and nothing else does.
    names = "page.engine.keptNames()"
    before = page.run(names)
    identity = page.run("page.devices[0].list.id")
    check(not page.run("page.forgetElement.hidden"), "what is kept cannot be forgotten")
    # Whatever trip the choice stands on: another one may have been opened from a file.
    page.run(f"[...page.tripElement.options].find(({{ value }}) => value.length > 9 && value !== '{identity}').selected = true")
    page.run("page.forgetElement.click()")
    page.run("page.forgetElement.onblur()")
    page.run("page.forgetElement.click()")
    check(page.run(names) == before, "it was forgotten at once")
    page.run("page.forgetElement.click()")
    page.wait(f"{kept} === undefined && page.devices[0].list.rows.name !== 'Rome'")
    check("is kept on this machine no more" in page.run("page.logElement.textContent"), "nothing is said")
    left = page.run(names)
    check(left == [name for name in before if identity not in name] and len(left) < len(before),
          f"after {before} there is {left}")
    check(not page.problems, str(page.problems))
    page.load("about:blank")


def check_many(browser):
    """Of thousands of rows only those that are seen move when an edit arrives."""
    page = opened(browser)
    page.run("""(() => {
      const list = page.engine.read(page.devices[0].list.save());
      for (let stop = 0; stop < 2000; stop++) list.insert({ title: `Stop ${stop}` }, { section: 1 });
      page.start(list.save());
      const device = page.devices[1];
      const { showNews } = device;
      device.showNews = (...news) => {
        const start = performance.now();
        showNews.apply(device, news);
        page.newsTime = performance.now() - start;
        page.movedCount = device.rows.getAnimations({ subtree: true })
          .filter((animation) => !(animation instanceof CSSAnimation)).length;
      };
      page.devices[0].list.insert({ title: "First" }, { section: 1, at: 0 });
    })()""")
    took = page.wait("page.newsTime", 60)
    moved = page.run("page.movedCount")
    check(0 < moved < 100, f"an edit moves {moved} rows")
    check(took < 2_000, f"an edit that arrives is shown after {took:.0f} ms")
    settled(page)
    check(not page.problems, str(page.problems))
    page.load("about:blank")


def check_widths(page):
    """Each control lies inside its panel, and no page scrolls sideways, however long a word is."""
    page.run("page.devices[0].list.insert({ title: 'W'.repeat(400) }, { section: 1 })")
    for count, width in [(2, 320), (2, 390), (2, 800), (3, 1280), (4, 1280), (4, 1920)]:
        page.run(f"page.countElement.value = '{count}'")
        page.run("page.countElement.dispatchEvent(new Event('change'))")
        page.ask("Emulation.setDeviceMetricsOverride", width=width, height=900,
                 deviceScaleFactor=1, mobile=False)
        page.wait(f"page.devices.length === {count} && innerWidth === {width}")
        outside = page.run("""page.devices.flatMap(({ element }) => {
          const panel = element.getBoundingClientRect();
          return [...element.querySelectorAll(".bar > *, .bar input, .foot > *, .title")].filter((part) => {
            const box = part.getBoundingClientRect();
            return box.left < panel.left || box.right > panel.right || part.scrollWidth > part.clientWidth + 1
              && part.matches(".title");
          }).map((part) => part.className || part.tagName);
        })""")
        check(not outside, f"{count} devices at {width}: outside of their panel: {outside}")
        extent = page.run("document.documentElement.scrollWidth")
        check(extent <= width, f"{count} devices at {width}: the page is {extent} wide")
    page.ask("Emulation.clearDeviceMetricsOverride")
    page.run("page.countElement.value = '2'; page.countElement.dispatchEvent(new Event('change'))")


def check_stranger(browser):
    """The page of the documentation in two tabs, and once more after both are closed."""
    text = open(os.path.join(root, "Sources/BetwixtWeb/README.md"), encoding="utf-8").read()
    source = re.search(r"```html\n(.*?)```", text, re.S).group(1)
    check(len(source.splitlines()) <= 60, "the example has more than 60 lines")
    with tempfile.TemporaryDirectory() as place:
        with open(os.path.join(place, "todo.html"), "w", encoding="utf-8") as file:
            file.write(source)
        os.symlink(os.path.join(folder, "betwixt.js"), os.path.join(place, "betwixt.js"))
        with served(place) as address:
            url = address + "/todo.html"
            left, right = browser.open(url), browser.open(url)
            for tab in (left, right):
                tab.wait("globalThis.demo !== undefined")
            left.wait("demo.link.peerCount === 1")
            left.run("document.getElementById('title').value = 'Milk'; document.querySelector('button').click()")
            right.wait("demo.list.items.length === 1")
            right.run("document.getElementById('title').value = 'Eggs'; document.querySelector('button').click()")
            left.wait("demo.list.items.length === 2")
            right.run("document.querySelector('#items input').click()")
            left.wait("demo.list.items[0].fields.done === true")
            left.wait("document.querySelectorAll('#items li').length === 2")
            digest = left.run("demo.list.digest")
            check(digest == right.run("demo.list.digest"), "the tabs hold different lists")
            check(left.run("demo.list.replica") != right.run("demo.list.replica"), "one writer twice")
            left.run("demo.list.storage.save()")
            # The tab that was opened last is the one that is drawn.
            right.picture(os.path.join(pictures, "todo.png"))
            for tab in (left, right):
                tab.load("about:blank")
            left.load(url)
            left.wait("globalThis.demo !== undefined")
            check(left.run("demo.list.digest") == digest, "what was kept is another list")
            check(not left.problems and not right.problems, str(left.problems + right.problems))


def main():
    os.makedirs(pictures, exist_ok=True)
    try:
        started = Browser()
    except NoBrowser as none:
        print(f"{none} here: left out")
        return
    with started as browser:
        page = opened(browser)
        page.picture(os.path.join(pictures, "page.png"))
        for step in [check_pointer, check_forbidden, check_closing_up, check_focus, check_typing, check_letters, check_keys,
                     check_offline, check_touch,
                     check_access, check_motion, check_widths, check_count, check_ended, check_network, check_files]:
            page.run("page.devices.forEach((device) => (device.rows.scrollTop = 0))")
            try:
                step(page)
            except Failure:
                page.picture(os.path.join(pictures, "failed.png"))
                print("the page said:", page.problems)
                raise
            check(not page.problems, f"{step.__name__}: {page.problems}")
            print(step.__name__.replace("check_", ""), "holds")
        memory = page.run("page.engine.exports.memory.buffer.byteLength")
        print(f"the page was there after {page.load_time:.1f} s, its engine has {memory >> 20} MiB")
        check_stop(browser)
        print("stop holds")
        check_tabs(browser)
        print("tabs hold")
        check_kept(browser)
        print("kept holds")
        check_many(browser)
        print("many holds")
        check_stranger(browser)
        print("stranger holds")
    print("pictures in", pictures)


main()
