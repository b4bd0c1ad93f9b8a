"""Mean and variance of quantities over the paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.expressions import UnitLabel
from semidirect.statistics import tree
from semidirect.statistics.dependence import spread
from semidirect.statistics.of_quantities import OfQuantities
from semidirect.statistics.reduction import (
    Accumulator,
    PartialStatistic,
    StatisticRequest,
    StatisticResult,
    by_quantity,
    dims,
)
from semidirect.statistics.shares import error_of_events, mean_errors, rows_of

if TYPE_CHECKING:
    pass

_PARTS = ("count", "mean", "squares")
Sums = tuple[np.ndarray, ...]


def joined(a: Sums, b: Sums) -> Sums:
    """n, mean and Σ(x − mean)² of two sets (Chan, Golub and LeVeque 1979); an empty set leaves the other unchanged."""
    n_a, mean_a, squares_a = a
    n_b, mean_b, squares_b = b
    n = n_a + n_b
    difference = mean_b - mean_a
    part = difference * (n_b / np.maximum(n, 1.0))
    return n, mean_a + part, squares_a + squares_b + n_a * part * difference


@final
@dataclass(frozen=True, eq=False)
class Moments(OfQuantities):
    """Count, mean and variance of each component of some quantities: ``run.reductions["moments"]``.

    They are computed from (n, mean, Σ(x − mean)²) in a fixed binary tree over path numbers.

    Parameters
    ----------
    quantities : sequence of str, optional
        Default: the saved quantities, or all quantities if none is saved.
    """

    kind: ClassVar[str] = "moments"
    by_replication: ClassVar[bool] = True
    aliases: ClassVar[tuple[str, ...]] = ("mean", "variance")
    quantities: Sequence[str] | None = None
    label: str = "moments"

    def accumulator(self, paths: range, times: int, sizes: Mapping[str, int]) -> _Sums:
        """The accumulator of the values."""
        return _Sums(paths, times, self.names(), sum(sizes[k] for k in self.names()))

    def merged(self, a: PartialStatistic, b: PartialStatistic) -> PartialStatistic:
        """The nodes of both, joined in the tree."""
        with np.errstate(all="ignore"):
            return tree.packed(tree.united(tree.unpacked(a, _PARTS), tree.unpacked(b, _PARTS), joined), _PARTS)

    def reduced(self, request: StatisticRequest) -> MomentsReduced:
        """Means and variances."""
        return MomentsReduced(self, request)


class _Sums(Accumulator):
    def __init__(self, paths: range, times: int, names: tuple[str, ...], rows: int):
        self.paths, self.names, self.nodes = paths, names, tree.nodes_of(paths)
        self.sums = np.zeros((len(self.nodes), 3, times, rows))

    def add(self, time: int, values: Mapping[str, np.ndarray], counted: np.ndarray, since_stop: np.ndarray) -> None:
        """Fold the values into the fewest nodes that cover the paths."""
        x = np.concatenate([values[k] for k in self.names]) + 0.0  # avoids -0, which an empty set would turn into 0
        valid = np.isfinite(x)
        if not (counted.all() and valid.all()):
            valid &= counted
            x[~valid] = 0.0
            n = valid.astype(float)
        else:
            n = np.ones((1, x.shape[1]))  # for all rows at once: faster, with identical results
        start = self.paths.start
        with np.errstate(all="ignore"):
            for i, (level, index) in enumerate(self.nodes):
                part = slice((index << level) - start, ((index + 1) << level) - start)
                leaves = n[:, part], x[:, part], np.zeros_like(n[:, part])
                for total, new in zip(self.sums[i], tree.folded(leaves, joined), strict=True):
                    total[time] = new

    def partial(self) -> PartialStatistic:
        """The nodes of these paths."""
        return tree.packed({node: tuple(self.sums[i]) for i, node in enumerate(self.nodes)}, _PARTS)


@final
@dataclass(frozen=True, eq=False, repr=False)
class MomentsReduced(StatisticResult):
    """``mean["energy"]`` and so on: arrays ``(T,)``, of vectors ``(T, d)``; nan where too few paths are counted.

    Attributes
    ----------
    count : dict name → int array
        Number of counted paths, which have not failed before and whose value is finite.
    mean, variance, standard_error : dict name → array
        Mean, variance (divisor n − 1), √(variance/n); of events, the error of a share.
    """

    @cached_property
    def _root(self) -> Sums:
        with np.errstate(all="ignore"):
            n, mean, squares = tree.root(tree.unpacked(self.taken.partial, _PARTS), joined)
        return n, mean, squares

    def _cut(self, rows: np.ndarray) -> Mapping[str, np.ndarray]:
        return by_quantity(rows, self.taken.sizes, self.reduction.names())

    @cached_property
    def count(self) -> Mapping[str, np.ndarray]:
        """Paths counted."""
        return self._cut(self._root[0].astype(np.int64))

    @cached_property
    def mean(self) -> Mapping[str, np.ndarray]:
        """Means."""
        return self._cut(self._means)

    @property
    def _means(self) -> np.ndarray:
        n, mean, _ = self._root
        return np.where(n > 0, mean, np.nan)

    @cached_property
    def variance(self) -> Mapping[str, np.ndarray]:
        """Variances, divisor n − 1."""
        return self._cut(self._variance)

    @cached_property
    def standard_error(self) -> Mapping[str, np.ndarray]:
        """Standard errors of the means. That of an event, an expression with ``where`` that is 0 or 1, is that of the share of
        the paths and of four more, of which two have it (A. Agresti and B. A. Coull, 1998): it is not 0 where none has.
        Of replications it is that of their spread, except for an event with one share in all of them.

        Raises
        ------
        InputError
            If paths share one realisation of the noise.
        """
        self.taken.dependence.refuse_one_noise("the standard error of a mean over paths")
        rows = rows_of(self.reduction.names(), self.taken.sizes)
        errors = mean_errors(rows, *self._root)
        if self.taken.replicates:
            errors = error_of_events(rows, spread(self, lambda one: one._means), errors)
        return self._cut(errors)

    @property
    def _variance(self) -> np.ndarray:
        n, _, squares = self._root
        return np.where(n > 1, squares / np.maximum(n - 1, 1.0), np.nan)

    def tables(self) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
        """``energy_mean`` and so on."""
        parts = {"count": self.count, "mean": self.mean, "variance": self.variance}
        return {f"{k}_{part}": (dims(k, v), v) for part, by_name in parts.items() for k, v in by_name.items()}

    def units(self) -> dict[str, str]:
        """Those of the quantities, and their squares for variances."""
        units = {k: self.taken.units.get(k, "") for k in self.mean}
        return {**{f"{k}_mean": unit for k, unit in units.items()},
                **{f"{k}_variance": UnitLabel(unit).raised(2) for k, unit in units.items()}}  # fmt: skip
