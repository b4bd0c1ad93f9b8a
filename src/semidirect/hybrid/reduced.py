"""Statistics of the paths of a hybrid system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from semidirect.core import failure
from semidirect.hybrid.saved_values import SavedValues
from semidirect.specification import schedule
from semidirect.statistics import PartialStatistic, Statistic, StatisticResult


@final
@dataclass(frozen=True, eq=False)
class Reduced:
    """The statistics to take, at the steps ``steps (T,)`` of length ``dt``, and sizes and units of their quantities.

    A path whose mode lacks a quantity has no value of it, and is not counted there.
    """

    statistics: tuple[Statistic, ...]
    steps: np.ndarray
    dt: float
    sizes: Mapping[str, int]
    units: Mapping[str, str]

    @property
    def times(self) -> np.ndarray:
        """Their times [s]."""
        return schedule.labels(self.steps, self.dt)

    def partials(self, paths: range, values: SavedValues, status: np.ndarray, ended_at: np.ndarray
                 ) -> dict[str, PartialStatistic]:  # fmt: skip
        """The partial results for the paths of a chunk."""
        out = {}
        for one in self.statistics:
            accumulator = one.accumulator(paths, len(self.steps), self.sizes)
            for i, time in enumerate(self.times):
                over = ended_at <= time
                counted = ~(failure.failed(status) & over)
                since_stop = np.where(over & (status == failure.STOPPED), time - ended_at, np.nan)
                rows = {name: np.ascontiguousarray(values.data[name][:, i].T) for name in self.sizes}
                accumulator.add(i, rows, counted, since_stop)
            out[one.key] = accumulator.partial()
        return out

    def results(self, parts: Sequence[Mapping[str, PartialStatistic]], paths: int) -> dict[str, StatisticResult]:
        """The statistics of all chunks, in their order."""
        return {
            one.key: one.result_of([part[one.key] for part in parts], self.times, paths, self.sizes, self.units)
            for one in self.statistics
        }
