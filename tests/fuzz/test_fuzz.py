# ruff: noqa: E501
"""Whatever is given, what is raised is ours: a fixed slice of the fuzz, and the faults that it and others found, one by one.

The scripts beside this file run any number of command lines and calls.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

import semidirect as sd
from semidirect.cli.main import main
from semidirect.core.errors import InputError, SemidirectError

sys.path.insert(0, str(Path(__file__).parent))
import calls
import command_lines


def test_command_lines_at_random():
    assert command_lines.failures(15, 11) == []


def test_calls_at_random():
    assert calls.failures(60, 11) == []


HUGE = 10**400
RUN = {"t_end": 0.02, "dt": 0.01, "engine": "numpy"}
ARRAYS = [np.array(["numpy", "raise"]), np.ones(3), ["numpy"], {"numpy": 1}, None, 3]


@pytest.mark.parametrize("make", [
    lambda: sd.Histogram("energy", low=0, high=HUGE), lambda: sd.Histogram("energy", low=-HUGE, high=0), lambda: sd.FirstPassage("energy", HUGE),
    lambda: sd.Stop("energy", above=HUGE), lambda: sd.Stop("energy", below="1"), lambda: sd.Stop("Omega", above=1, component=1.5),
    lambda: sd.Stop("Omega", above=1, component=-1), lambda: sd.Stop("Omega", above=1, component=True), lambda: sd.Stop("energy", above=[1]),
    lambda: sd.FirstPassage("Omega", 1, component=1.5), lambda: sd.FirstPassage("Omega", 1, direction=["up"]), lambda: sd.Covariance(3),
    lambda: sd.Covariance(object()), lambda: sd.Moments([1]), lambda: sd.Extremes({"a": 1}, label=3), lambda: sd.Moments(label=["x"]),
    lambda: sd.Histogram("energy", low=0, high=1e-320, bins=4), lambda: sd.Histogram("energy", low=1, high=1 + 1e-15, bins=1000),
    lambda: sd.by_path([[1], [2, 3]]), lambda: sd.by_path(sd.PerPath([[1], [2, 3]])), lambda: sd.SE3(blocks=3), lambda: sd.SE2(blocks={1: 2}),
    lambda: sd.SO3(coordinates=len), lambda: sd.minimal_rotation("energy"), lambda: sd.noise_class("rigid-body"), lambda: sd.monitor(3),
])  # fmt: skip
def test_what_is_made_of_what_does_not_fit_is_refused(make):
    try:
        made = make()
    except SemidirectError:
        return
    assert isinstance(made, sd.Moments | sd.Extremes)
    with pytest.raises(InputError):  # names are looked at when it is known of which system they are
        sd.load("rigid-body").simulate(**RUN, reduce=made)


@pytest.mark.parametrize(
    "name", ["engine", "on_failure", "increments", "variables", "method", "keep", "reduce", "bounds", "stop", "save"]
)
def test_arrays_where_names_belong(name):
    top = sd.load("rigid-body")
    for value in (ARRAYS[0], ARRAYS[1], [["numpy"]], {1: 2}, HUGE):
        with pytest.raises(InputError):
            top.simulate(**{**RUN, name: value})


@pytest.mark.parametrize("value", [HUGE, -HUGE, "a\0b", -1, 1.5, "1", [1], 2**64])
def test_numbers_that_are_none(value):
    top = sd.load("rigid-body")
    for name in ("t_end", "dt", "seed", "paths", "threads", "noise_dt", "t_start"):
        if (
            not (name == "threads" and value in (2**64, HUGE))
            and not (name in ("t_end", "dt", "noise_dt") and value in (1.5, 2**64))
            and not (name == "t_start" and value == 1.5)
        ):
            with pytest.raises(InputError):
                top.simulate(**{**RUN, name: value})
    with pytest.raises(InputError):
        top.simulate(**RUN, bounds={"energy": -HUGE})
    for seed in (-1, "1", 1.5):
        with pytest.raises(InputError):
            top.prove("energy", seed=seed)
        with pytest.raises(InputError):
            top.invariants(1, seed=seed)


@pytest.mark.parametrize("path", ["a\0b", "\0", b"a", 3, None, ["a"]])
def test_paths_that_are_none(path):
    run = sd.load("rigid-body").simulate(**RUN)
    with pytest.raises(InputError):
        run.save(path)
    with pytest.raises(InputError):
        sd.Run.load(path)


@pytest.mark.parametrize(("line", "reason"), [
    ("run rigid-body --t-end 0.02 -o a\0b", "expected a path"),
    ("plot a\0b", "expected a path"),
    ("run rigid-body --t-end 0.02 --paths 99999999999999999999", "paths: expected a whole number below 2"),
    ("convergence rigid-body --levels 99999999999999999999", "levels: expected a whole number, from 5 to 40"),
    ("compare rigid-body --methods heun --levels 99999999999999999999", "levels: expected a whole number, from 1 to 40"),
    ("convergence rigid-body -o x.pgf", "cannot draw x.pgf"),
    ("invariants rigid-body --seed -1", "seed"),
    ("invariants rigid-body --prove energy --seed -1", "seed"),
    ("check rigid-body --quick --seed -1", "seed"),
    ("invariants rigid-body --prove=", "not an expression"),
    ("run rigid-body --t-end 0.02 --reduce histogram:energy,low=0,low=1,high=2", "each option once"),
    ("run rigid-body --t-end 0.02 --reduce first-passage:energy,level=1,level=2", "each option once"),
    ("run rigid-body --t-end 0.02 --reduce moments:energy,energy", "each once"),
    ("run rigid-body --t-end 0.02 --reduce moments:energy,kind=3", "each option once"),
    ("run rigid-body --t-end 0.02 --reduce first-passage:Omega,level=1,component=1.5", "component"),
])  # fmt: skip
def test_command_lines_that_were_foreign_or_silent(line, reason, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(line.split(" ")) == 2
    said = capsys.readouterr().err
    assert reason in said
    assert "unexpected" not in said
    assert not list(tmp_path.iterdir())
