"""The error of a run, estimated from the same run at half the step on the same noise, refined by Brownian bridges."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from semidirect.integrators import AdaptiveIntegrator
from semidirect.specification import Reduce

if TYPE_CHECKING:
    from semidirect.integrators import Integrator
    from semidirect.specification import RunSpec

__all__ = ["refined"]

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
