"""The error of a run, estimated from the same run at half the step on the same noise, refined by Brownian bridges."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from semidirect.integrators import AdaptiveIntegrator
from semidirect.results import Difference, ErrorCheck, OutputError
from semidirect.specification import Reduce

if TYPE_CHECKING:
    from semidirect.integrators import Integrator
    from semidirect.results import RunData
    from semidirect.specification import RunSpec

__all__ = ["compared", "refined"]

TIGHTER = 0.25
"""The factor for the tolerances of the refined run, if the method chooses its steps."""


def refined(spec: RunSpec) -> RunSpec:
    """The same run at half the step, on the same noise, saved at the same times."""
    if isinstance(spec.method, AdaptiveIntegrator):
        method: Integrator = spec.method.tightened(TIGHTER)
        return replace(spec, method=method)
    stops = tuple(stop.at_half_step() for stop in spec.stops)
    checks = replace(spec.checks, on_failure="report") if spec.checks.on_failure == "raise" else spec.checks
    return replace(
        spec, first=2 * spec.first, last=2 * spec.last, dt=spec.dt / 2, saved_steps=2 * spec.saved_steps, reduce=Reduce(),
        reduced=spec.reduced[:0], stops=stops, save=replace(spec.save, crossings=()), checks=checks,
    )  # fmt: skip


def compared(run: RunData, fine: RunData, spec: RunSpec) -> ErrorCheck:
    """The differences between a run and the refined run."""
    good = run.good & fine.good
    paths = int(np.count_nonzero(good))
    first, second = ({k: r[k][good] for k in r} for r in (run, fine))
    times, axes = len(run.times), 2
    if not first:
        times, axes = 1, 1
        first, second = ({k: v[good] for k, v in r.final.items()} for r in (run, fine))
    differences = Difference.by_name(spec.system.group, first, second, [*first, "configuration"], run.units, axes)
    outputs = {name: _summary(d) for name, d in differences.items()}
    return ErrorCheck(spec.dt, refined(spec).dt, paths, run.paths - paths, times, outputs)


def _summary(d: Difference) -> OutputError:
    if not d.distances.size:
        return OutputError(d.unit, float("nan"), float("nan"), float("nan"))
    return OutputError(d.unit, d.size, float(np.max(d.distances)), float(np.sqrt(np.mean(d.distances**2))))
