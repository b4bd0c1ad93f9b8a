"""Averages of quantities over time and paths, with errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, final

import numpy as np

from semidirect.core import errors, frozen
from semidirect.statistics import tree
from semidirect.statistics.batch_means import Batches, BatchMeans, BatchSums, counted, validated_batches
from semidirect.statistics.dependence import Dependence, spread
from semidirect.statistics.of_quantities import OfQuantities
from semidirect.statistics.reduction import (
    Accumulator,
    PartialStatistic,
    StatisticRequest,
    StatisticResult,
)
from semidirect.statistics.shares import events, rows_of
from semidirect.text import printing, text_layout

_SUMS = ("mean", "squares", "between")
_SERIES = ("series", "counted")
_COLUMNS = ("mean", "standard_error", "autocorrelation_time", "count")


@final
@dataclass(frozen=True, eq=False)
class TimeAverage(OfQuantities):
    """Averages of quantities over the times of a run, of each path and over paths: ``run.reductions["time-average"]``.

    Each of the times of :class:`~semidirect.Reduce` counts the same; they should have equal intervals. A path that fails at any
    time, or whose quantity is not finite at one, is left out altogether: the averages are those of the paths that last.

    Parameters
    ----------
    quantities : sequence of str, optional
        Default: the saved quantities, or all quantities if none is saved.
    burn_in : float
        The share of the times, at the beginning, that is left out.
    batches : int
        The rest is divided into so many batches of consecutive times or a few more, between whose means the error is estimated.
    """

    kind: ClassVar[str] = "time-average"
    by_replication: ClassVar[bool] = True
    example: ClassVar[str] = "time-average:energy,burn_in=0.1"
    later_arrays: ClassVar[tuple[str, ...]] = ("nodes", *_SERIES)
    quantities: Sequence[str] | None = None
    burn_in: float = 0.0
    batches: int = 32
    label: str = "time-average"

    def __post_init__(self) -> None:
        super().__post_init__()
        burn_in, batches = validated_batches(self.kind, self.burn_in, self.batches)
        object.__setattr__(self, "burn_in", burn_in)
        object.__setattr__(self, "batches", batches)

    def groups(self, times: int) -> Batches:
        """The batches of so many times."""
        return Batches.of(times, self.burn_in, self.batches)

    def accumulator(self, paths: range, times: int, sizes: Mapping[str, int]) -> _Sums:
        """The accumulator of the values."""
        return _Sums(self, paths, times, sum(sizes[k] for k in self.names()))

    def merged(self, a: PartialStatistic, b: PartialStatistic) -> PartialStatistic:
        """The sums of both sets of paths, in the order of the paths."""
        paths = np.concatenate([a["paths"], b["paths"]])
        order = np.argsort(paths, kind="stable")
        if (np.diff(paths[order]) == 0).any():
            raise errors.InputError(
                "the same paths are counted twice",
                where=f"path {paths[order][0]}",
                hint="Merge statistics of different paths.",
            )
        sums = {k: np.concatenate([a[k], b[k]])[order] for k in _SUMS}
        if not (_SERIES[0] in a and _SERIES[0] in b):  # of a store by an earlier version
            return {"paths": paths[order], **sums}
        series = tree.packed(tree.united(tree.unpacked(a, _SERIES), tree.unpacked(b, _SERIES), _added), _SERIES)
        return {"paths": paths[order], **sums, **series}

    def reduced(self, request: StatisticRequest) -> TimeAveraged:
        """Averages and errors."""
        return TimeAveraged(self, request)


class _Sums(Accumulator):
    def __init__(self, statistic: TimeAverage, paths: range, times: int, rows: int):
        self.paths, self.names = paths, statistic.names()
        self.sums = BatchSums(statistic.groups(times), (rows, len(paths)))

    def add(self, time: int, values: Mapping[str, np.ndarray], counted: np.ndarray, since_stop: np.ndarray) -> None:
        """Add the values; those of paths that failed are nan."""
        self.sums.add(np.where(counted, np.concatenate([values[k] for k in self.names]), np.nan))

    def partial(self) -> PartialStatistic:
        """The sums of each path, and in the tree over the paths the sums of the means of each batch."""
        numbers = np.arange(self.paths.start, self.paths.stop, dtype=np.int64)
        sums = {k: np.ascontiguousarray(getattr(self.sums, k).T) for k in _SUMS}
        good = counted(self.sums.mean, self.sums.squares)
        means, start = np.where(good, self.sums.means, 0.0), self.paths.start
        nodes = {}
        for level, index in tree.nodes_of(self.paths):
            part = slice((index << level) - start, ((index + 1) << level) - start)
            nodes[level, index] = tree.folded((means[..., part], good[..., part].astype(float)), _added)
        return {"paths": numbers, **sums, **tree.packed(nodes, _SERIES)}


def _added(a: tuple[np.ndarray, ...], b: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))


@final
@dataclass(frozen=True, eq=False, repr=False)
class TimeAveraged(StatisticResult):
    """Averages over time: ``mean["energy"]`` and so on, a number or ``(d,)``; ``by_path["energy"]`` has paths first.

    Attributes
    ----------
    count : dict name → int array
        Paths counted.
    mean, standard_error : dict name → array
        Averages over time and paths, and their errors: between replications if there are any, between paths if at least 20 are
        counted, else, and if all paths got one noise, between batches. A :class:`~semidirect.errors.ShortAverageWarning` says
        where batches are too few or too short, where the run begins far from stationary, and where paths are left out.
    error_from_paths, error_from_batches : dict name → array
        Either of them.
    autocorrelation_time : dict name → array
        ∫₀^∞ ρ(t) dt [s].
    by_path, error_by_path : dict name → array
        The average of each path and its error between batches.
    """

    @cached_property
    def batch_means(self) -> BatchMeans:
        """All components of the quantities, one after the other."""
        assert isinstance(self.reduction, TimeAverage)
        times = self.times
        interval = (times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else 0.0
        partial = self.taken.partial
        series = None
        if _SERIES[0] in partial:
            total, paths = tree.root(tree.unpacked(partial, _SERIES), _added)
            series = total / np.where(paths > 0, paths, np.nan)
        mean, squares, between = (partial[k] for k in _SUMS)
        return BatchMeans.of(
            self.reduction.groups(len(times)),
            float(interval),
            mean,
            squares,
            between,
            series,
            one_noise=self.taken.one_noise,
            events=events(rows_of(self.reduction.names(), self.taken.sizes)),
            of_replications=spread(self, lambda one: one.batch_means.mean) if self.taken.replicates else None,
        )

    def _cut(self, rows: np.ndarray) -> Mapping[str, np.ndarray]:
        """The last axis cut into quantities."""
        out, start = {}, 0
        for name in self.reduction.names():
            size = self.taken.sizes[name]
            out[name] = np.array(rows[..., start] if size == 1 else rows[..., start : start + size])
            out[name].setflags(write=False)
            start += size
        return frozen.FrozenMapping(out)

    @cached_property
    def count(self) -> Mapping[str, np.ndarray]:
        """Paths counted."""
        return self._cut(self.batch_means.count)

    @cached_property
    def mean(self) -> Mapping[str, np.ndarray]:
        """Averages over time and paths."""
        return self._cut(self.batch_means.mean)

    @cached_property
    def standard_error(self) -> Mapping[str, np.ndarray]:
        """Their standard errors."""
        return self._cut(self.batch_means.standard_error)

    @cached_property
    def error_from_paths(self) -> Mapping[str, np.ndarray]:
        """The standard errors from the averages of the paths, or of the replications; nan for fewer than two paths."""
        return self._cut(self.batch_means.error_from_paths)

    @cached_property
    def error_from_batches(self) -> Mapping[str, np.ndarray]:
        """The standard errors from the means of batches.

        Raises
        ------
        InputError
            If paths depend on each other, in replications.
        """
        Dependence(replications=len(self.taken.replicates)).refuse("an error from batches of time on independent paths")
        return self._cut(self.batch_means.error_from_batches)

    @cached_property
    def autocorrelation_time(self) -> Mapping[str, np.ndarray]:
        """∫₀^∞ ρ(t) dt [s]."""
        return self._cut(self.batch_means.autocorrelation_time)

    @cached_property
    def by_path(self) -> Mapping[str, np.ndarray]:
        """The average of each path."""
        return self._cut(self.batch_means.by_path)

    @cached_property
    def error_by_path(self) -> Mapping[str, np.ndarray]:
        """The standard error of the average of each path."""
        return self._cut(self.batch_means.error_by_path)

    def tables(self) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
        """``energy_mean`` and so on, over paths."""
        means = self.batch_means
        rows = np.array([*zip(*means.table, strict=True), means.count]).reshape(len(_COLUMNS), -1)
        return {f"{name}_{label}": ((f"{name}_component",) * values.ndim, values)
                for label, row in zip(_COLUMNS, rows, strict=True) for name, values in self._cut(row).items()}  # fmt: skip

    def units(self) -> dict[str, str]:
        """Those of the quantities, and seconds."""
        units = self.taken.units
        own = {f"{k}_{label}": units[k] for k in self.reduction.names() if k in units for label in _COLUMNS[:2]}
        return own | {f"{k}_autocorrelation_time": "s" for k in self.reduction.names()}

    def text(self) -> str:
        """Averages as a table, with a remark where errors are not to be trusted."""
        labels = [
            label
            for name, mean in self.mean.items()
            for label, _ in printing.components(name, printing.plain(mean.tolist()))
        ]
        rows = []
        for label, (mean, error, time) in zip(labels, np.asarray(self.batch_means.table, dtype=float), strict=True):
            chance = printing.standard_error(float(error), float(mean))
            rows.append([label, printing.figures(float(mean)), chance, printing.figures(float(time))])
        means = self.batch_means
        header = ["average over time", "mean", "standard error", "autocorrelation time [s]"]
        length = means.batches.length * means.interval
        parts = [
            text_layout.table(header, rows, right=(1, 2, 3)),
            f"{int(means.count.max(initial=0))} paths, {means.batches.count} batches of {printing.figures(length)} s",
        ]
        return "\n".join([*parts, *([f"Note: {means.note}."] if means.note else [])])
