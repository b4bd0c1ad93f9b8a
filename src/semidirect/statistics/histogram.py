"""A histogram of a quantity over the paths, and quantiles from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np

from semidirect.core import arguments, errors
from semidirect.statistics.dependence import spread
from semidirect.statistics.reduction import (
    Accumulator,
    PartialStatistic,
    Statistic,
    StatisticRequest,
    StatisticResult,
    dims,
    listed,
    refuse_what_is_no_text,
)
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    from semidirect.quantities import Quantities

MOST_BINS = 1_000_000
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Probabilities of the quantiles in the text."""


@final
@dataclass(frozen=True, eq=False)
class Histogram(Statistic):
    """Integer counts in equal bins of [low, high), below and above it, for each component of a quantity.

    The result is ``run.reductions["histogram:energy"]``.

    Parameters
    ----------
    name : str
        The quantity.
    low, high : float
        The limits of the bins.
    bins : int
        Their number.
    """

    kind: ClassVar[str] = "histogram"
    by_replication: ClassVar[bool] = True
    example: ClassVar[str] = "histogram:energy,low=0,high=2,bins=50"
    name: str
    low: float
    high: float
    bins: int = 100
    label: str = ""

    def __post_init__(self) -> None:
        what = f"the histogram of {self.name!r}"
        bins = arguments.validated_whole(f"bins of {what}", self.bins, least=1, most=MOST_BINS)
        low, high = (
            arguments.validated_number(f"{side} of {what}", getattr(self, side), expected="finite numbers, low < high")
            for side in ("low", "high")
        )
        width = (high / bins) - (low / bins)
        if not (low < high and np.isfinite(width) and low + width > low and high - width < high and 1 / width < np.inf):
            raise errors.InputError(what, expected="low < high by more than rounding", got=f"{low!r} and {high!r}")
        refuse_what_is_no_text(f"label of {what}", self.label)
        for name, value in (("low", low), ("high", high), ("bins", bins)):
            object.__setattr__(self, name, value)

    @property
    def key(self) -> str:
        """``histogram:energy``, or the label."""
        return self.label or f"histogram:{self.name}"

    def names(self) -> tuple[str, ...]:
        """The quantity."""
        return (self.name,)

    def resolved(self, contents: Quantities) -> Histogram:
        """The same statistic, after a check of its name."""
        listed((self.name,), contents)
        return self

    def accumulator(self, paths: range, times: int, sizes: Mapping[str, int]) -> _Counts:
        """The accumulator of the values."""
        return _Counts(self, times, sizes[self.name])

    def merged(self, a: PartialStatistic, b: PartialStatistic) -> PartialStatistic:
        """The sums of the counts."""
        return {"counts": a["counts"] + b["counts"]}

    def reduced(self, request: StatisticRequest) -> HistogramReduced:
        """Counts and quantiles."""
        return HistogramReduced(self, request)


class _Counts(Accumulator):
    def __init__(self, histogram: Histogram, times: int, rows: int):
        self.histogram = histogram
        self.counts = np.zeros((times, rows, histogram.bins + 2), dtype=np.int64)

    def add(self, time: int, values: Mapping[str, np.ndarray], counted: np.ndarray, since_stop: np.ndarray) -> None:
        """Count them; bin 0 is below, the last one above."""
        h = self.histogram
        scale = h.bins / (h.high - h.low)
        for row, x in enumerate(values[h.name]):
            x = x[np.isfinite(x) & counted]
            with np.errstate(all="ignore"):
                place = np.clip(np.floor((x - h.low) * scale), -1, h.bins - 1) + 1
            place[x >= h.high] = h.bins + 1
            self.counts[time, row] = np.bincount(place.astype(np.int64), minlength=h.bins + 2)

    def partial(self) -> PartialStatistic:
        """The counts."""
        return {"counts": self.counts}


def _probabilities(q: Any) -> np.ndarray:
    q = arguments.validated_array("quantiles", q)
    if not ((q >= 0) & (q <= 1)).all():
        raise errors.InputError("quantiles", expected="numbers from 0 to 1", got=str(q.tolist()))
    return q


@final
@dataclass(frozen=True, eq=False, repr=False)
class HistogramReduced(StatisticResult):
    """Counts ``(T, bins)`` of a scalar, ``(T, d, bins)`` of a vector."""

    @property
    def _histogram(self) -> Histogram:
        assert isinstance(self.reduction, Histogram)
        return self.reduction

    @property
    def _all(self) -> np.ndarray:
        counts = self.taken.partial["counts"]
        return counts[:, 0] if counts.shape[1] == 1 else counts

    @property
    def edges(self) -> np.ndarray:
        """Edges of the bins, (bins + 1,)."""
        return np.linspace(self._histogram.low, self._histogram.high, self._histogram.bins + 1)

    @property
    def counts(self) -> np.ndarray:
        """Paths in each bin."""
        return self._all[..., 1:-1]

    @property
    def below(self) -> np.ndarray:
        """Paths below the first bin."""
        return self._all[..., 0]

    @property
    def above(self) -> np.ndarray:
        """Paths above the last bin."""
        return self._all[..., -1]

    @property
    def count(self) -> np.ndarray:
        """Paths counted."""
        return self._all.sum(axis=-1)

    @property
    def resolution(self) -> float:
        """Width of a bin; the error of a quantile is at most half of it."""
        return (self._histogram.high - self._histogram.low) / self._histogram.bins

    def quantiles(self, q: Any) -> np.ndarray:
        """Quantiles, ``(T, …, *q.shape)``: the middle of the bin that contains the ⌈q n⌉-th smallest value.

        −∞ or ∞ if it lies below or above the bins, nan if no path is counted.
        """
        q = _probabilities(q)
        total = np.cumsum(self._all, axis=-1)
        n = total[..., -1]
        rank = np.clip(np.ceil(n[..., None] * q.ravel()), 1, None)
        place = (total[..., None, :] < rank[..., None]).sum(axis=-1)
        edges = self.edges
        middles = np.concatenate([[-np.inf], (edges[:-1] + edges[1:]) / 2, [np.inf], [np.nan]])
        return middles[place].reshape(*n.shape, *q.shape)

    def quantile_intervals(self, q: Any, level: float = 0.95) -> np.ndarray:
        """Intervals of confidence of quantiles of the law, ``(T, …, *q.shape, 2)``, for any law: a binomial number of the values
        lies below the quantile, so that it is between two of them, the outer edges of whose bins are given; −∞ or ∞ beyond the
        bins and where there are too few values. Of replications, Student's interval from their quantiles, up to a bin wider.

        Raises
        ------
        InputError
            For what is no probability, and if all paths got one realisation of the noise.
        """
        from scipy.special import bdtr

        self.taken.dependence.refuse_one_noise("an interval of confidence of a quantile")
        q = _probabilities(q)
        level = arguments.validated_number(
            "level of intervals", level, expected="a number from 0 to below 1", positive=True
        )
        if not level < 1:
            raise errors.InputError("level of intervals", expected="a number from 0 to below 1", got=repr(level))
        if self.taken.replicates:
            return self._of_replications(q, level)
        total, tail = np.cumsum(self._all, axis=-1), (1 - level) / 2
        edges = np.concatenate([[-np.inf], self.edges, [np.inf]])
        out = np.empty((*total.shape[:-1], q.size, 2))
        for place in np.ndindex(total.shape[:-1]):
            n = int(total[place][-1])
            below = bdtr(np.arange(n + 1), n, q.ravel()[:, None])  # P(at most k values are below the quantile)
            for i, row in enumerate(below):
                first, last = int((row <= tail).sum()), int((row < 1 - tail).sum()) + 1
                ranks = np.array([first, last])
                bins = np.searchsorted(total[place], np.clip(ranks, 1, max(n, 1)))
                ends = edges[bins + [0, 1]]
                out[(*place, i)] = np.where([first < 1, last > n], [-np.inf, np.inf], ends)
        return out.reshape(*total.shape[:-1], *q.shape, 2)

    def _of_replications(self, q: np.ndarray, level: float) -> np.ndarray:
        """Student's intervals from the quantiles of the replications, up to the edges of the bins of their ends."""
        from scipy.special import stdtrit

        middle, h = self.quantiles(q), self._histogram
        with np.errstate(all="ignore"):
            half = stdtrit(len(self.taken.replicates) - 1, (1 + level) / 2) * spread(self, lambda one: one.quantiles(q))
            ends = np.stack([middle - half, middle + half], axis=-1)
            bins = (ends - h.low) / self.resolution
            out = h.low + self.resolution * np.stack([np.floor(bins[..., 0]), np.ceil(bins[..., 1])], axis=-1)
        beyond = np.stack([~(out[..., 0] >= h.low), ~(out[..., 1] <= h.high)], axis=-1)
        return np.where(beyond, np.array([-np.inf, np.inf]), out)

    def tables(self) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
        """Counts, with the middles of the bins as ``bin``."""
        name = self._histogram.name
        of = dims(name, self.count)
        return {"counts": ((*of, "bin"), self.counts), "below": (of, self.below), "above": (of, self.above),
                "bin": (("bin",), (self.edges[:-1] + self.edges[1:]) / 2)}  # fmt: skip

    def units(self) -> dict[str, str]:
        """That of the quantity, for the bins."""
        return {"bin": self.taken.units.get(self._histogram.name, "")}

    def text(self) -> str:
        """A few quantiles, as a table."""
        name, values = self._histogram.name, self.quantiles(QUANTILES)[-1]
        by_component = (
            [(name, values)] if values.ndim == 1 else [(f"{name}{i}", row) for i, row in enumerate(values, 1)]
        )
        rows = [[label, *map(printing.figures, row.tolist())] for label, row in by_component]
        header = ["quantile", *(f"{q:g}" for q in QUANTILES)]
        return (
            f"{text_layout.table(header, rows, right=range(1, len(header)))}\nto {self.resolution / 2:.2g}, half a bin"
        )
