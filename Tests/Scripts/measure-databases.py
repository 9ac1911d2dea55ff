#!/usr/bin/env python3
"""Measures the statements of BetwixtSQL on PostgreSQL, in turns with plain ones over the same rows.

    measure-databases.py PATH-OF-BETWIXT [--items 333334] [--runs 9]

It needs no packages: a server of its own by Tests/Scripts/postgres with its usual settings, psql, and `betwixt
sql` for tables and statements, which are prepared once as a driver does. What is printed are medians of the
times that psql gives, and their ratios:

  * merges of 1, 100 and 10,000 rows that are new, and plain inserts of the same rows into the same columns
    with the same indexes; claims are part of the merge. Each commit waits for the drive, and then once more
    none does, which shows what the statement costs by itself
  * a page of 50 from the middle, and fifty reads by primary key, each a statement of its own; then all in one
  * what a list lacks that misses ten writes, and `select 1`

A list has three rows for each item: life, position, title. It ends with 1 if a ratio is above its limit: 1.8
for merges, 3 for the page, 30 for what is missing. Where there is no PostgreSQL it says so and ends with 0.
"""
import argparse, pathlib, re, statistics, subprocess, sys, tempfile

LIST = "0000000000000000000000000000d001"
ME, HIM = -(2**63) + 7, -(2**63) + 8  # replicas 7 and 8, their top bits flipped
TIME = 1_777_000_000_000 << 16


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("betwixt")
    parser.add_argument("--items", type=int, default=333_334)
    parser.add_argument("--runs", type=int, default=9)
    return parser.parse_args()


class Server:
    """A PostgreSQL that ends with this process, and one connection to it."""

    def __init__(self, folder):
        script = pathlib.Path(__file__).resolve().parent / "postgres"
        self.process = subprocess.Popen([script, "run", folder, "-c", "shared_buffers=512MB", "-c", "max_wal_size=4GB"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            sys.exit("measure-databases: the server does not start")
        connect = ["psql", "-h", folder, "-U", "postgres", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        self.shell = subprocess.Popen(connect, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.marks = 0

    def perform(self, text):
        """What it prints, and the milliseconds of each statement if \\timing is on."""
        self.marks += 1
        self.shell.stdin.write(f"{text}\n\\echo mark{self.marks}\n")
        self.shell.stdin.flush()
        lines = []
        for line in self.shell.stdout:
            if line == f"mark{self.marks}\n":
                times = [float(found[1]) for line in lines if (found := re.match(r"Time: ([\d.]+) ms", line))]
                return [line for line in lines if not line.startswith("Time: ")], times
            lines.append(line)
        sys.exit("measure-databases: a statement has failed")

    def close(self):
        self.shell.stdin.close()
        self.shell.wait()
        self.process.stdin.close()
        self.process.wait()


def prepared(script):
    """PREPARE for each statement in the comments of `betwixt sql`."""
    names = {}
    for block in re.split(r"^-- (?=[a-z.0-9-]+: )", script, flags=re.M)[1:]:
        name = block.split(":")[0].replace(".", "_").replace("-", "_")
        types = re.findall(r"^-- \$\d+ ([a-z\[\]]+):", block, re.M)
        body = "\n".join(re.findall(r"^--   (.*)$", block, re.M))
        names[name] = f"PREPARE {name} ({', '.join(types)}) AS {body}"
    return names


def item(number):
    return f"{number:032x}"


def registers(first, count, replica, sequence):
    """Rows of new items from a number on: item, kind, name, length, time, replica, value, sequence."""
    rows = []
    for place in range(count):
        number, kind = divmod(place, 3)
        # The values are long as those of the library: one byte, a position, a short text.
        key = f"{first + number:014x}"
        value = ["01", "8000000000000000" + key, "05" + key][kind]
        rows.append((item(first + number), kind, "7469746c65" if kind == 2 else "", 1 if kind == 0 else 0,
                     TIME, replica, value, sequence + place + 1))
    return rows


def array(values):
    return "'{" + ",".join(str(value) for value in values) + "}'"


def blobs(values):
    return "'{" + ",".join(f'"\\\\x{value}"' for value in values) + "}'"


def columns(rows):
    item, kind, name, length, time, replica, value, sequence = zip(*rows)
    return [f"'\\x{LIST}'", blobs(item), array(kind), blobs(name), array(length), array(time), array(replica),
            blobs(value), array(sequence)]


def merge(rows):
    first, last, who = rows[0][7] - 1, rows[-1][7], rows[0][5]
    none = [0] * len(rows)
    return columns(rows) + [array(none), array(none), array([who]), array([who]), array([first]), array([last]), array([]), array([]), array([last])]


def execute(name, values):
    return f"EXECUTE {name} ({', '.join(values)});"


def locked(merge):
    """A merge in its transaction, behind the lock that all who merge share."""
    return "BEGIN;\n" + execute("rows_together", ["2", "3"]) + f"\n{merge}\nCOMMIT;"


def fill(server, count):
    """As many items as asked, by plain SQL, and the version that goes with them."""
    server.perform(f"""
        INSERT INTO betwixt_register SELECT '\\x{LIST}', decode(lpad(to_hex(i), 32, '0'), 'hex'), k,
          CASE k WHEN 2 THEN 'title'::bytea ELSE '' END, CASE k WHEN 0 THEN 1 ELSE 0 END, {TIME}, {ME},
          decode(CASE k WHEN 0 THEN '01' WHEN 1 THEN '8000000000000000' ELSE '05' END ||
            CASE k WHEN 0 THEN '' ELSE lpad(to_hex(i), 14, '0') END, 'hex'), 3 * i + k + 1
        FROM generate_series(0, {count - 1}) AS i, generate_series(0, 2) AS k;
        INSERT INTO betwixt_version VALUES ('\\x{LIST}', {ME}, {3 * count}, {3 * count}, 0);
        CREATE TABLE plain (LIKE betwixt_register INCLUDING INDEXES);
        INSERT INTO plain SELECT * FROM betwixt_register;
        VACUUM ANALYZE; CHECKPOINT;""")


def in_turns(server, runs, first, second):
    """Medians of two kinds of statements, one run of each after the other; the first turn warms up."""
    times = ([], [])
    for turn in range(runs + 1):
        for kind, make in enumerate((first, second)):
            took = sum(server.perform(make(turn))[1])
            if turn > 0:
                times[kind].append(took)
    return [statistics.median(part) for part in times]


def measure(server, items, runs):
    server.perform(
        "PREPARE plain_insert (bytea, bytea[], smallint[], bytea[], bigint[], bigint[], bigint[], bytea[], bigint[]) AS "
        "INSERT INTO plain SELECT $1, new.* FROM unnest($2, $3, $4, $5, $6, $7, $8, $9) AS new;"
        "PREPARE by_key (bytea) AS SELECT value FROM betwixt_register "
        f"WHERE list = '\\x{LIST}' AND item = $1 AND kind = 2 AND name = 'title';"
        "PREPARE by_keys (bytea[]) AS SELECT item, value FROM betwixt_register "
        f"WHERE list = '\\x{LIST}' AND item = ANY ($1) AND kind = 2 AND name = 'title';\n\\timing on")
    results = []
    start = items
    for count, turns, commit in [(count, turns * runs, commit) for commit in ("on", "off")
                                 for count, turns in ((1, 20), (100, 5), (10_000, 1))]:
        server.perform(f"SET synchronous_commit = {commit};")
        batches = []
        for turn in range(turns + 1):
            batches.append(registers(start, count, HIM, (start - items) * 3))
            start += -(-count // 3)
        ours, plain = in_turns(
            server, turns, lambda turn: locked(execute("rows_merge", merge(batches[turn]))),
            lambda turn: execute("plain_insert", columns(batches[turn])))
        where = "" if commit == "on" else ", the drive left out"
        limit = 1.8 if commit == "on" else None
        results.append((f"merge of {count:,}, to inserts of the same rows{where}", ours, plain, limit))
    stored, _ = server.perform("SELECT (SELECT count(*) FROM betwixt_register), (SELECT count(*) FROM plain);")
    assert len(set(stored[0].strip().split("|"))) == 1, stored

    def page(turn):
        behind = items // 2 + 100 * turn
        return execute("rows_page", [f"'\\x{LIST}'", f"'\\x8000000000000000{behind:014x}'", f"'\\x{item(behind)}'", "50"])

    def keys(turn):
        behind = items // 2 + 100 * turn
        return "\n".join(execute("by_key", [f"'\\x{item(behind + place)}'"]) for place in range(1, 51))

    def keys_at_once(turn):
        behind = items // 2 + 100 * turn
        return execute("by_keys", [blobs(item(behind + place) for place in range(1, 51))])

    assert all(len(server.perform(ask(0))[0]) == 50 for ask in (page, keys, keys_at_once))
    # A reader who misses the last ten writes of the replica that wrote the list.
    since = execute("rows_since", [f"'\\x{LIST}'", array([ME, HIM]), array([3 * items - 10, 2**62]), array([]), array([])])
    assert len(server.perform(since)[0]) == 11
    results.append(("a page of 50, to fifty reads by key", *in_turns(server, 5 * runs, page, keys), 3))
    results.append(("a page of 50, to one read of fifty keys", *in_turns(server, 5 * runs, page, keys_at_once), None))
    news = in_turns(server, 5 * runs, lambda _: since, lambda _: "SELECT 1;")
    results.append(("ten missing writes, to select 1", *news, 30))
    return results


def main():
    options = arguments()
    there = subprocess.run([pathlib.Path(__file__).resolve().parent / "postgres", "there"], capture_output=True)
    if there.returncode != 0:
        return print("no PostgreSQL here: left out")
    script = subprocess.run([options.betwixt, "sql", "--dialect", "postgres"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder).chmod(0o755)
        server = Server(folder + "/server")
        try:
            server.perform(script.stdout)
            fill(server, options.items)
            statements = prepared(script.stdout)
            for name in ("rows_together", "rows_merge", "rows_page", "rows_since"):
                server.perform(statements[name])
            results = measure(server, options.items, options.runs)
        finally:
            server.close()
    print(f"{3 * options.items:,} rows, medians of {options.runs} to {20 * options.runs} runs in turns")
    for name, ours, theirs, limit in results:
        print(f"{name}: {ours:.3f} ms to {theirs:.3f} ms, {ours / theirs:.2f}" + (f" (at most {limit})" if limit else ""))
    return 0 if all(limit is None or ours <= limit * theirs for _, ours, theirs, limit in results) else 1


if __name__ == "__main__":
    sys.exit(main())
