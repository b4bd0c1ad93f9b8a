"""A shell that asks for completions gets names of commands, systems, methods, quantities and files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import semidirect as sd
from semidirect import plugins
from semidirect.cli.completion import COMPLETERS, SHELLS
from semidirect.cli.main import make_parser
from semidirect.integrators.registry import METHODS

pytest.importorskip("argcomplete")


def answers(line, folder):
    """What the program answers a shell in which this line was typed."""
    out = folder / "answers"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n",
             "_ARGCOMPLETE_STDOUT_FILENAME": str(out), "_ARGCOMPLETE_SUPPRESS_SPACE": "1"}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "semidirect"], env={**os.environ, **asked}, cwd=folder, capture_output=True
    )
    assert (done.returncode, done.stdout) == (0, b"")
    return out.read_text(encoding="utf-8").split("\n")


def test_answers(tmp_path):
    run = sd.load("heavy-top").simulate(t_end=0.02, dt=0.01, execution=sd.Execution(engine="numpy"))
    run.save(tmp_path / "top.zarr")
    assert answers("semidirect eq", tmp_path) == ["equations"]
    assert set(answers("semidirect show ", tmp_path)) >= set(plugins.available())
    assert answers("semidirect run routh-sphere --met", tmp_path) == ["--method"]
    assert set(answers("semidirect run routh-sphere --method ", tmp_path)) == set(METHODS)
    assert answers("semidirect run routh-sphere --keep energy,jel", tmp_path) == ["energy,jellett"]
    assert answers("semidirect run routh-sphere --set mas", tmp_path) == ["mass="]
    assert answers("semidirect evolution routh-sphere g1", tmp_path) == ["g11", "g12", "g13"]
    assert answers("semidirect plot top.zarr --quantity Gam", tmp_path) == ["Gamma", "Gamma1", "Gamma2", "Gamma3"]
    assert answers("semidirect plot to", tmp_path) in (["top.zarr"], ["top.zarr/"])


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes(tmp_path):
    script = """
    eval "$(semidirect completion bash)"
    COMP_LINE="semidirect show kov"; COMP_POINT=${#COMP_LINE}; COMP_WORDS=(semidirect show kov); COMP_CWORD=2; COMP_TYPE=9
    _python_argcomplete semidirect
    complete -p semidirect
    printf '%s\\n' "${COMPREPLY[@]}"
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script], env={**os.environ, "PATH": path}, cwd=tmp_path, capture_output=True, text=True
    )
    first, *answer = done.stdout.split("\n")
    assert "-F _python_argcomplete" in first
    assert answer[0].strip() == "kovalevskaya-top"


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_a_script(semidirect, shell):
    done = semidirect("completion", shell)
    assert done.code == 0
    assert "semidirect" in done.out
    assert {"bash": "complete", "zsh": "compdef", "fish": "__fish_semidirect_complete"}[shell] in done.out


def test_what_is_completed_are_arguments_that_exist():
    known = set()
    make_parser().each_argument(lambda command, action: known.add(action.dest))
    assert set(COMPLETERS) <= known
