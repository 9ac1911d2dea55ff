#!/usr/bin/env python3
"""Holds the terminal session of README.md to what the command really says.

    record-session.py PATH-OF-BETWIXT [--record]

The block that begins with ```console is a session of bash in an empty folder: what stands behind `$ `
is run, line by line, and what it prints must stand below it, word for word. --record writes that anew.
"""
import os, pathlib, re, subprocess, sys, tempfile

betwixt = pathlib.Path(sys.argv[1]).resolve()
readme = pathlib.Path(__file__).resolve().parent.parent.parent / "README.md"
text = readme.read_text()
block = re.search(r"^```console\n(.*?)^```$", text, re.M | re.S)
if not block:
    sys.exit("record-session: README.md shows no session")
commands = [line[2:] for line in block[1].split("\n") if line.startswith("$ ")]

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "bin").mkdir()
    (pathlib.Path(folder) / "bin/betwixt").symlink_to(betwixt)
    (pathlib.Path(folder) / "here").mkdir()
    environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "BETWIXT_STATE": f"{folder}/state",
                   "LC_ALL": "C.UTF-8"}
    # Both streams in the order in which a terminal shows them, and each command with its line.
    script = "set -e\nexec 2>&1\n" + "".join(
        f"cat <<'LINE'\n$ {command}\nLINE\n{command}\n" for command in commands)
    run = subprocess.run(["bash", "-c", script], cwd=f"{folder}/here", env=environment,
                         capture_output=True, text=True)
if run.returncode != 0 or not commands:
    sys.exit(f"record-session: the session ends with {run.returncode}:\n{run.stdout}")
if "--record" in sys.argv:
    readme.write_text(text[:block.start(1)] + run.stdout + text[block.end(1):])
elif run.stdout != block[1]:
    sys.exit(f"record-session: README.md shows another session than this:\n{run.stdout}")
print("the session of README.md is what the command says")
