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

    def advance(self, t: float) -> np.ndarray:
        """Continue to a time [s]; returns the derivative (d, d) of the coordinates there by those before.

        Raises
        ------
        InputError
            If the mean path fails.
        """
        good, derivative, noise = self._near.advance(t)
        if not (good and np.isfinite(derivative).all() and np.isfinite(noise).all()):
            raise errors.InputError("the mean path of an extended Kalman filter failed", where=f"t = {t:g} s",
                                    hint="Use a smaller dt, or update='particles'.")  # fmt: skip
        self.covariance = derivative @ self.covariance @ derivative.T + noise @ noise.T
        return derivative

    def assimilate(
        self, sighting: Sighting, sights: Sequence[Sight]
    ) -> tuple[UpdateReport, float, Innovation, Likelihood]:
        """Use data; returns the report, the largest innovation in its standard deviations, the innovation, and how the likelihood
        depends on the state.
        """
        data, noise = sighting.data(), sighting.covariance()
        if not len(data):
            nothing = Innovation.of(sights, sighting, np.zeros(0), np.zeros((0, 0)))
            size = len(self.covariance)
            flat = Likelihood(np.zeros(size), np.zeros((size, size)), np.eye(size))
            return UpdateReport(0.0, np.nan), np.nan, nothing, flat
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
        weighted = np.linalg.solve(total, innovation)
        square = innovation @ weighted
        log_likelihood = -0.5 * (square + np.linalg.slogdet(2 * np.pi * total)[1]) + presence
        if not np.isfinite(log_likelihood):
            raise errors.InputError(
                f"data at t = {sighting.t:g} s cannot be predicted",
                expected="finite values of the mean path",
                got=str(predicted),
            )
        self._near.move(gain @ innovation)
        surprise = float(np.max(np.abs(innovation) / np.sqrt(np.diag(total))))
        report, seen = UpdateReport(float(log_likelihood), np.nan), Innovation.of(sights, sighting, predicted, total)
        return report, surprise, seen, Likelihood(matrix.T @ weighted, matrix.T @ np.linalg.solve(total, matrix), kept)

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
class Likelihood:
    """Of data at one time, as a function of the coordinates of the state before them.

    Attributes
    ----------
    slope, curvature : array (d,), array (d, d)
        The derivative of its logarithm, and minus the second one.
    kept : array (d, d)
        The derivative of the coordinates after the data by those before them.
    """

    slope: np.ndarray
    curvature: np.ndarray
    kept: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Moment:
    """What a smoother needs of a time of data.

    Attributes
    ----------
    mean, covariance, at : MeanState, array (d, d), Stepper
        Given the data up to it.
    likelihood : Likelihood
        Of its data.
    derivative : array (d, d)
        Of the coordinates before its data by those at the time of data before.
    """

    mean: MeanState
    covariance: np.ndarray
    at: Stepper
    likelihood: Likelihood
    derivative: np.ndarray


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
        self._moments: list[Moment] = []
        self._start = path.near.mean

    @property
    def t(self) -> float:
        """The time of the mean path."""
        return self._t

    def take(self, sighting: Sighting) -> None:
        """Advance the mean path and use the data."""
        path, task = self._path, self._task
        derivative = path.advance(sighting.t) if sighting.t > self._t else np.eye(len(path.covariance))
        self._t = sighting.t
        report, surprise, innovation, likelihood = path.assimilate(sighting, task.sights)
        self._times.append(sighting.t)
        self._reports.append(report)
        self._surprises.append(surprise)
        self._innovations.append(innovation)
        if task.smooth:
            self._moments.append(Moment(path.near.mean, path.covariance, path.at, likelihood, derivative))
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
        """The summary at each time given all data.

        The smoother of Rauch, Tung and Striebel in the form of Bryson and Frazier: derivatives of the likelihood of later data go
        backward. No covariance of states is inverted: where noise hardly moves them in some directions, an inverse would weigh
        errors of the linearisation there.
        """
        path, task = self._path.copy(), self._task
        slope, curvature = np.zeros(path.near.size), np.zeros((path.near.size, path.near.size))
        rows = [self._rows[-1]]
        for before, after in zip(self._moments[-2::-1], self._moments[:0:-1], strict=True):
            of, through = after.likelihood, after.derivative
            slope = through.T @ (of.slope + of.kept.T @ slope)
            curvature = through.T @ (of.curvature + of.kept.T @ curvature @ of.kept) @ through
            covariance = before.covariance
            path.place(before.mean, covariance - covariance @ curvature @ covariance, before.at)
            path.near.move(covariance @ slope)
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
