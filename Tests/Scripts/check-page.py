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
        for step in [check_pointer, check_forbidden, check_focus, check_keys, check_offline, check_touch,
                     check_access, check_motion, check_widths, check_count, check_network, check_files]:
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
