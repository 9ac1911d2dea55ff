"""The table and the sentences that README has of the benchmarks, from the lines of all runs."""
import statistics

# A loop that takes a peer longer is stopped.
CAP = 6
TITLES = {"loro": "Loro", "loro-list": "Loro's list", "pycrdt": "pycrdt"}
ROWS = [
    ("W1.op", "100,000 appends"),
    ("W1b.op", "100,000 prepends"),
    ("W2.op", "100,000 insertions anywhere"),
    ("W3a.op", "100,000 moves among 10,000 items"),
    ("W3b.op", "100,000 moves among 100,000 items"),
    ("W4.offline.op", "14,000 edits on ten forks, offline"),
    ("W4.export.op", "their ten deltas"),
    ("W4.merge.op", "merging the ten"),
    ("W4.fanout.op", "bringing the ten up to date"),
    ("W5.encode", "saving 100,000 items after 100,000 moves"),
    ("W5.load", "loading them; Loro unpacks later"),
    ("W5.edit", "loading them, and a first edit"),
    ("W6h", "ten writes apart after 100,000 moves"),
    ("W7.op", "a recorded text of 259,778 edits, an item each"),
]
SIZED = {"W4.export.op", "W5.encode", "W6h"}


class Results:
    def __init__(self, lines):
        self.machine = next(line for line in lines if line["peer"] == "machine")
        self.lines = [line for line in lines if line["peer"] != "machine"]
        self.wrong = [line for line in self.lines if line["check"].startswith("WRONG")]

    def peers(self):
        return {line["peer"]: line["version"] for line in self.lines if "version" in line and line["peer"] in TITLES}

    def median(self, who, workload, field="seconds"):
        """The middle of all runs, unless there are none or one was stopped."""
        lines = [line for line in self.lines if (line["peer"], line["workload"]) == (who, workload)]
        values = [line[field] for line in lines if line.get(field)]
        return statistics.median(values) if values and not any(line.get("capped") for line in lines) else None

    def stopped(self):
        names = {(line["peer"], line["workload"]) for line in self.lines if line.get("capped")}
        rows = dict(ROWS)
        return {peer: [rows[workload] for workload in rows if (peer, workload) in names]
                for peer, _ in sorted(names)}

    def is_whole(self, workload):
        """Whether our side and all peers ran it, were they stopped or not."""
        return {"betwixt", *TITLES} <= {line["peer"] for line in self.lines if line["workload"] == workload}

    def row(self, workload, words, clock):
        ours, loro = self.median("betwixt", workload, clock), self.median("loro", workload, clock)
        if ours is None:
            return None
        times = {who: seconds for who in TITLES if (seconds := self.median(who, workload, clock))}
        best = min(times, key=times.get, default=None)
        cells = [words, f"{digits(1_000 * ours)} ms"]
        cells.append(f"{digits(ours / times[best])} ({TITLES[best]})" if best else "–")
        cells.append(digits(ours / loro) if loro else "–")
        size, other = self.median("betwixt", workload, "bytes"), self.median("loro", workload, "bytes")
        is_sized = workload in SIZED and size and other
        return cells + [f"{size:,.0f} ({other:,.0f})" if is_sized else ""]

    def table(self, clock="seconds"):
        """Lines of Markdown, by wall seconds or by the "cpu" of the processor."""
        rows = [["work", "ours", "to the fastest", "to Loro's movable list", "bytes (Loro's)"],
                ["---", "--:", "--:", "--:", "--:"]]
        rows += [row for workload, words in ROWS if (row := self.row(workload, words, clock))]
        return ["| " + " | ".join(row) + " |" if row[0] != "---" else "|" + "|".join(row) + "|" for row in rows]

    def words(self):
        """What has to be known with the table: when, where, beside whom, and what grew."""
        machine, peers = self.machine, self.peers()
        rounds = f"medians of {machine['rounds']} runs" if machine["rounds"] > 1 else "one run"
        busy = f"load {machine['least_load']} to {machine['most_load']}, ours included"
        if "others" in machine:
            busy += f"; other programs kept {machine['others']} of the cores busy"
        busy += f"; {digits(self.waiting())} seconds for a second of the processor"
        versions = [f"{TITLES[who]} {peers[who]}" for who in ("loro", "pycrdt") if who in peers]
        versions += [f"Swift {machine['swift']}"] if machine["swift"] else []
        text = (f"Measured {machine['day']} on a {machine['cores']}-core {machine['system']} machine ({busy}): "
                f"wall time, {rounds}, ours and theirs in turns, a process each; {', '.join(versions)}. "
                "Below 1 is faster.")
        if "pycrdt" in peers:
            text += " pycrdt is driven below its classes for Python, so that yrs is what is timed."
        for who, rows in self.stopped().items():
            text += f" {TITLES[who]} was stopped after {CAP} s at: {'; '.join(rows)}."
        return [text, *filter(None, [self.growth()])]

    def waiting(self):
        """Wall time for each second of the processor: 1 where nobody else wants it."""
        return statistics.median(
            [line["seconds"] / line["cpu"] for line in self.lines if line.get("cpu", 0) > 0.001] or [1])

    def growth(self):
        """How costs grow to a million, and what a list holds."""
        parts = []
        pairs = [("W1.million", "W1.op", "an append"), ("W1b.million", "W1b.op", "a prepend"),
                 ("W2.million", "W2.op", "an insertion anywhere"), ("W3.million", "W3b.op", "a move")]
        grown = [(self.median("betwixt", large), self.median("betwixt", small), name) for large, small, name in pairs]
        if all(large and small for large, small, _ in grown):
            told = ", ".join(f"{name} {digits(large / small / 10)}" for large, small, name in grown)
            parts.append(f"Times per edit among a million, to those among a hundred thousand: {told}.")
        merge, read = (self.median("betwixt", name) for name in ("merge.million", "merge.million.decode"))
        if merge and read:
            parts.append("Merging two lists of a million that differ in a hundredth takes "
                         f"{digits(merge / read)} times as long as reading one.")
        if held := self.median("betwixt", "W9", "held_kib"):
            parts.append(f"After 100,000 moves, 100,000 items hold {held * 1024 / 1e6:.1f} MB.")
        return " ".join(parts)


def digits(value):
    """As many digits as a measured number deserves."""
    if value >= 10:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2f}" if value >= 0.095 else f"{value:.1g}"


def wrapped(text, width=120):
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def section(results):
    parts = results.table()
    for text in results.words():
        parts += ["", *wrapped(text)]
    return "\n".join(parts)
