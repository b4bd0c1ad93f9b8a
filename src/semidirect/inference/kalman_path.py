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
    """The mean paths of B extended Kalman filters of the same data, for B values of parameters, and their covariances.

    Parameters
    ----------
    make : callable(state, t, paths, formulation) → Stepper
        Makes ensembles.
    at : Stepper
        One path in each mean state at the start.
    covariance : array (B, d, d)
        Of the coordinates about it.
    """

    def __init__(self, make: Make, at: Stepper, covariance: np.ndarray):
        self.covariance = covariance
        self._near = Neighbourhood(make, at)

    def advance(self, t: float) -> np.ndarray:
        """Continue to a time [s]; returns the derivatives (B, d, d) of the coordinates there by those before.

        Raises
        ------
        InputError
            If a mean path fails.
        """
        good, derivative, noise = self._near.advance(t)
        if not (good.all() and np.isfinite(derivative).all() and np.isfinite(noise).all()):
            raise errors.InputError("the mean path of an extended Kalman filter failed", where=f"t = {t:g} s",
                                    hint="Use a smaller dt, or update='particles'.")  # fmt: skip
        self.covariance = derivative @ self.covariance @ _transposed(derivative) + noise @ _transposed(noise)
        return derivative

    def assimilate(self, sighting: Sighting, most: float = np.inf) -> Assimilation:
        """Use data, unless a value is further than so many standard deviations from its prediction by a filter.

        Raises
        ------
        InputError
            If they cannot be predicted.
        """
        data, noise, (count, size, _) = sighting.data(), sighting.covariance(), self.covariance.shape
        if not len(data):
            return Assimilation(np.zeros(count), np.zeros((count, 0)), np.zeros((count, 0)), np.zeros((count, 0, 0)),
                                np.zeros((count, 0, size)), np.broadcast_to(np.eye(size), (count, size, size)))  # fmt: skip
        presence = self._log_presence(sighting) if any(one.observation.lost for one, _ in sighting.pairs) else 0.0
        values, slopes = self._near.values({str(i): sight.values for i, (sight, _) in enumerate(sighting.pairs)})
        parts = [sight.linear(of, values[str(i)], slopes[str(i)]) for i, (sight, of) in enumerate(sighting.pairs)]
        predicted, matrix = (np.ascontiguousarray(np.concatenate([*of], axis=1)) for of in zip(*parts, strict=True))
        if not (np.isfinite(predicted).all() and np.isfinite(matrix).all()):
            raise _unpredictable(sighting, predicted)
        innovation = data - predicted
        cross = self.covariance @ _transposed(matrix)
        total = matrix @ cross + noise
        if (np.abs(innovation) > most * np.sqrt(np.diagonal(total, axis1=1, axis2=2))).any():
            return Assimilation(np.zeros(count), innovation, predicted, total, matrix,
                                np.broadcast_to(np.eye(size), (count, size, size)))  # fmt: skip
        gain = _transposed(np.linalg.solve(total, _transposed(cross)))
        remainder = np.eye(size) - gain @ matrix
        self.covariance = remainder @ self.covariance @ _transposed(remainder) + gain @ noise @ _transposed(gain)
        weighted = np.linalg.solve(total, innovation[:, :, None])[:, :, 0]
        square = (innovation[:, None, :] @ weighted[:, :, None])[:, 0, 0]
        log_likelihood = -0.5 * (square + np.linalg.slogdet(2 * np.pi * total)[1]) + presence
        if not (np.isfinite(log_likelihood).all() and np.isfinite(gain).all()):
            raise _unpredictable(sighting, predicted)
        self._near.move((gain @ innovation[:, :, None])[:, :, 0])
        return Assimilation(log_likelihood, innovation, predicted, total, matrix, remainder)

    def _log_presence(self, sighting: Sighting) -> np.ndarray:
        """The logarithm of the probability of the marks that were seen, of each mean path."""
        results = sighting.values(self.at)
        return np.array(
            [sighting.log_presence({k: v[b : b + 1] for k, v in results.items()}) for b in range(self.at.paths)]
        )

    def summary(self, quantities: Mapping[str, Sequence[Any]], levels: np.ndarray) -> dict[str, np.ndarray]:
        """Means, standard deviations and quantiles of quantities, and the mean configuration, of the first filter."""
        values, slopes = self._near.values({k: v for k, v in quantities.items() if k != ELEMENT})
        out: dict[str, np.ndarray] = {}
        for name in (name for name in quantities if name in values):
            mean, slope = values[name][0], slopes[name][0]
            spread = np.sqrt(np.maximum(np.einsum("ri,ij,rj->r", slope, self.covariance[0], slope), 0))
            out |= {
                f"{name}_mean": mean,
                f"{name}_sd": spread,
                f"{name}_quantile": mean + ndtri(levels)[:, None] * spread,
            }
        if ELEMENT in quantities:
            n = self.at.system.group.dimension
            out |= {"element_mean": self._near.mean.g[0], "element_covariance": self.covariance[0, :n, :n]}
        return out

    def copy(self) -> KalmanPath:
        """A copy, which can be advanced."""
        other = object.__new__(KalmanPath)
        other.covariance, other._near = self.covariance, self._near.copy()
        return other

    def place(self, mean: MeanState, covariance: np.ndarray, at: Stepper) -> None:
        """Take mean states and covariances at the time of an ensemble."""
        self.covariance = covariance
        self._near.place(mean, at)

    @property
    def near(self) -> Neighbourhood:
        """The states near the mean state."""
        return self._near

    @property
    def at(self) -> Stepper:
        """One path in each mean state."""
        return self._near.at


def _unpredictable(sighting: Sighting, predicted: np.ndarray) -> errors.InputError:
    return errors.InputError(
        f"data at t = {sighting.t:g} s cannot be predicted",
        expected="finite values of the mean path",
        got=str(predicted[0]),
    )


def _transposed(matrices: np.ndarray) -> np.ndarray:
    return np.swapaxes(matrices, 1, 2)


@final
@dataclass(frozen=True, eq=False)
class Assimilation:
    """The use of the data of one time by B filters.

    Attributes
    ----------
    log_likelihood : array (B,)
        Of these data given those before.
    innovation, predicted : array (B, m)
        Data less predicted values, and these.
    total : array (B, m, m)
        The covariance of innovations.
    matrix : array (B, m, d)
        The derivatives of predicted values by the coordinates of the state before the data.
    remainder : array (B, d, d)
        The derivatives of the coordinates after the data by those before them.
    """

    log_likelihood: np.ndarray
    innovation: np.ndarray
    predicted: np.ndarray
    total: np.ndarray
    matrix: np.ndarray
    remainder: np.ndarray

    @property
    def surprise(self) -> float:
        """The largest innovation of the first filter, in its standard deviations."""
        if not self.innovation.size:
            return np.nan
        return float(np.max(np.abs(self.innovation[0]) / np.sqrt(np.diag(self.total[0]))))

    def derivatives(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the log-likelihood of the first filter by the coordinates of the state before the data: the first one ``(d,)``, and
        minus the second one ``(d, d)``.
        """
        matrix, total = self.matrix[0], self.total[0]
        slope = matrix.T @ np.linalg.solve(total, self.innovation[0])
        return slope, matrix.T @ np.linalg.solve(total, matrix)


@final
@dataclass(frozen=True, eq=False)
class Moment:
    """The data of one time that a smoother needs.

    Attributes
    ----------
    mean, covariance, at : MeanState, array (1, d, d), Stepper
        Given the data up to it.
    data : Assimilation
        Of its data.
    derivative : array (d, d)
        Of the coordinates before its data by those at the time of data before.
    """

    mean: MeanState
    covariance: np.ndarray
    at: Stepper
    data: Assimilation
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
        derivative = path.advance(sighting.t)[0] if sighting.t > self._t else np.eye(path.near.size)
        self._t = sighting.t
        assimilation = path.assimilate(sighting, task.most)
        self._times.append(sighting.t)
        self._reports.append(UpdateReport(float(assimilation.log_likelihood[0]), np.nan))
        self._surprises.append(assimilation.surprise)
        self._innovations.append(Innovation.of(task.sights, sighting, assimilation.predicted[0], assimilation.total[0]))
        if task.smooth:
            self._moments.append(Moment(path.near.mean, path.covariance, path.at, assimilation, derivative))
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
            of, remainder, through = after.data.derivatives(), after.data.remainder[0], after.derivative
            slope = through.T @ (of[0] + remainder.T @ slope)
            curvature = through.T @ (of[1] + remainder.T @ curvature @ remainder) @ through
            covariance = before.covariance[0]
            path.place(before.mean, (covariance - covariance @ curvature @ covariance)[None], before.at)
            path.near.move((covariance @ slope)[None])
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
