# ruff: noqa: E501
"""Whatever is given, what is raised is ours: a fixed slice of the fuzz, and the faults that it and others found, one by one.

The scripts beside this file run any number of command lines and calls.
"""

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import semidirect as sd
from semidirect import analysis, invariants
from semidirect.analysis import pictures
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence
from semidirect.analysis.pictures.comparison import plot_comparison, plot_ledger, plot_work_precision
from semidirect.cli.entry import main
from semidirect.core.errors import InputError, SemidirectError, StoreError
from semidirect.testing import drift_slope

sys.path.insert(0, str(Path(__file__).parent))
import calls
import command_lines
import expressions


def test_command_lines_at_random():
    assert command_lines.failures(11, 1) == []


def test_calls_at_random():
    assert calls.failures(60, 11) == []


def test_expressions_at_random():
    assert expressions.failures(900, 7) == []


@pytest.mark.parametrize(
    "text", ["energy*1e400", "1e2500", "energy**(1e308*10)", "energy**(-1e308*10)", "9" * 400, "dot(M)"]
)
def test_expressions_beyond_the_floats_and_with_too_few_arguments_raise_errors(text):
    run = sd.load("rigid-body").simulate(**RUN, seed=1)
    with pytest.raises(InputError):
        run[text]


@pytest.mark.parametrize(
    "text", ["sin()", "atan2(M1)", "dot(M)", "cross()", "norm()", "where()", "f(x=1)", "M1**1e400", "[]", "M1**True"]
)
def test_what_is_no_expression_has_no_unit(text):
    assert sd.load("rigid-body").simulate(**RUN, seed=1).data.unit(text) == ""


def test_units_of_long_sums_and_products_are_read():
    run = sd.load("rigid-body").simulate(**RUN, seed=1)
    assert run.data.unit("+".join(["M1"] * 2500)) == run.data.unit("M1") == "kg m²/s"
    assert run.data.unit("*".join(["M1"] * 700)) == "kg⁷⁰⁰ m¹⁴⁰⁰/s⁷⁰⁰"


HUGE = 10**400
RUN = {"t_end": 0.02, "dt": 0.01, "execution": sd.Execution(engine="numpy")}
ARRAYS = [np.array(["numpy", "raise"]), np.ones(3), ["numpy"], {"numpy": 1}, None, 3]


@pytest.mark.parametrize("make", [
    lambda: sd.Histogram("energy", low=0, high=HUGE), lambda: sd.Histogram("energy", low=-HUGE, high=0), lambda: sd.FirstPassage("energy", HUGE),
    lambda: sd.Stop("energy", above=HUGE), lambda: sd.Stop("energy", below="1"), lambda: sd.Stop("Omega", above=1, component=1.5),
    lambda: sd.Stop("Omega", above=1, component=-1), lambda: sd.Stop("Omega", above=1, component=True), lambda: sd.Stop("energy", above=[1]),
    lambda: sd.Crossing("energy", HUGE), lambda: sd.Crossing("energy", 1, ["rising"]), lambda: sd.Crossing("energy", most=1.5),
    lambda: sd.FirstPassage("Omega", 1, component=1.5), lambda: sd.FirstPassage("Omega", 1, direction=["up"]), lambda: sd.Covariance(3),
    lambda: sd.Covariance(object()), lambda: sd.Moments([1]), lambda: sd.Extremes({"a": 1}, label=3), lambda: sd.Moments(label=["x"]),
    lambda: sd.Histogram("energy", low=0, high=1e-320, bins=4), lambda: sd.Histogram("energy", low=1, high=1 + 1e-15, bins=1000),
    lambda: sd.by_path([[1], [2, 3]]), lambda: sd.by_path(sd.PerPath([[1], [2, 3]])), lambda: sd.SE3(blocks=3), lambda: sd.SE2(blocks={1: 2}),
    lambda: sd.SO3(coordinates=len), lambda: sd.groups.minimal_rotation("energy"), lambda: sd.noise.noise_class("rigid-body"), lambda: sd.analysis.monitor(3),
])  # fmt: skip
def test_mismatched_parts_raise_errors(make):
    try:
        made = make()
    except SemidirectError:
        return
    assert isinstance(made, sd.Moments | sd.Extremes)
    with pytest.raises(InputError):  # names are looked at when it is known of which system they are
        sd.load("rigid-body").simulate(**RUN, reduce=made)


@pytest.mark.parametrize(
    "name", ["engine", "on_failure", "variables", "method", "keep", "reduce", "bounds", "stop", "save"]
)
def test_arrays_where_names_belong(name):
    top = sd.load("rigid-body")
    for value in (ARRAYS[0], ARRAYS[1], [["numpy"]], {1: 2}, HUGE):
        with pytest.raises(InputError):
            top.simulate(**{**RUN, name: value})


@pytest.mark.parametrize("value", [HUGE, -HUGE, "a\0b", -1, 1.5, "1", [1], 2**64])
def test_invalid_numbers_raise_errors(value):
    top = sd.load("rigid-body")
    for name in ("t_end", "dt", "seed", "paths", "threads", "t_start"):
        if (
            not (name == "threads" and value in (2**64, HUGE))
            and not (name in ("t_end", "dt") and value in (1.5, 2**64))
            and not (name == "t_start" and value == 1.5)
        ):
            with pytest.raises(InputError):
                top.simulate(**{**RUN, name: value})
    with pytest.raises(InputError):
        top.simulate(**RUN, checks=sd.Checks(bounds={"energy": -HUGE}))
    for seed in (-1, "1", 1.5):
        with pytest.raises(InputError):
            top.prove("energy", seed=seed)
        with pytest.raises(InputError):
            top.invariants(1, seed=seed)


@pytest.mark.parametrize(
    "path", ["a\0b", "\0", b"a", 3, None, ["a"], "", "a" * 300, "a/" * 3000, "\ud800", ".", "./", "/", "//", ".."]
)
def test_invalid_folders_of_runs_raise_errors(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    top = sd.load("rigid-body")
    run = top.simulate(**RUN)
    for use in (run.save, sd.Run.load, sd.Run.parts, lambda place: sd.extend(place, t_end=0.03)):
        with pytest.raises((InputError, StoreError)):
            list(use(path))
    if path is not None:
        with pytest.raises((InputError, StoreError)):
            top.simulate(**RUN, save=sd.Save(store=path))
    assert not list(tmp_path.iterdir())


NOT_AXES = (1, "ax", np.ones(3), object())
NOT_RUNS = (None, "run.zarr", 0, {"energy": np.ones((1, 2))}, sd.PerPath([1.0]), sd.Moments())
NOT_SEQUENCES = (0, "energy", 1.5, None, {"energy"}, np.array("energy"), sd.PerPath([0, 1]), len)


PICTURES = {
    "plot": lambda run, **how: pictures.plot(run, "energy", **how),
    "plot_phase": lambda run, **how: pictures.plot_phase(run, "energy", "M[0]", **how),
    "plot_sphere": lambda run, **how: pictures.plot_sphere(run, "M", **how),
    "plot_histogram": lambda run, **how: pictures.plot_histogram(run, "energy", **how),
    "plot_quantiles": lambda run, **how: pictures.plot_quantiles(run, "energy", **how),
}


def test_invalid_axes_raise_errors():
    run = sd.load("rigid-body").simulate(**RUN)
    study, found = (
        convergence(sd.load("rigid-body"), **SHORT, reference="heun"),
        compare(sd.load("rigid-body"), ["heun"], **SHORT, timed=False, reference="heun"),
    )
    for draw in (
        *(lambda ax, draw=draw: draw(run, ax=ax) for draw in PICTURES.values()), lambda ax: study.plot(ax=ax),
        lambda ax: plot_work_precision(found, ax=ax), lambda ax: plot_ledger(found, "energy", ax=ax),
        lambda ax: analysis.plot_plane(sd.load("chaplygin-sleigh").simulate(**RUN), ax=ax),
    ):  # fmt: skip
        for ax in NOT_AXES:
            if ax is not None:  # of which new ones are made
                with pytest.raises(InputError, match="axes of Matplotlib"):
                    draw(ax)
    with pytest.raises(InputError):
        analysis.plot_run(run, ())


SHORT = {"t_end": 0.02, "dt": 0.01, "levels": 5, "paths": 2, "execution": sd.Execution(engine="numpy")}


@pytest.mark.parametrize("value", NOT_RUNS)
def test_invalid_runs_raise_errors(value):
    top = sd.load("rigid-body")
    run = top.simulate(**RUN)
    for use in (
        sd.Run, sd.analysis.monitor, analysis.plot_run, analysis.plot_plane, analysis.plane_position, lambda x: drift_slope(x, 'energy'),
        lambda x: analysis.mean(x, "energy"), *PICTURES.values(),
        lambda x: analysis.drift(x, analysis.Quantity("energy", "energy")), lambda x: analysis.drift(run, x),
        lambda x: analysis.ConservationTable.of("a table", {"a": x}, []),
        lambda x: run.plot("energy", deterministic=0 if x is None else x), plot_comparison,
    ):  # fmt: skip
        with pytest.raises(InputError):
            use(value)


def test_the_drift_of_no_data_is_nan():
    run = sd.load("rigid-body").simulate(**RUN)
    energy = analysis.Quantity("energy", "energy")
    assert analysis.drift(run, energy) > 0
    assert np.isnan(analysis.drift(replace(run.data, data={"energy": run["energy"][:, :0]}), energy))
    assert np.isnan(
        analysis.drift(replace(run.data, data={"energy": run["energy"][:0]}, status=run.data.status[:0]), energy)
    )
    with pytest.raises(InputError):
        analysis.drift(run, analysis.Quantity("energy", "energy", component=0))


@pytest.mark.parametrize("value", NOT_SEQUENCES)
def test_invalid_sequences_raise_errors(value):
    top, vectors = sd.load("rigid-body"), sd.VectorRepresentation(sd.SO3())
    for use in (
        lambda: sd.representations.Subrepresentation(vectors, value),
        lambda: invariants.find_measure(top, functions=value),
        lambda: invariants.find_measure(top, factors=value),
        lambda: compare(top, value, **SHORT),
    ):
        with pytest.raises(InputError):
            use()


@pytest.mark.parametrize("value", [0.5, True, "1", None, [1], -1, HUGE, sd.SO3, Fraction(1, 3), sd.PerPath([1])])
def test_invalid_degrees_and_dimensions_raise_errors(value):
    top = sd.load("rigid-body")
    for use in (
        lambda: invariants.find_measure(top, degree=value), lambda: invariants.find_casimirs(top, value),
        lambda: top.invariants(value), lambda: sd.groups.Torus(value), lambda: sd.groups.SO(value), lambda: sd.RealSpace(value),
        lambda: sd.representations.TrivialRepresentation(sd.SO3(), value),
        lambda: sd.representations.Subrepresentation(sd.representations.TrivialRepresentation(sd.SO3(), 3), [value]),
    ):  # fmt: skip
        with pytest.raises(InputError):
            use()


def test_numbers_beyond_the_floats():
    top = sd.load("rigid-body")
    for use in (
        sd.groups.minimal_rotation, lambda x: sd.groups.minimal_motion([0, 0, 1], x), sd.groups.MatrixGroup, top.diffusion,
        lambda x: sd.groups.MatrixGroup(sd.SO3().basis, form=[[x, 0, 0], [0, 1, 0], [0, 0, 1]]),
        lambda x: sd.Advected(sd.VectorRepresentation(sd.SO3()), [x, 0, 0]), lambda x: top.simulate(**RUN, save=[x]),
        lambda x: top.simulate(**RUN, driver=np.array([[x], [1]])), lambda x: top.simulate(**RUN, driver=str(x)),
        lambda x: invariants.compare_principles(sd.load("chaplygin-sleigh"), multipliers=[x]),
    ):  # fmt: skip
        for number in (HUGE, -HUGE):
            with pytest.raises(InputError):
                use(number)


@pytest.mark.parametrize("flag", [0, None, "yes", np.array(["energy", "M"]), np.array([1, None], dtype=object)])
def test_invalid_flags_raise_errors(flag):
    top = sd.load("rigid-body")
    run = top.simulate(**RUN)
    for use in (
        lambda: top.prove("energy", symbolic=flag), lambda: invariants.nonholonomic_momenta(top, symbolic=flag),
        lambda: invariants.find_measure(top, locked=flag), lambda: sd.analysis.monitor(run, refine=flag),
        lambda: sd.Run.load("run", partial=flag), lambda: sd.Run.parts("run", partial=flag),
        lambda: compare(top, ["heun"], **SHORT, timed=flag),
    ):  # fmt: skip
        with pytest.raises(InputError):
            use()


@pytest.mark.parametrize("bound", [np.inf, float("inf"), None])
def test_a_bound_that_is_lifted_is_stored_and_met_again(bound, tmp_path):
    """Infinity has no place in JSON; the run that is extended has the same bounds, and no declared one in their place."""

    class Bounded(sd.load("rigid-body").__class__):
        @sd.observable(bound=1e-3)
        def size(self, state):
            return state.Omega[0]

    top, start = Bounded(), {"Omega": [1.0, 0.1, 0.2]}
    assert top.simulate(**RUN, state=start).data.status.tolist() == [5]
    made = top.simulate(
        **RUN, state=start, checks=sd.Checks(bounds={"size": bound}), save=sd.Save(store=tmp_path / "run")
    )
    assert made.good.all()
    assert made.config["bounds"] == {"size": None}
    assert sd.Run.load(tmp_path / "run").config["bounds"] == {"size": None}
    assert sd.extend(tmp_path / "run", t_end=0.03, system=top).good.all()


@pytest.mark.parametrize(("line", "reason"), [
    ("run rigid-body --t-end 0.02 -o a\0b", "expected a path"),
    ("plot a\0b", "expected a path"),
    ("run rigid-body --t-end 0.02 --paths 99999999999999999999", "paths: expected a whole number, from 1 to 2**53"),
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
