"""Means over batches of time, with errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from semidirect.core import display, errors, messages
from semidirect.statistics.batch_means.batches import LONG_BATCH, MANY_PATHS, Batches
from semidirect.statistics.dependence import Dependence
from semidirect.text import printing

FEWEST_TO_COMPARE = 8
"""Batches with fewer of which beginning and end cannot be compared."""
UNSETTLED = 0.005
"""The chance that a stationary series is taken for one that is not."""
NEGLIGIBLE = 0.3
"""The part of the standard error that a beginning far from stationary may move the mean by."""
ROUNDING = 1e-9
FEWEST = 9
"""Independent differences between batch means, with fewer of which an error is itself unknown by a quarter."""


@final
class BatchSums:
    """Accumulates observations ``(rows, paths)`` one after the other; a path with one that is not finite becomes nan.

    Attributes
    ----------
    mean, squares, between : arrays (rows, paths)
        Of the observations since the burn-in: their mean, Σ (x − mean)², and the same of the means of batches.
    means : array (batches, rows, paths)
        The means of the batches.
    """

    def __init__(self, batches: Batches, shape: tuple[int, int]):
        self._batches, self._seen = batches, 0
        self.mean, self.squares, self.between = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self._sum, self._batch_mean = np.zeros(shape), np.zeros(shape)
        self.means = np.zeros((batches.count, *shape))

    def of_paths(self, paths: slice) -> BatchSums:
        """The sums of some paths."""
        rows = self.mean.shape[0]
        out = BatchSums(self._batches, (rows, len(range(*paths.indices(self.mean.shape[1])))))
        for name in ("mean", "squares", "between", "means", "_sum", "_batch_mean"):
            setattr(out, name, getattr(self, name)[..., paths])
        out._seen = self._seen
        return out

    def add(self, x: np.ndarray) -> None:
        """Add the next observation (Welford's recurrences, of observations and of batch means)."""
        self._seen += 1
        k = self._seen - self._batches.skipped
        if k <= 0:
            return
        with np.errstate(all="ignore"):
            deviation = x - self.mean
            self.mean += deviation / k
            self.squares += deviation * (x - self.mean)
            self._sum += x
            if k % self._batches.length == 0:
                batch = self._sum / self._batches.length
                self.means[k // self._batches.length - 1] = batch
                deviation = batch - self._batch_mean
                self._batch_mean += deviation / (k // self._batches.length)
                self.between += deviation * (batch - self._batch_mean)
                self._sum[:] = 0.0


def counted(mean: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """The averages that count: those of paths on which every observation is finite."""
    return np.isfinite(mean) & np.isfinite(squares)


@final
@dataclass(frozen=True, eq=False, repr=False)
class BatchMeans(display.Brief):
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
    series : array (batches, rows) or None
        The means of the batches over the counted paths; ``None`` for a run that was stored by an earlier version.
    one_noise : bool
        Whether all paths got one realisation of the noise: then batches are independent and paths are not.
    events : tuple of int
        The rows that may be indicators of events.
    of_replications : array (rows,) or None
        The standard error of the mean from independent replications, if paths depend on each other.
    """

    batches: Batches
    interval: float
    by_path: np.ndarray
    squares: np.ndarray
    between: np.ndarray
    series: np.ndarray | None = None
    one_noise: bool = False
    events: tuple[int, ...] = ()
    of_replications: np.ndarray | None = None

    @classmethod
    def of(
        cls, batches: Batches, interval: float, mean: np.ndarray, squares: np.ndarray, between: np.ndarray,
        series: np.ndarray | None = None, *, one_noise: bool = False, events: tuple[int, ...] = (),
        of_replications: np.ndarray | None = None,
    ) -> BatchMeans:  # fmt: skip
        """Of sums ``(paths, rows)``; without any observation, averages are nan."""
        observed = counted(mean, squares) & (batches.count > 0)
        averages, within, of_means = (np.where(observed, x, np.nan) for x in (mean, squares, between))
        return cls(batches, interval, averages, within, of_means, series, one_noise, events, of_replications)

    @classmethod
    def of_batches(
        cls, batches: Batches, interval: float, sums: BatchSums, late: int = 0, *, one_noise: bool
    ) -> BatchMeans:
        """Of all sums, without so many of the first batches. At least two are left."""
        late = min(late, max(batches.count - 2, 0))
        rest = Batches(batches.skipped + late * batches.length, batches.length, batches.count - late)
        means = sums.means[late:]
        good = counted(sums.mean, sums.squares)
        mean, squares, between = sums.mean, sums.squares, sums.between
        if late:
            with np.errstate(all="ignore"):
                mean = np.where(good, means.mean(axis=0), np.nan)
                between = ((means - mean) ** 2).sum(axis=0)
                squares = squares * (rest.count / batches.count)
        paths = np.where(good.sum(axis=1) > 0, good.sum(axis=1), np.nan)
        series = np.where(good, means, 0.0).sum(axis=2) / paths
        return cls.of(rest, interval, mean.T, squares.T, between.T, series, one_noise=one_noise)

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
        """The standard error of :attr:`mean` from the averages of independent paths or replications; nan for fewer than two."""
        if self.of_replications is not None:
            return self.of_replications
        n = np.where(self.count > 1, self.count, np.nan)
        error = np.sqrt(_sum((self.by_path - self.mean) ** 2) / (n * (n - 1)))
        values = np.where(np.isfinite(self.by_path), self.by_path, self.by_path[:1])
        return np.where(n > 1, Dependence.without_rounding(error, values), error)

    @cached_property
    def error_of_series(self) -> np.ndarray:
        """The standard error of :attr:`mean` from batches of the mean over the paths, which may depend on each other."""
        if self.series is None or self.batches.count < 2:
            return np.full(self.mean.shape, np.nan)
        return Dependence.without_rounding(self.series.std(axis=0, ddof=1) / np.sqrt(self.batches.count), self.series)

    @cached_property
    def standard_error(self) -> np.ndarray:
        """The standard error of :attr:`mean`: from paths where there are many that are independent, else from batches. A warning
        says where these are too few or too short, where the beginning differs from the end, and where paths are left out.
        """
        if self.note:
            messages.warn_caller(self.note, errors.ShortAverageWarning)
        return self.plain_error

    @property
    def plain_error(self) -> np.ndarray:
        """:attr:`standard_error` without a warning; nan for an event that is the same at all times of all paths."""
        return np.where(self._unseen, np.nan, self._any_error)

    @property
    def _any_error(self) -> np.ndarray:
        if self.of_replications is not None:
            return self.of_replications
        if self.one_noise:
            return self.error_of_series
        return np.where(self.count >= MANY_PATHS, self.error_from_paths, self.error_from_batches)

    @property
    def _unseen(self) -> np.ndarray:
        """The rows of events of which only one value was seen."""
        may = np.zeros(self.mean.shape, dtype=bool)
        may[list(self.events)] = True
        return may & (self.mean == np.rint(self.mean)) & (self._any_error == 0)

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
        return "; ".join(text for text in (self._left_out, self._one_sided, self._short, self._unsettled) if text)

    @property
    def _one_sided(self) -> str:
        if not self._unseen.any():
            return ""
        return "an event has one value at all times of all paths, which tells no error: more times or more paths may show it"

    @property
    def _left_out(self) -> str:
        paths, least = len(self.by_path), int(self.count.min(initial=len(self.by_path)))
        if least == paths:
            return ""
        return (
            f"{paths - least} of {paths} paths failed or are not finite and are left out with all their times, so that the "
            "averages are those of the paths that last"
        )

    @property
    def _unsettled(self) -> str:
        """Whether the first batch, or the first quarter of them, differs from the last half."""
        b = self.batches.count
        if self.series is None or b < FEWEST_TO_COMPARE:
            return ""
        late = self.series[b - b // 2 :]
        spread = late.var(axis=0, ddof=1)
        deviation = late - late.mean(axis=0)
        with np.errstate(all="ignore"):
            neighbours = (deviation[1:] * deviation[:-1]).sum(axis=0) / (deviation**2).sum(axis=0)
        correlation = np.clip(np.nan_to_num(neighbours), 0, 0.8)
        for first in (1, b // 4):
            difference = np.abs(self.series[:first].mean(axis=0) - late.mean(axis=0))
            error = np.sqrt(spread * (1 + correlation) / (1 - correlation) * (1 / first + 1 / len(late)))
            allowed = _quantile(len(late) - 1, UNSETTLED / (2 * len(difference))) * error
            rounding = ROUNDING * np.abs(late).max(axis=0)
            shift = difference * first / b  # of the mean
            if ((difference > allowed + rounding) & (shift > NEGLIGIBLE * np.nan_to_num(self.plain_error))).any():
                return (
                    f"the first {_batches(first)} of {b} and the last {len(late)} differ by more than chance, so that the run "
                    "begins far from stationary: leave out more of it, burn_in=…"
                )
        return ""

    @property
    def _short(self) -> str:
        if self.of_replications is not None:
            return ""
        count = np.minimum(self.count, 1) if self.one_noise else self.count
        few = count < MANY_PATHS
        if not few.any():
            return ""
        b, longest = self.batches, np.where(few, self.autocorrelation_time, np.nan)
        if b.count < 2 or (few & (count * (b.count - 1) < FEWEST)).any():
            where = f"{int(self.count.min())} paths" + (" with one noise" if self.one_noise else "")
            return f"{b.count} batches on {where} are too few for an error: observe at more times, or take more paths"
        length = b.length * self.interval
        worst = np.nanmax(longest, initial=0.0)
        if length < LONG_BATCH * worst:
            return (
                f"batches of {printing.figures(length)} s are not long against an autocorrelation time of "
                f"{printing.figures(worst)} s, so errors are too small: take a longer time, fewer batches, or more paths"
            )
        return ""

    @property
    def table(self) -> list[tuple[np.ndarray, ...]]:
        """Mean, standard error and autocorrelation time, without a warning: a row each."""
        return list(zip(self.mean, self.plain_error, self.autocorrelation_time, strict=True))


def _batches(count: int) -> str:
    return "batch" if count == 1 else f"{count} batches"


def _quantile(freedom: int, tail: float) -> float:
    """Of Student's law, which is exceeded on either side with twice this probability."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 1 - tail))


def _sum(rows: np.ndarray) -> np.ndarray:
    """The sum over the counted paths, whose order is fixed."""
    total: np.ndarray = np.where(np.isfinite(rows), rows, 0.0).sum(axis=0)
    return total


def _positive(count: np.ndarray) -> np.ndarray:
    return np.where(count > 0, count, np.nan)
