"""The covariance matrix of some quantities over the paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.core.component_names import component_names
from semidirect.core.output import figures
from semidirect.core.text_layout import table
from semidirect.ensemble.reductions import tree
from semidirect.ensemble.reductions.of_quantities import OfQuantities
from semidirect.ensemble.reductions.reduction import (
    Accumulator,
    PartialStatistic,
    StatisticRequest,
    StatisticResult,
    refuse_one_noise,
)

if TYPE_CHECKING:
    pass

_PARTS = ("count", "mean", "products")
Sums = tuple[np.ndarray, ...]


def joined(a: Sums, b: Sums) -> Sums:
    """n, mean and Σ(x − mean)(x − mean)ᵀ of two sets: arrays (T or 1, n), (T, r, n), (T, r, r, n), sets along the last axis."""
    n_a, mean_a, products_a = a
    n_b, mean_b, products_b = b
    n = n_a + n_b
    difference = mean_b - mean_a
    part = difference * (n_b / np.maximum(n, 1.0))[:, None]
    weight = (n_a * (n_b / np.maximum(n, 1.0)))[:, None, None]
    between = np.where(weight > 0, weight * (difference[:, :, None] * difference[:, None]), 0.0)  # exactly symmetric
    return n, mean_a + part, products_a + products_b + between


@final
@dataclass(frozen=True, eq=False)
class Covariance(OfQuantities):
    """Mean vector and covariance matrix of all components of some quantities together.

    A path counts if all its values are finite. Sums are taken in a fixed binary tree over path numbers.

    Parameters
    ----------
    quantities : sequence of str
        Names; their components in order are rows and columns.
    """

    kind: ClassVar[str] = "covariance"
    example: ClassVar[str] = "covariance:energy,jellett"
    quantities: Sequence[str] | None = None
    label: str = "covariance"

    def accumulator(self, paths: range, times: int, sizes: Mapping[str, int]) -> _Sums:
        """The accumulator of the values."""
        return _Sums(paths, times, self.names(), sum(sizes[k] for k in self.names()))

    def merged(self, a: PartialStatistic, b: PartialStatistic) -> PartialStatistic:
        """The nodes of both, joined in the tree."""
        with np.errstate(all="ignore"):
            return tree.packed(tree.united(tree.unpacked(a, _PARTS), tree.unpacked(b, _PARTS), joined_nodes), _PARTS)

    def reduced(self, taken: StatisticRequest) -> CovarianceReduced:
        """Means and covariances."""
        return CovarianceReduced(self, taken)


def joined_nodes(a: Sums, b: Sums) -> Sums:
    """:func:`joined` of two single sets."""
    one = joined(tuple(x[..., None] for x in a), tuple(x[..., None] for x in b))
    return tuple(x[..., 0] for x in one)


class _Sums(Accumulator):
    def __init__(self, paths: range, times: int, names: tuple[str, ...], rows: int):
        self.paths, self.names, self.nodes = paths, names, tree.nodes_of(paths)
        k = len(self.nodes)
        self.sums = np.zeros((k, times)), np.zeros((k, times, rows)), np.zeros((k, times, rows, rows))

    def add(self, time: int, values: Mapping[str, np.ndarray], counted: np.ndarray, since_stop: np.ndarray) -> None:
        """Fold the values into the fewest nodes that cover the paths."""
        x = np.concatenate([values[k] for k in self.names]) + 0.0
        valid = np.isfinite(x).all(axis=0) & counted
        x[:, ~valid] = 0.0
        n, start = valid.astype(float), self.paths.start
        with np.errstate(all="ignore"):
            for i, (level, index) in enumerate(self.nodes):
                part = slice((index << level) - start, ((index + 1) << level) - start)
                one = x[:, part]
                leaves = n[None, part], one[None], np.zeros((1, len(one), *one.shape))
                for kept, new in zip(self.sums, tree.folded(leaves, joined), strict=True):
                    kept[i, time] = new[0]

    def partial(self) -> PartialStatistic:
        """The nodes of these paths."""
        nodes = {node: tuple(x[i] for x in self.sums) for i, node in enumerate(self.nodes)}
        return tree.packed(nodes, _PARTS)


@final
@dataclass(frozen=True, eq=False, repr=False)
class CovarianceReduced(StatisticResult):
    """``matrix (T, r, r)`` with the rows ``components``, ``mean (T, r)`` and its ``standard_error``, ``count (T,)``; nan where
    too few paths are counted.
    """

    @cached_property
    def _root(self) -> Sums:
        with np.errstate(all="ignore"):
            n, mean, products = tree.root(tree.unpacked(self.taken.partial, _PARTS), joined_nodes)
        return n, mean, products

    @property
    def components(self) -> tuple[str, ...]:
        """``energy``, ``Omega1``, …"""
        sizes = self.taken.sizes
        return tuple(
            c for k in self.reduction.names() for c in ((k,) if sizes[k] == 1 else component_names(k, sizes[k]))
        )

    @property
    def count(self) -> np.ndarray:
        """Paths counted, (T,)."""
        return self._root[0].astype(np.int64)

    @property
    def mean(self) -> np.ndarray:
        """Means (T, r)."""
        n, mean, _ = self._root
        return np.where(n[:, None] > 0, mean, np.nan)

    @property
    def matrix(self) -> np.ndarray:
        """Covariances (T, r, r), divisor n − 1."""
        n, _, products = self._root
        return np.where(n[:, None, None] > 1, products / np.maximum(n - 1, 1.0)[:, None, None], np.nan)

    @property
    def standard_error(self) -> np.ndarray:
        """Standard errors of the means (T, r). The covariances themselves have no stated error.

        Raises
        ------
        InputError
            If all paths got one realisation of the noise.
        """
        refuse_one_noise("the standard error of a mean over paths", self.taken.one_noise)
        variances = np.diagonal(self.matrix, axis1=1, axis2=2)
        return np.sqrt(variances / np.maximum(self._root[0], 1.0)[:, None])

    def tables(self) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
        """Everything, with names of rows and columns."""
        return {"covariance": (("time", "row", "column"), self.matrix), "mean": (("time", "row"), self.mean),
                "count": (("time",), self.count), "row": (("row",), np.array(self.components)),
                "column": (("column",), np.array(self.components))}  # fmt: skip

    def text(self) -> str:
        """Means and the matrix, as a table."""
        last = zip(self.components, self.mean[-1].tolist(), self.matrix[-1].tolist(), strict=True)
        rows = [[label, figures(mean), *map(figures, row)] for label, mean, row in last]
        header = ["covariance", "mean", *self.components]
        return f"{table(header, rows, right=range(1, len(header)))}\n{self.count[-1]} paths"
