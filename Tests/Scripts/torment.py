#!/usr/bin/env python3
"""Real processes on real files, treated as people and machines treat them.

    torment.py PATH-OF-BETWIXT [--rounds N] [--seed S] [--verbose]

Some devices edit copies of one trip: several commands at once, commands that are killed, branches that
are merged, older copies put back, state folders restored, syncs by file, pipe and folder, and the files
of devices that are called gone are taken out of the folder. What copies the shared folder between
devices delays, doubles, truncates and reorders, and takes away what was taken away. A table that another
program keeps grows and changes, and any device takes it in: with a kill, two at once, or again.

A shadow remembers, for each file, the serial number of every write that was acknowledged into it (by the
exit code 0) and that nobody has taken away since by putting another file in its place. After each round
every document holds all of its own, and shows no item twice. Each life of some rounds ends with all
devices brought together: all digests are equal, doctor finds nothing, and every number is in every
document.

A failure prints the command that replays it, and what was done to the document.
"""
import argparse, json, os, pathlib, random, shutil, subprocess, sys, tempfile, time

arguments = argparse.ArgumentParser()
arguments.add_argument("betwixt")
arguments.add_argument("--rounds", type=int, default=40)
arguments.add_argument("--seed", type=int, default=1)
arguments.add_argument("--verbose", action="store_true")
options = arguments.parse_args()
betwixt = str(pathlib.Path(options.betwixt).resolve())
ROUNDS_OF_A_LIFE = 10
counts = {}


def count(what, number=1):
    counts[what] = counts.get(what, 0) + number


class Broken(Exception):
    pass


class Device:
    """One machine: a folder with a document, a state folder, a folder that is shared."""

    def __init__(self, root, name):
        self.name, self.root = name, root / name
        for folder in ("state", "shared"):
            (self.root / folder).mkdir(parents=True)
        self.trip = self.root / "trip.trip"
        self.backups = []
        self.states = []

    def environment(self):
        return {"BETWIXT_STATE": str(self.root / "state"), "PATH": os.environ.get("PATH", "")}

    def start(self, *words):
        count("commands")
        return subprocess.Popen(
            [betwixt, *map(str, words)], env=self.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Life:
    """Some rounds with the same devices."""

    def __init__(self, root, draw):
        self.draw, self.serial, self.log = draw, 0, []
        self.devices = [Device(root, name) for name in ("phone", "tablet", "laptop")]
        # The numbers that each file must hold; what was put into a shared folder is never taken out.
        self.held, self.shared = {}, set()
        # What another program has: a row for each number, its day and a note, and the file of it.
        self.rows, self.plan = [], root / "plan.csv"
        first = self.devices[0]
        self.run(first, "new", "--name", "Trip", "--start", "2026-05-01", "--days", "4", first.trip)
        self.held[first.trip] = set()
        for device in self.devices[1:]:
            self.run(device, "sync", "--create", "--with", first.trip, device.trip)
            self.held[device.trip] = set()

    # Commands

    def note(self, device, words, code):
        line = f"{device.name}: {' '.join(map(str, words))} -> {code}"
        self.log.append(line)
        if options.verbose:
            print(line)

    def finish(self, device, process, words, allowed=(0,)):
        output, messages = process.communicate()
        self.note(device, words, process.returncode)
        if process.returncode not in allowed:
            raise Broken(f"{' '.join(map(str, words))}: {process.returncode}\n{messages}")
        return process.returncode, output, messages

    def run(self, device, *words, allowed=(0,)):
        return self.finish(device, device.start(*words), words, allowed)

    def killed(self, device, *words):
        """Runs a command and kills it at some time; true if it had said before that it was done."""
        process = device.start(*words)
        time.sleep(self.draw.random() * self.draw.choice((0.01, 0.05, 0.2)))
        process.kill()
        process.communicate()
        self.note(device, words, process.returncode)
        count("killed", process.returncode != 0)
        return process.returncode == 0

    def next_serial(self):
        self.serial += 1
        return self.serial

    def day(self):
        return str(self.draw.randint(1, 4))

    # What is done to documents

    def add(self, device, path):
        serial = self.next_serial()
        return serial, ("add", path, "--day", self.day(), "--title", f"s{serial}")

    def edit(self, device, path):
        kind = self.draw.random()
        known = sorted(self.held[path])
        if kind < 0.5 or not known:
            serial, words = self.add(device, path)
        elif kind < 0.7:
            serial = self.next_serial()
            words = ("set", path, f"s{self.owner(known, path)}", f"s{serial}=yes")
        elif kind < 0.85:
            self.run(
                device, "move", "--day", self.day(), path, f"s{self.owner(known, path)}",
                allowed=(0, 1))
            return
        else:
            return self.noise(device, path)
        if self.draw.random() < 0.25:
            if self.killed(device, *words):
                self.held[path].add(serial)
        else:
            self.run(device, *words)
            self.held[path].add(serial)
            count("acknowledged")

    def owner(self, known, path):
        """A number that is an item's and no field's."""
        items = [serial for serial in known if serial in self.titles(path)]
        return self.draw.choice(items) if items else known[0]

    def noise(self, device, path):
        """Writes that others may undo: items that come and go, a long text that compacts the file."""
        number = self.draw.randint(1, 5)
        self.run(device, "add", path, "--day", self.day(), "--title", f"noise {self.next_serial()}")
        choice = self.draw.random()
        if choice < 0.3:
            text = self.draw.choice("xyz") * self.draw.choice((10, 3_000, 60_000))
            self.run(device, "set", path, "trip", f"note{number}={text}")
        elif choice < 0.6:
            titles = sorted(self.contents(path)[2])
            if titles:
                self.run(
                    device, "remove", path, self.draw.choice(titles), allowed=(0, 1))

    def edit_at_once(self, device, path):
        """Several commands at the same time, of which one may be killed."""
        running = []
        for _ in range(self.draw.randint(2, 5)):
            serial, words = self.add(device, path)
            running.append((serial, words, device.start(*words)))
        if self.draw.random() < 0.4:
            words = ("merge", "-q", path, *self.others(device), "-o", path)
            running.append((None, words, device.start(*words)))
        victim = self.draw.choice(running)[2] if self.draw.random() < 0.5 else None
        if victim:
            time.sleep(self.draw.random() * 0.1)
            victim.kill()
        try:
            for serial, words, process in running:
                allowed = (0, -9) if process is victim else (0,)
                code, _, _ = self.finish(device, process, words, allowed)
                if code == 0 and serial:
                    self.held[path].add(serial)
                    count("acknowledged")
        finally:
            # After a failure nobody waits for the rest.
            for _, _, process in running:
                if process.returncode is None:
                    process.kill()
                    process.communicate()
        count("at once")

    def others(self, device):
        """Other files of the same trip on this device."""
        return [path for path, _ in device.backups[-1:]]

    # What another program does

    def change_plan(self):
        """Its user adds rows, changes some, and sorts them anew."""
        for _ in range(self.draw.randint(0, 2) if self.rows else 2):
            self.rows.insert(
                self.draw.randint(0, len(self.rows)), [self.next_serial(), self.draw.randint(1, 4), ""])
        for row in self.draw.sample(self.rows, self.draw.randint(1, len(self.rows))):
            if self.draw.random() < 0.5:
                row[1] = self.draw.randint(1, 4)
            else:
                row[2] = f"note {self.next_serial()}"
        if self.draw.random() < 0.3:
            self.draw.shuffle(self.rows)
        lines = [f"s{serial},2026-05-0{day},{note}\n" for serial, day, note in self.rows]
        self.plan.write_text("Title,Date,Notes\n" + "".join(lines))

    def take_plan(self, device):
        """Takes the table in; what was taken in says nothing new the second time."""
        if not self.rows or self.draw.random() < 0.7:
            self.change_plan()
        words = ["import", "-q", "--into", device.trip, self.plan]
        if self.draw.random() < 0.3:
            words.insert(1, "--own")
        if self.draw.random() < 0.2:
            self.killed(device, *words)
        if self.draw.random() < 0.2:
            twin = device.start(*words)
            self.run(device, *words)
            self.finish(device, twin, words)
        else:
            self.run(device, *words)
        self.held[device.trip] |= {serial for serial, _, _ in self.rows}
        before = self.digest(device)
        self.run(device, *words)
        if self.digest(device) != before:
            raise Broken(f"{' '.join(map(str, words))}: the same table is news again")
        count("tables taken in")

    # What people and machines do to files

    def back_up(self, device):
        backup = device.root / f"backup-{self.next_serial()}.trip"
        shutil.copyfile(device.trip, backup)
        device.backups.append((backup, set(self.held[device.trip])))
        self.note(device, ("cp", device.trip, backup), "copied")

    def put_back(self, device):
        if not device.backups:
            return self.back_up(device)
        backup, held = self.draw.choice(device.backups)
        # What is replaced is another copy from now on: half of the time it is merged later.
        saved = device.root / f"saved-{self.next_serial()}.trip"
        shutil.copyfile(device.trip, saved)
        before = set(self.held[device.trip])
        if self.draw.random() < 0.5:
            shutil.copyfile(backup, device.trip)
        else:
            fresh = device.root / "copying"
            shutil.copyfile(backup, fresh)
            os.replace(fresh, device.trip)
        self.held[device.trip] = set(held)
        self.note(device, ("cp", backup, device.trip), "put back")
        count("put back")
        for _ in range(self.draw.randint(0, 3)):
            self.edit(device, device.trip)
        if self.draw.random() < 0.6:
            self.join(device, saved, before)

    def branch(self, device):
        branch = device.root / f"branch-{self.next_serial()}.trip"
        shutil.copyfile(device.trip, branch)
        self.held[branch] = set(self.held[device.trip])
        for _ in range(self.draw.randint(1, 3)):
            self.edit(device, branch)
            self.edit(device, device.trip)
        self.join(device, branch, self.held.pop(branch))
        count("branches")

    def join(self, device, path, held):
        """Brings another file of this device into its document."""
        if self.draw.random() < 0.5:
            self.run(device, "merge", "-q", device.trip, path, "-o", device.trip)
        else:
            self.run(device, "sync", "-q", "--with", path, device.trip)
        self.held[device.trip] |= held

    def switch_state(self, device):
        """Keeps the state folder, or puts an older one back."""
        kept = device.root / f"state-{len(device.states)}"
        if device.states and self.draw.random() < 0.6:
            chosen = self.draw.choice(device.states)
            shutil.rmtree(device.root / "state")
            shutil.copytree(chosen, device.root / "state")
            self.note(device, ("cp -r", chosen, "state"), "restored")
            count("state restored")
        else:
            shutil.copytree(device.root / "state", kept)
            device.states.append(kept)
            self.note(device, ("cp -r state", kept), "copied")

    # Syncs

    def sync_folder(self, device):
        words = ("sync", "-q", "--folder", device.root / "shared", device.trip)
        if self.draw.random() < 0.15:
            done = self.killed(device, *words)
        else:
            self.run(device, *words)
            done = True
        if done:
            self.shared |= self.held[device.trip]
        self.copy_shared()

    def absorb(self, device):
        """Calls somebody gone who is not; the tool takes the files from the others too, or does not."""
        shared = device.root / "shared"
        _, output, _ = self.run(device, "devices", "--json", "--folder", shared, device.trip)
        others = [row["replica"] for row in map(json.loads, output.splitlines()) if not row["isThis"]]
        if not others:
            return
        before = {p.relative_to(shared): p.read_bytes() for p in shared.rglob("*") if p.is_file()}
        words = ("devices", "-q", "--folder", shared, "--gone", self.draw.choice(others), device.trip)
        if self.draw.random() < 0.15:
            self.killed(device, *words)
        else:
            # Files that are not whole stay, and it says so.
            code, _, messages = self.run(device, *words, allowed=(0, 1))
            if code == 1 and "not taken out" not in messages:
                raise Broken(f"{' '.join(map(str, words))}: 1\n{messages}")
            self.shared |= self.held[device.trip]
            count("writers absorbed", code == 0)
        for path, content in before.items():
            for other in self.devices:
                there = other.root / "shared" / path
                if not (shared / path).exists() and there.exists() and self.draw.random() < 0.7:
                    if there.read_bytes() == content:
                        there.unlink()
                        count("files taken away")

    def copy_shared(self, completely=False):
        """Copies the shared folders into each other as a careless tool would."""
        pairs = [(a, b) for a in self.devices for b in self.devices if a is not b]
        self.draw.shuffle(pairs)
        for source, target in pairs:
            files = [p for p in sorted((source.root / "shared").rglob("*")) if p.is_file()]
            self.draw.shuffle(files)
            for path in files:
                if "conflicted" in path.name or "-tmp-" in path.name:
                    continue
                there = target.root / "shared" / path.relative_to(source.root / "shared")
                self.copy(path, there, completely)

    def copy(self, path, there, completely):
        content = path.read_bytes()
        if there.exists() and there.stat().st_size >= len(content):
            return
        fate = 1.0 if completely else self.draw.random()
        there.parent.mkdir(parents=True, exist_ok=True)
        if fate < 0.4:
            count("files delayed")
        elif fate < 0.55:
            there.write_bytes(content[: self.draw.randrange(max(1, len(content)))])
            count("files truncated")
        else:
            there.write_bytes(content)
            if fate < 0.65:
                double = there.with_name(there.name + " (conflicted copy).segment")
                double.write_bytes(content[: self.draw.choice((len(content), len(content) // 2))])
                count("files doubled")

    def sync_pair(self, device):
        other = self.draw.choice([d for d in self.devices if d is not device])
        if self.draw.random() < 0.5:
            words = ("sync", "-q", "--with", other.trip, device.trip)
        else:
            line = f"env BETWIXT_STATE={other.root / 'state'} {betwixt} sync --stdio {other.trip}"
            words = ("sync", "-q", "--exec", line, device.trip)
        if self.draw.random() < 0.2:
            self.killed(device, *words)
            return
        self.run(device, *words)
        both = self.held[device.trip] | self.held[other.trip]
        self.held[device.trip], self.held[other.trip] = set(both), set(both)
        count("pair syncs")

    # What must hold

    def contents(self, path):
        """Digest of nothing: the numbers that are titles, those that are fields, other titles."""
        device = self.devices[0]
        _, output, _ = self.run(device, "export", "-q", "--format", "json", path)
        titles, fields, noise = set(), set(), set()
        items = json.loads(output)["items"]
        # Each title was written once, and no copy of a file makes an item of it twice.
        every = [item["title"] for item in items if item.get("title")]
        twice = sorted({title for title in every if every.count(title) > 1})
        if twice:
            raise Broken(f"{path} shows twice {twice}")
        for item in items:
            title = item.get("title", "")
            if title.startswith("s") and title[1:].isdigit():
                titles.add(int(title[1:]))
            elif title:
                noise.add(title)
            fields |= {int(name[1:]) for name in item if name[:1] == "s" and name[1:].isdigit()}
        return titles, fields, noise

    def titles(self, path):
        return self.contents(path)[0]

    def check(self, path, expected):
        titles, fields, _ = self.contents(path)
        lost = expected - titles - fields
        if lost:
            raise Broken(f"{path} lacks {sorted(lost)}")

    def round(self):
        device = self.draw.choice(self.devices)
        actions = (
            (8, lambda: self.edit(device, device.trip)), (3, lambda: self.edit_at_once(device, device.trip)),
            (2, lambda: self.back_up(device)), (2, lambda: self.put_back(device)),
            (2, lambda: self.branch(device)), (1, lambda: self.switch_state(device)),
            (3, lambda: self.sync_folder(device)), (2, lambda: self.sync_pair(device)),
            (2, lambda: self.absorb(device)), (3, lambda: self.take_plan(device)),
        )
        weights, bodies = zip(*actions)
        for body in self.draw.choices(bodies, weights, k=self.draw.randint(2, 4)):
            body()
        for one in self.devices:
            self.check(one.trip, self.held[one.trip])

    def bring_together(self):
        """Every file arrives in the end, and everybody syncs until nothing changes."""
        expected = set(self.shared)
        for device in self.devices:
            expected |= self.held[device.trip]
        for _ in range(8):
            for device in self.devices:
                self.run(device, "sync", "-q", "--folder", device.root / "shared", device.trip)
                self.copy_shared(completely=True)
            digests = {self.digest(device) for device in self.devices}
            if len(digests) == 1:
                break
        else:
            raise Broken("the copies never become equal")
        for device in self.devices:
            self.check(device.trip, expected)
            self.run(device, "doctor", device.trip)
        count("writes brought together", len(expected))

    def digest(self, device):
        _, output, _ = self.run(device, "digest", device.trip)
        return output.split()[0]


def main():
    started, rounds, life_number = time.time(), 0, 0
    while rounds < options.rounds:
        seed = options.seed + life_number
        with tempfile.TemporaryDirectory(prefix="betwixt-torment-") as root:
            life = None
            try:
                life = Life(pathlib.Path(root), random.Random(seed))
                for _ in range(min(ROUNDS_OF_A_LIFE, options.rounds - rounds)):
                    life.round()
                    rounds += 1
                life.bring_together()
            except Broken as failure:
                print(*(life.log[-60:] if life else []), sep="\n")
                print(f"\nround {rounds}: {failure}\nreplay: torment.py {betwixt} "
                      f"--rounds {ROUNDS_OF_A_LIFE} --seed {seed} --verbose")
                sys.exit(1)
        life_number += 1
    print(f"{rounds} rounds in {time.time() - started:.0f} s, nothing lost, all digests equal: "
          + ", ".join(f"{number} {what}" for what, number in sorted(counts.items())))


main()
