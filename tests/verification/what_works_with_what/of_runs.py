# ruff: noqa: E501
"""Checks of what a run computes along with its paths: statistics, events, derivatives."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

import semidirect as sd
from semidirect.core.errors import MethodError
from semidirect.lattices import Lattice
from what_works_with_what.capability import capability
from what_works_with_what.kind import Kind, Statement, is_hybrid
from what_works_with_what.runs import DT, ROUNDING, agreement, close, identical, kernel, run, value


def method(kind: Kind) -> dict[str, Any]:
    """The method of these runs."""
    return {"method": "rkmk4" if is_hybrid(kind.made.system) else "heun"}


def reduced(kind: Kind, statistic: Any) -> tuple[Any, Any]:
    """A statistic in both engines with identical tables, and the run that it is of."""
    ours = run(kind.made, reduce=statistic, **method(kind))
    key = next(iter(ours.reductions))
    compiled = run(kind.made, reduce=statistic, execution=kernel(), **method(kind))
    for name, (_, table) in ours.reductions[key].tables().items():
        other = compiled.reductions[key].tables()[name][1]
        assert np.array_equal(table, other, equal_nan=np.asarray(table).dtype.kind == "f"), f"engines: {name}"
    return ours.reductions[key], ours


@capability("moments")
def moments(kind: Kind) -> str:
    found, made = reduced(kind, sd.Moments([kind.scalar]))
    x = made[kind.scalar]
    close(found.mean[kind.scalar], x.mean(axis=0), ROUNDING, "mean")
    close(found.variance[kind.scalar], x.var(axis=0, ddof=1), ROUNDING, "variance")
    return "NumPy, of the saved paths; both engines"


@capability("covariance")
def covariance(kind: Kind) -> str:
    names = list(kind.names[:2])
    found, made = reduced(kind, sd.Covariance(names))
    for t in range(len(made.times)):
        rows = np.stack([made[n][:, t] for n in names])
        close(found.matrix[t], np.cov(rows), ROUNDING, "covariance")
    return "NumPy, of the saved paths; both engines"


@capability("extremes")
def extremes(kind: Kind) -> str:
    found, made = reduced(kind, sd.Extremes([kind.scalar]))
    close(found.smallest[kind.scalar], made[kind.scalar].min(axis=0), 0, "smallest")
    close(found.largest[kind.scalar], made[kind.scalar].max(axis=0), 0, "largest")
    return "NumPy, of the saved paths; both engines"


@capability("histogram")
def histogram(kind: Kind) -> str:
    x = run(kind.made, **method(kind))[kind.scalar]
    low, high = float(x.min()) - 0.01, float(x.max()) + 0.01
    found, made = reduced(kind, sd.Histogram(kind.scalar, low, high, bins=5))
    for t in range(len(made.times)):
        close(
            np.ravel(found.counts[t]), np.histogram(made[kind.scalar][:, t], bins=5, range=(low, high))[0], 0, "counts"
        )
    return "NumPy, of the saved paths; both engines"


def level_of(kind: Kind, st: Statement, x: np.ndarray) -> float:
    """A level that some paths cross, in the units of a statement."""
    moved = x[:, -1] - x[:, 0]
    path = int(np.argmax(np.abs(moved)))
    middle = float(x[path, 0] + 0.613 * moved[path])
    return middle * st.factor.get(kind.scalar, 1.0) + st.offset.get(kind.scalar, 0.0)


@capability("first passage")
def first_passage(kind: Kind) -> str:
    x = run(kind.made, **method(kind))[kind.scalar]
    level = level_of(kind, kind.made, x)
    rises = bool(x[int(np.argmax(np.abs(x[:, -1] - x[:, 0])))][[0, -1]] @ [-1, 1] > 0)
    found, made = reduced(kind, sd.FirstPassage(kind.scalar, level, "up" if rises else "down"))
    beyond = np.logical_or.accumulate(made[kind.scalar] >= level if rises else made[kind.scalar] <= level, axis=1)
    close(found.passed.cumsum(), beyond.sum(axis=0), 0, "paths that passed")
    return "NumPy, of the saved paths; both engines"


@capability("time average")
def time_average(kind: Kind) -> str:
    times = len(run(kind.made, **method(kind)).times)
    found, made = reduced(kind, sd.TimeAverage([kind.scalar], batches=times))
    close(found.mean[kind.scalar], made[kind.scalar].mean(), ROUNDING, "mean")
    return "NumPy, of the saved paths; both engines"


def _events(kind: Kind, condition: Any, **how: Any) -> dict[str, Any]:
    """Runs that a condition stops, of all statements and in both engines; condition(name, level)."""
    x = np.asarray(run(kind.made, **method(kind))[kind.scalar])
    out: dict[str, Any] = {
        "plain": x,
        "level": level_of(kind, kind.made, x),
        "rises": x[int(np.argmax(np.abs(x[:, -1] - x[:, 0])))],
    }
    for label, st in (("made", kind.made), ("units", kind.units), ("twin", kind.twin)):
        name = st.same.get(kind.scalar, kind.scalar)
        out[label] = run(
            st, stop=condition(name, level_of(kind, st, x), out["rises"][-1] > out["rises"][0]), **method(kind), **how
        )
    if not is_hybrid(kind.made.system):
        compiled = run(kind.made, stop=condition(kind.scalar, out["level"], out["rises"][-1] > out["rises"][0]), execution=kernel(),
                       **method(kind), **how)  # fmt: skip
        identical(out["made"], compiled, kind.names, "engines")
        close(out["made"].stopped.time, compiled.stopped.time, 0, "times in both engines")
    return out


def _stop(locate: bool):
    def condition(name: str, level: float, rises: bool) -> sd.Stop:
        return sd.Stop(name, **({"above": level} if rises else {"below": level}), locate=locate)

    return condition


@capability("stop at a step")
def stop(kind: Kind) -> str:
    """The first step beyond the level, from a run that is not stopped; then values are frozen."""
    e = _events(kind, _stop(False))
    x, made = e["plain"], e["made"]
    beyond = x >= e["level"] if e["rises"][-1] > e["rises"][0] else x <= e["level"]
    first = np.where(beyond.any(axis=1), beyond.argmax(axis=1), -1)
    assert (first > 0).any(), "no path stops"
    expected = np.where(first >= 0, made.times[first], np.nan)
    close(made.stopped.time, expected, ROUNDING, "times of stops")
    frozen = np.where(first >= 0, first, x.shape[1] - 1)
    for p, n in enumerate(frozen):
        assert (made[kind.scalar][p, n:] == x[p, n]).all(), "values after the stop"
    close(e["units"].stopped.time, made.stopped.time * kind.units.clock, ROUNDING, "times in other units")
    return "the saved path that is not stopped; both engines; other units"


def _located(kind: Kind, condition: Any) -> str:
    e = _events(kind, condition)
    made, t = e["made"], e["made"].stopped.time
    assert np.isfinite(t).any(), "no path stops"
    close(e["units"].stopped.time, t * kind.units.clock, ROUNDING, "times in other units")
    if kind.exact:
        close(e["twin"].stopped.time, t, 1e-7, "times in another statement")
    at = made.stopped.state
    assert at is not None
    good = t > 0  # others are beyond the level at the start
    close(np.asarray(made[kind.scalar])[good, -1], np.full(good.sum(), e["level"]), 1e-5, "the scalar at the stop")
    return "on the level; other units and statements; both engines"


@capability("stop, located")
def stop_located(kind: Kind) -> str:
    return _located(kind, _stop(True))


@capability("stop at a crossing")
def crossing_stop(kind: Kind) -> str:
    return _located(kind, lambda name, level, rises: sd.Crossing(name, level, "rising" if rises else "falling"))


@capability("crossings recorded")
def crossings(kind: Kind) -> str:
    """As many as there are changes of sign between saved steps, each between these steps, on the level."""
    x = np.asarray(run(kind.made, **method(kind))[kind.scalar])
    level = level_of(kind, kind.made, x)

    def section(st):
        return sd.Save(crossings=sd.Crossing(st.same.get(kind.scalar, kind.scalar), level_of(kind, st, x)))

    ours = run(kind.made, save=section(kind.made), **method(kind))
    compiled = run(kind.made, save=section(kind.made), execution=kernel(), **method(kind))
    close(ours.crossings[0].times, compiled.crossings[0].times, 0, "engines")
    changes = np.diff(np.sign(x - level), axis=1) != 0
    close(ours.crossings[0].count, changes.sum(axis=1), 0, "changes of sign")
    for p in range(len(x)):
        where = ours.times[:-1][changes[p]]
        found = ours.crossings[0].times[p][: len(where)]
        assert ((found >= where - 1e-12) & (found <= where + ours.times[1] + 1e-12)).all(), "between the steps"
    theirs = run(kind.units, save=section(kind.units), **method(kind))
    close(theirs.crossings[0].times, ours.crossings[0].times * kind.units.clock, ROUNDING, "times in other units")
    return "changes of sign of the saved paths; both engines; other units"


def moved(system: Any, parameter: str, by: float) -> Any:
    """The system with a parameter, or an entry of one, moved."""
    if parameter in system.values:
        old = system.values[parameter]
        return system.replace(
            **{
                parameter: sd.PerPath(np.asarray(old.values) + by)
                if isinstance(old, sd.PerPath)
                else np.asarray(old) + by
            }
        )
    name, i = parameter[:-1], int(parameter[-1]) - 1
    old = system.values[name]
    new = np.array(old.values if isinstance(old, sd.PerPath) else old, dtype=float)
    new[..., i] += by
    return system.replace(**{name: sd.PerPath(new) if isinstance(old, sd.PerPath) else new})


def scalar_statement(st: Statement) -> Statement:
    """The statement, or that of a lattice or of matrices written out, for what is of scalars alone."""
    if isinstance(st.system, sd.MatrixLiePoisson):
        out = st.system.written_out()
        return replace(st, system=out, state=None if st.state is None else out._plan.start(st.state))
    return located_statement(st)


def located_statement(st: Statement) -> Statement:
    """The statement, or that of a lattice written out, for what is of a configuration alone."""
    return replace(st, system=st.system.written_out(), state=None) if isinstance(st.system, Lattice) else st


def start_of(kind: Kind) -> dict[str, Any]:
    """The start, complete."""
    return {**(kind.made.system.initial if not is_hybrid(kind.made.system) else {}), **(kind.state or {})}


def with_start(start: dict[str, Any], direction: str, by: float) -> dict[str, Any]:
    """The start with a velocity, or an entry of one, moved."""
    if direction in start:
        return {**start, direction: np.asarray(start[direction]) + by}
    entry = re.fullmatch(r"([A-Z])(\d)(\d)", direction)
    if entry and np.ndim(start.get(entry[1])) == 2:  # of an antisymmetric matrix
        unit = np.zeros(np.shape(start[entry[1]]))
        unit[int(entry[2]) - 1, int(entry[3]) - 1] = by
        return {**start, entry[1]: start[entry[1]] + unit - unit.T}
    at_site = re.fullmatch(r"([A-Za-z]+)(\d+)_(\d+)", direction)
    name, *place = at_site.groups() if at_site else (direction[:-1], direction[-1])
    value = np.array(start[name], dtype=float)
    value[(..., *(int(i) - 1 for i in place))] += by
    return {**start, name: value}


def derivatives(kind: Kind, within: float = 1e-7, in_units: Mapping[str, Any] | None = None, **how: Any) -> str:
    """Derivatives in both engines, against differences of order 4; ``in_units`` are arguments that differ in other units."""
    by = [kind.parameter] if kind.parameter else []
    if kind.direction != "configuration":
        by.append(kind.direction)
    call = {**method(kind), "save": "every:8", **how}
    formulation = sd.Formulation(sensitivity=by)
    start = start_of(kind)
    made = scalar_statement(kind.made)
    ours = run(made, formulation=formulation, **call)
    compiled = run(made, formulation=formulation, execution=kernel(), **call)
    identical(ours, compiled, [f"sensitivity.{n}" for n in kind.names if f"sensitivity.{n}" in ours.data], "engines")
    identical(ours, run(made, **call), kind.names, "a run without derivatives")
    eps = 1e-3
    for name in by:

        def at(x: float, name: str = name) -> Any:
            if name == kind.parameter:
                st = Statement(moved(kind.made.system, name, x), {}, state=kind.state)
            else:
                st = Statement(kind.made.system, {}, state=with_start(start, name, x))
            return run(st, **call)

        a, b, c, d = (at(k * eps) for k in (-2, -1, 1, 2))
        for q in kind.names:
            found = ours.sensitivity(q, name).values[..., 0]
            expected = (np.asarray(a[q]) - 8 * np.asarray(b[q]) + 8 * np.asarray(c[q]) - np.asarray(d[q])) / (12 * eps)
            close(found, expected, within, f"derivative of {q} by {name}")
    both = ["configuration"] if made.system._has_configuration else [kind.direction]
    units = run(
        scalar_statement(kind.units), formulation=sd.Formulation(sensitivity=both), **{**call, **(in_units or {})}
    )
    mine = run(made, formulation=sd.Formulation(sensitivity=both), **call)
    for q in kind.names:
        factor = kind.units.factor.get(q, 1.0) / kind.units.factor.get(both[0], 1.0)
        close(units.sensitivity(q).values / factor, mine.sensitivity(q).values, ROUNDING, f"{q} by the {both[0]}")
    return "differences of order 4; both engines; other units"


@capability("sensitivities")
def sensitivities(kind: Kind) -> str:
    return derivatives(kind)


@capability("sensitivities at a located stop")
def sensitivities_stop(kind: Kind) -> str:
    """Without noise, equal to differences of located runs; with noise refused."""
    system = kind.made.system
    quiet = {"driver": 0} if not is_hybrid(system) and system.workings.model().wieners else {}  # of no amplitude, too
    plain = run(kind.made, **quiet, **method(kind))
    moved = {n: np.asarray(plain[n])[0, [0, -1]] for n in kind.names if n != "energy"}
    name = max(moved, key=lambda n: abs(moved[n][1] - moved[n][0]))  # without noise the energy stays
    begin, end = (float(x) for x in moved[name])
    level, rising = begin + 0.613 * (end - begin), end > begin
    stop = _stop(True)(name, level, rising)
    there = {
        "stop": _stop(True)(name, level * kind.units.factor.get(name, 1.0) + kind.units.offset.get(name, 0.0), rising)
    }
    how = derivatives(kind, 1e-6, there, stop=stop, **quiet)
    if quiet:
        with contextlib.suppress(MethodError):
            derivatives(kind, stop=stop)
            raise AssertionError("a derivative at an event under noise")
    return f"without noise: {how}"


@capability("bounds and failed paths")
def bounds(kind: Kind) -> str:
    """Masked values are nan from the first step beyond the bound, and those of the plain run before it."""
    plain = run(kind.made, **method(kind))
    for name in (kind.scalar, *kind.names, f"5 - {kind.scalar}"):
        x = np.abs(np.asarray(plain[name]))
        bound = (x.max() + x[:, 0].max()) / 2
        failed = np.maximum.accumulate(x > bound, axis=1)
        if failed.any() and not failed[:, 0].any():
            break
    checks = sd.Checks({name: float(bound)}, on_failure="mask")
    ours = run(kind.made, checks=checks, **method(kind))
    identical(ours, run(kind.made, checks=checks, execution=kernel(), **method(kind)), kind.names, "engines")
    assert failed.any(), "nothing fails"
    close(ours[kind.scalar], np.where(failed, np.nan, plain[kind.scalar]), 0, "masked values")
    return "the plain run, masked; both engines"


@capability("error check")
def error_check(kind: Kind) -> str:
    """The difference to a run at half the step."""
    ours = run(kind.made, checks=sd.Checks(error_check=True), save="final", **method(kind))
    units = run(kind.units, checks=sd.Checks(error_check=True), save="final", **method(kind))
    found, other = ours.error_check, units.error_check
    for name in kind.names:
        if name in found.outputs:
            size = kind.units.factor.get(name, 1.0)
            close(
                other.outputs[name].largest / size,
                found.outputs[name].largest,
                ROUNDING,
                f"error of {name} in other units",
            )
    fine = (
        run(kind.made, dt=DT / 2, save="final", driver=sd.Wiener(resolution=DT), **method(kind))
        if kind.noisy
        else run(kind.made, dt=DT / 2, save="final", **method(kind))
    )
    if kind.scalar in found.outputs:
        expected = np.abs(np.asarray(fine[kind.scalar]) - np.asarray(ours[kind.scalar])).max()
        close(found.outputs[kind.scalar].largest, expected, ROUNDING, "the difference to a run at half the step")
    return "a run at half the step on the same noise; other units"


@capability("other formulations")
def formulations(kind: Kind) -> str:
    """Without reconstruction the reduced values are the same bits; in velocities and in A form they are near."""
    plain = run(kind.made, **method(kind))
    bare = run(kind.made, formulation=sd.Formulation(reconstruct=False), **method(kind))
    names = [n for n in kind.names if n in bare.data or n[:-1] in bare.data]
    identical(plain, bare, names, "without reconstruction")
    velocity = run(scalar_statement(kind.made), formulation=sd.Formulation(variables="velocity"), **method(kind))
    for n in kind.names:
        close(velocity[n], plain[n], 0.02, f"{n} in velocities")
    return "runs of the other formulations"


__all__ = ["agreement", "value"]
