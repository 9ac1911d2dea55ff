#!/usr/bin/env python3
"""Take every trip beside the tests through the command, and read its files with other programs.

    Tests/Scripts/check-formats.py .build/debug/betwixt

Every trip is imported, checked, exported to every format, and what can be read comes back as it
was. The calendar must pass the packages `icalendar` and `vobject` (each left out, with a word, where
it is not installed), come back from the first with every event, and change nothing when it is
imported. The calendars of other programs among the tests' formats go through a trip, and both packages
must find the same components and properties in what comes out as in what went in. The elements of the GPX file must
stand in the order of its schema. The CSV file must be read by Python's own reader with as many
cells as its head. The copies of three devices are merged in every order, with their base. A trip
with a leg before its game is repaired.
"""

import collections
import csv
import datetime
import io
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

try:
    import icalendar
except ImportError:
    icalendar = None

try:
    import vobject
except ImportError:
    vobject = None

# What the writer of a file says of itself, and what our items carry.
WRITTEN_ANEW = {"PRODID", "DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "NAME", "X-WR-CALNAME", "VERSION"}

GPX = "{http://www.topografix.com/GPX/1/1}"
# The sequences of the types gpxType, metadataType, rteType and wptType.
ORDERS = {
    "gpx": "metadata wpt rte trk extensions",
    "metadata": "name desc author copyright link time keywords bounds extensions",
    "rte": "name cmt desc src link number type extensions rtept",
    "rtept": "ele time magvar geoidheight name cmt desc src link sym type fix sat hdop vdop pdop "
    "ageofdgpsdata dgpsid extensions",
}


def run(tool, *arguments, code=0):
    result = subprocess.run([tool, *map(str, arguments)], capture_output=True)
    if result.returncode != code:
        sys.exit(f"{arguments}: {result.returncode} and not {code}: {result.stderr.decode()}")
    return result.stdout


def check_order(element):
    name = element.tag.removeprefix(GPX)
    if name not in ORDERS:
        assert len(element) == 0, f"<{name}> holds elements"
        return
    order = ORDERS[name].split()
    places = [order.index(child.tag.removeprefix(GPX)) for child in element]
    assert places == sorted(places), f"the children of <{name}> are out of order"
    for child in element:
        check_order(child)


def check_gpx(data, items):
    root = ElementTree.fromstring(data)
    assert root.tag == GPX + "gpx" and root.get("version") == "1.1" and root.get("creator")
    check_order(root)
    points = list(root.iter(GPX + "rtept"))
    for point in points:
        assert -90 <= float(point.get("lat")) <= 90
        assert -180 <= float(point.get("lon")) < 180
    located = [item for item in items if "latitude" in item and "longitude" in item]
    assert len(points) == len(located), f"{len(points)} points of {len(located)} items"


def check_csv(data, items):
    rows = list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))
    assert len(rows) == len(items) + 1
    assert all(len(row) == len(rows[0]) for row in rows)


def instant(item):
    start = datetime.datetime.fromisoformat(item["start"])
    return start.astimezone(datetime.timezone.utc)


def check_calendar(tool, trip, folder, data, items):
    calendar = icalendar.Calendar.from_ical(data)
    assert not calendar.errors
    events = list(calendar.walk("VEVENT"))
    assert len(events) == len(items)
    for event, item in zip(events, items):
        assert not event.errors
        # The package leaves the values of other programs' properties as they stand.
        fields = json.loads(re.sub(r"\\([\\;,])", r"\1", str(event["X-BETWIXT-FIELDS"])))
        fields.pop("id", None)
        assert all(item[name] == value for name, value in fields.items())
        if "title" in item:
            assert str(event["SUMMARY"]) == item["title"]
        if item.get("kind") == "game" and len(item["start"]) > 16:
            assert event.decoded("DTSTART") == instant(item)
    for name, calendar_file in [("ours", data), ("rewritten", calendar.to_ical())]:
        path = folder / f"{name}.ics"
        path.write_bytes(calendar_file)
        again = folder / f"{name}.trip.json"
        run(tool, "import", "--into", trip, path, "-o", again)
        assert again.read_bytes() == trip.read_bytes(), f"the calendar {name} changed the trip"


def properties_icalendar(data):
    """Every property of every component, as the package reads it."""
    found = []
    for component in icalendar.Calendar.from_ical(data).walk():
        assert not component.errors, component.errors
        for name, value in component.property_items(recursive=False):
            if name in ("BEGIN", "END") or name in WRITTEN_ANEW or name.startswith("X-BETWIXT-"):
                continue
            parameters = sorted(getattr(value, "params", {}).items())
            found.append((component.name, name, str(parameters), value.to_ical()))
    return collections.Counter(map(str, found))


def properties_vobject(data):
    """Every property of every component, as the package reads it."""
    found = []

    def walk(component):
        for child in component.getChildren():
            if isinstance(child, vobject.base.Component):
                walk(child)
            elif child.name not in WRITTEN_ANEW and not child.name.startswith("X-BETWIXT-"):
                found.append((component.name, child.name, str(child.params), child.value))

    for calendar in vobject.readComponents(data.decode(), transform=False):
        walk(calendar)
    return collections.Counter(map(str, found))


def check_foreign_calendars(tool, formats, folder):
    """What a calendar says comes back, by the word of others."""
    readers = [("icalendar", icalendar, properties_icalendar), ("vobject", vobject, properties_vobject)]
    count = 0
    for path in sorted(formats.glob("*/*.ics")):
        trip = folder / "foreign.trip.json"
        run(tool, "import", path, "-o", trip)
        data = run(tool, "export", trip, "--format", "ics")
        for name, package, properties in readers:
            if package is None:
                continue
            lost = properties(path.read_bytes()) - properties(data)
            # A task's state that the file left open is said.
            assert not lost, f"{path}: {name} misses {sorted(lost)}"
        count += 1
    assert count, "no calendars beside the tests"
    return count


def check_returns(tool, source, trip, folder):
    """The trip comes back from every format that can be read."""
    assert run(tool, "check", trip) == b""
    plain = folder / "plain.json"
    run(tool, "export", trip, "-o", plain)
    assert plain.read_bytes() == source.read_bytes(), f"{source} comes back as another file"
    for ending in ["trip", "trip.json", "json", "ics"]:
        exported = folder / f"exported.{ending}"
        back = folder / "back.trip.json"
        run(tool, "export", trip, "-o", exported)
        run(tool, "import", exported, "-o", back)
        if ending.startswith("trip"):
            assert back.read_bytes() == trip.read_bytes(), f"{ending} lost something"
        assert run(tool, "diff", trip, back) == b"", f"{ending} shows another trip"
        run(tool, "import", "--into", trip, exported, "-o", back)
        assert back.read_bytes() == trip.read_bytes(), f"importing {ending} again is an edit"
    text = run(tool, "export", trip, "--format", "md").decode()
    items = json.loads(source.read_bytes())["items"]
    assert len(re.findall(r"^[0-9]+\. ", text, re.MULTILINE)) == len(items)


def check_merges(tool, folder, copies):
    """Every order of the devices' copies gives one file, in every format."""
    devices = sorted(path for path in copies.glob("*.json") if path.stem != "base")
    for form in ["trip.json", "json", "ics", "md", "csv", "gpx"]:
        results = {
            run(tool, "merge", "--base", copies / "base.json", *order, "--format", form)
            for order in itertools.permutations(devices)
        }
        assert len(results) == 1, f"the order of {copies} changes a byte of {form}"
    merged = folder / "merged.json"
    run(tool, "merge", "--base", copies / "base.json", *devices, "-o", merged)
    check_returns(tool, merged, imported(tool, merged, folder), folder)


def check_repair(tool, source, folder):
    """A leg that was put before its game goes home, and a second repair finds nothing."""
    trip = json.loads(source.read_bytes())
    last = trip["days"]
    legs = [item for item in trip["items"] if item["kind"] == "travel"]
    legs[0]["day"], legs[0]["sortOrder"] = last, 1600.0
    trip["items"][0]["day"] = last + 5
    broken = folder / "broken.json"
    broken.write_text(json.dumps(trip))
    document = folder / "broken.trip"
    document.unlink(missing_ok=True)
    run(tool, "check", broken, code=1)
    run(tool, "import", broken, "-o", document)
    run(tool, "repair", document)
    assert run(tool, "check", document) == b""
    before = document.read_bytes()
    run(tool, "repair", document)
    assert document.read_bytes() == before, "a second repair wrote something"
    assert len(json.loads(run(tool, "export", document, "--format", "json"))["items"]) == len(
        trip["items"]
    )


def imported(tool, source, folder):
    trip = folder / "trip.trip.json"
    run(tool, "import", source, "-o", trip)
    return trip


def main():
    tool = sys.argv[1]
    resources = pathlib.Path(__file__).parent.parent / "BetwixtTripsTests" / "Resources"
    paths = sorted(resources.glob("trips/*.json")) + sorted(resources.glob("copies/*/*.json"))
    copies_of_devices = sorted(resources.glob("copies/*/"))
    assert paths and copies_of_devices, "no trips beside the tests"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["BETWIXT_STATE"] = str(folder / "state")
        for copies in copies_of_devices:
            check_merges(tool, folder, copies)
        for path in paths:
            trip = imported(tool, path, folder)
            check_returns(tool, path, trip, folder)
            check_repair(tool, path, folder)
            items = json.loads(run(tool, "export", trip, "--format", "json"))["items"]
            check_gpx(run(tool, "export", trip, "--format", "gpx"), items)
            check_csv(run(tool, "export", trip, "--format", "csv"), items)
            if icalendar:
                data = run(tool, "export", trip, "--format", "ics")
                check_calendar(tool, trip, folder, data, items)
        foreign = check_foreign_calendars(tool, resources / "formats", folder)
    for name, package in [("icalendar", icalendar), ("vobject", vobject)]:
        if package is None:
            print(f"left out: the package {name} is not installed (pip install {name})")
    print(
        f"{len(paths)} trips and {foreign} calendars come back; "
        "calendars, GPX and CSV files are read by others"
    )


main()
