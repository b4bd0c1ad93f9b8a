"""The covariance matrix of some quantities over the paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.expressions import component_names
from semidirect.statistics import tree
from semidirect.statistics.comoments import (
    PARTS,
    PARTS_OF_ERRORS,
    Sums,
    covariance_errors,
    joined,
    joined_nodes,
    leaves,
)
from semidirect.statistics.dependence import spread
from semidirect.statistics.of_quantities import OfQuantities
from semidirect.statistics.reduction import (
    Accumulator,
    PartialStatistic,
    StatisticRequest,
    StatisticResult,
)
from semidirect.statistics.shares import error_of_events, mean_errors
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    pass

ALL_PARTS = (*PARTS, *PARTS_OF_ERRORS)


def _parts(partial: PartialStatistic) -> tuple[str, ...]:
    return ALL_PARTS if PARTS_OF_ERRORS[0] in partial else PARTS


@final
@dataclass(frozen=True, eq=False)
class Covariance(OfQuantities):
    """Mean vector and covariance matrix of all components of some quantities together.

    A path counts if all its values are finite. Sums are taken in a fixed binary tree over path numbers. Errors of the covariances
    come from fourth moments of the same paths.

    Parameters
    ----------
    quantities : sequence of str
        Names; their components in order are rows and columns.
    """

    kind: ClassVar[str] = "covariance"
    by_replication: ClassVar[bool] = True
    example: ClassVar[str] = "covariance:energy,jellett"
    later_arrays: ClassVar[tuple[str, ...]] = PARTS_OF_ERRORS
    quantities: Sequence[str] | None = None
    label: str = "covariance"

    def accumulator(self, paths: range, times: int, sizes: Mapping[str, int]) -> _Sums:
        """The accumulator of the values."""
        return _Sums(paths, times, self.names(), sum(sizes[k] for k in self.names()))

    def merged(self, a: PartialStatistic, b: PartialStatistic) -> PartialStatistic:
        """The nodes of both, joined in the tree."""
        with np.errstate(all="ignore"):
            both = _parts(a) if len(_parts(a)) < len(_parts(b)) else _parts(b)
            return tree.packed(tree.united(tree.unpacked(a, both), tree.unpacked(b, both), joined_nodes), both)

    def reduced(self, request: StatisticRequest) -> CovarianceReduced:
        """Means and covariances."""
        return CovarianceReduced(self, request)


class _Sums(Accumulator):
    def __init__(self, paths: range, times: int, names: tuple[str, ...], rows: int):
        self.paths, self.names, self.nodes = paths, names, tree.nodes_of(paths)
        k = len(self.nodes)
        products = (np.zeros((k, times, rows, rows)) for _ in ALL_PARTS[2:])
        self.sums = np.zeros((k, times)), np.zeros((k, times, rows)), *products

    def add(self, time: int, values: Mapping[str, np.ndarray], counted: np.ndarray, since_stop: np.ndarray) -> None:
        """Fold the values into the fewest nodes that cover the paths."""
        x = np.concatenate([values[k] for k in self.names]) + 0.0
        valid = np.isfinite(x).all(axis=0) & counted
        x[:, ~valid] = 0.0
        n, start = valid.astype(float), self.paths.start
        with np.errstate(all="ignore"):
            for i, (level, index) in enumerate(self.nodes):
                part = slice((index << level) - start, ((index + 1) << level) - start)
                for total, new in zip(self.sums, tree.folded(leaves(n[part], x[:, part]), joined), strict=True):
                    total[i, time] = new[0]

    def partial(self) -> PartialStatistic:
        """The nodes of these paths."""
        nodes = {node: tuple(x[i] for x in self.sums) for i, node in enumerate(self.nodes)}
        return tree.packed(nodes, ALL_PARTS)


@final
@dataclass(frozen=True, eq=False, repr=False)
class CovarianceReduced(StatisticResult):
    """``matrix (T, r, r)`` with the rows ``components`` and its ``matrix_error``, ``mean (T, r)`` and its ``standard_error``,
    ``count (T,)``; nan where too few paths are counted.
    """

    @cached_property
    def _root(self) -> Sums:
        with np.errstate(all="ignore"):
            sums: Sums = tree.root(tree.unpacked(self.taken.partial, _parts(self.taken.partial)), joined_nodes)
        return sums

    @property
    def components(self) -> tuple[str, ...]:
        """``energy``, ``Omega1``, …"""
        sizes = self.taken.sizes
        return tuple(
            c
            for k in self.reduction.names()
            for c in ((k,) if sizes[k] == 1 else component_names.component_names(k, sizes[k]))
        )

    @property
    def count(self) -> np.ndarray:
        """Paths counted, (T,)."""
        return self._root[0].astype(np.int64)

    @property
    def mean(self) -> np.ndarray:
        """Means (T, r)."""
        n, mean = self._root[:2]
        return np.where(n[:, None] > 0, mean, np.nan)

    @property
    def matrix(self) -> np.ndarray:
        """Covariances (T, r, r), divisor n − 1."""
        n, _, products = self._root[:3]
        return np.where(n[:, None, None] > 1, products / np.maximum(n - 1, 1.0)[:, None, None], np.nan)

    @property
    def matrix_error(self) -> np.ndarray:
        """Standard errors of the covariances (T, r, r), for any law of the values; nan in a store by an earlier version.

        They come from fourth moments of the same paths: where few paths decide these, as for a law with heavy tails, they are too
        small. Of replications they come from their spread.

        Raises
        ------
        InputError
            If paths share one realisation of the noise.
        """
        self.taken.dependence.refuse_one_noise("the standard error of a covariance over paths")
        if self.taken.replicates:
            return spread(self, lambda one: one.matrix)
        n, _, products, *more = self._root
        return covariance_errors(n, products, more[1] if more else np.full(products.shape, np.nan))

    @property
    def standard_error(self) -> np.ndarray:
        """Standard errors of the means (T, r); of the covariances: :attr:`matrix_error`.

        Raises
        ------
        InputError
            If paths share one realisation of the noise.
        """
        self.taken.dependence.refuse_one_noise("the standard error of a mean over paths")
        n, mean, products = self._root[:3]
        squares = np.diagonal(products, axis1=1, axis2=2)
        plain = mean_errors(self.components, n[:, None], mean, squares)
        if self.taken.replicates:
            return error_of_events(self.components, spread(self, lambda one: one.mean), plain)
        return plain

    def tables(self) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
        """Everything, with names of rows and columns; errors of covariances where the paths tell them."""
        square = ("time", "row", "column")
        has_errors = not self.taken.one_noise and PARTS_OF_ERRORS[0] in self.taken.partial
        errors = {"covariance_error": (square, self.matrix_error)} if has_errors else {}
        names = np.array(self.components)
        return {"covariance": (square, self.matrix), **errors, "mean": (("time", "row"), self.mean),
                "count": (("time",), self.count), "row": (("row",), names), "column": (("column",), names)}  # fmt: skip

    def text(self) -> str:
        """Means and the matrix, as a table."""
        last = zip(self.components, self.mean[-1].tolist(), self.matrix[-1].tolist(), strict=True)
        rows = [[label, printing.figures(mean), *map(printing.figures, row)] for label, mean, row in last]
        header = ["covariance", "mean", *self.components]
        return f"{text_layout.table(header, rows, right=range(1, len(header)))}\n{self.count[-1]} paths"
