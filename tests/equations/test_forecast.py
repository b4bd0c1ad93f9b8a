"""A word before long work, how far it is, and what an interruption leaves."""

import io
import json
import logging
import os
import signal
import threading
import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import semidirect as sd
from semidirect.core import messages
from semidirect.core.messages import announcement
from semidirect.equations import forecast, motion, principle
from semidirect.groups import SpecialOrthogonal
from semidirect.machine import CompiledFunction, files
from semidirect.machine.cache import compiled_function, in_a_thread

RECORD = json.loads((Path(__file__).parents[1] / "benchmarks" / "large_systems.json").read_text("utf-8"))


def body(of=None):
    class Body(sd.System):
        """A free body."""

        group = of or SpecialOrthogonal(4)

        def lagrangian(self, xi):
            return sum((k + 2) * w**2 for part in xi for k, w in enumerate(getattr(xi, part))) / 2

    return Body()


@pytest.fixture
def everything_is_long(monkeypatch):
    monkeypatch.setattr(forecast, "LARGE", 0)
    monkeypatch.setattr(forecast, "DERIVATION", (1.0, 1.0, 1.0))
    monkeypatch.setattr(announcement, "EVERY", 0.0)


def test_a_long_derivation_is_announced_with_its_size_and_the_right_way(everything_is_long, caplog):
    with caplog.at_level(logging.INFO, "semidirect"):
        body().sde()
    first = caplog.records[0]
    assert first.levelno == logging.WARNING
    assert "deriving the equations of Body in momentum variables takes about" in first.getMessage()
    assert "6 components, 24 structure constants, 0 noises" in first.getMessage()
    assert "sd.MatrixLiePoisson" in first.getMessage()
    assert "Ctrl-C interrupts it." in first.getMessage()
    stages = [record.getMessage() for record in caplog.records[1:]]
    for stage in ("derivatives of the Lagrangian", "transport and advection", "the mass matrix"):
        assert any(stage in text and "after 0 s" in text for text in stages)


def test_many_copies_are_told_of_lattices(everything_is_long, caplog):
    body(sd.DirectProduct(*(sd.SO3() for _ in range(4)), names=list("abcd"))).sde()
    assert "sd.Lattice" in caplog.records[0].getMessage()


def test_a_long_page_is_announced(monkeypatch, caplog):
    monkeypatch.setattr(forecast, "LARGE", 0)
    monkeypatch.setattr(forecast, "PAGE", 100.0)
    str(body().equations())
    assert [r.getMessage().partition(" takes about")[0] for r in caplog.records] == ["writing the equations of Body"]


def test_of_small_systems_nothing_is_said(caplog):
    str(body().equations())
    assert not caplog.records


def test_forecasts_are_in_the_order_of_what_was_measured():
    """Of pairs whose measured times differ by a factor of two; and compilations grow with the lines of their code."""
    rows = [(sum(c * x for c, x in zip(forecast.DERIVATION, row["counts"], strict=True)), row["derivation"])
            for row in RECORD["systems"]]  # fmt: skip
    pairs = [(a, b) for a, b in combinations(sorted(rows, key=lambda row: row[1]), 2) if b[1] > 2 * a[1]]
    assert len(pairs) > 5
    assert all(a[0] < b[0] for a, b in pairs)
    lines, seconds = np.array(RECORD["compiled"]).T
    assert np.corrcoef(np.argsort(np.argsort(lines)), np.argsort(np.argsort(seconds)))[0, 1] > 0.8


@pytest.mark.parametrize("place", [(principle, "motion"), (motion, "_gradient")])
def test_an_interrupted_derivation_leaves_nothing_and_is_done_again(monkeypatch, place):
    def interrupted(*_):
        raise KeyboardInterrupt

    system = body()
    with monkeypatch.context() as patch:
        patch.setattr(*place, interrupted)
        with pytest.raises(KeyboardInterrupt):
            system.sde()
    assert system.sde().program.outputs == body().sde().program.outputs


def test_an_interrupted_compilation_leaves_no_file_and_no_lock(monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled_function, "SECONDS", 100.0)
    text = "def twice(x: f8[:], n: i8):\n    for i in range(n):\n        x[i] = 2.125 * x[i]\n"
    code, calls = compiled_function.object_code, []

    def interrupted(assembly):
        calls.append(assembly)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return code(assembly)

    monkeypatch.setattr(compiled_function, "object_code", interrupted)
    with pytest.raises(KeyboardInterrupt):
        CompiledFunction.of_text(text, "twice", {})
    assert "compiling a generated function takes about" in caplog.records[0].getMessage()
    assert "sd.Execution(engine='numpy')" in caplog.records[0].getMessage()
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert not CompiledFunction.of_text(text, "twice", {}).from_disk
    assert len(calls) == 2
    assert files.folder() is not None


# -- progress ----------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stream that calls itself a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(announcement, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(announcement, "UPDATED_EVERY", 0.005)


def watched(monkeypatch):
    """A terminal as stderr, from within a test: pytest puts its own there before."""
    monkeypatch.setattr("sys.stderr", stream := Terminal())
    return stream


def after(stream, words):
    """What is on the line once it has these words."""
    end = time.monotonic() + 5
    while words not in stream.getvalue():
        assert time.monotonic() < end, stream.getvalue()
        time.sleep(0.002)
    return stream.getvalue().rpartition(words)[0].rpartition("\r")[2] + words


def test_long_work_shows_its_stage_its_time_and_what_is_expected_on_one_line(at_once, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    terminal = watched(monkeypatch)
    log = logging.getLogger("semidirect.test")
    with messages.showing_progress(), messages.working(log, "writing the equations of a body", 40.0):
        assert after(terminal, "about 40 s") == "writing the equations of a body, 0 s of about 40 s"
        messages.stage("component 3 of 120 of a momentum")
        line = after(terminal, "a momentum, 0 s of about 40 s")
        assert len(line) == 59
        assert line == "writi…: component 3 of 120 of a momentum, 0 s of about 40 s"
        with messages.working(log, "compiling its steps"):
            assert after(terminal, "compiling its steps, 0 s").startswith("compiling")
    assert terminal.getvalue().split("\r")[-2].strip() == ""  # erased
    assert terminal.getvalue().endswith("\r")
    assert all(thread.name != "progress" for thread in threading.enumerate())


@pytest.mark.parametrize("wanted", [True, False])
def test_a_first_run_that_asks_for_progress_shows_derivation_and_compilation(at_once, monkeypatch, tmp_path, wanted):
    terminal = watched(monkeypatch)
    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path / "cache"))

    class Body(sd.System):
        """A free body, which is derived here for the first time."""

        group = SpecialOrthogonal(4)

        def lagrangian(self, xi):
            return sum((k + 2) * w**2 for k, w in enumerate(xi.Omega)) / 2 + 0 * wanted

    Body().simulate(t_end=0.01, dt=0.01, method="heun", execution=sd.Execution(1, engine="compiled", progress=wanted))
    for words in ("deriving the equations of Body", "compiling the steps of heun"):
        assert (words in terminal.getvalue()) == wanted


# -- Ctrl-C ------------------------------------------------------------------------------------------------------------


class CtrlC:
    """SIGINT to this process after some seconds, unless the work is done by then; and how long it took to be answered."""

    def __init__(self, seconds):
        self.timer, self.active, self.at = threading.Timer(seconds, self.send), True, 0.0

    def __enter__(self):
        self.before = signal.signal(signal.SIGINT, self.interrupt)
        self.timer.start()
        return self

    def send(self):
        self.at = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    def interrupt(self, *_):
        if self.active:
            self.active = False
            raise KeyboardInterrupt

    def __exit__(self, kind, error, trace):
        self.took = time.perf_counter() - self.at
        self.timer.cancel()
        self.timer.join()
        signal.signal(signal.SIGINT, self.before)
        return kind is KeyboardInterrupt


needs_signals = pytest.mark.skipif(os.name == "nt", reason="os.kill ends a process there")


@needs_signals
def test_ctrl_c_is_answered_while_llvm_compiles_whose_result_is_not_lost(monkeypatch, tmp_path):
    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled_function, "INTERRUPTED_FROM", 0.0)
    text = "def thrice(x: f8[:], n: i8):\n    for i in range(n):\n        x[i] = 3.125 * x[i]\n"
    code, goes_on, calls = compiled_function.object_code, threading.Event(), []

    def slow(assembly):
        calls.append(threading.current_thread())
        assert goes_on.wait(20)
        return code(assembly)

    monkeypatch.setattr(compiled_function, "object_code", slow)
    with CtrlC(0.05) as pressed:
        CompiledFunction.of_text(text, "thrice", {})
    assert pressed.at
    assert pressed.took < 1.0  # 0.001
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    goes_on.set()  # nothing is left in the middle: what goes on is waited for, and used
    x = np.ones(3)
    CompiledFunction.of_text(text, "thrice", {})(x, 3)
    assert x.tolist() == [3.125] * 3
    assert len(calls) == 1
    assert calls[0] is not threading.main_thread()


def test_one_long_loop_takes_longer_than_many_short_ones():
    """As measured: steps of so(12) by lie-heun, one loop of 18,549 lines among 19,723, take 26 s, and 33 tops .9 s."""
    lines, long = ["  %t = fadd double %a, %b\n"], "body1:\n"
    assert 13 < compiled_function.expected_seconds(long + "".join(lines * 18_549)) < 52
    assert 0.5 < compiled_function.expected_seconds(("body1:\n" + "".join(lines * 100)) * 67) < 2


def test_an_error_in_the_thread_is_raised_where_its_result_is_waited_for():
    with pytest.raises(ZeroDivisionError):
        in_a_thread.in_a_thread(lambda: 1 // 0)
    assert in_a_thread.in_a_thread(lambda: 7) == 7


@needs_signals
def test_ctrl_c_at_any_time_of_a_derivation_and_its_page_leaves_what_is_derived_again():
    whole = body(SpecialOrthogonal(6))
    begin = time.perf_counter()
    page = str(whole.equations(components=True))
    takes, system, answered = time.perf_counter() - begin, body(SpecialOrthogonal(6)), 0
    for part in (0.05, 0.2, 0.4, 0.6, 0.8):
        with CtrlC(part * takes) as pressed:
            str(system.equations(components=True))
            pressed.active = False
            continue
        answered += 1
        assert pressed.took < 1.0
    assert answered >= 2
    assert str(system.equations(components=True)) == page
    assert system.sde().program.outputs == whole.sde().program.outputs
