#!/usr/bin/env python3
"""What the command does because a person watches, in pseudo-terminals, and what it tells shells.

    check-terminal.py PATH-OF-BETWIXT

Help follows the width of the terminal; progress is shown on a terminal once something takes its
time, erased at the end, and never written into a pipe; a program that never speaks is given up;
wide characters do not break the picture of the editor; bash, zsh and fish complete, and `man` takes
the manual page without a warning. A shell that is not there is named and left out.
"""
import fcntl, json, os, pathlib, pty, re, select, shutil, struct, subprocess, sys, tempfile, termios
import time, unicodedata

betwixt = str(pathlib.Path(sys.argv[1]).resolve())
PATIENCE = 30


def fail(message):
    print(f"check-terminal: {message}", file=sys.stderr)
    sys.exit(1)


class Terminal:
    """A program with a terminal as its standard error, and as the rest where nothing else is said."""

    def __init__(self, command, environment, columns=80, lines=24, input=None, output=None):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.process = subprocess.Popen(
            command, env=environment, start_new_session=True, stderr=slave,
            stdin=slave if input is None else input, stdout=slave if output is None else output)
        os.close(slave)
        self.text = ""
        self.bytes = b""

    def read(self, wait):
        if not select.select([self.master], [], [], wait)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return None
        if not data:
            return None
        self.bytes += data
        self.text = self.bytes.decode("utf-8", "replace")
        return True

    def until(self, words):
        end = time.monotonic() + PATIENCE
        while words not in self.text:
            if time.monotonic() > end or self.read(0.2) is None:
                fail(f"'{words}' does not come: {self.text!r}")

    def send(self, text):
        os.write(self.master, text.encode())

    def end(self):
        while self.read(PATIENCE):
            pass
        code = self.process.wait(PATIENCE)
        os.close(self.master)
        return code


def help_has_the_width_of_the_terminal(environment):
    for arguments in [["--help"], ["sync", "--help"], ["help", "formats"], ["merge", "--help"]]:
        texts = set()
        for columns in [50, 80, 132]:
            terminal = Terminal([betwixt, *arguments], environment, columns)
            if terminal.end() != 0:
                fail(f"{arguments} fails on a terminal")
            shown = [line.rstrip("\r") for line in terminal.text.split("\n")]
            # Lines to be copied stand as they are.
            long = [line for line in shown if len(line) > columns and not line.startswith("  betwixt")]
            if long:
                fail(f"{arguments} at {columns} columns: {long[0]!r}")
            texts.add(terminal.text)
        if len(texts) != 3:
            fail(f"{arguments} does not follow the width of the terminal")


def progress_is_for_people(environment):
    trip = json.dumps({"id": "x", "name": "Slow", "startDate": "2026-05-01", "days": 1, "items": []})
    for is_terminal in [True, False]:
        reading, writing = os.pipe()
        command = [betwixt, "show", "-"]
        if is_terminal:
            terminal = Terminal(command, environment, input=reading, output=subprocess.PIPE)
            os.close(reading)
            # It says so by itself, without a byte of input.
            terminal.until("reading -: 1 s")
            os.write(writing, trip.encode())
            os.close(writing)
            shown = terminal.process.stdout.read().decode()
            if terminal.end() != 0 or not terminal.text.endswith("\r\x1b[K"):
                fail(f"progress stays on the terminal: {terminal.text!r}")
        else:
            process = subprocess.Popen(
                command, env=environment, stdin=reading, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE)
            os.close(reading)
            time.sleep(2.5)
            os.write(writing, trip.encode())
            os.close(writing)
            output, messages = process.communicate(timeout=PATIENCE)
            shown = output.decode()
            if process.returncode != 0 or messages:
                fail(f"progress is written into a pipe: {messages!r}")
        if not shown.startswith("Slow\n") or "\x1b" in shown:
            fail(f"progress and the answer are mixed: {shown!r}")


def a_silent_program_is_given_up(environment, folder):
    document = f"{folder}/silent.trip"
    subprocess.run([betwixt, "new", "--name", "Silent", document], env=environment, check=True,
                   capture_output=True)
    run = subprocess.run(
        [betwixt, "sync", "--exec", "exec sleep 600", document], env=environment,
        capture_output=True, text=True, timeout=120)
    if run.returncode != 75 or "said nothing for too long" not in run.stderr:
        fail(f"a program that never speaks: {run.returncode}, {run.stderr!r}")


class Cells:
    """A screen on which every scalar has columns of its own, as terminals do that join nothing."""

    def __init__(self, columns, lines):
        self.columns, self.lines = columns, lines
        self.cells = [[" "] * columns for _ in range(lines)]
        self.row = self.column = 0
        self.wraps = True

    def take(self, text):
        for match in re.finditer(r"\x1b\[([?0-9;]*)([A-Za-z])|([^\x1b])", text):
            parameters, final, scalar = match.groups()
            if scalar is not None:
                self.put(scalar)
            elif final == "H":
                row, column = (parameters or "1;1").split(";")
                self.row, self.column = int(row) - 1, int(column) - 1
            elif final == "J":
                self.cells = [[" "] * self.columns for _ in range(self.lines)]
            elif final == "K" and self.row < self.lines:
                self.cells[self.row] = [" "] * self.columns
            elif parameters == "?7":
                self.wraps = final == "h"

    def put(self, scalar):
        if scalar < " " or unicodedata.combining(scalar) or scalar in "\ufe0f\u200d":
            return
        width = 2 if unicodedata.east_asian_width(scalar) in "WF" else 1
        if self.column + width > self.columns:
            if self.wraps:
                self.row, self.column = self.row + 1, 0
            else:
                self.column = self.columns - width
        if self.row < self.lines:
            self.cells[self.row][self.column] = scalar
        self.column += width

    def line(self, number):
        return "".join(self.cells[number])


def wide_characters_keep_their_lines(environment, folder):
    document = f"{folder}/wide.trip"
    subprocess.run([betwixt, "new", "--name", "東京 " * 20, "--days", "2", document],
                   env=environment, check=True, capture_output=True)
    titles = ["👨‍👩‍👧‍👦" * 12, "終電までに駅へ戻ること、" * 4, "🇯🇵🏳️‍🌈👩🏽‍🚀 " * 8, "short"]
    for title in titles:
        subprocess.run([betwixt, "add", document, "--day", "1", "--title", title],
                       env=environment, check=True, capture_output=True)
    for columns in [60, 61]:
        terminal = Terminal([betwixt, "edit", document], environment, columns, 12)
        terminal.until("Space lifts")
        for key in ["\x1b[B", "\x1b[B", " ", "\x1b[B", "\x1b", "\x1b[H"]:
            terminal.send(key)
            while terminal.read(0.2):
                pass
        screen = Cells(columns, 12)
        screen.take(terminal.text)
        heads = ["東京", "> Day 1", "    ≡        👨", "    ≡        終", "    ≡        🇯",
                 "    ≡        short", "  Day 2"]
        for number, head in enumerate(heads):
            if not screen.line(number).replace(" ", "").startswith(head.replace(" ", "")):
                fail(f"line {number} at {columns} columns: {screen.line(number)!r}")
        terminal.send("q")
        if terminal.end() != 0:
            fail("the editor of wide characters does not end well")


def shells_complete(environment, folder):
    for shell in ["bash", "zsh", "fish"]:
        path = f"{folder}/completion.{shell}"
        with open(path, "w") as file:
            subprocess.run([betwixt, "completion", shell], stdout=file, check=True)
        if not shutil.which(shell):
            print(f"  no {shell} here: left out")
            continue
        checked = subprocess.run([shell, "-n", path], capture_output=True, text=True)
        if checked.returncode != 0 or checked.stderr:
            fail(f"{shell} does not take its completion: {checked.stderr}")
        if shell == "zsh":
            zsh_completes(environment, path)
            continue
        for line, wanted in [("dig", {"digest"}), ("help exit", {"exit-codes"}),
                             ("merge3 --strict-t", {"--strict-ties"}), ("rm --dry", {"--dry-run"})]:
            found = completions(shell, path, ["betwixt", *line.split()], environment)
            if found != wanted:
                fail(f"{shell} completes '{line}' with {found}")


def completions(shell, path, words, environment):
    if shell == "fish":
        script = f'source {path}; complete -C "{" ".join(words)}"'
        run = subprocess.run(["fish", "-N", "-c", script], capture_output=True, text=True,
                             env=environment)
    else:
        script = (f'source {path}; COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; '
                  '_betwixt; printf "%s\\n" "${COMPREPLY[@]}"')
        run = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True,
                             env=environment)
    if run.stderr:
        fail(f"{shell}: {run.stderr}")
    return {line.split("\t")[0] for line in run.stdout.split("\n") if line}


def zsh_completes(environment, path):
    """In zsh only its line editor completes, so keys are typed."""
    terminal = Terminal(["zsh", "-f"], {**environment, "PS1": "", "HOME": os.path.dirname(path)})
    terminal.send(f"source {path}; echo REA'DY'\n")
    terminal.until("READY")
    # `echo` in front shows the line as it was completed.
    for typed, wanted in [("dig\t", "betwixt digest"), ("merge3 --strict-t\t", "--strict-ties"),
                          ("help exit\t", "betwixt help exit-codes")]:
        terminal.send(f"betwixt {typed}\x01echo DONE: \n")
        terminal.until(f"DONE: {wanted}" if wanted.startswith("betwixt") else wanted)
    terminal.send("\nexit\n")
    terminal.end()


def the_manual_page_is_taken(folder):
    path = f"{folder}/betwixt.1"
    with open(path, "w") as file:
        subprocess.run([betwixt, "completion", "man"], stdout=file, check=True)
    if shutil.which("groff"):
        checked = subprocess.run(
            ["groff", "-man", "-Tutf8", "-K", "utf8", "-ww", "-z", path], capture_output=True,
            text=True)
        if checked.returncode != 0 or checked.stderr:
            fail(f"groff on the manual page: {checked.stderr}")
    else:
        print("  no groff here: left out")
    if shutil.which("man"):
        shown = subprocess.run(["man", "--warnings", "-l", path], capture_output=True, text=True)
        if shown.returncode == 0 and "betwixt merge" not in re.sub(".\b", "", shown.stdout):
            fail("man does not show the manual page")
        if shown.stderr:
            fail(f"man on the manual page: {shown.stderr}")
    else:
        print("  no man here: left out")


def main():
    print("terminals, shells and manuals")
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(
            os.environ, BETWIXT_STATE=f"{folder}/state", TERM="xterm-256color", LC_ALL="C.UTF-8")
        for name in ["NO_COLOR", "COLUMNS"]:
            environment.pop(name, None)
        help_has_the_width_of_the_terminal(environment)
        progress_is_for_people(environment)
        a_silent_program_is_given_up(environment, folder)
        wide_characters_keep_their_lines(environment, folder)
        shells_complete(environment, folder)
        the_manual_page_is_taken(folder)


main()
