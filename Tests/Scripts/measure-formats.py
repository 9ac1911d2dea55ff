#!/usr/bin/env python3
"""Measures how a calendar of 100,000 events is taken in and written again.

    Tests/Scripts/measure-formats.py .build-release/release/betwixt [COUNT]

The calendar is one as a calendar program writes it: some properties that a trip has fields for and
some that it keeps as they stand. Taking it in and writing it must not take more memory than 16
bytes for each byte of the calendar, nor more processor time than twice what `jq .` takes for the
same items as plain JSON. The best of three runs counts. Ends with 1 if a limit is not held; without
`jq` only the memory is judged.
"""

import os
import pathlib
import resource
import shutil
import sys
import tempfile
import time

RUNS = 3


def calendar(count):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Calendar//EN", "X-WR-CALNAME:Years"]
    for number in range(count):
        day, hour = number // 12 % 336, number % 12 + 8
        date = f"{2000 + number // 4032 % 60:04}{day // 28 + 1:02}{day % 28 + 1:02}"
        lines += [
            "BEGIN:VEVENT", f"UID:{number:08x}-event@calendar.example", "DTSTAMP:20260102T030405Z",
            f"DTSTART:{date}T{hour:02}0000", f"DTEND:{date}T{hour:02}4500",
            f"SUMMARY:Meeting number {number} with the travel agency",
            f"LOCATION:Room {number % 40}\\, second floor",
            "DESCRIPTION:Bring the tickets\\; the bags are in the hall",
            "CREATED:20260101T000000Z", "LAST-MODIFIED:20260102T030405Z", "SEQUENCE:0",
            "STATUS:CONFIRMED", "TRANSP:OPAQUE", "END:VEVENT",
        ]
    return "\r\n".join(lines + ["END:VCALENDAR", ""]).encode()


def run(*arguments, output=None):
    """The least processor time in seconds and the greatest memory in bytes of some runs."""
    times, sizes = [], []
    for _ in range(RUNS):
        process = os.fork()
        if process == 0:
            target = os.open(output or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(target, 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os.execvp(arguments[0], [str(argument) for argument in arguments])
        _, status, usage = os.wait4(process, 0)
        if status:
            sys.exit(f"{arguments} ended with {status}")
        times.append(usage.ru_utime + usage.ru_stime)
        sizes.append(usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
    return min(times), max(sizes)


def main():
    tool = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["BETWIXT_STATE"] = str(folder / "state")
        source, trip, plain = folder / "years.ics", folder / "years.trip", folder / "years.json"
        source.write_bytes(calendar(count))
        size = source.stat().st_size
        steps = {"import": run(tool, "import", "--force", source, "-o", trip)}
        steps["export"] = run(tool, "export", "--force", trip, "-o", folder / "again.ics")
        limit = None
        if shutil.which("jq"):
            run(tool, "export", "--force", trip, "-o", plain)
            limit = 2 * run("jq", ".", plain)[0]
    print(f"{count} events, {size / 1e6:.1f} MB; limits: {16 * size / 1e6:.0f} MB, "
          + (f"{limit:.2f} s" if limit else "no jq here"))
    isHeld = True
    for step, (seconds, memory) in steps.items():
        print(f"{step}: {memory / 1e6:.0f} MB, {seconds:.2f} s")
        isHeld = isHeld and memory <= 16 * size and (limit is None or seconds <= limit)
    sys.exit(0 if isHeld else 1)


main()
