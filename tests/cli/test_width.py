"""What commands print for people fits the terminal, and a pipe has one width."""

import json
import os
import subprocess
import sys

import pytest

from semidirect.text.text_layout import PIPE, text_size

COMMANDS = [
    ["list"], ["show", "routh-sphere"], ["equations", "routh-sphere"], ["evaluate", "spherical-robot"],
    ["evolution", "heavy-top", "energy"], ["invariants", "heavy-top", "--seed", "1"],
    ["run", "heavy-top", "--t-end", "0.1", "--monitor"], ["--help"], ["run", "--help"],
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_lines_fit(semidirect, monkeypatch, command):
    words = {}
    for columns in (60, 80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = semidirect(*command).out.split("\n")
        assert max(map(text_size, lines)) <= columns
        words[columns] = sorted("".join(lines).replace(" ", ""))
    if command[0] in ("list", "equations", "evolution"):
        assert words[60] == words[80] == words[120]


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
@pytest.mark.parametrize("columns", [60, 120])
def test_a_terminal_has_its_own_width(columns):
    import fcntl
    import pty
    import struct
    import termios

    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    call = [sys.executable, "-m", "semidirect", "show", "nope"]
    done = subprocess.run(call, stdout=terminal, stderr=terminal, env=environment)
    os.close(terminal)
    said = os.read(master, 10_000).decode().split("\r\n")
    os.close(master)
    assert done.returncode == 2
    assert said[0].startswith("semidirect: error: unknown system 'nope'. Known:")
    assert columns - 20 < max(map(len, said)) <= columns
    assert len(said) > 3


def test_a_pipe_has_one_width(semidirect, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert max(map(text_size, semidirect("list").out.split("\n"))) == PIPE
    long = semidirect("equations", "rattleback").out.split("\n")
    assert max(map(text_size, long)) > PIPE  # an equation is a line for the program that reads it
    assert semidirect("show", "nope").err.count("\n") == 1


def test_json_is_one_line_at_any_width(semidirect, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert json.loads(semidirect("list", "--format", "json").out.rstrip("\n"))[0]["name"] == "chaplygin-ball"
    assert semidirect("equations", "heavy-top", "--latex").out.count("align*") == 2
