#!/usr/bin/env python3
"""Drives 'betwixt edit' in a pseudo-terminal of 80 x 24, by keys and by mouse, and compares screens.

    check-edit.py PATH-OF-BETWIXT [--record]

The screens, and what the recorded session tells when it is replayed, lie beside this file in
edit-screens; --record writes them anew.
"""
import fcntl, json, os, pathlib, pty, re, select, signal, struct, subprocess, sys, tempfile, termios, time, tty

here = pathlib.Path(__file__).resolve().parent
betwixt = str(pathlib.Path(sys.argv[1]).resolve())
is_recording = "--record" in sys.argv
source = here.parent / "BetwixtTripsTests/Resources/trips/road-to-the-final.json"
columns, lines = 80, 24


class Terminal:
    """The few sequences that the editor writes, as the screen they make."""

    def __init__(self, *arguments, environment, is_raw=False, program=(betwixt,),
                 columns=columns, lines=lines):
        self.columns, self.lines = columns, lines
        self.process, self.master = pty.fork()
        if self.process == 0:
            if is_raw:
                tty.setraw(0)
            os.execvpe(program[0], [*program, *arguments], environment)
        self.resize(columns, lines)
        self.cells = [[" "] * columns for _ in range(lines)]
        self.place = (0, 0)
        self.pending = b""
        self.text = ""
        self.modes = set()
        self.bells = 0

    def resize(self, columns, lines):
        self.columns, self.lines = columns, lines
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.cells = [[" "] * columns for _ in range(lines)]

    def read(self, wait):
        ready, _, _ = select.select([self.master], [], [], wait)
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return None
        if not data:
            return None
        self.pending += data
        self.text += data.decode("utf-8", "ignore")
        self.digest()
        return True

    def digest(self):
        text = self.pending.decode("utf-8", "ignore")
        while text:
            match = re.match(r"\x1b\[([?0-9;]*)([A-Za-z])", text)
            if match:
                self.sequence(*match.groups())
                text = text[match.end():]
            elif text[0] == "\x1b":
                break
            else:
                self.character(text[0])
                text = text[1:]
        self.pending = text.encode()

    def sequence(self, parameters, final):
        if final == "H":
            row, column = (parameters or "1;1").split(";")
            self.place = (int(row) - 1, int(column) - 1)
        elif final == "G":
            self.place = (self.place[0], int(parameters) - 1)
        elif final == "J":
            self.cells = [[" "] * self.columns for _ in range(self.lines)]
        elif final in "hl":
            (self.modes.add if final == "h" else self.modes.discard)(parameters)

    def character(self, character):
        if character == "\x07":
            self.bells += 1
        row, column = self.place
        if character >= " " and row < self.lines and column < self.columns:
            self.cells[row][column] = character
            self.place = (row, column + 1)

    @property
    def screen(self):
        return "\n".join("".join(row).rstrip() for row in self.cells) + "\n"

    def send(self, text):
        os.write(self.master, text.encode())

    def mouse(self, button, column, line, final="M"):
        self.send(f"\x1b[<{button};{column};{line}{final}")

    def until(self, text, is_there=True):
        end = time.monotonic() + 20
        while (text in self.screen) != is_there:
            if time.monotonic() > end or self.read(0.2) is None:
                fail(f"'{text}' is {'not ' if is_there else ''}on the screen:\n{self.screen}")
        while self.read(0.15):
            pass

    @property
    def is_whole(self):
        """Whether the terminal echoes and takes lines, and no mode of the editor is left."""
        flags = termios.tcgetattr(self.master)[3]
        left = self.modes & {"?1049", "?1002", "?1006", "?2004"}
        return not left and flags & termios.ECHO and flags & termios.ICANON

    def end(self):
        while self.read(5):
            pass
        _, status = os.waitpid(self.process, 0)
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)


def fail(message):
    print(f"check-edit: {message}", file=sys.stderr)
    sys.exit(1)


def compare(terminal, name):
    compare_text(terminal.screen, name, "the screen is")


def compare_text(text, name, what):
    path = here / "edit-screens" / f"{name}.txt"
    if is_recording:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    elif text != path.read_text():
        fail(f"{name}: {what} not the expected one:\n{text}")
    print(f"  {name}")


def told(replayed):
    """What a replayed session says aloud, and which edits it asks for, whenever that was."""
    lines = []
    for effect in map(json.loads, replayed.splitlines()):
        if effect["effect"] == "announce":
            lines.append(effect["text"])
        elif effect["effect"] == "commit":
            lines.append("edit: " + ", ".join(edit["edit"] for edit in effect["edits"]))
    return "".join(line + "\n" for line in lines)


def main():
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, BETWIXT_STATE=f"{folder}/state", TERM="xterm-256color")
        environment.pop("NO_COLOR", None)
        document = f"{folder}/trip.trip"

        def run(*arguments):
            return subprocess.run(
                [betwixt, *arguments], env=environment, check=True, capture_output=True, text=True
            ).stdout

        run("new", "--from", str(source), document)
        start = run("digest", document)
        log = f"{folder}/session.jsonl"
        terminal = Terminal("edit", "--record", log, document, environment=environment)
        terminal.until("Space lifts the chosen one")
        compare(terminal, "start")

        terminal.send("\x1b[B\x1b[B ")
        terminal.until("Lifted")
        compare(terminal, "lifted")
        terminal.send("\x1b[B\x1b[B")
        terminal.until("-->")
        terminal.send("\x1b[6~")
        terminal.until("Start of day")
        compare(terminal, "carried")
        terminal.send("\x1b")
        terminal.until("Move cancelled")
        if run("digest", document) != start:
            fail("a cancelled drag was written")
        terminal.send(" \x1b[B ")
        terminal.until("[u: Undo]")
        compare(terminal, "dropped")
        terminal.send("u")
        terminal.until("Move undone")
        compare(terminal, "undone")

        def line_of(text):
            return next(n for n, line in enumerate(terminal.screen.split("\n"), 1) if text in line)

        terminal.mouse(0, 20, line_of("Breakfast"))
        terminal.mouse(32, 20, line_of("Breakfast") + 1)
        terminal.mouse(32, 20, line_of("Paraguay"))
        terminal.until("-->  Breakfast")
        compare(terminal, "dragged")
        terminal.mouse(0, 20, line_of("-->"), "m")
        terminal.until("Dropped Breakfast. Position 4")
        terminal.send("u")
        terminal.until("Move undone")

        leg = line_of("→")
        terminal.mouse(0, 20, leg)
        terminal.mouse(32, 20, 3)
        terminal.until("Not possible here")
        compare(terminal, "invalid")
        bells = terminal.bells
        terminal.mouse(0, 20, 3, "m")
        terminal.until("cannot go there")
        if terminal.bells != bells + 1:
            fail("an invalid drop does not ring")

        terminal.send("\x1b[H\x1b[B ")
        terminal.until("Lifted")
        run("add", document, "--day", "1", "--title", "From elsewhere")
        terminal.until("From elsewhere")
        compare(terminal, "merged")
        run("remove", document, "1.1")
        terminal.until("was removed elsewhere")
        run("restore", document, "Hotel check-in")
        terminal.until("Changed by somebody else")
        terminal.send("\x1b[H\x1b[B")
        terminal.send("e!\r")
        terminal.until("!")
        terminal.send("aNap\r")
        terminal.until("Nap")
        compare(terminal, "edited")
        terminal.send("q")
        if terminal.end() != 0 or terminal.modes & {"?1049", "?1002", "?1006", "?2004"}:
            fail("the editor does not leave the terminal as it was")
        shown = run("show", document)
        if "From elsewhere" not in shown or "Nap" not in shown or "Hotel check-in!" not in shown:
            fail("the document does not hold what was done")
        compare_text(told(run("replay", "--json", log)), "replayed", "what a replay tells is")

        lines_of_text(f"{folder}/lines.trip", environment)
        give_back(f"{folder}/given.trip", environment)
        share(f"{folder}/shared.trip", environment)
        follow(document, folder, environment)
        beside(f"{folder}/beside.trip", f"{folder}/aside", environment)

        terminal = Terminal("edit", document, environment=environment)
        terminal.until("Space lifts")
        os.kill(terminal.process, signal.SIGTERM)
        if terminal.end() != 0 or "?1049" in terminal.modes:
            fail("a request to end leaves the terminal in disorder")
        none = subprocess.run(
            [betwixt, "edit", document], env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True)
        if none.returncode != 64 or "needs a terminal" not in none.stderr:
            fail("no message without a terminal")


def lines_of_text(document, environment):
    """Titles, times and notes are edited by the keys of a line; rows are found; the view follows."""

    def run(*arguments):
        return subprocess.run(
            [betwixt, *arguments], env=environment, check=True, capture_output=True, text=True
        ).stdout

    run("new", "--name", "Long", "--start", "2026-05-01", "--days", "20", document)
    run("add", document, "--day", "1", "--title", "Lunch")
    run("add", document, "--day", "20", "--title", "Dinner")
    terminal = Terminal("edit", document, environment=environment)
    terminal.until("Space lifts")
    terminal.send("e\x1b[HA late \x1b[F!\x1b[D\x7f\r")
    terminal.until("A late Lunc!")
    terminal.send("e\x15\r")
    terminal.until("A title is not empty")
    terminal.send("\x1b")
    terminal.until("A title is not empty", False)
    if "A late Lunc!" not in run("show", document):
        fail("an emptied title takes the item away")
    terminal.send("t9pm\r")
    terminal.until("21:00")
    terminal.send("nby the river\r")
    terminal.until("Changed the note")
    if "21:00  A late Lunc!: by the river" not in run("show", document):
        fail("the time or the note is not written")
    terminal.send("uu")
    terminal.until("21:00", False)
    if "river" in run("show", document) or not run("redo", document).startswith("done again: Change"):
        fail("a time and a note are no steps of undo")
    terminal.until("Changed by somebody else")
    terminal.send("?")
    terminal.until("lift an item, carry it, drop it")
    terminal.send("x/dinn\r")
    terminal.until(">   ≡        Dinner")
    terminal.send("/none\r")
    terminal.until("Nothing holds “none”")
    # What is dropped far away stays in sight.
    terminal.send("/late\r")
    terminal.until(">   ≡ 21:00  A late Lunc!")
    terminal.send(" \x1b[F ")
    terminal.until("Dropped")
    terminal.until(">   ≡ 21:00  A late Lunc!")
    # Each key finds what the one before has left, however fast they come.
    for title in "One", "Two", "Three":
        run("add", document, "--day", "1", "--title", title)
    terminal.until("Changed by somebody else")
    terminal.send("/one\r")
    terminal.until(">   ≡        One")
    terminal.send("xxx")
    terminal.until("≡        Three", False)
    if any(title in run("show", document) for title in ("One", "Two", "Three")):
        fail("keys that are typed ahead are lost")
    terminal.send("q")
    if terminal.end() != 0:
        fail("the editor of lines does not end well")


def give_back(document, environment):
    """The terminal is given back to whoever stops the editor, and after a fault."""
    subprocess.run([betwixt, "new", "--from", str(source), document], env=environment, check=True)
    # A shell that stops and continues jobs; the editor goes on when a line is typed.
    script = 'set -m; "$0" "$@"; echo STOPPED; read line; fg > /dev/null'
    terminal = Terminal(
        "edit", document, environment=environment, program=("bash", "-c", script, betwixt))
    terminal.until("Space lifts")
    # Behind the last column nothing could be read.
    terminal.place = (0, 0)
    terminal.send("\x1a")
    terminal.until("STOPPED")
    if not terminal.is_whole:
        fail("Ctrl-Z does not give the terminal back")
    terminal.cells = [[" "] * columns for _ in range(lines)]
    terminal.send("\n")
    terminal.until("Space lift")
    terminal.send("q")
    if terminal.end() != 0:
        fail("the editor does not go on after Ctrl-Z")

    terminal = Terminal("edit", document, environment=environment)
    terminal.until("Space lifts")
    os.kill(terminal.process, signal.SIGABRT)
    while terminal.read(0.5):
        pass
    if not terminal.is_whole or os.WTERMSIG(os.waitpid(terminal.process, 0)[1]) != signal.SIGABRT:
        fail("a fault leaves the terminal in disorder")
    os.close(terminal.master)

    # An editor that was killed has left a terminal without echo.
    terminal = Terminal("edit", document, environment=environment, is_raw=True)
    terminal.until("Space lifts")
    terminal.send("q")
    while terminal.read(0.5):
        pass
    if not terminal.is_whole:
        fail("the next start does not mend a terminal that was left raw")
    os.waitpid(terminal.process, 0)
    os.close(terminal.master)


def share(document, environment):
    """What a command did is taken back in the editor, and the reverse, also while it is open."""

    def run(*arguments):
        return subprocess.run(
            [betwixt, *arguments], env=environment, check=True, capture_output=True, text=True
        ).stdout

    run("new", "--from", str(source), document)
    start = run("show", document)
    run("set", document, "1.2", "title=Porridge")
    changed = run("show", document)
    terminal = Terminal("edit", document, environment=environment)
    terminal.until("Space lifts")
    terminal.send("u")
    terminal.until("“set 1.2 title=Porridge” undone.")
    if run("show", document) != start:
        fail("the editor does not take back what a command did")
    if "done again: set 1.2" not in run("redo", document):
        fail("a command does not make again what the editor took back")
    terminal.until("Porridge")
    terminal.send("\x1b[H\x1b[B")
    terminal.send("J")
    terminal.until("Dropped")
    if not run("undo", document).startswith("undone: Move ") or run("show", document) != changed:
        fail("a command does not take back what the editor did")
    terminal.until("Changed by somebody else")
    # The step of the command is the next one, for the editor too.
    terminal.send("u")
    terminal.until("“set 1.2 title=Porridge” undone.")
    terminal.send("u")
    terminal.until("nothing to undo")
    terminal.send("q")
    if terminal.end() != 0 or run("show", document) != start:
        fail("steps that are shared do not lead back to the start")


def follow(document, folder, laptop):
    """An editor in step with a folder into which another device writes, and which goes away."""
    box, copy = f"{folder}/box", f"{folder}/copy.trip"
    phone = dict(laptop, BETWIXT_STATE=f"{folder}/state-of-the-phone")
    os.mkdir(box)

    def run(environment, *arguments):
        result = subprocess.run(
            [betwixt, *arguments], env=environment, check=True, capture_output=True, text=True)
        return result.stdout + result.stderr

    def until(text):
        end = time.monotonic() + 20
        while text not in run(phone, "show", copy):
            if time.monotonic() > end:
                fail(f"'{text}' does not come through the folder")
            run(phone, "sync", "--folder", box, copy)
            time.sleep(0.1)

    run(laptop, "sync", "--folder", box, document)
    run(phone, "sync", "--create", "--folder", box, copy)
    terminal = Terminal("edit", "--folder", box, document, environment=laptop)
    terminal.until("Space lifts")
    terminal.send("\x1b[B ")
    terminal.until("Lifted")
    run(phone, "add", copy, "--day", "1", "--at", "1", "--title", "From the phone")
    run(phone, "sync", "--folder", box, copy)
    terminal.until("From the phone")
    compare(terminal, "followed")
    terminal.send("\x1b")
    terminal.until("Move cancelled")
    # Two titles that do not know each other: the later one wins, and what loses is said.
    run(laptop, "set", document, "From the phone", "title=Of the laptop")
    run(phone, "set", copy, "From the phone", "title=Of the phone")
    run(phone, "sync", "--folder", box, copy)
    terminal.until("conflict: title")
    terminal.send("e by laptop\r")
    until(" by laptop")

    os.rename(box, box + "-away")
    terminal.until("folder behind")
    terminal.send("aWhile away\r")
    terminal.until("While away")
    if "While away" not in run(laptop, "show", document) or os.path.exists(box):
        fail("a folder that is gone keeps edits from the document, or is made anew")
    os.rename(box + "-away", box)
    terminal.until("folder behind", False)
    until("While away")

    terminal.send("aAt the end\rq")
    if terminal.end() != 0:
        fail("the editor with a folder does not end well")
    until("At the end")
    if "0 written" not in run(laptop, "sync", "--folder", box, document):
        fail("the editor left something to be written to the folder")
    if run(laptop, "digest", document).split()[0] != run(phone, "digest", copy).split()[0]:
        fail("the copies differ")


def beside(document, aside, environment):
    """Two devices on one terminal: their edits stay apart until both are synced."""
    os.mkdir(aside)
    environment = dict(environment, TMPDIR=aside)

    def run(*arguments):
        return subprocess.run(
            [betwixt, *arguments], env=environment, check=True, capture_output=True, text=True
        ).stdout

    def copies():
        return [f"{aside}/{name}" for name in os.listdir(aside)]

    run("new", "--name", "Rome", "--start", "2026-05-01", "--days", "2", document)
    for title in ["Museum", "Lunch", "Walk"]:
        run("add", document, "--day", "1", "--title", title)
    terminal = Terminal("edit", "--beside", document, environment=environment)
    terminal.until("Your document")
    [copy] = copies()
    if os.stat(copy).st_mode & 0o77:
        fail("others may look into the folder of the second device")
    compare(terminal, "beside")
    # The same title on both, a move here, a new item there.
    terminal.send("e by foot\rJ")
    terminal.until("Dropped")
    terminal.send("\te by bus\raNap\r")
    terminal.until("+ Nap", False)
    terminal.until("Nap")
    compare(terminal, "beside-apart")
    if "Nap" in run("show", document) or "by foot" not in run("show", document):
        fail("the devices are not apart")
    # Whoever leaves is told what would be dropped, once.
    terminal.send("q")
    terminal.until("q drops them")
    terminal.send("s")
    terminal.until("Synced")
    compare(terminal, "beside-synced")
    merged = run("show", document)
    if "Nap" not in merged or "by bus" not in merged or "Lunch\n" not in merged:
        fail(f"not all edits are in the document:\n{merged}")
    # A click goes to the device that it meets, and its drag stays there.
    row = next(n for n, line in enumerate(terminal.screen.split("\n"), 1) if "Nap" in line[:39])
    terminal.mouse(0, 10, row)
    terminal.mouse(32, 10, row + 1)
    terminal.until("-->")
    if "-->" in "".join(line[40:] for line in terminal.screen.split("\n")):
        fail("a drag is in both devices")
    terminal.mouse(0, 10, row + 1, "m")
    terminal.until("Dropped Nap")
    terminal.resize(60, 24)
    terminal.until("   Second device: Rome")
    compare(terminal, "beside-narrow")
    terminal.resize(60, 8)
    terminal.until("Second device", False)
    terminal.send("\t")
    terminal.until("> Second device: Rome")
    terminal.send("?")
    terminal.until("brings both devices")
    terminal.send("xaLate\r")
    terminal.until("Late")
    terminal.send("q")
    terminal.until("q drops them")
    terminal.send("q")
    if terminal.end() != 0 or copies() or "Late" in run("show", document):
        fail("what was not synced is not dropped, or the copy stays")
    if "not taken over from the second device: added" not in terminal.text:
        fail(f"nothing is said of edits that are dropped: {terminal.text}")

    # Nobody decided anything: the copy stays, and can be taken in.
    terminal = Terminal("edit", "--beside", document, environment=environment)
    terminal.until("Your document")
    terminal.send("\taKept\r")
    terminal.until("Kept")
    os.kill(terminal.process, signal.SIGHUP)
    if terminal.end() != 0 or "takes them in" not in terminal.text:
        fail("a lost terminal says nothing of the copy")
    [copy] = copies()
    run("sync", "--with", f"{copy}/second.trip", document)
    if "Kept" not in run("show", document):
        fail("the copy that stayed does not hold the edits")
    for option in ["--folder", "--record"]:
        refused = subprocess.run(
            [betwixt, "edit", "--beside", option, aside, document], env=environment,
            capture_output=True, text=True)
        if refused.returncode != 64 or "--beside" not in refused.stderr:
            fail(f"--beside takes {option}")


print("edit in a pseudo-terminal")
main()
