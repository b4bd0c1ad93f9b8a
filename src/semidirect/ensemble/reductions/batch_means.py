"""Averages over time with their errors, from the means of batches of consecutive observations and from paths."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from semidirect.core.arguments import validated_number, validated_whole
from semidirect.core.display import Brief
from semidirect.core.errors import InputError, ShortAverageWarning
from semidirect.core.output import figures

MANY_PATHS = 20
"""From this number of paths on the errors are those between paths, which need no assumption on correlations in time."""
LONG_BATCH = 10
"""Batches of so many autocorrelation times are independent enough: errors from them are too small by about 5 %."""
FEWEST = 9
"""Independent differences between batch means, with fewer of which an error is itself unknown by a quarter."""


@final
@dataclass(frozen=True)
class Batches:
    """How observations at equal intervals are grouped: those of the burn-in are left out, the rest forms equal batches.

    Attributes
    ----------
    skipped : int
        Observations before the first batch.
    length : int
        Observations in a batch.
    count : int
        Batches.
    """

    skipped: int
    length: int
    count: int

    @classmethod
    def of(cls, observations: int, burn_in: float, batches: int) -> Batches:
        """The groups of so many observations, of which at least the share ``burn_in`` is left out.

        There are at least as many batches as asked for, if there are as many observations, and fewer than twice as many, so that
        few observations besides the burn-in are left out.
        """
        rest = observations - int(np.ceil(burn_in * observations - 1e-9))
        length = max(rest // batches, 1)
        count = rest // length
        return cls(observations - length * count, length, count)


def validated_batches(what: str, burn_in: Any, batches: Any) -> tuple[float, int]:
    """Share of the burn-in, from 0 to below 1, and number of batches, at least 2."""
    share = validated_number(f"burn_in of {what}", burn_in, expected="a share of the times, from 0 to below 1")
    if not 0 <= share < 1:
        raise InputError(f"burn_in of {what}", expected="a share of the times, from 0 to below 1", got=repr(burn_in))
    return share, validated_whole(f"batches of {what}", batches, least=2)


@final
class BatchSums:
    """Accumulates observations ``(rows, paths)`` one after the other; a path with one that is not finite becomes nan."""

    def __init__(self, batches: Batches, shape: tuple[int, int]):
        self._batches, self._seen = batches, 0
        self.mean, self.squares, self.between = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self._sum, self._batch_mean = np.zeros(shape), np.zeros(shape)

    def add(self, x: np.ndarray) -> None:
        """Add the next observation (Welford's recurrences, of observations and of batch means)."""
        self._seen += 1
        k = self._seen - self._batches.skipped
        if k <= 0:
            return
        with np.errstate(all="ignore"):
            moved = x - self.mean
            self.mean += moved / k
            self.squares += moved * (x - self.mean)
            self._sum += x
            if k % self._batches.length == 0:
                batch = self._sum / self._batches.length
                moved = batch - self._batch_mean
                self._batch_mean += moved / (k // self._batches.length)
                self.between += moved * (batch - self._batch_mean)
                self._sum[:] = 0.0


@final
@dataclass(frozen=True, eq=False, repr=False)
class BatchMeans(Brief):
    """Averages over time and paths, from the sums of each path.

    Attributes
    ----------
    batches : Batches
    interval : float
        Between two observations [s].
    by_path : array (paths, rows)
        The average of each path, nan for those that are left out.
    squares, between : arrays (paths, rows)
        Σ (x − average)² over the observations of each path, and the same over its batch means.
    """

    batches: Batches
    interval: float
    by_path: np.ndarray
    squares: np.ndarray
    between: np.ndarray

    @classmethod
    def of(
        cls, batches: Batches, interval: float, mean: np.ndarray, squares: np.ndarray, between: np.ndarray
    ) -> BatchMeans:
        """Of sums ``(paths, rows)``; without any observation, averages are nan."""
        seen = np.isfinite(mean) & np.isfinite(squares) & (batches.count > 0)
        return cls(batches, interval, *(np.where(seen, x, np.nan) for x in (mean, squares, between)))

    @cached_property
    def count(self) -> np.ndarray:
        """Paths counted, (rows,)."""
        return np.isfinite(self.by_path).sum(axis=0)

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean over the counted paths, (rows,)."""
        return _sum(self.by_path) / _positive(self.count)

    @cached_property
    def error_by_path(self) -> np.ndarray:
        """The standard error of the average of each path, from its batch means: (paths, rows)."""
        b = self.batches.count
        return np.sqrt(self.between / (b * (b - 1))) if b > 1 else np.full(self.between.shape, np.nan)

    @cached_property
    def error_from_batches(self) -> np.ndarray:
        """The standard error of :attr:`mean` for independent paths with independent batches."""
        return np.sqrt(_sum(self.error_by_path**2)) / _positive(self.count)

    @cached_property
    def error_from_paths(self) -> np.ndarray:
        """The standard error of :attr:`mean` from the averages of independent paths; nan for fewer than two."""
        n = np.where(self.count > 1, self.count, np.nan)
        return np.sqrt(_sum((self.by_path - self.mean) ** 2) / (n * (n - 1)))

    @cached_property
    def standard_error(self) -> np.ndarray:
        """The standard error of :attr:`mean`: from paths where there are many, else from batches, with a warning if these are too
        few or too short.
        """
        if self.note:
            warnings.warn(self.note, ShortAverageWarning, stacklevel=3)
        return self._error

    @property
    def _error(self) -> np.ndarray:
        return np.where(self.count >= MANY_PATHS, self.error_from_paths, self.error_from_batches)

    @cached_property
    def autocorrelation_time(self) -> np.ndarray:
        """∫₀^∞ ρ(t) dt [s], from the variance of batch means: that of an average over a time T is 2τ/T times that of a value."""
        b = self.batches
        if b.count < 2:
            return np.full(self.mean.shape, np.nan)
        variance = _sum(self.squares) / (b.count * b.length - 1)
        with np.errstate(all="ignore"):
            time: np.ndarray = b.length * self.interval * _sum(self.between) / (b.count - 1) / (2 * variance)
        return np.where(variance > 0, time, np.nan)

    @cached_property
    def note(self) -> str:
        """Why errors are not to be trusted, in words; empty if nothing speaks against them."""
        few = self.count < MANY_PATHS
        if not few.any():
            return ""
        b, longest = self.batches, np.where(few, self.autocorrelation_time, np.nan)
        if b.count < 2 or (few & (self.count * (b.count - 1) < FEWEST)).any():
            return (
                f"{b.count} batches on {int(self.count.min())} paths are too few for an error: observe at more times, or take "
                "more paths"
            )
        length = b.length * self.interval
        worst = np.nanmax(longest, initial=0.0)
        if length < LONG_BATCH * worst:
            return (
                f"batches of {figures(length)} s are not long against an autocorrelation time of {figures(worst)} s, so errors "
                "are too small: take a longer time, fewer batches, or more paths"
            )
        return ""

    @property
    def table(self) -> list[tuple[np.ndarray, ...]]:
        """Mean, standard error and autocorrelation time, without a warning: a row each."""
        return list(zip(self.mean, self._error, self.autocorrelation_time, strict=True))


def _sum(rows: np.ndarray) -> np.ndarray:
    """The sum over the counted paths, whose order is fixed."""
    total: np.ndarray = np.where(np.isfinite(rows), rows, 0.0).sum(axis=0)
    return total


def _positive(count: np.ndarray) -> np.ndarray:
    return np.where(count > 0, count, np.nan)
