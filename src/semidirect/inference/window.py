"""The last intervals of a filter's paths: their noise, their data, and moves that preserve the distribution of the paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, final

import numpy as np

from semidirect.core import errors
from semidirect.inference.linear_response import LinearResponse
from semidirect.inference.prior import DrawnStart
from semidirect.inference.sighting import Sighting
from semidirect.stepper import Stepper

__all__ = ["Interval", "Moves"]

FIRST_KEPT, LEAST_KEPT, MOST_KEPT = 0.7, 0.0, 0.9995
"""Share of the noise that a move keeps: at first, and its bounds."""


@final
class Interval:
    """Paths from one time of data to the next, in slots that follow each selection.

    A selection only notes which slots are used; states and increments are looked up when a move needs them.

    Parameters
    ----------
    start : Stepper
        The paths at the time of the data before, which belong to this object.
    sighting : Sighting
        The data at the end.
    prior_start : DrawnStart, optional
        How the start was drawn, if it can be moved.
    """

    def __init__(self, start: Stepper, sighting: Sighting, prior_start: DrawnStart | None = None):
        self.start, self.sighting, self.prior_start = start, sighting, prior_start
        self.numbers = (
            np.zeros((start.paths, 0)) if prior_start is None or prior_start.numbers is None else prior_start.numbers
        )
        self._increments: np.ndarray | None = None
        self._slots: np.ndarray | None = None

    def select(self, selection: np.ndarray) -> None:
        """Follow a selection of paths."""
        self._slots = selection if self._slots is None else self._slots[selection]

    def increments(self) -> np.ndarray:
        """The increments of the noise ``(steps, m, paths)``; start and increments are then those of the selected slots."""
        if self._increments is None:
            self._increments = self.start.increments(t=self.sighting.t, between=True)
        if self._slots is not None:
            self.start.select(self._slots)
            self.numbers = self.numbers[self._slots]
            self._increments, self._slots = self._increments[:, :, self._slots], None
        return self._increments

    def adopt(self, start: Stepper, numbers: np.ndarray, increments: np.ndarray, slots: np.ndarray) -> None:
        """Give some slots another start, drawn with other numbers, and other increments."""
        if start is not self.start:
            self.start.adopt(start, slots)
        if numbers is not self.numbers:
            self.numbers = np.where(slots[:, None], numbers, self.numbers)
        self._increments = np.where(slots, increments, self.increments())


@final
class Moves:
    """Moves of the noise of the last intervals, given the data at their ends.

    The numbers with which the start was drawn and the means of the noise over each interval are coordinates a, standard normal
    before the data. A move proposes for them m + ρ(a − m) + √(1 − ρ²) C^½ a′, with the mean m and the covariance C of a
    :class:`LinearResponse`, and ρ w + √(1 − ρ²) w′ for the rest w of the noise, with independent a′ and w′. It is accepted with
    the probability of Metropolis and Hastings, so the distribution of the paths is preserved, whatever the response. The response
    follows from the move before; the more linear the observed values are, the more moves are accepted. ρ is adapted to their
    share.

    Parameters
    ----------
    intervals : iterable of Interval
        The last intervals, the newest last.
    ensemble : Stepper
        The paths at the end of the newest, which are changed.
    """

    def __init__(self, intervals: Iterable[Interval], ensemble: Stepper):
        self._intervals, self._ensemble = list(intervals), ensemble
        self._scales = [_scale(one.sighting) for one in intervals]
        self._steps = [one.start.step_to(one.sighting.t) for one in intervals]
        self._response: LinearResponse | None = None
        self.keep, self.accepted, self.tried = FIRST_KEPT, 0, 0
        self.refresh()

    @property
    def possible(self) -> bool:
        """Whether there is noise to be moved."""
        return self._now.a.shape[1] > 0

    @property
    def log_likelihood(self) -> np.ndarray:
        """The log-likelihood (paths,) of the newest data."""
        return self._now.newest

    def refresh(self) -> None:
        """Look at the paths again, after a selection."""
        self._noise = [one.increments() for one in self._intervals]
        ends = [*(one.start for one in self._intervals[1:]), self._ensemble]
        self._now = self._outcome(self._first.numbers, self._noise, ends)

    def move(self, phi: float, seed: int, rng: np.random.Generator) -> None:
        """Move all paths once, with the newest likelihood to the power φ.

        Parameters
        ----------
        phi : float
            The power.
        seed : int
            The seed of the new noise.
        rng : Generator
            Random numbers for the start and the decisions.
        """
        now, keep, fresh = self._now, self.keep, np.sqrt(1 - self.keep**2)
        shares = np.ones(now.residuals.shape[1])
        shares[len(shares) - len(self._scales[-1]) :] = np.sqrt(phi)
        response = (self._response or LinearResponse.none(len(shares), now.a.shape[1])).scaled(shares)
        increments = [one.start.increments(t=one.sighting.t, seed=seed, between=True) for one in self._intervals]
        z = self._coordinates(rng.standard_normal(self._first.numbers.shape), increments)
        centre = self._centre(response, now.a, now.residuals * shares)
        a = centre + fresh * response.spread(z)
        numbers, extra = a[:, : self._drawn], self._spread_out((a - keep * now.a - fresh * z)[:, self._drawn :])
        noise = [
            _mixed(keep, old, fresh, new, more) for old, new, more in zip(self._noise, increments, extra, strict=True)
        ]
        starts = self._advanced(numbers, noise)
        trial = self._outcome(numbers, noise, starts[1:])
        back = self._centre(response, trial.a, trial.residuals * shares)
        forward, backward = response.square(a - centre), response.square(now.a - back)
        with np.errstate(invalid="ignore"):
            log_ratio = trial.total(phi) - now.total(phi) + 0.5 * (
                np.sum(now.a**2 - a**2, axis=1) + (forward - backward) / fresh**2
            )  # fmt: skip
            accepted = np.log1p(-rng.random(len(a))) < log_ratio
        self._response = LinearResponse.fitted(trial.a - now.a, trial.residuals - now.residuals, self._blocks())
        for i, one in enumerate(self._intervals):
            one.adopt(starts[i], numbers if one is self._first else one.numbers, noise[i], accepted)
        self._ensemble.adopt(starts[-1], accepted)
        self._noise, self._now = [one.increments() for one in self._intervals], now.where(accepted, trial)
        self._count(accepted)

    def _centre(self, response: LinearResponse, a: np.ndarray, residuals: np.ndarray) -> np.ndarray:
        return (1 - self.keep) * response.mean(a, residuals) + self.keep * a

    @property
    def _first(self) -> Interval:
        return self._intervals[0]

    @property
    def _drawn(self) -> int:
        """How many coordinates are numbers of the start."""
        return self._first.numbers.shape[1]

    def _advanced(self, numbers: np.ndarray, noise: Sequence[np.ndarray]) -> list[Stepper]:
        """Paths at the start of the first interval, and at the end of each."""
        start = self._first.prior_start
        steppers = [self._first.start if start is None or not self._drawn else start.ensemble(numbers)]
        for one, increments in zip(self._intervals, noise, strict=True):
            steppers.append(
                steppers[-1]
                .copy()
                .advance(t=one.sighting.t, increments=increments if increments.shape[1] else None, between=True)
            )
        return steppers

    def _outcome(self, numbers: np.ndarray, noise: Sequence[np.ndarray], ends: Sequence[Stepper]) -> _Outcome:
        residuals, likelihoods = [], []
        for one, end, scale in zip(self._intervals, ends, self._scales, strict=True):
            values = one.sighting.values(end)
            likelihoods.append(one.sighting.log_likelihood(end, values))
            if len(scale):
                residuals.append((one.sighting.predicted(values) - one.sighting.data()) @ scale)
        empty = np.zeros((self._ensemble.paths, 0))
        return _Outcome(self._coordinates(numbers, noise), np.concatenate([empty, *residuals], axis=1),
                        sum(likelihoods[:-1], np.zeros(len(empty))), likelihoods[-1])  # fmt: skip

    def _count(self, accepted: np.ndarray) -> None:
        """Larger moves when many are accepted, smaller ones when few are."""
        count = int(np.count_nonzero(accepted))
        self.accepted, self.tried = self.accepted + count, self.tried + len(accepted)
        share = count / len(accepted)
        angle = np.arccos(self.keep) * (1.5 if share > 0.4 else 0.6 if share < 0.2 else 1.0)
        self.keep = float(np.clip(np.cos(min(angle, np.pi / 2)), LEAST_KEPT, MOST_KEPT))

    def _coordinates(self, numbers: np.ndarray, noise: Sequence[np.ndarray]) -> np.ndarray:
        """The coordinates a ``(paths, d)`` of the start and of the noise."""
        spans = zip(noise, self._steps, strict=True)
        return np.concatenate([numbers.T, *(dw.sum(axis=0) / np.sqrt(len(dw) * dt) for dw, dt in spans)]).T

    def _spread_out(self, a: np.ndarray) -> list[np.ndarray]:
        """The increments, the same in all steps ``(m, paths)`` of an interval, with these coordinates of the noise."""
        out, at = [], 0
        for dw, dt in zip(self._noise, self._steps, strict=True):
            m = dw.shape[1]
            out.append(a[:, at : at + m].T * np.sqrt(dt / len(dw)))
            at += m
        return out

    def _blocks(self) -> list[tuple[int, int]]:
        """Up to which residual and which coordinate each interval goes."""
        ends = np.cumsum([len(scale) for scale in self._scales])
        return list(
            zip(ends.tolist(), (self._drawn + np.cumsum([dw.shape[1] for dw in self._noise])).tolist(), strict=True)
        )


def _mixed(keep: float, old: np.ndarray, fresh: float, new: np.ndarray, more: np.ndarray) -> np.ndarray:
    """keep·old + fresh·new + more, of increments ``(steps, m, paths)``; not to be written to, so that nobody has to copy it."""
    out = keep * old + fresh * new + more
    out.setflags(write=False)
    return out


class _Outcome(NamedTuple):
    """The outcome of paths under some noise.

    Attributes
    ----------
    a : array (paths, d)
        The coordinates of the noise.
    residuals : array (paths, k)
        Predicted values less data, in standard deviations of the noise of the observation.
    earlier, newest : array (paths,)
        The log-likelihoods of the earlier and of the newest data.
    """

    a: np.ndarray
    residuals: np.ndarray
    earlier: np.ndarray
    newest: np.ndarray

    def total(self, phi: float) -> np.ndarray:
        """The log-likelihood of all, with the newest to the power φ."""
        return self.earlier + phi * self.newest if phi else self.earlier

    def where(self, selection: np.ndarray, other: _Outcome) -> _Outcome:
        """That of the other one for chosen paths."""
        return _Outcome(*(np.where(selection, b.T, a.T).T for a, b in zip(self, other, strict=True)))


def _scale(sighting: Sighting) -> np.ndarray:
    """The factors that give residuals ``(paths, k)`` unit variance; empty if the covariance is not known."""
    try:
        return np.linalg.inv(np.linalg.cholesky(sighting.covariance())).T
    except errors.MethodError:
        return np.zeros((0, 0))
