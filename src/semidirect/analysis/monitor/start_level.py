"""The level on which a run starts: values of the quantities that are declared to be conserved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from semidirect.definition import a_system
from semidirect.text import printing

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.results import RunData

CONSERVED = ("exact", "drifts")


def start_level(run: RunData, system: SystemDefinition | None) -> dict[str, float]:
    """Scalar quantities with a declared conserved value, the same on all good paths at the start, as ``prove(on=…)`` takes them.

    Empty if the run did not save its start, or if its system is not known.
    """
    if system is not None:
        a_system(system)
    if system is None or not run.good.any() or not len(run.times) or run.times[0] != run.t_start:
        return {}
    levels = {}
    for name, observable in system.observables().items():
        if observable.status in CONSERVED and name in run.data:
            values = np.asarray(run[name])[run.good][:, 0]
            if values.ndim == 1 and np.all(values == values[0]) and np.isfinite(values[0]):
                levels[name] = float(values[0])
    return levels


def written(level: Mapping[str, float]) -> str:
    """The level in words."""
    return (
        f"on the level of its start, {', '.join(f'{name} = {printing.figures(x)}' for name, x in level.items())}"
        if level
        else ""
    )
