"""The mean path of an extended Kalman filter, on its way through the data, and the smoother of Rauch, Tung and Striebel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np
from scipy.special import ndtri

from semidirect.core import errors
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.filtered import Filtered
from semidirect.inference.filtered_data import filtered_data
from semidirect.inference.innovation import Innovation
from semidirect.inference.invariance import invariance_of
from semidirect.inference.linearised import Make
from semidirect.inference.neighbourhood import MeanState, Neighbourhood
from semidirect.inference.observation import Sight
from semidirect.inference.progress import Progress
from semidirect.inference.reported_rows import reported_rows
from semidirect.inference.sighting import Sighting
from semidirect.inference.summary import ELEMENT
from semidirect.inference.update_report import UpdateReport
from semidirect.stepper import Stepper

__all__ = ["KalmanPath", "KalmanProgress"]

OF_PARTICLES = ["effective_size", "nonlinearity", "stages", "acceptance", "ancestors"]

LEAST = 1e-13
"""Of the largest eigenvalue of a correlation: below it a direction counts as known, in which nothing is smoothed."""


@final
class KalmanPath:
    """The mean path of an extended Kalman filter and its covariance.

    Parameters
    ----------
    make : callable(state, t, paths, formulation) → Stepper
        Makes ensembles.
    state : dict
        The mean state at the start.
    t : float
        Its time [s].
    covariance : array (d, d)
        Of the coordinates about it.

    """

    def __init__(self, make: Make, state: Mapping[str, Any], t: float, covariance: np.ndarray):
        self.covariance = covariance
        self._near = Neighbourhood(make, make(state, t, 1, None))

    def advance(self, t: float) -> Interval:
        """Continue to a time [s]; raises an :class:`InputError` if the mean path fails."""
        mean, at = self._near.mean, self._near.at
        good, derivative, noise = self._near.advance(t)
        if not (good and np.isfinite(derivative).all() and np.isfinite(noise).all()):
            raise errors.InputError("the mean path of an extended Kalman filter failed", where=f"t = {t:g} s",
                                    hint="Use a smaller dt, or update='particles'.")  # fmt: skip
        covariance = self.covariance
        self.covariance = derivative @ self.covariance @ derivative.T + noise @ noise.T
        return Interval(mean, covariance, at, derivative, self._near.mean, self.covariance)

    def assimilate(self, sighting: Sighting, sights: Sequence[Sight]) -> tuple[UpdateReport, float, Innovation]:
        """Use data; returns the report, the largest innovation in its standard deviations, and the innovation."""
        data, noise = sighting.data(), sighting.covariance()
        if not len(data):
            nothing = Innovation.of(sights, sighting, np.zeros(0), np.zeros((0, 0)))
            return UpdateReport(0.0, np.nan), np.nan, nothing
        loses = any(sight.observation.lost for sight, _ in sighting.seen)
        presence = sighting.log_presence(sighting.values(self.at)) if loses else 0.0
        values, slopes = self._near.values({str(i): sight.values for i, (sight, _) in enumerate(sighting.seen)})
        parts = [sight.linear(of, values[str(i)], slopes[str(i)]) for i, (sight, of) in enumerate(sighting.seen)]
        predicted, matrix = (np.concatenate([*of]) for of in zip(*parts, strict=True))
        innovation = data - predicted
        cross = self.covariance @ matrix.T
        total = matrix @ cross + noise
        gain = np.linalg.solve(total, cross.T).T
        kept = np.eye(len(gain)) - gain @ matrix
        self.covariance = kept @ self.covariance @ kept.T + gain @ noise @ gain.T
        square = innovation @ np.linalg.solve(total, innovation)
        log_likelihood = -0.5 * (square + np.linalg.slogdet(2 * np.pi * total)[1]) + presence
        if not np.isfinite(log_likelihood):
            raise errors.InputError(
                f"data at t = {sighting.t:g} s cannot be predicted",
                expected="finite values of the mean path",
                got=str(predicted),
            )
        self._near.move(gain @ innovation)
        surprise = float(np.max(np.abs(innovation) / np.sqrt(np.diag(total))))
        return UpdateReport(float(log_likelihood), np.nan), surprise, Innovation.of(sights, sighting, predicted, total)

    def summary(self, wanted: Mapping[str, Sequence[Any]], levels: np.ndarray) -> dict[str, np.ndarray]:
        """Means, standard deviations and quantiles of quantities, and the mean configuration."""
        values, slopes = self._near.values({k: v for k, v in wanted.items() if k != ELEMENT})
        out: dict[str, np.ndarray] = {}
        for name in (name for name in wanted if name in values):
            mean, slope = values[name], slopes[name]
            spread = np.sqrt(np.maximum(np.einsum("ri,ij,rj->r", slope, self.covariance, slope), 0))
            out |= {
                f"{name}_mean": mean,
                f"{name}_sd": spread,
                f"{name}_quantile": mean + ndtri(levels)[:, None] * spread,
            }
        if ELEMENT in wanted:
            n = self.at.system.group.dimension
            out |= {"element_mean": self._near.mean.g, "element_covariance": self.covariance[:n, :n]}
        return out

    def copy(self) -> KalmanPath:
        """A copy, which can be advanced."""
        other = object.__new__(KalmanPath)
        other.covariance, other._near = self.covariance, self._near.copy()
        return other

    def place(self, mean: MeanState, covariance: np.ndarray, at: Stepper) -> None:
        """Take a mean state and a covariance at the time of an ensemble."""
        self.covariance = covariance
        self._near.place(mean, at)

    @property
    def near(self) -> Neighbourhood:
        """The states near the mean state."""
        return self._near

    @property
    def at(self) -> Stepper:
        """One path in the mean state."""
        return self._near.at


@final
@dataclass(frozen=True, eq=False)
class Interval:
    """What a smoother needs of an interval between data.

    Attributes
    ----------
    mean, covariance, at : MeanState, array (d, d), Stepper
        At its start, given the data up to there.
    derivative : array (d, d)
        Of the coordinates at the end by those at the start.
    predicted, predicted_covariance : MeanState, array (d, d)
        At its end, given the same data.
    """

    mean: MeanState
    covariance: np.ndarray
    at: Stepper
    derivative: np.ndarray
    predicted: MeanState
    predicted_covariance: np.ndarray


@final
class KalmanProgress(Progress):
    """An extended Kalman filter after some of the data."""

    def __init__(self, task: FilterTask, path: KalmanPath):
        self._task, self._path, self._t = task, path, task.ensemble.t
        self._rows: list[dict[str, np.ndarray]] = []
        self._reports: list[UpdateReport] = []
        self._surprises: list[float] = []
        self._innovations: list[Innovation] = []
        self._times: list[float] = []
        self._intervals: list[Interval | None] = []
        self._start = path.near.mean

    @property
    def t(self) -> float:
        """The time of the mean path."""
        return self._t

    def take(self, sighting: Sighting) -> None:
        """Advance the mean path and use the data."""
        path, task = self._path, self._task
        interval = path.advance(sighting.t) if sighting.t > self._t else None
        self._t = sighting.t
        report, surprise, innovation = path.assimilate(sighting, task.sights)
        self._times.append(sighting.t)
        self._reports.append(report)
        self._surprises.append(surprise)
        self._innovations.append(innovation)
        if task.smooth:
            self._intervals.append(interval)
        self._rows.append(path.summary(task.quantities, task.levels))

    def result(self) -> Filtered:
        """Of the data so far."""
        task, path = self._task, self._path
        if not self._times:
            raise errors.InputError("the result of a filter", expected="data of at least one time", got="none")
        times = np.array(self._times)
        arrays = {k: np.stack([row[k] for row in self._rows]) for k in self._rows[0]}
        if task.smooth:
            smoothed = self._smoothed()
            arrays |= {f"smoothed_{k}": np.stack([row[k] for row in smoothed]) for k in smoothed[0]}
        data = filtered_data(times, arrays, self._reports, self._surprises, [0] * len(times), task.levels, (), task.sights,
                             self._innovations)  # fmt: skip
        return Filtered(data.drop_vars(OF_PARTICLES), (), 0.0, partial(invariance_of, task.make, path.at, task.sights, task.dt),
                        partial(_ahead, task, path.copy()))  # fmt: skip

    def ahead(self, times: Sequence[float], names: Sequence[str] | None = None) -> dict[str, np.ndarray]:
        """The mean path of now and its covariance, without data."""
        return _ahead(self._task, self._path, times, names)

    def _smoothed(self) -> list[dict[str, np.ndarray]]:
        """The summary at each time given all data, by the smoother of Rauch, Tung and Striebel in coordinates about the filtered
        means.
        """
        path, task = self._path.copy(), self._task
        mean, covariance = path.near.mean, path.covariance
        rows = [self._rows[-1]]
        for interval in reversed(self._intervals[1:]):
            assert interval is not None
            path.place(interval.predicted, interval.predicted_covariance, path.at)
            away = path.near.coordinates_of(mean)
            gain = interval.covariance @ interval.derivative.T @ _inverse(interval.predicted_covariance)
            covariance = interval.covariance + gain @ (covariance - interval.predicted_covariance) @ gain.T
            path.place(interval.mean, covariance, interval.at)
            path.near.move(gain @ away)
            mean = path.near.mean
            rows.append(path.summary(task.quantities, task.levels))
        return rows[::-1]


def _ahead(task: FilterTask, path: KalmanPath, times: Sequence[float], names: Sequence[str] | None
           ) -> dict[str, np.ndarray]:  # fmt: skip
    path, rows = path.copy(), []
    quantities = task.quantities if names is None else reported_rows(path.at.system, names)
    for t in times:
        if t > path.at.t:
            path.advance(t)
        rows.append(path.summary(quantities, task.levels))
    return {k: np.stack([row[k] for row in rows]) for k in rows[0]}


def _inverse(covariance: np.ndarray) -> np.ndarray:
    """The inverse of a covariance; 0 in directions without variance."""
    scale = np.sqrt(np.diag(covariance))
    scale = np.where(scale > 0, scale, 1.0)
    sizes, axes = np.linalg.eigh(covariance / np.outer(scale, scale))
    there = sizes > LEAST * max(float(sizes.max()), 0.0)
    return np.asarray((axes[:, there] / sizes[there]) @ axes[:, there].T / np.outer(scale, scale))
