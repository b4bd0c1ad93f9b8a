"""The pages on what is conserved show what the commands print."""

import re
import runpy
import shlex
from pathlib import Path

import pytest

from semidirect.cli.entry import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / f"{name}.md" for name in ("conserved", "how_many_invariants", "proofs", "levels", "structure")]


def commands():
    """Each command of the pages with its output there."""
    found = []
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def test_the_pages_have_21_commands():
    assert len(commands()) == 21


@pytest.mark.parametrize(("command", "output"), commands(), ids=[command[:60] for command, _ in commands()])
def test_page(capsys, command, output):
    words = shlex.split(command)
    capsys.readouterr()
    if words[0] == "python":
        runpy.run_path(str(ROOT / words[1]), run_name="__main__")
    else:
        assert words[0] == "semidirect"
        main(words[1:])
    assert capsys.readouterr().out == output
