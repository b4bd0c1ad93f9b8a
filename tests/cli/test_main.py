"""The entry point: exit codes, where text goes, what is loaded."""

import json
import logging
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import semidirect as sd
from semidirect import plugins
from semidirect.cli import list as list_command
from semidirect.cli.commands import BUILT_IN
from semidirect.cli.main import main
from semidirect.core import registry
from semidirect.core.errors import InputError
from semidirect.integrators.registry import METHODS

NAMES = [
    "advise", "multilevel", "lyapunov",
    "list", "show", "equations", "evolution", "invariants", "structure", "evaluate", "run", "plot", "view", "convergence",
    "animate", "compare", "export", "check", "new", "completion", "reproduce", "audit",
    "filter", "fit",
]  # fmt: skip
SCRIPT = Path(sysconfig.get_path("scripts")) / ("semidirect.exe" if os.name == "nt" else "semidirect")
HEAVY = ["sympy", "llvmlite", "xarray", "matplotlib", "geomstats", "zarr"]


def test_the_commands_are_all_listed(semidirect):
    assert {*BUILT_IN, "reproduce", "audit"} == set(NAMES)
    done = semidirect("--help")
    assert done.code == 0
    assert done.out.startswith("usage: semidirect")
    for name in NAMES:
        assert f"\n    {name}" in done.out


@pytest.mark.parametrize("name", NAMES)
def test_every_command_describes_itself(semidirect, name):
    done = semidirect(name, "-h")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"usage: semidirect {name}")
    assert "--debug" in done.out


def test_version(semidirect):
    assert semidirect("--version").out == f"semidirect {sd.__version__}\n"


def test_a_missing_command_is_a_usage_error(semidirect):
    done = semidirect()
    assert (done.code, done.out) == (2, "")
    assert "usage: semidirect" in done.err


@pytest.mark.parametrize("arguments", [["lst"], ["run"], ["list", "--frmt"], ["list", "--form", "json"], ["plot"]])
def test_wrong_usage(semidirect, arguments):
    done = semidirect(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "usage: semidirect" in done.err
    assert "error: " in done.err


@pytest.mark.parametrize("arguments", [["--debug", "show", "nope"], ["show", "nope", "--debug"]])
def test_a_traceback_only_with_debug(semidirect, arguments):
    done = semidirect(*arguments)
    assert done.code == 2
    assert "Traceback" in done.err
    assert "UnknownNameError: unknown system 'nope'" in done.err
    done = semidirect("show", "nope")
    assert done.code == 2
    assert "Traceback" not in done.err
    assert done.err.startswith("semidirect: error: unknown system 'nope'. Known: chaplygin-ball, ")
    assert done.err.count("\n") == 1


@pytest.fixture
def failing(monkeypatch):
    def install(error):
        def fail():
            raise error

        monkeypatch.setattr(list_command, "systems", fail)

    return install


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (KeyboardInterrupt(), 130, "semidirect: interrupted\n"),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
        (InputError("a\nb", expected="c"), 2, "semidirect: error: a b: expected c\n"),
        (PermissionError(13, "Permission denied", "x.zarr"), 2, "semidirect: error: x.zarr: Permission denied\n"),
        (OSError(28, "No space left on device"), 2, "semidirect: error: No space left on device\n"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_one_line_and_a_code(failing, semidirect, error, code, text):
    failing(error)
    done = semidirect("list")
    assert (done.code, done.out, done.err) == (code, "", text)


def test_an_error_that_is_not_ours_says_where_in_the_users_code(failing, semidirect):
    failing(ZeroDivisionError("by 0"))
    done = semidirect("list")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("semidirect: error: unexpected ZeroDivisionError: by 0, at line ")
    assert done.err.endswith("of test_main.py, fail: raise error. More with --debug.\n")


def test_help_names_every_method(semidirect):
    told = re.sub(r"-\n\s*", "-", semidirect("run", "--help").out)  # a line may end at a hyphen
    assert [name for name in METHODS.built_in if not re.search(rf"\b{name}\b", told)] == []


@pytest.mark.parametrize("command", ["list", "run", "check"])
def test_an_unknown_option_is_told_by_the_command_that_has_not_got_it(semidirect, command):
    done = semidirect(command, *(["heavy-top"] if command != "list" else []), "--nothing")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"usage: semidirect {command} ")
    assert f"semidirect {command}: error: unrecognized arguments: --nothing" in done.err


def test_a_broken_plugin_is_text_on_stderr(monkeypatch, semidirect):
    good, points = registry.extension.entry_points(plugins.GROUP), []

    class Point:
        name, value, dist = "broken-top", "no_such_module:Top", type("Distribution", (), {"name": "broken-tops"})

    monkeypatch.setattr(registry.extension, "entry_points", lambda group: [*good, *points])
    healthy = semidirect("list")
    assert healthy.err == ""
    points.append(Point())
    done = semidirect("list")
    assert (done.code, done.out) == (0, healthy.out)
    assert done.err.startswith("semidirect: warning: the plugin 'broken-top' of 'broken-tops' cannot be loaded")
    assert done.err.count("\n") == 1
    assert semidirect("list").err == done.err  # not only the first time


def test_a_system_that_cannot_be_made_is_left_out(monkeypatch, semidirect):
    loaded, available = plugins.load_all(), plugins.available()

    def impossible():
        raise RuntimeError("not today")

    monkeypatch.setattr(plugins, "load_all", lambda: {"odd-top": impossible, **loaded})
    monkeypatch.setattr(plugins, "available", lambda: {"odd-top": available["heavy-top"], **available})
    done = semidirect("list")
    assert done.code == 0
    assert "heavy-top" in done.out
    assert "odd-top" not in done.out
    assert "'odd-top' of 'semidirect' cannot be made with its defaults: RuntimeError: not today" in done.err


def test_what_the_library_logs_goes_to_stderr(monkeypatch, semidirect):
    logger = logging.getLogger("semidirect.somewhere")

    def systems():
        logger.warning("careful")
        logger.info("only on a terminal")
        return []

    monkeypatch.setattr(list_command, "systems", systems)
    before = list(logging.getLogger("semidirect").handlers)
    done = semidirect("list", "--format", "json")
    assert (done.code, done.out, done.err) == (0, "[]\n", "semidirect: careful\n")
    assert logging.getLogger("semidirect").handlers == before


# -- in a process of its own -------------------------------------------------------------------------------------------


def run(*arguments, **options):
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, **options)


def test_the_installed_script():
    done = run("evaluate", "rigid-body", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == sd.load("rigid-body").evaluate()
    done = run("evaluate", "rigid-body", "--set", "inertia=[1, 1, 3]")
    assert (done.returncode, done.stdout) == (2, "")
    assert "triangle inequality" in done.stderr
    assert "Traceback" not in done.stderr


def test_arguments_of_the_process(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["semidirect", "--version"])
    assert main() == 0
    assert sd.__version__ in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["list"], ["show", "routh-sphere"], ["show", "routh-sphere", "--format", "json"]]
)
def test_commands_that_list_import_no_heavy_modules(arguments):
    code = "import sys; from semidirect.cli.main import main; code = main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0
    assert "routh-sphere" in done.stdout
    assert "semidirect_rolling_ball" in done.stderr.split()
    assert set(HEAVY) & set(done.stderr.split()) == set()


def test_letters_that_the_output_lacks():
    done = run("show", "heavy-top", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert done.stderr == (
        "semidirect: warning: ? stands for letters that the output, in ascii, does not have. Set PYTHONUTF8=1.\n"
    )
    assert "mg? ???" in done.stdout  # mgℓ Γ·χ


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_goes_away():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([SCRIPT, "list"], stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full device")
def test_an_output_that_is_full():
    with open("/dev/full", "w") as full:
        done = subprocess.run([SCRIPT, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "semidirect: error: No space left on device\n")


def test_the_package_is_a_command_as_well():
    done = subprocess.run([sys.executable, "-m", "semidirect", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, run("--version").stdout)


@pytest.mark.skipif(os.name == "nt", reason="a shell closes it")
@pytest.mark.parametrize(
    "arguments", ["run nothing", "run rigid-body --t-end x", "", "run nothing --debug", "filter rigid-body"]
)
def test_messages_do_not_go_to_stdout_where_stderr_is_closed(arguments):
    done = subprocess.run(
        f"'{sys.executable}' -m semidirect {arguments} 2>&-", shell=True, stdout=subprocess.PIPE, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
