"""The entries of a matrix that determine an element of an algebra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from semidirect.matrices.entry import Entry

if TYPE_CHECKING:
    from semidirect.matrices.matrix_algebra import MatrixAlgebra

SMALL = 1e-9
"""Coefficients of a basis that are rounding; those of the algebras here are 0, 1 and −1."""


class FreeEntries(NamedTuple):
    """As many rows of a matrix as the algebra has dimensions, which may have any values, and how all rows follow from them.

    Attributes
    ----------
    at : tuple of int
        The rows that are free: entries below the diagonal and on it, where these determine the element.
    sums : tuple
        For each row the pairs (number of a free one, factor) whose sum it is.
    """

    at: tuple[int, ...]
    sums: tuple[tuple[tuple[int, float], ...], ...]

    @classmethod
    def of(cls, algebra: MatrixAlgebra) -> FreeEntries:
        """Those of an algebra, known once."""
        if "_free_entries" not in vars(algebra):
            vars(algebra)["_free_entries"] = cls._of(algebra)
        entries: FreeEntries = vars(algebra)["_free_entries"]
        return entries

    @classmethod
    def _of(cls, algebra: MatrixAlgebra) -> FreeEntries:
        rows = algebra.flat.flattened(algebra.basis()).T  # (rows, dimension)
        n, free, left = algebra.size, list[int](), rows.copy()
        for i in sorted(range(len(rows)), key=lambda i: (i % n > i // n % n, i)):  # those above the diagonal last
            row = left[i]
            if np.max(np.abs(row), initial=0.0) > SMALL:
                free.append(i)
                pivot = int(np.argmax(np.abs(row)))
                left -= np.outer(left[:, pivot] / row[pivot], row)
        free.sort()
        factors = rows @ np.linalg.inv(rows[free])
        near = np.round(factors)
        factors = np.where(np.abs(factors - near) < SMALL, near, factors)
        return cls(tuple(free), tuple(tuple((k, float(f[k])) for k in np.flatnonzero(f).tolist()) for f in factors))

    def rows(self, free: Sequence[Any]) -> list[Any]:
        """All rows, each an expression or an array, from the free ones; 0 where nothing is added."""
        out = []
        for terms in self.sums:
            total: Any = 0
            for k, factor in terms:
                term = free[k] if factor == 1 else -free[k] if factor == -1 else factor * free[k]
                total = term if type(total) is int else total + term
            out.append(total)
        return out

    def entries(self, free: Sequence[Any], size: int) -> list[Entry]:
        """The entries of the matrix, row by row."""
        rows = self.rows(free)
        count = size * size
        imaginary = rows[count:] or [0] * count
        return [Entry(re, im) for re, im in zip(rows[:count], imaginary, strict=True)]
