#!/usr/bin/env python3
"""Measures what people wait for: 100,000 items shown, merged, and one of them dropped.

    Tests/Scripts/measure-speed.py .build-release/release/betwixt [COUNT]

A trip of COUNT items (100,000) as plain JSON, and two copies of it in each of which every hundredth
title is another one. `show` must not take more processor time than twice what `jq .` takes for the
same file, and a merge of both copies with their base not more than four times that. The programs run
in turns, and the median of five runs counts. A drop in `edit` is timed from the key to the picture
that says so, the write to the drive included: its median must be below 100 ms. Ends with 1 if a limit
is not held; without `jq` only the drop is judged.
"""
import fcntl, json, os, pathlib, pty, select, shutil, statistics, struct, sys, tempfile, termios, time

RUNS, DROPS = 5, 11


def trips(count):
    items = [{
        "id": f"{number:08x}-0000-4000-8000-000000000000", "kind": "custom",
        "day": number // 300 + 1, "sortOrder": number % 300 + 1.0,
        "title": f"Stop number {number} by the river", "note": "Bring the tickets",
        "time": f"{number % 24:02}:{number % 60:02}", "modifiedAt": "2026-05-01T10:00:00Z",
        "tripId": "9e50adbf-f5e2-51c2-b7f7-fe9959319df5",
    } for number in range(count)]
    trip = {
        "id": "9e50adbf-f5e2-51c2-b7f7-fe9959319df5", "name": "Years", "startDate": "2026-01-01",
        "days": count // 300 + 1, "modifiedAt": "2026-05-01T10:00:00Z", "items": items,
    }
    yield "base", trip
    for name, first in [("phone", 0), ("tablet", 50)]:
        copy = dict(trip, items=list(items))
        for number in range(first, count, 100):
            copy["items"][number] = dict(
                items[number], title=f"Stop of the {name}", modifiedAt="2026-05-02T10:00:00Z")
        yield name, copy


def seconds(*arguments):
    """The processor time of one run."""
    process = os.fork()
    if process == 0:
        for descriptor in [1, 2]:
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
        os.execvp(arguments[0], [str(argument) for argument in arguments])
    _, status, usage = os.wait4(process, 0)
    if status:
        sys.exit(f"{arguments} ended with {status}")
    return usage.ru_utime + usage.ru_stime


class Editor:
    """The editor in a pseudo-terminal."""

    def __init__(self, *command):
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], [str(word) for word in command],
                       dict(os.environ, TERM="xterm-256color"))
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def until(self, words):
        text = b""
        while words.encode() not in text:
            if not select.select([self.master], [], [], 60)[0]:
                sys.exit(f"'{words}' does not come: {text[-300:]!r}")
            text += os.read(self.master, 65536)

    def calm(self):
        while select.select([self.master], [], [], 0.3)[0]:
            os.read(self.master, 65536)

    def timed(self, keys, words):
        """Milliseconds from keys to words."""
        self.calm()
        start = time.perf_counter()
        os.write(self.master, keys.encode())
        self.until(words)
        return (time.perf_counter() - start) * 1_000


def drops(tool, document):
    editor = Editor(tool, "edit", document)
    editor.until("Space lifts")
    times = []
    for number in range(DROPS):
        # The move is another one each time: down over some rows, back over some.
        editor.timed(" ", "Lifted")
        editor.timed("\x1b[B" if number % 3 < 2 else "\x1b[A", "-->")
        times.append(editor.timed(" ", "Dropped"))
    os.write(editor.master, b"q")
    os.waitpid(editor.process, 0)
    return times


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["BETWIXT_STATE"] = str(folder / "state")
        for part, trip in trips(count):
            (folder / f"{part}.json").write_text(json.dumps(trip))
        base, phone, tablet = (folder / f"{part}.json" for part in ["base", "phone", "tablet"])
        commands = {
            "show": [tool, "show", base],
            "merge": [tool, "merge", "--base", base, phone, tablet, "-o", folder / "merged.json"],
        }
        if shutil.which("jq"):
            commands["jq"] = ["jq", ".", base]
        times = {part: [] for part in commands}
        for _ in range(RUNS):
            for part, command in commands.items():
                (folder / "merged.json").unlink(missing_ok=True)
                times[part].append(seconds(*command))
        seconds(tool, "new", "--from", base, folder / "years.trip")
        dropped = statistics.median(drops(tool, folder / "years.trip"))
    is_held = dropped < 100
    print(f"{count} items; a drop in edit: {dropped:.0f} ms of at most 100")
    medians = {part: statistics.median(values) for part, values in times.items()}
    for part, limit in [("show", 2), ("merge", 4)]:
        if "jq" not in medians:
            print(f"{part}: {medians[part]:.2f} s; no jq here")
            continue
        ratio = medians[part] / medians["jq"]
        print(f"{part}: {medians[part]:.2f} s, {ratio:.2f} times jq . of at most {limit}")
        is_held = is_held and ratio <= limit
    sys.exit(0 if is_held else 1)


main()
