"""A statistic that is taken of each replication, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self, final

import numpy as np

from semidirect.core import errors
from semidirect.statistics.reduction import (
    Accumulator,
    PartialStatistic,
    Statistic,
    StatisticRequest,
    StatisticResult,
)

if TYPE_CHECKING:
    from semidirect.quantities import Quantities

__all__ = ["Replicated", "replicated"]

APART = "replications."
"""Begins the names of the arrays that have an axis of replications."""


def replicated(statistics: Sequence[Statistic], replications: int) -> tuple[Statistic, ...]:
    """The statistics, taken of each replication too if there are any."""
    return tuple(Replicated(one, replications) for one in statistics) if replications else tuple(statistics)


@final
@dataclass(frozen=True, eq=False)
class Replicated(Statistic):
    """A statistic of all paths and, in arrays with an axis of replications, of the paths of each replication.

    Within a replication paths are counted by their points, path // replications.
    """

    statistic: Statistic
    replications: int

    @property
    def kind(self) -> str:  # type: ignore[override]
        """That of the statistic."""
        return self.statistic.kind

    @property
    def later_arrays(self) -> tuple[str, ...]:  # type: ignore[override]
        """Those of the statistic."""
        return (*self.statistic.later_arrays, *(APART + k for k in self.statistic.later_arrays))

    @property
    def key(self) -> str:
        """That of the statistic."""
        return self.statistic.key

    def names(self) -> tuple[str, ...]:
        """Those of the statistic."""
        return self.statistic.names()

    def resolved(self, contents: Quantities) -> Self:
        """The statistic with all names filled in."""
        return replace(self, statistic=self.statistic.resolved(contents))

    def accumulator(self, paths: range, times: int, sizes: Mapping[str, int]) -> _Replicated:
        """The accumulators of all paths and of those of each replication."""
        return _Replicated(self, paths, times, sizes)

    def merged(self, a: PartialStatistic, b: PartialStatistic) -> PartialStatistic:
        """The union of all, and that of each replication."""
        whole = self.statistic.merged(_whole(a), _whole(b))
        pairs = zip(parts_of(a), parts_of(b), strict=True)
        return {**whole, **_stacked([self.statistic.merged(x, y) for x, y in pairs])}

    def reduced(self, request: StatisticRequest) -> StatisticResult:
        """The result of the statistic, with the partial results of the replications."""
        apart = tuple(parts_of(request.partial))
        return self.statistic.reduced(replace(request, partial=_whole(request.partial), replicates=apart))


class _Replicated(Accumulator):
    def __init__(self, of: Replicated, paths: range, times: int, sizes: Mapping[str, int]):
        r = of.replications
        self.all = of.statistic.accumulator(paths, times, sizes)
        first = -(
            -paths.start // r
        )  # chunks begin and end with whole points; only a look at the arrays has fewer paths
        points = range(first, max(paths.stop // r, first + 1))
        self.whole, self.replications = len(points) * r == len(paths), r
        self.each = [of.statistic.accumulator(points, times, sizes) for _ in range(r)]

    def add(self, time: int, values: Mapping[str, np.ndarray], counted: np.ndarray, since_stop: np.ndarray) -> None:
        """Add them to all, and each to its replication."""
        self.all.add(time, values, counted, since_stop)
        if not self.whole:
            raise errors.InputError("paths of a chunk", expected=f"whole points, {self.replications} paths each")
        for r, one in enumerate(self.each):
            part = slice(r, None, self.replications)
            own = {k: np.ascontiguousarray(v[:, part]) for k, v in values.items()}
            one.add(time, own, np.ascontiguousarray(counted[part]), np.ascontiguousarray(since_stop[part]))

    def partial(self) -> PartialStatistic:
        """The arrays of all, and those of replications stacked."""
        return {**self.all.partial(), **_stacked([one.partial() for one in self.each])}


def _stacked(parts: Sequence[PartialStatistic]) -> dict[str, np.ndarray]:
    return {APART + k: np.stack([one[k] for one in parts]) for k in parts[0]}


def _whole(partial: PartialStatistic) -> dict[str, np.ndarray]:
    return {k: v for k, v in partial.items() if not k.startswith(APART)}


def parts_of(partial: PartialStatistic) -> list[dict[str, np.ndarray]]:
    """The partial results of the replications."""
    own = {k.removeprefix(APART): v for k, v in partial.items() if k.startswith(APART)}
    return [{k: v[r] for k, v in own.items()} for r in range(len(next(iter(own.values()))))]
