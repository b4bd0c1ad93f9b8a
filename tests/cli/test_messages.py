"""What takes long is said on stderr: at once on a terminal, after a second elsewhere, and all of it with --verbose."""

import logging
import sys
import time

import pytest
from semidirect_rigid_body import RigidBody

import semidirect as sd
from semidirect.cli import list as list_command
from semidirect.core.messages.announcement import announced
from semidirect.machine.cache.compiled_function import CompiledFunction

LOG = logging.getLogger("semidirect.somewhere")


@pytest.fixture
def working(monkeypatch, semidirect):
    """``semidirect list``, which works for so many seconds, twice."""

    def call(*flags, seconds=0.0, terminal=False, patience=1000.0):
        def systems():
            for what in ("deriving", "compiling"):
                with announced(LOG, "%s the top", what):
                    time.sleep(seconds)
            return []

        monkeypatch.setattr(list_command, "systems", systems)
        monkeypatch.setattr("semidirect.cli.messages.PATIENCE", patience)
        monkeypatch.setattr(type(sys.stderr), "isatty", lambda self: terminal, raising=False)
        return semidirect("list", "--format", "json", *flags)

    return call


def test_quick_work_is_not_announced(working):
    assert working(patience=10).err == ""
    time.sleep(0.02)


def test_slow_work_is_announced(working):
    done = working(seconds=0.3, patience=0.05)
    assert (done.code, done.out) == (0, "[]\n")
    assert done.err == "semidirect: deriving the top\nsemidirect: compiling the top\n"


def test_nothing_is_announced_after_the_end(working, capsys):
    assert working(patience=0.2).err == ""
    time.sleep(0.4)
    assert capsys.readouterr().err == ""


def test_a_terminal_is_told_at_once(working):
    assert working(terminal=True).err == "semidirect: deriving the top\nsemidirect: compiling the top\n"


@pytest.mark.parametrize("before", [True, False])
def test_verbose_says_how_long(working, semidirect, before):
    flags = working("--verbose").err.splitlines()
    assert [line.partition(":")[2].strip() for line in flags] == [
        "deriving the top", "deriving the top: 0.0 s", "compiling the top", "compiling the top: 0.0 s",
    ]  # fmt: skip
    assert semidirect("--verbose", "list", "--format", "json").err.splitlines() == flags


def test_what_is_derived_and_compiled_is_logged(caplog, monkeypatch, tmp_path):
    class Fresh(RigidBody):
        """A body whose equations nobody has derived."""

        __module__ = "nowhere"

    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path / "kept"))
    caplog.set_level(logging.DEBUG, "semidirect")
    Fresh().sde()
    text = f"def run(x: f8[:]):\n    x[0] += {time.time()}\n"
    CompiledFunction.of_text(text, "run", {}, purpose="a sum")
    said = [(r.levelno, r.name, r.getMessage()) for r in caplog.records]
    kept = tmp_path / "kept"
    assert said[0] == (
        logging.INFO,
        "semidirect.equations.derive",
        "deriving the equations of Fresh in momentum variables",
    )
    assert said[1][0] == logging.DEBUG
    assert said[1][2].startswith("deriving the equations of Fresh in momentum variables: ")
    assert said[2] == (
        logging.INFO,
        "semidirect.machine.cache.compiled_function",
        f"compiling a sum, once: kept in {kept}",
    )
    assert said[3][2].startswith("compiling a sum: ")
    assert len(said) == 4
    caplog.clear()
    Fresh().sde()
    assert not caplog.records
    assert isinstance(Fresh(), sd.System)
