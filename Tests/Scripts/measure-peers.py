#!/usr/bin/env python3
"""Measures the benchmarks beside other libraries, in turns, and makes README's table of it.

    measure-peers.py [BENCHMARKS] [--rounds 5] [--only W2,W5] [--quick] [--readme README.md]

BENCHMARKS is our side, .build-release/release/Benchmarks if nothing else is named. The peers are what PyPI has: Loro's
movable list and its plain one, and pycrdt with yrs inside, driven by Tests/Scripts/peers/workloads.py. Their pinned
versions are installed into .build-peers, or --python names an interpreter that has them; what cannot be had is named
and left out. Each run is a process of its own, in each round they stand in another order, and what counts are wall
seconds of the operations alone and their medians. Every result is held against the length and hash that it must reach.

Standard output is what `Benchmarks --compare` makes of it, a table of processor time, and last what stands in the
README between <!-- peers --> and <!-- /peers -->. --readme writes that; it takes a whole run with all peers, all of
whose results are right. The lines of a whole run are left in .build-peers/lines.jsonl, of another in some.jsonl;
--from makes the tables of such lines anew. A peer that takes more than 6 seconds for a loop is stopped there and left
out of later rounds of it. Five rounds take five minutes on a quiet machine and ten on a busy one, where the table
means little.
"""
import argparse, datetime, gzip, json, os, pathlib, platform, re, shutil, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent / "peers"))
from tables import CAP, ROWS, TITLES, Results, section

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
folder = root / ".build-peers"
PATIENCE = 300
PINNED = {"loro": "1.17.1", "pycrdt": "0.14.13"}
# What is run in one process, and what our side calls it; then what only our side runs.
UNITS = {"W1": "W1.op", "W1b": "W1b.op", "W2": "W2.op", "W3a": "W3a.op", "W3b": "W3b.op", "W4": "W4.op", "W5": "W5",
         "W6": "W6", "W6h": "W6h", "W7": "W7.op"}
OWN = ["W9"]
MILLIONS = ["W1.million", "W1b.million", "W2.million", "W3.million", "merge.million"]
MARKS = "<!-- peers -->", "<!-- /peers -->"


def fail(message):
    sys.exit(f"measure-peers: {message}")


def say(message):
    print(message, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmarks", nargs="?", default=root / ".build-release/release/Benchmarks")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help=f"some of {', '.join([*UNITS, *OWN])} and million")
    parser.add_argument("--quick", action="store_true", help="one round, and no lists of a million")
    parser.add_argument("--python", help="an interpreter that has the peers")
    parser.add_argument("--trace", help="the text of W7, packed or not; else .build-peers/automerge-paper.json.gz")
    parser.add_argument("--lines", help="where the lines of all runs go; else .build-peers/lines.jsonl or some.jsonl")
    parser.add_argument("--from", dest="source", help="lines of an earlier run, in place of a run")
    parser.add_argument("--readme", help="the file whose table is made anew")
    options = parser.parse_args()
    units = [*UNITS, *OWN, "million"]
    options.units = options.only.split(",") if options.only else units
    if unknown := set(options.units) - set(units):
        parser.error(f"no {', '.join(sorted(unknown))}; there are {', '.join(units)}")
    if options.rounds < 1:
        parser.error("--rounds needs a number from 1")
    if options.readme:
        if options.only or options.quick:
            parser.error("--readme needs a whole run, without --only and --quick")
        parted(pathlib.Path(options.readme))
    options.lines = options.lines or folder / ("some.jsonl" if options.only or options.quick else "lines.jsonl")
    if options.quick:
        options.rounds = 1
        options.units = [unit for unit in options.units if unit != "million"]
    if not os.access(options.benchmarks, os.X_OK):
        fail(f"there is no {options.benchmarks}: .ci/run release makes it")
    return options


def interpreter(options):
    """A Python that has the peers, in an environment of its own unless one is named."""
    if options.python:
        return options.python
    python = folder / "venv/bin/python"
    if not python.exists():
        say(f"makes {python.parent.parent.relative_to(root)}")
        subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
    for name, version in PINNED.items():
        found = [python, "-c", f"import importlib.metadata as m; assert m.version('{name}') == '{version}'"]
        if subprocess.run(found, capture_output=True).returncode == 0:
            continue
        say(f"installs {name} {version}")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{name}=={version}"]
        if subprocess.run(install).returncode != 0:
            say(f"{name} {version} cannot be installed and is left out; --python PATH names an interpreter that has it")
    return python


def recorded(options, scratch):
    """The recorded text, unpacked, or nothing."""
    path = pathlib.Path(options.trace or folder / "automerge-paper.json.gz")
    if not path.exists():
        if options.trace:
            fail(f"there is no {path}")
        if options.readme:
            fail("W7 needs its text: --trace automerge-paper.json.gz, which is in github.com/josephg/editing-traces")
        if "W7" in options.units:
            say("W7 is left out: --trace names its text, automerge-paper.json.gz of github.com/josephg/editing-traces")
        return None
    data = path.read_bytes()
    unpacked = pathlib.Path(scratch) / "trace.json"
    unpacked.write_bytes(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    return unpacked


class Machine:
    """How busy others keep the processors meanwhile."""

    def __init__(self):
        self.start, self.used, self.busy, self.loads = time.monotonic(), self.own(), self.all(), []
        self.look()

    @staticmethod
    def own():
        return sum(os.times()[:4])

    @staticmethod
    def all():
        """Seconds in which processors were busy, or taken away, since the machine started."""
        try:
            with open("/proc/stat") as file:
                times = list(map(int, file.readline().split()[1:9]))
        except OSError:
            return None
        return (sum(times) - times[3] - times[4]) / os.sysconf("SC_CLK_TCK")

    def look(self):
        self.loads.append(round(os.getloadavg()[0], 1))

    def line(self, rounds):
        line = {"peer": "machine", "rounds": rounds, "day": datetime.date.today().isoformat(),
                "system": platform.system(), "cores": os.cpu_count(), "swift": swift(),
                "least_load": min(self.loads), "most_load": max(self.loads)}
        if self.busy is not None:
            others = self.all() - self.busy - (self.own() - self.used)
            line["others"] = round(max(0, others / (time.monotonic() - self.start)), 1)
        return line


def swift():
    if not shutil.which("swift"):
        return None
    said = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"Swift version (\S+)", said)
    return found and found[1]


class Measurement:
    def __init__(self, options, python, trace):
        self.options, self.python, self.trace = options, python, trace
        self.lines, self.capped = [], set()
        try:
            found = subprocess.run([python, here / "peers/workloads.py", "--peers"], stdout=subprocess.PIPE, text=True)
        except OSError as error:
            fail(f"{python} does not run: {error.strerror}")
        self.peers = [line.split()[0] for line in found.stdout.splitlines()]
        if options.readme and (missing := [TITLES[peer] for peer in TITLES if peer not in self.peers]):
            fail(f"the README wants all peers, and there is no {', no '.join(missing)}")
        say("beside " + (found.stdout.strip().replace("\n", ", ") or "nobody"))

    def command(self, who, unit):
        text = ["--trace", self.trace] if unit == "W7" else []
        if who == "betwixt":
            return [self.options.benchmarks, *text, UNITS.get(unit, unit)]
        return [self.python, here / "peers/workloads.py", "--cap", str(CAP), *text, who, unit]

    def run(self, who, unit, turn):
        start = time.monotonic()
        try:
            result = subprocess.run(
                self.command(who, unit), capture_output=True, text=True, timeout=PATIENCE)
            said, code = result.stdout, result.returncode
            problem = None if code == 0 or said else f"WRONG: ended with {code}: {result.stderr.strip()[-300:]}"
        except subprocess.TimeoutExpired:
            said, problem = "", f"WRONG: no end after {PATIENCE} s"
        lines = [json.loads(line) for line in said.splitlines()]
        if problem:
            lines = [{"peer": who, "workload": unit, "check": problem}]
        for line in lines:
            if line["check"].startswith("WRONG"):
                say(f"{who} {line['workload']}: {line['check']}")
            if line.get("capped"):
                self.capped.add((who, unit))
        self.lines += [{**line, "round": turn} for line in lines]
        say(f"round {turn} {unit} {who}: {time.monotonic() - start:.1f} s")

    def rounds(self):
        machine = Machine()
        for turn in range(self.options.rounds):
            for unit in self.options.units:
                if unit == "W7" and not self.trace or unit == "million":
                    continue
                names = ["betwixt"] if unit in OWN else ["betwixt", *self.peers]
                first = turn % len(names)
                for who in names[first:] + names[:first]:
                    if (who, unit) not in self.capped:
                        self.run(who, unit, turn + 1)
            machine.look()
        if "million" in self.options.units:
            for turn in range(min(3, self.options.rounds)):
                for unit in MILLIONS:
                    self.run("betwixt", unit, turn + 1)
            machine.look()
        self.lines.append(machine.line(self.options.rounds))
        return self.lines


def compare(benchmarks, results):
    """Our own program's table, with a column for each peer; what was stopped is not in it."""
    with tempfile.TemporaryDirectory() as scratch:
        paths = [pathlib.Path(scratch) / name for name in ("ours", "theirs")]
        for path, is_ours in zip(paths, (True, False)):
            path.write_text("".join(json.dumps(line) + "\n" for line in results.lines
                                    if (line["peer"] == "betwixt") == is_ours and not line.get("capped")))
        command = [benchmarks, "--from", paths[0], "--compare", paths[1]]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout


def parted(path):
    """What stands before and behind the marks."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    if any(text.count(mark) != 1 for mark in MARKS) or text.index(MARKS[0]) > text.index(MARKS[1]):
        fail(f"{path} has not one {MARKS[0]} and behind it one {MARKS[1]}")
    return text.split(MARKS[0])[0], text.split(MARKS[1])[1]


def write(path, text, results):
    """Puts the section between its marks."""
    if results.wrong:
        fail(f"{path} is left as it is: {len(results.wrong)} results are wrong")
    if missing := [words for workload, words in ROWS if not results.is_whole(workload)]:
        fail(f"{path} is left as it is, because this was not measured with all: {'; '.join(missing)}")
    before, after = parted(path)
    path.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}", encoding="utf-8")
    say(f"{path} has the table")


def measured(options):
    if options.source:
        try:
            lines = [json.loads(line) for line in pathlib.Path(options.source).read_text().splitlines()]
        except (OSError, ValueError) as error:
            fail(f"{options.source}: {error}")
        if not any(line.get("peer") == "machine" for line in lines):
            fail(f"{options.source} is not from this script: no line tells of the machine")
        return lines
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        lines = Measurement(options, interpreter(options), recorded(options, scratch)).rounds()
    if len(lines) < 2:
        fail("nothing was measured")
    with open(options.lines, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return lines


def main():
    options = arguments()
    results = Results(measured(options))
    text = section(results)
    print(compare(options.benchmarks, results))
    print("The same in processor time:\n", *results.table("cpu"), "", text, sep="\n")
    if options.readme:
        write(pathlib.Path(options.readme), text, results)
    for line in results.wrong:
        say(f"wrong: {line['peer']} {line['workload']}: {line['check']}")
    return 1 if results.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
