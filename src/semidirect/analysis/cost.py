"""The cost of a step: evaluations of the fields, counted while a method steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.analysis.nested_runs import suited_driver
from semidirect.integrators import AdaptiveIntegrator
from semidirect.model import NumericalSDE
from semidirect.random import drivers
from semidirect.specification import driving_process
from semidirect.state import InitialState

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.integrators import Integrator
    from semidirect.model import NumericalSDE

__all__ = ["evaluations_per_step"]

PATHS, STEPS = 4, 16


def evaluations_per_step(
    system: SystemDefinition,
    method: Integrator,
    dt: float,
    *,
    seed: int = 0,
    state: Mapping[str, Any] | None = None,
    driver: Any = None,
    t_start: float = 0.0,
    paths: int = PATHS,
) -> float:
    """Mean number of evaluations of the fields in a step, over 16 steps of each of some paths from t_start on.

    One evaluation gives the drift and all noises at one state (one solve), or the same with the Itô correction or derivatives; a
    method that takes drift and noises one by one is counted as often as it does.
    The paths are stepped one by one, so that each has its own iteration count in an implicit method.
    """
    model = NumericalSDE.of(system)
    if isinstance(method, AdaptiveIntegrator):
        return float("nan")
    first = round(t_start / dt)
    start, steps = InitialState.of(system, state, t=t_start, model=model), range(first, first + STEPS)
    drive = suited_driver(method, drivers.driver_of(driver))
    process = driving_process(model, method, drive, seed=seed, dt=dt, steps=steps, paths=paths)
    counted: Counter[str] = Counter()
    y = start.vector(model, t_start)
    count = min(paths, max(y.shape[1], system.workings.paths or paths))
    for path in range(count):
        counting = _counting(model.of_path(path), counted)
        x = y[:, [path if y.shape[1] > 1 else 0]]
        for n in steps:
            dW = np.zeros((model.wieners, 1)) if process is None else process.block(range(path, path + 1), n, 1, dt)[0]
            with np.errstate(all="ignore"):
                x = method.step(counting, x, n * dt, dt, dW).y
    return counted.total() / (count * STEPS)


def _counting(model: NumericalSDE, counted: Counter[str]) -> NumericalSDE:
    """The model, which counts how often its functions are evaluated."""
    twin = model.with_parameters(model.parameters)
    evaluate = model.rows

    def rows(label: str, *arguments: Any, **more: Any) -> np.ndarray:
        counted[label] += 1
        return evaluate(label, *arguments, **more)

    vars(twin)["rows"] = rows
    return twin
