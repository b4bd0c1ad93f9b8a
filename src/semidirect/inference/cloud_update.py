"""How a filter uses data by weighted particles: the abstract update of a cloud."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from semidirect.inference.cloud import GENERATIONS, Cloud
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.filtered import Filtered
from semidirect.inference.filtered_data import filtered_data
from semidirect.inference.sighting import Sighting
from semidirect.inference.streams import Streams
from semidirect.inference.summary import Summary
from semidirect.inference.update import Update
from semidirect.inference.update_report import UpdateReport
from semidirect.inference.weights import mean, variances
from semidirect.stepper import Stepper

__all__ = ["CloudUpdate"]

MOST_ERROR = 0.3
"""Of a mean, in standard deviations: with a larger one, intervals of 90 % contain the truth in less than 87 %."""

FEWEST_FAMILIES, FEWEST_MOVED = 5, 0.1
"""With fewer families, of which less than this share of moves is accepted, their Monte Carlo error is not known."""


class CloudUpdate(Update):
    """Particles are advanced from one time of data to the next, and changed there."""

    @abstractmethod
    def assimilate(self, cloud: Cloud, before: Stepper | None, sighting: Sighting, values: Mapping[str, np.ndarray],
                   streams: Streams) -> UpdateReport:  # fmt: skip
        """Change particles, which were advanced to the time of the data, to represent the distribution given the data.

        Parameters
        ----------
        cloud : Cloud
            Particles at the time of the data.
        before : Stepper or None
            The same paths at the time of the data before; ``None`` at the first time, if it is the start.
        sighting : Sighting
            The data.
        values : dict name → array (paths, rows)
            :meth:`Sighting.values` of the particles.
        streams : Streams
            Random numbers.

        Raises
        ------
        InputError
            If the data are impossible for every particle.
        """

    def filtered(self, task: FilterTask) -> Filtered:
        """Advance and assimilate, one time of data after the other."""
        ensemble, lag = task.ensemble, task.lag
        count, times = ensemble.paths, np.array([one.t for one in task.sightings])
        cloud = Cloud(ensemble, task.quantities, task.drawn, lag=lag, followed=self.smooths)
        now, smoothed = Summary(task.system.group, task.levels), Summary(task.system.group, task.levels)
        reports: list[UpdateReport] = []
        roots: list[int] = []
        surprises: list[float] = []
        for number, sighting in enumerate(task.sightings):
            t, before = sighting.t, None
            cloud.resample()
            if ensemble.t < t:
                before = ensemble.copy()
                ensemble.advance(t=t, between=True)
            predicted = sighting.values(ensemble)
            surprises.append(_surprise(sighting, predicted, np.where(ensemble.status == 0, cloud.weights, 0.0)))
            reports.append(self.assimilate(cloud, before, sighting, predicted, Streams(task.seed, number)))
            roots.append(cloud.generation().families())
            lineages = cloud.lineages() if self.smooths else []
            values, weights = ensemble.values(task.quantities), cloud.weights
            now.add(values, weights, lineages)
            if lag:  # what is as old as the lag has all the data that it may use
                cloud.past.append(dict(values))
                if len(cloud.past) > lag:
                    smoothed.add(cloud.past.popleft(), weights, lineages)
        while cloud.past:
            smoothed.add(cloud.past.popleft(), weights, lineages)
        collapses = _collapses(times, reports, roots, now.arrays(), min(count, FEWEST_FAMILIES))
        arrays = now.arrays() | ({f"smoothed_{k}": v for k, v in smoothed.arrays().items()} if lag else {})
        data = filtered_data(times, arrays, reports, surprises, roots, task.levels, [t for t, _ in collapses])
        return Filtered(data, collapses, cloud.likelihood_error() if self.smooths else np.nan)


def _surprise(sighting: Sighting, values: Mapping[str, np.ndarray], weights: np.ndarray) -> float:
    """The largest distance of data from their prediction, in its standard deviations; nan where none are known."""
    alive, largest = weights > 0, np.nan
    if not alive.any():
        return largest
    if not alive.all():
        weights = weights[alive]
    w = weights / weights.sum()
    for sight, data in sighting.seen:
        rows, seen = sight.seen_values(data, values), sight.seen_rows(data)
        rows = rows if len(w) == len(alive) else rows[:, alive]
        predicted = mean(rows, w)
        variance = variances(rows, w, predicted) + sight.variances.ravel()[seen]
        z = np.abs(sight.seen_data(data) - predicted) / np.sqrt(variance)
        largest = np.fmax(largest, np.max(z[np.isfinite(z)], initial=-np.inf))
    return float(largest) if np.isfinite(largest) else np.nan


def _collapses(times: np.ndarray, reports: Sequence[UpdateReport], roots: Sequence[int], arrays: Mapping[str, np.ndarray],
               fewest: int) -> tuple[tuple[float, str], ...]:  # fmt: skip
    """When particles did not represent the distribution, and why: as updates report, where nearly all descend from one, were not
    moved and do not show their errors, and where means have a large Monte Carlo error.
    """
    found: dict[float, str] = {}
    unknown = np.zeros(len(times), dtype=bool)
    for name, error in arrays.items():
        if name.endswith("_error"):
            stem = name.removesuffix("_error")
            with np.errstate(invalid="ignore", divide="ignore"):
                ratio = np.mean(error / arrays[f"{stem}_sd"], axis=1)
            unknown |= np.isnan(error).any(axis=1)
            for i in np.flatnonzero(ratio > MOST_ERROR):
                found[times[i]] = f"the Monte Carlo error of {stem} is {ratio[i]:.2g} of its standard deviation"
    for t, report, count, hidden in zip(times, reports, roots, unknown, strict=True):
        if hidden and count < fewest and not report.acceptance > FEWEST_MOVED:
            found[t] = f"all particles descend from {count} of {GENERATIONS} times of data before"
        if report.collapse:
            found[t] = report.collapse
    return tuple((float(t), found[t]) for t in sorted(found))
