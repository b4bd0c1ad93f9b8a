"""A filter with weighted particles on its way through the data."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, final

import numpy as np

from semidirect.core import errors
from semidirect.inference.backward import EarlierParticles, backward_simulation
from semidirect.inference.cloud import GENERATIONS, Cloud
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.filtered import Filtered
from semidirect.inference.filtered_data import filtered_data
from semidirect.inference.innovation import Innovation
from semidirect.inference.linearised import state_of
from semidirect.inference.neighbourhood import Neighbourhood
from semidirect.inference.progress import Progress
from semidirect.inference.reported_rows import reported_rows
from semidirect.inference.sighting import Sighting
from semidirect.inference.streams import Streams
from semidirect.inference.summary import Summary
from semidirect.inference.update_report import UpdateReport
from semidirect.inference.weights import mean, second_moments, variances
from semidirect.model import NumericalSDE

__all__ = ["CloudProgress"]

MOST_ERROR = 0.3
"""Of a mean, in standard deviations: with a larger one, intervals of 90 % contain the truth in less than 87 %."""

FEWEST_FAMILIES, FEWEST_MOVED = 5, 0.1
"""With fewer families, of which less than this share of moves is accepted, their Monte Carlo error is not known."""


@final
class CloudProgress(Progress):
    """Particles are advanced from one time of data to the next, and changed there.

    Parameters
    ----------
    task : FilterTask
        What to do.
    assimilate : callable
        Changes them, as :meth:`.CloudUpdate.assimilate`.
    smooths : bool
        Whether it selects particles with their past.
    """

    def __init__(self, task: FilterTask, assimilate: Callable[..., UpdateReport], smooths: bool):
        self._task, self._assimilate, self._smooths = task, assimilate, smooths
        self._cloud = Cloud(task.ensemble, task.quantities, task.draws, lag=task.lag, followed=smooths)
        self._now, self._smoothed = (Summary(task.system.group, task.levels) for _ in range(2))
        self._reports: list[UpdateReport] = []
        self._roots: list[int] = []
        self._surprises: list[float] = []
        self._innovations: list[Innovation] = []
        self._times: list[float] = []
        self._lineages: list[Any] = []
        self._earlier: list[EarlierParticles] = []
        self._near = _neighbourhood(task) if task.smooth else None

    @property
    def t(self) -> float:
        """The time of the particles."""
        return self._cloud.ensemble.t

    def take(self, sighting: Sighting) -> None:
        """Advance and assimilate."""
        cloud, task = self._cloud, self._task
        ensemble, before = cloud.ensemble, None
        cloud.resample()
        if ensemble.t < sighting.t:
            before = ensemble.copy()
            ensemble.advance(t=sighting.t, between=True)
        predicted = sighting.values(ensemble)
        weights = np.where(ensemble.status == 0, cloud.weights, 0.0)
        self._surprises.append(_surprise(sighting, predicted, weights))
        self._innovations.append(_innovation(task, sighting, predicted, weights))
        if self._surprises[-1] > task.most:
            sighting = sighting.unseen()
            predicted = sighting.values(ensemble)
        self._reports.append(self._assimilate(cloud, before, sighting, predicted, Streams(task.seed, len(self._times))))
        self._times.append(sighting.t)
        self._roots.append(cloud.generation().families())
        self._lineages = cloud.lineages() if self._smooths else []
        if task.smooth:
            self._earlier.append(EarlierParticles(ensemble.copy(), cloud.log_weights))
        arrays, weights = ensemble.values(task.quantities), cloud.weights
        values = {name: arrays[name] for name in task.quantities}
        self._now.add(values, weights, self._lineages)
        if task.lag:  # what is as old as the lag has all the data that it may use
            cloud.past.append(dict(values))
            if len(cloud.past) > task.lag:
                self._smoothed.add(cloud.past.popleft(), weights, self._lineages)

    def result(self) -> Filtered:
        """Of the data so far."""
        cloud, task = self._cloud, self._task
        if not self._times:
            raise errors.InputError("the result of a filter", expected="data of at least one time", got="none")
        smoothed = self._smoothed.copy()
        for past in deque(cloud.past):
            smoothed.add(past, cloud.weights, self._lineages)
        times, now = np.array(self._times), self._now.arrays()
        collapses = _collapses(times, self._reports, self._roots, now, min(cloud.paths, FEWEST_FAMILIES))
        arrays = now | ({f"smoothed_{k}": v for k, v in smoothed.arrays().items()} if task.lag else {})
        if self._near is not None:
            looked = backward_simulation(task, self._near.copy(), self._earlier).arrays()
            arrays |= {f"smoothed_{k}": v for k, v in looked.items() if not k.endswith("_error")}
        data = filtered_data(times, arrays, self._reports, self._surprises, self._roots, task.levels,
                             [t for t, _ in collapses], task.sights, self._innovations)  # fmt: skip
        error = cloud.likelihood_error() if self._smooths else np.nan
        ahead = partial(_ahead, task, cloud.ensemble.copy(), cloud.weights)
        return Filtered(data, collapses, error, ahead=ahead)

    def ahead(self, times: Sequence[float], names: Sequence[str] | None = None) -> dict[str, np.ndarray]:
        """The particles of now, with their weights, advanced with new noise."""
        return _ahead(self._task, self._cloud.ensemble, self._cloud.weights, times, names)


def _neighbourhood(task: FilterTask) -> Neighbourhood:
    """States near the start."""
    ensemble = task.ensemble
    what = "backward simulation of particles"
    ensemble.system.workings.refuse_arrays(what)
    if ensemble.system.workings.paths is not None:
        raise errors.MethodError(what, expected="one value of each parameter", got="values per path",
                                 hint="Give one value for all particles, or use lag=.")  # fmt: skip
    if NumericalSDE.of(ensemble.system, variables="velocity").structure.shape.form == "A":
        raise errors.MethodError(what, expected="coordinates of the velocities that satisfy the constraint",
                                 got="a system in A form", hint="State the constraint by directions, or use lag=.")  # fmt: skip
    return Neighbourhood(task.make, task.make(state_of(ensemble), ensemble.t, 1, None))


def _ahead(task: FilterTask, ensemble: Any, weights: np.ndarray, times: Sequence[float], names: Sequence[str] | None
           ) -> dict[str, np.ndarray]:  # fmt: skip
    quantities = task.quantities if names is None else reported_rows(ensemble.system, names)
    paths, summary = ensemble.copy(), Summary(task.system.group, task.levels)
    for t in times:
        if t > paths.t:
            paths.advance(t=t, between=True)
        good = np.where(paths.status == 0, weights, 0.0)
        summary.add(paths.values(quantities), good / good.sum(), [])
    return {k: v for k, v in summary.arrays().items() if not k.endswith("_error")}


def _innovation(
    task: FilterTask, sighting: Sighting, values: Mapping[str, np.ndarray], weights: np.ndarray
) -> Innovation:
    """Of the weighted mean and covariance of predicted values; nan where no particle is good or the noise has no covariance."""
    rows, size = sighting.predicted(values).T, len(sighting.data())
    good = weights > 0
    if not good.any() or not size:
        return Innovation.of(task.sights, sighting, np.full(size, np.nan), np.full((size, size), np.nan))
    if not good.all():
        rows, weights = rows[:, good], weights[good]
    w = weights / weights.sum()
    middle = mean(rows, w)
    try:
        noise = sighting.covariance()
    except errors.MethodError:
        noise = np.full((size, size), np.nan)
    return Innovation.of(task.sights, sighting, middle, second_moments(rows - middle[:, None], w) + noise)


def _surprise(sighting: Sighting, values: Mapping[str, np.ndarray], weights: np.ndarray) -> float:
    """The largest distance of data from their prediction, in its standard deviations; nan where none are known."""
    alive, largest = weights > 0, np.nan
    if not alive.any():
        return largest
    if not alive.all():
        weights = weights[alive]
    w = weights / weights.sum()
    for sight, data in sighting.pairs:
        rows, indices = sight.seen_values(data, values), sight.seen_rows(data)
        rows = rows if len(w) == len(alive) else rows[:, alive]
        predicted = mean(rows, w)
        variance = variances(rows, w, predicted) + sight.variances.ravel()[indices]
        z = np.abs(sight.seen_data(data) - predicted) / np.sqrt(variance)
        largest = np.fmax(largest, np.max(z[np.isfinite(z)], initial=-np.inf))
    return float(largest) if np.isfinite(largest) else np.nan


def _collapses(times: np.ndarray, reports: Sequence[UpdateReport], roots: Sequence[int], arrays: Mapping[str, np.ndarray],
               fewest: int) -> tuple[tuple[float, str], ...]:  # fmt: skip
    """When particles did not represent the distribution, and why: as updates report, where nearly all descend from one, were not
    moved and do not show their errors, and where means have a large Monte Carlo error.
    """
    reasons: dict[float, str] = {}
    unknown = np.zeros(len(times), dtype=bool)
    for name, error in arrays.items():
        if name.endswith("_error"):
            stem = name.removesuffix("_error")
            with np.errstate(invalid="ignore", divide="ignore"):
                ratio = np.mean(error / arrays[f"{stem}_sd"], axis=1)
            unknown |= np.isnan(error).any(axis=1)
            for i in np.flatnonzero(ratio > MOST_ERROR):
                reasons[times[i]] = f"the Monte Carlo error of {stem} is {ratio[i]:.2g} of its standard deviation"
    for t, report, count, hidden in zip(times, reports, roots, unknown, strict=True):
        if hidden and count < fewest and not report.acceptance > FEWEST_MOVED:
            reasons[t] = f"all particles descend from {count} of {GENERATIONS} times of data before"
        if report.collapse:
            reasons[t] = report.collapse
    return tuple((float(t), reasons[t]) for t in sorted(reasons))
