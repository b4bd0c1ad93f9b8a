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
from semidirect.cli.entry import make_parser
from semidirect.integrators.registry import METHODS

pytest.importorskip("argcomplete")


ASK = """
import os, sys
import sympy  # once for all lines, as the system below
import semidirect as sd
from semidirect.cli.entry import main, make_parser

sd.load("routh-sphere").observables()
make_parser().commands["run"].arguments()

for number, line in enumerate(sys.argv[1:]):
    if os.fork() == 0:  # the program ends its process when it has answered
        os.environ.update(COMP_LINE=line, COMP_POINT=str(len(line)), _ARGCOMPLETE_STDOUT_FILENAME=f"answers{number}")
        sys.argv[1:] = []
        main()
        os._exit(1)
    assert os.wait()[1] == 0
"""


def answers(folder, *lines, **shell):
    """What the program answers a shell in which these lines are typed, each in a process of its own."""
    asked = {**shell, "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_SUPPRESS_SPACE": "1"}
    command, environment = [sys.executable, "-c", ASK, *lines], {**os.environ, **asked}
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True)
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    return [(folder / f"answers{n}").read_text(encoding="utf-8").split("\n") for n in range(len(lines))]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_answers(tmp_path):
    run = sd.load("heavy-top").simulate(t_end=0.02, dt=0.01, execution=sd.Execution(engine="numpy"))
    run.save(tmp_path / "top.zarr")
    command, systems, option, methods, names, setting, component, quantity, file = answers(
        tmp_path,
        "semidirect eq",
        "semidirect show ",
        "semidirect run routh-sphere --met",
        "semidirect run routh-sphere --method ",
        "semidirect run routh-sphere --keep energy,jel",
        "semidirect run routh-sphere --set mas",
        "semidirect evolution routh-sphere g1",
        "semidirect plot top.zarr --quantity Gam",
        "semidirect plot to",
    )
    assert command == ["equations"]
    assert set(systems) >= set(plugins.available())
    assert option == ["--method"]
    assert set(methods) == set(METHODS)
    assert names == ["energy,jellett"]
    assert setting == ["mass="]
    assert component == ["g11", "g12", "g13"]
    assert quantity == ["Gamma", "Gamma1", "Gamma2", "Gamma3"]
    assert file in (["top.zarr"], ["top.zarr/"])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_answers_come_with_descriptions(tmp_path):
    zsh, fish = {"_ARGCOMPLETE_SHELL": "zsh"}, {"_ARGCOMPLETE_SHELL": "fish", "_ARGCOMPLETE_DFS": "\t"}
    commands, names = answers(tmp_path, "semidirect ", "semidirect run routh-sphere --keep M,momentum-s", **zsh)
    assert "show:show a system: parameters, options, state, observables" in commands
    assert not [x for x in commands if x.endswith((":", ":None"))]
    assert names == ["M,momentum-squared:|M|² [kg² m⁴/s²]"]
    run = "semidirect run routh-sphere"
    systems, settings, methods = answers(tmp_path, "semidirect show ", f"{run} --set of", f"{run} --method ", **fish)
    assert settings == ["offset=\tdistance ℓ of the centre of mass from the centre [m]"]
    assert "suslov" in {x.split("\t")[0] for x in systems}
    assert len(methods) == len(list(METHODS))
    assert all(len(x.split("\t")[1]) > 20 and "`" not in x for x in (*systems, *methods))


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


def test_each_completion_completes_a_flag():
    flags = [flag for parser in make_parser().commands.values() if parser.arguments() for flag in parser.flags.values()]
    assert {flag.completion for flag in flags if flag.completion} == set(COMPLETERS)
