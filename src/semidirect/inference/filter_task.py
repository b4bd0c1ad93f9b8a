"""The task of a filter: a system, data, and the quantities to report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.inference.linearised import Make
from semidirect.inference.observation import Sight
from semidirect.inference.prior import DrawnStart
from semidirect.inference.sighting import Sighting
from semidirect.stepper import Stepper

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["FilterTask"]


@final
@dataclass(frozen=True, eq=False, repr=False)
class FilterTask:
    """The task of a filter.

    Attributes
    ----------
    system : System
        The model.
    ensemble : Stepper
        The paths at the start, which the filter advances.
    draws : DrawnStart or None
        How they were drawn, if they can be moved there.
    make : callable(state, t, paths, formulation) → Stepper
        Makes other ensembles of the system.
    sights : sequence of Sight
        The observations.
    sightings : sequence of Sighting
        The data, by time.
    dt : float
        Step [s].
    seed : int
        Seed of all random numbers.
    quantities : dict name → rows
        The quantities to report.
    levels : array
        Levels of the quantiles.
    lag : int
        Number of later times whose data are used for smoothed estimates.
    smooth : bool
        Whether estimates with all data are asked for.
    most : float
        Data of times with a value further than so many standard deviations from its prediction are not used.
    """

    system: SystemDefinition
    ensemble: Stepper
    draws: DrawnStart | None
    make: Make
    sights: Sequence[Sight]
    sightings: Sequence[Sighting]
    dt: float
    seed: int
    quantities: Mapping[str, Sequence[Any]]
    levels: np.ndarray
    lag: int
    smooth: bool = False
    most: float = np.inf
