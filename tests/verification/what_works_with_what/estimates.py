# ruff: noqa: E501
"""Checks of filters whose data come at any time or one by one, of predictions and smoothing, and of statistics of configurations."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import semidirect as sd
from semidirect.core.errors import SemidirectError
from semidirect.geometry.configuration_factors import configuration_factors
from semidirect.inference.group_mean import centred
from what_works_with_what.analyses import told
from what_works_with_what.capability import capability
from what_works_with_what.kind import Kind, Statement, has_values_per_path, is_hybrid
from what_works_with_what.of_runs import located_statement, method
from what_works_with_what.runs import DT, METHOD, NUMPY, PATHS, ROUNDING, T_END, agreement, close, run

PARTICLES = 200
UNEVEN = (4.0, 7.5, 12.0, 13.3)
"""Times of data in steps, some of them between steps."""
EVEN = 7 / 8
"""By what times of data are shortened so that intervals between them have steps of this length, and no time is on the grid."""
TRANSPORTED = "double bracket"
"""The kind whose other statement turns the body in another way: a double bracket is a transport, and a force is none."""
NEARLY = 0.01
"""What is left of data's distance from the mean path, so that quantities are linear over it."""
FAINT = 0.5
"""A noise of data with which their likelihood hardly depends on slopes of what is observed, and so is that of a linear system."""
VAGUE = 1e4
"""The noise of data that say nothing."""


def varied(kind: Kind) -> bool:
    """Whether the paths of the kind have values of their own."""
    return has_values_per_path(kind.made.system) or any(np.ndim(v) > 1 for v in (kind.state or {}).values())


def sighted(kind: Kind, st: Statement, steps: Any = None) -> tuple[Any, Any]:
    """An observation of the scalar in a statement, and its data, at the times of these steps."""
    if is_hybrid(st.system):  # whose runs no observation takes, either
        return sd.Observation("x", noise=0.05), (np.array([1, 2]) * 4 * DT, np.zeros(2))
    sight, data = told(kind, st)
    return sight, data if steps is None else data.assign_coords(time=np.asarray(steps) * DT * st.clock)


def how(kind: Kind, st: Statement, update: str, dt: float = DT, particles: int = PARTICLES) -> dict[str, Any]:
    """Arguments of a filter of a statement."""
    return {"dt": dt * st.clock, "particles": PATHS if varied(kind) else particles, "seed": 2, "state": st.state, "update": update,
            "execution": NUMPY, "quantities": [st.same.get(n, n) for n in kind.names], **method(kind)}  # fmt: skip


def filtered(st: Statement, sight: Any, data: Any, arguments: dict[str, Any]) -> Any:
    """The result of a filter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.errors.FilterWarning)
        return sd.filter(st.system, sight, data, **arguments)


@functools.cache
def refused(kind: Kind, update: str, st: Statement | None = None, smooth: bool = False) -> SemidirectError | None:
    """The error of a plain filter, at times of steps, if the update does not work for the kind at all."""
    one = kind.made if st is None else st
    try:
        filtered(one, *sighted(kind, one), {**how(kind, one, update), "smooth": smooth})
    except SemidirectError as error:
        return error
    return None


def of(kind: Kind, st: Statement, found: Any, name: str, part: str = "mean") -> np.ndarray:
    """A mean or standard deviation of a quantity of the kind in estimates of a statement."""
    shift = st.offset.get(name, 0.0) if part.endswith("mean") else 0.0
    stem = part.removesuffix("mean").removesuffix("sd")
    x = np.asarray(found[f"{stem}{st.same.get(name, name)}_{part.removeprefix(stem)}"])
    return (x.reshape(len(x), -1)[:, 0] - shift) / st.factor.get(name, 1.0)


def restated(kind: Kind, update: str, estimates: Any, parts: tuple[str, ...] = ("mean", "sd")) -> str:
    """Assert that estimates(statement) agree in all statements: in other units to rounding, in another statement up to the method's error."""
    ours = estimates(kind.made)
    others = [("in other units", kind.units, 1e-6), ("in another statement", kind.twin, 1e-3 if kind.exact else 0.05)]
    if refused(kind, update, kind.twin, parts[0].startswith("smoothed")):
        others.pop()
    for where, st, within in others:
        theirs = estimates(st)
        for name in kind.names:
            for part in parts:
                close(
                    of(kind, st, theirs, name, part),
                    of(kind, kind.made, ours, name, part),
                    within,
                    f"{part} of {name} {where}",
                )
    return " and ".join(where for where, *_ in others)


def near(one: np.ndarray, other: np.ndarray, spread: np.ndarray, size: float, what: str) -> None:
    """Assert that two means of particles agree within six of their Monte Carlo errors, for an effective size."""
    away, most = np.abs(one - other), 6 * np.sqrt(2 / size) * spread + ROUNDING
    assert (away <= most).all(), f"{what}: {away.max():.2g} apart, {most[np.argmax(away - most)]:.2g} allowed"


def updates(kind: Kind, *among: str) -> list[str]:
    """Updates that work for the kind; the error of the first if none does."""
    works = [update for update in among if refused(kind, update) is None]
    if not works:
        error = refused(kind, among[0])
        assert error is not None
        raise error
    return works


@capability("filter, data between steps")
def between(kind: Kind) -> str:
    """Equal steps to each time are those of a filter with this step; other statements."""
    texts = []
    for update in updates(kind, "particles", "extended-kalman"):
        steps = np.arange(1, 5) * 4 * EVEN
        coarse, fine = (
            filtered(kind.made, *sighted(kind, kind.made, steps), how(kind, kind.made, update, dt))
            for dt in (DT, DT * EVEN)
        )
        if update == "extended-kalman":
            close(coarse.log_likelihood, fine.log_likelihood, ROUNDING, "log-likelihood with a step that fits")
            for name in kind.names:
                close(
                    of(kind, kind.made, coarse.data, name),
                    of(kind, kind.made, fine.data, name),
                    ROUNDING,
                    f"mean of {name} with a step that fits",
                )
        elif not varied(kind):
            for name in kind.names:
                spread = of(kind, kind.made, fine.data, name, "sd")
                near(of(kind, kind.made, coarse.data, name), of(kind, kind.made, fine.data, name), spread, float(fine.data["effective_size"].min()),
                     f"mean of {name} with a step that fits")  # fmt: skip
        texts.append(
            restated(kind, update, lambda st, u=update: filtered(st, *sighted(kind, st, UNEVEN), how(kind, st, u)).data)
        )
    return f"a filter with a step that fits; {texts[0]}"


@capability("`Online`")
def online(kind: Kind) -> str:
    """The bits of the filter, of each update."""
    works = updates(kind, "particles", "ensemble-kalman", "extended-kalman")
    for update in works:
        sight, data = sighted(kind, kind.made, UNEVEN)
        arguments = how(kind, kind.made, update)
        whole = filtered(kind.made, sight, data, arguments)
        loop = sd.inference.Online(kind.made.system, sight, **arguments)
        for t, y in zip(np.asarray(data["time"]), np.asarray(data), strict=True):
            loop.update(t, y)
        assert loop.result.data.equals(whole.data), f"{update}: other estimates than those of the filter"
        assert loop.result.log_likelihood == whole.log_likelihood, (
            f"{update}: another log-likelihood than that of the filter"
        )
        assert loop.predict(T_END + DT).equals(whole.predict(T_END + DT)), (
            f"{update}: other predictions than those of the filter"
        )
    return f"bits of the filter: {', '.join(works)}"


@capability("predictions of a filter")
def prediction(kind: Kind) -> str:
    """A filter with data at later times that say nothing; other statements."""
    for update in updates(kind, "particles", "extended-kalman"):
        sight, data = sighted(kind, kind.made)
        arguments = how(kind, kind.made, update)
        later = (np.array([T_END + 3.5 * DT, T_END + 8 * DT])) * kind.made.clock
        plain = filtered(kind.made, sight, data, arguments)
        found = plain.predict([plain.times[-1], *later])
        nothing = sd.Observation(kind.scalar, noise=VAGUE)
        long = filtered(kind.made, [sight, nothing], [data, (later, np.zeros(2))], arguments).data.isel(
            time=slice(-2, None)
        )
        for name in kind.names:
            mean, spread = (of(kind, kind.made, found, name, part) for part in ("mean", "sd"))
            for part, x in (("mean", mean), ("sd", spread)):
                close(
                    x[0],
                    of(kind, kind.made, plain.data, name, part)[-1],
                    ROUNDING,
                    f"{part} of {name} at the last data",
                )
                if update == "extended-kalman":
                    close(
                        x[1:],
                        of(kind, kind.made, long, name, part),
                        1e-6,
                        f"{part} of {name} beside data that say nothing",
                    )
            if not varied(kind) and update == "particles":
                near(mean[1:], of(kind, kind.made, long, name), spread[1:], float(plain.data["effective_size"][-1]),
                     f"mean of {name} beside data that say nothing")  # fmt: skip

        def ahead(st: Statement, update: str = update) -> Any:
            return filtered(st, *sighted(kind, st), how(kind, st, update)).predict(
                (T_END + np.array([3.5, 8.0]) * DT) * st.clock
            )

        where = restated(kind, update, ahead)
    return f"data that say nothing; {where}"


@capability("smoothing, extended Kalman filter")
def smoothing(kind: Kind) -> str:
    """The mean of a quantity given all data, from the likelihoods of filters that do not smooth.

    Data y of the quantity at an earlier time with so large a variance R that they say nothing have the log-likelihood of all data
    and them: its derivative by y is (mean − y) / R.
    """
    updates(kind, "extended-kalman")
    made, arguments = kind.made, how(kind, kind.made, "extended-kalman")
    sight, data = sighted(kind, made)
    found = filtered(made, sight, data, {**arguments, "smooth": True}).data
    for name in kind.names:
        for part in ("mean", "sd"):
            close(
                of(kind, made, found, name, f"smoothed_{part}")[-1],
                of(kind, made, found, name, part)[-1],
                ROUNDING,
                f"{part} of {name} at the last time",
            )
    along = np.asarray(
        filtered(made, sd.Observation(kind.scalar, noise=VAGUE), data, arguments).data[f"{kind.scalar}_mean"]
    ).reshape(data.shape)
    faint = sd.Observation(kind.scalar, noise=FAINT)
    names = dict.fromkeys((kind.scalar, kind.names[0]))
    moves, expected = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    for side in (1, -1):  # half their difference is what is linear in the data
        some = along + side * NEARLY * (data - along)
        found = filtered(made, faint, some, {**arguments, "smooth": True}).data
        for name in names:
            middle, spread = (float(of(kind, made, found, name, part)[1]) for part in ("mean", "sd"))
            noise = 1e3 * max(spread, 1e-3)
            log = [filtered(made, [faint, sd.Observation(name, noise=noise)], [some, (np.asarray(data["time"])[1:2], [middle + step])],
                            arguments).log_likelihood for step in (-noise / 100, noise / 100)]  # fmt: skip
            moves[name] += side * (float(of(kind, made, found, name, "smoothed_mean")[1]) - middle) / 2
            expected[name] += side * (log[1] - log[0]) * noise * 50 / 2
    for name in names:
        away = abs(moves[name] - expected[name])
        # measured 0.1 of a double bracket with much noise, at most 0.03 of other kinds, of half of them 1e-4
        assert away <= 0.15 * abs(expected[name]) + 1e-7 * spread + 1e-12, (
            f"mean of {name} moves by {moves[name]:.2g}, by likelihoods {expected[name]:.2g}"
        )
    parts = ("smoothed_mean", "smoothed_sd")
    where = restated(
        kind,
        "extended-kalman",
        lambda st: filtered(st, *sighted(kind, st), {**how(kind, st, "extended-kalman"), "smooth": True}).data,
        parts,
    )
    return f"derivatives of likelihoods by data that say nothing; {where}"


@capability("smoothing, particles")
def backward(kind: Kind) -> str:
    """At the last time the filter, before it a lag over all data."""
    updates(kind, "particles")
    made, arguments = kind.made, how(kind, kind.made, "particles", particles=1000)
    sight, data = sighted(kind, made)
    found = filtered(made, sight, data, {**arguments, "smooth": True}).data
    lagged = filtered(made, sight, data, {**arguments, "lag": 3}).data
    size = float(found["effective_size"].min())
    for name in kind.names:
        mean, spread = of(kind, made, found, name, "smoothed_mean"), of(kind, made, lagged, name, "smoothed_sd")
        near(mean[-1:], of(kind, made, found, name)[-1:], spread[-1:], size, f"mean of {name} at the last time")
        near(
            mean,
            of(kind, made, lagged, name, "smoothed_mean"),
            spread,
            size,
            f"mean of {name} with a lag over all data",
        )
    parts = ("smoothed_mean", "smoothed_sd")
    where = restated(
        kind,
        "particles",
        lambda st: filtered(st, *sighted(kind, st), {**how(kind, st, "particles"), "smooth": True}).data,
        parts,
    )
    return f"a lag over all data; {where}"


@capability("statistics of configurations")
def configurations(kind: Kind) -> str:
    """The filters' own mean on the group, logarithms of SciPy, means and covariances of NumPy, other statements."""
    variances = []
    for st in map(located_statement, (kind.made, kind.units, kind.twin)):
        made, system = run(st, **method(kind)), st.system
        if is_hybrid(system):
            system = next(iter(system.modes.values()))
        end = float(made.times[-1])
        variances.append([])
        for time in (None, 0.4 * end):
            found = sd.geometry.statistics(made, time, **({"system": system} if is_hybrid(st.system) else {}))
            k = len(made.times) - 1 if time is None else int(np.argmin(np.abs(made.times - time)))
            assert found.time == made.times[k]
            stored = np.stack([np.asarray(made[name])[:, k] for name in system.group.stored_names])
            mean, _ = centred(system.group, stored, np.full(made.paths, 1 / made.paths))
            element = made.data.element()[:, k]
            for factor in configuration_factors(system.group):
                one, points = found[factor.name], factor.points(element)
                close(one.mean, factor.points(mean[None])[0], ROUNDING, f"the mean of {factor.name} of the filters")
                if not factor.rotates:
                    close(one.mean, points.mean(axis=0), ROUNDING, f"the mean of {factor.name}")
                    eta = points - points.mean(axis=0)
                elif len(one.mean) == 2:
                    away = one.mean.T @ points
                    eta = np.arctan2(away[:, 1, 0], away[:, 0, 0])[:, None]
                else:
                    eta = Rotation.from_matrix(one.mean.T @ points).as_rotvec()
                close(eta.mean(axis=0), np.zeros(eta.shape[1]), ROUNDING, f"the mean of logarithms of {factor.name}")
                close(one.covariance, eta.T @ eta / (made.paths - 1), ROUNDING, f"the covariance of {factor.name}")
            variances[-1].append(sum(one.variance for one in found.values()))
    close(variances[1], variances[0], ROUNDING, "variances in other units")
    if kind.name == TRANSPORTED:
        return "NumPy, SciPy and the mean of the filters; other units"
    group = located_statement(kind.made).system
    same = kind.made.system.__class__ is sd.Hybrid or type(group.group) is type(kind.twin.system.group)
    close(variances[2], variances[0], agreement(kind) if same else METHOD, "variances in another statement")
    return "NumPy, SciPy and the mean of the filters; other units and statements"
