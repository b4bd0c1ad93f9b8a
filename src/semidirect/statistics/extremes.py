"""The smallest and the largest value of quantities over the paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.statistics.of_quantities import OfQuantities
from semidirect.statistics.reduction import (
    Accumulator,
    PartialStatistic,
    StatisticRequest,
    StatisticResult,
    by_quantity,
    dims,
)

if TYPE_CHECKING:
    pass


@final
@dataclass(frozen=True, eq=False)
class Extremes(OfQuantities):
    """Minimum and maximum over the paths at each time, and the path of each (the lowest number if several have it).

    Parameters
    ----------
    quantities : sequence of str, optional
        Default: the saved quantities, or all quantities if none is saved.
    """

    kind: ClassVar[str] = "extremes"
    by_replication: ClassVar[bool] = True
    quantities: Sequence[str] | None = None
    label: str = "extremes"

    def accumulator(self, paths: range, times: int, sizes: Mapping[str, int]) -> _Extremes:
        """The accumulator of the values."""
        return _Extremes(paths, times, self.names(), sum(sizes[k] for k in self.names()))

    def merged(self, a: PartialStatistic, b: PartialStatistic) -> PartialStatistic:
        """The smaller and the larger value; if they are equal, the path with the lower number."""
        out = {}
        for name, path, sign in (("smallest", "smallest_path", 1), ("largest", "largest_path", -1)):
            x, y, p, q = sign * a[name], sign * b[name], a[path], b[path]
            other = (y < x) | ((y == x) & (q < p) & (q >= 0)) | (p < 0)
            out[name], out[path] = np.where(other, b[name], a[name]), np.where(other, q, p)
        return out

    def reduced(self, request: StatisticRequest) -> ExtremesReduced:
        """Values and paths."""
        return ExtremesReduced(self, request)


class _Extremes(Accumulator):
    def __init__(self, paths: range, times: int, names: tuple[str, ...], rows: int):
        self.first, self.names = paths.start, names
        shape = times, rows
        self.arrays: dict[str, np.ndarray] = {"smallest": np.full(shape, np.inf), "largest": np.full(shape, -np.inf)}
        self.arrays |= {f"{name}_path": np.full(shape, -1, dtype=np.int64) for name in ("smallest", "largest")}

    def add(self, time: int, values: Mapping[str, np.ndarray], counted: np.ndarray, since_stop: np.ndarray) -> None:
        """Find the extremes."""
        x = np.concatenate([values[k] for k in self.names])
        valid = np.isfinite(x) & counted
        some, rows = valid.any(axis=1), np.arange(len(x))
        for name, nothing, find in (("smallest", np.inf, np.argmin), ("largest", -np.inf, np.argmax)):
            filled = np.where(valid, x, nothing)
            where = find(filled, axis=1)
            self.arrays[name][time] = filled[rows, where]
            self.arrays[f"{name}_path"][time] = np.where(some, self.first + where, -1)

    def partial(self) -> PartialStatistic:
        """Values and paths."""
        return self.arrays


@final
@dataclass(frozen=True, eq=False, repr=False)
class ExtremesReduced(StatisticResult):
    """``smallest["energy"]``, ``largest``, ``smallest_path``, ``largest_path``; ±∞ and −1 where no path is counted."""

    def _of(self, name: str) -> Mapping[str, np.ndarray]:
        return by_quantity(self.taken.partial[name], self.taken.sizes, self.reduction.names())

    @property
    def smallest(self) -> Mapping[str, np.ndarray]:
        """Minima."""
        return self._of("smallest")

    @property
    def largest(self) -> Mapping[str, np.ndarray]:
        """Maxima."""
        return self._of("largest")

    @property
    def smallest_path(self) -> Mapping[str, np.ndarray]:
        """Paths that have the minima."""
        return self._of("smallest_path")

    @property
    def largest_path(self) -> Mapping[str, np.ndarray]:
        """Paths that have the maxima."""
        return self._of("largest_path")

    def tables(self) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
        """``energy_smallest`` and so on."""
        parts = ("smallest", "largest", "smallest_path", "largest_path")
        return {f"{k}_{part}": (dims(k, v), v) for part in parts for k, v in self._of(part).items()}

    def units(self) -> dict[str, str]:
        """Those of the quantities."""
        return {f"{k}_{part}": self.taken.units.get(k, "") for part in ("smallest", "largest") for k in self._of(part)}
