"""A word before long work, how far it is, and what an interruption leaves."""

import json
import logging
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.messages import announcement
from semidirect.equations import forecast, motion, principle
from semidirect.groups import SpecialOrthogonal
from semidirect.machine import CompiledFunction, files
from semidirect.machine.cache import compiled_function

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
