"""What methods keep of what the equations keep: long runs, with the slope of the drift."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from problems import problem

from semidirect.analysis.error_budget import drift_slope
from semidirect.core.errors import InputError
from semidirect.engines.execution import Execution
from semidirect.integrators import integrator
from semidirect.specification.save import Save

WATCHED: tuple[tuple[str, str, str], ...] = (
    ("rigid body", "general", "momentum-squared"),
    ("rigid body", "general", "gamma-norm"),
    ("heavy top", "general", "momentum-gamma"),
    ("heavy top", "general", "gamma-norm"),
    ("Routh ball", "general", "gamma-norm"),
    ("heavy top", "none", "energy"),
    ("Routh ball", "none", "energy"),
    ("Routh ball", "none", "jellett"),
)
"""Problem, class of noise, and a quantity that the equations conserve there."""

T_END, DT, PATHS = 10.0, 0.04, 8


def preserved(method: str) -> dict[str, Any]:
    """The largest relative change of each quantity over 250 steps, and the slope of its drift with standard error [1/s]."""
    found: dict[str, Any] = {}
    for name, noise, quantity in WATCHED:
        found[f"{name}/{noise}/{quantity}"] = _one(method, name, noise, quantity)
    return found


def _one(method: str, name: str, noise: str, quantity: str) -> Mapping[str, Any]:
    chosen = integrator(method)
    if noise != "none" and noise not in chosen.strong_order and noise not in getattr(chosen, "weak_order", {}):
        return {"refused": f"no order for {noise} noise"}
    system = problem(name, noise)
    paths = 1 if noise == "none" else PATHS
    try:
        run = system.simulate(t_end=T_END, dt=DT, method=method, paths=paths, seed=3, save=Save("every:10", names=[quantity]),
                              execution=Execution(engine="numpy"))  # fmt: skip
    except InputError as error:
        return {"refused": error.what}
    with np.errstate(all="ignore"):
        values = run[quantity][run.good]
    if not len(values):
        return {"failed": run.failures()[0].reason}
    relative = values / values[:, :1] - 1
    slope, error = drift_slope(run.times, relative)
    return {"largest": float(np.max(np.abs(relative))), "slope": slope, "slope_error": None if np.isnan(error) else error,
            "failed_paths": int(np.count_nonzero(~run.good))}  # fmt: skip
