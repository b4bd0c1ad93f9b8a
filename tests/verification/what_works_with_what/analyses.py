# ruff: noqa: E501
"""Checks of what is computed from many runs: exponents, means, filters, fits, orders, advice."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy as np

import semidirect as sd
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence
from what_works_with_what.capability import capability
from what_works_with_what.kind import Kind, Statement, has_values_per_path, is_hybrid
from what_works_with_what.of_runs import method, scalar_statement
from what_works_with_what.runs import DT, NUMPY, PATHS, ROUNDING, T_END, agreement, close, run, value


def timed(st: Statement, **times: float) -> dict[str, float]:
    """Times in those of a statement."""
    return {k: v * st.clock for k, v in times.items()}


@capability("stepper")
def stepper(kind: Kind) -> str:
    """Advanced in pieces, changed to itself, it is the run."""
    plain = run(kind.made, **method(kind))
    ensemble = kind.made.system.ensemble(dt=DT, paths=PATHS, seed=1, state=kind.state, execution=NUMPY, **method(kind))
    ensemble.advance(steps=5).advance(t=T_END / 2).copy().advance(steps=1)
    ensemble.advance(t=T_END)
    found = ensemble.read(*kind.names)
    for name in kind.names:
        a, b = np.asarray(found[name]), np.asarray(plain[name])[:, -1]
        assert np.array_equal(a.reshape(b.shape), b), (
            f"{name} differs from the run by {np.abs(a.reshape(b.shape) - b).max():.2g}"
        )
    return "bits of the run"


@capability("Lyapunov exponents")
def lyapunov(kind: Kind) -> str:
    """Their sum in other units: over so short a time single exponents depend on the metric of the phase space."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [sd.lyapunov(st.system, paths=PATHS, seed=1, every=4, batches=4, burn_in=0.0, state=st.state, execution=NUMPY, **method(kind),
                             **timed(st, t_end=1.0, dt=DT)) for st in (kind.made, kind.units)]  # fmt: skip
    close(found[1].exponents.sum() * kind.units.clock, found[0].exponents.sum(), 1e-7, "the sum in other units")
    return "the sum in other units"


@capability("multilevel")
def multilevel(kind: Kind) -> str:
    """The mean in other units, and that of plain sampling."""
    made, units = kind.made, kind.units
    factor = units.factor.get(kind.scalar, 1.0)
    call = {"t_end": T_END, "dt": DT, "seed": 1, "rmse": 0.02, "execution": NUMPY, **method(kind)}
    ours = sd.multilevel(made.system, kind.scalar, state=made.state, **call)
    theirs = sd.multilevel(units.system, kind.scalar, state=units.state,
                           **{**call, "rmse": 0.02 * factor, **timed(units, t_end=T_END, dt=DT)})  # fmt: skip
    close(theirs.estimate / factor, ours.estimate, ROUNDING, "estimate in other units")
    plain = run(kind.twin, paths=400, seed=7, save="final", **method(kind))
    x = value(kind.twin, plain, kind.scalar)[:, -1]
    error = np.hypot(ours.error, x.std() / 20)
    assert abs(x.mean() - ours.estimate) <= 5 * error + 0.01, (
        f"plain sampling gives {x.mean():.4g}, multilevel {ours.estimate:.4g}"
    )
    return "other units; plain sampling of another statement"


@functools.cache
def seen(kind: Kind) -> tuple[Any, Any]:
    """An observation of the scalar in the kind, and synthetic data of it at three times."""
    sight = sd.Observation(kind.made.same.get(kind.scalar, kind.scalar), noise=0.05)
    many = has_values_per_path(kind.made.system) or bool(kind.state and "Omega" in kind.state)
    truth = run(kind.made, save="every:4", **{**method(kind), "paths": None if many else 1})
    data = sight.of(truth, seed=3).isel(time=slice(1, None))
    return sight, data.isel(path=0, drop=True) if many else data


def told(kind: Kind, st: Statement) -> tuple[Any, Any]:
    """The same data in a statement."""
    _, data = seen(kind)
    factor, shift = st.factor.get(kind.scalar, 1.0), st.offset.get(kind.scalar, 0.0)
    there = data * factor + shift
    there = there.assign_coords(time=data["time"] * st.clock)
    name = st.same.get(kind.scalar, kind.scalar)
    label = {d: [name] for d in there.dims if d not in ("time", "path") and there.sizes[d] == 1 and d in there.coords}
    return sd.Observation(name, noise=0.05 * factor), there.assign_coords(label)


def filtered(kind: Kind, update: Any) -> str:
    """The likelihood of the data in all statements."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.errors.FilterWarning)
        for st in (kind.made, kind.units, kind.twin):
            arrays = getattr(st.system, "_states_arrays", False)
            if st is kind.twin and update != "particles" and not arrays and st.system.sde().form == "A":
                return "the likelihood in other units"
            sight, data = told(kind, st)
            result = sd.filter(st.system, sight, data, particles=32, seed=2, state=st.state, update=update, execution=NUMPY, **method(kind),
                               **timed(st, dt=DT))  # fmt: skip
            found.append(result.log_likelihood + data.sizes["time"] * np.log(st.factor.get(kind.scalar, 1.0)))
    close(found[1], found[0], 1e-6, "log-likelihood in other units")
    close(found[2], found[0], 1e-3 if kind.exact else 0.2, "log-likelihood in another statement")
    return "the likelihood in other units and in another statement"


@capability("particle filter")
def particles(kind: Kind) -> str:
    return filtered(kind, "particles")


@capability("ensemble Kalman filter")
def ensemble_kalman(kind: Kind) -> str:
    return filtered(kind, "ensemble-kalman")


@capability("extended Kalman filter")
def extended_kalman(kind: Kind) -> str:
    return filtered(kind, "extended-kalman")


@capability("fit")
def fit(kind: Kind) -> str:
    """The estimate in other units, at which the likelihood is larger than beside it."""
    made = kind.made
    sight, data = told(kind, made)
    over = kind.parameter
    call = {"dt": DT, "state": made.state, "update": "extended-kalman", "execution": NUMPY, **method(kind)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.errors.FilterWarning)
        found = sd.fit(made.system, sight, data, [over] if over else [], replicates=1, **call)
        if found.converged and not found.at_bound:
            step = min(max(0.2 * float(found.standard_error[0]), 1e-3), 0.1 * max(abs(float(found.estimate[0])), 0.1))
            from what_works_with_what.of_runs import moved

            value_at = [
                sd.filter(moved(found.system, over, d), sight, data, **call).log_likelihood for d in (-step, 0.0, step)
            ]
            assert value_at[1] >= max(value_at) - 0.02, f"the likelihood is larger beside the estimate: {value_at}"
    return "the likelihood beside the estimate"


@capability("convergence")
def orders(kind: Kind) -> str:
    """Orders in other units."""
    call = {"levels": 5, "paths": PATHS, "seed": 1, "execution": NUMPY}
    found = []
    for st in (kind.made, kind.units):
        result = convergence(st.system, "heun", state=st.state, **call, **timed(st, t_end=T_END, dt=DT * 4))
        found.append(result)
    a, b = (f.described() for f in found)
    assert a.keys() == b.keys()
    assert found[0].verdict == found[1].verdict, f"{found[0].verdict} and {found[1].verdict} in other units"
    return "other units"


@capability("compare")
def comparison(kind: Kind) -> str:
    """Errors of methods in other units."""
    call = {"levels": 2, "paths": PATHS, "seed": 1, "timed": False, "observables": [], "execution": NUMPY}
    other = "implicit-midpoint" if kind.name == "matrices" else "lie-heun"  # they have no configuration
    found = [compare(st.system, ["heun", other], state=st.state, **call, **timed(st, t_end=T_END, dt=DT * 2))
             for st in (kind.made, kind.units)]  # fmt: skip
    for one, two in zip(found[0].points, found[1].points, strict=True):
        assert one.method == two.method
        for name, error in one.errors.items():
            if name in two.errors and name != "state":
                close(two.errors[name], error, 1e-7, f"the error of {name}")
    return "other units"


@capability("advise")
def advise(kind: Kind) -> str:
    """The same constants and methods in other units."""
    found = [st.system.recommend("long-run") for st in (kind.made, kind.units)]
    a, b = (sorted(c.method for c in f.candidates) for f in found)
    assert a == b, "other methods in other units"
    assert found[0].noise_class == found[1].noise_class if hasattr(found[0], "noise_class") else True
    return "methods in other units"


@capability("monitor")
def monitor(kind: Kind) -> str:
    """The same verdicts in other units."""
    both = [scalar_statement(st) for st in (kind.made, kind.units)]
    found = [sd.analysis.monitor(run(st, **method(kind)), st.system) for st in both]
    rows = [str(f).count("\n") for f in found]
    assert rows[0] == rows[1]
    return "other units"


__all__ = ["agreement", "is_hybrid"]
