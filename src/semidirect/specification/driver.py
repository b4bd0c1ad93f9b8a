"""The process that makes the increments of a run, checked against its method, steps and paths."""

from __future__ import annotations

from semidirect.integrators import Integrator
from semidirect.model import NumericalSDE
from semidirect.random import DrivenRun, Driver, DrivingProcess
from semidirect.specification.staged_path import staged


def driving_process(model: NumericalSDE, method: Integrator, driver: Driver, *, seed: int, dt: float, steps: range, paths: int,
                    resumed_resolution: float | None = None, of_start: int = 0) -> DrivingProcess | None:  # fmt: skip
    """The process that makes the increments of the steps with these numbers; ``None`` without noise."""
    rows = method.rows(model.wieners)
    run = DrivenRun(model.wieners, rows, method.integrals, int(seed), dt, steps, paths, resumed_resolution, of_start)
    process = driver.process(run)
    model.check_method(method)
    method.check(model, process)
    if process is None:
        return None
    process.check_steps(steps, dt, paths)
    return staged(process, method.nodes)
