"""How a linear system for ξ is solved in the same steps at every state: pivots that do not depend on the state, and the rest."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, final

import numpy as np

from semidirect.core import exact

SMALL = 1e-9
"""A singular value below this fraction of the largest, and an entry below this fraction of its row, counts as 0."""
LARGEST = 4
"""Rows of the largest system that is solved by determinants."""


class Rest(Enum):
    """The solution of the rows in which no entry is a pivot."""

    NONE = "there are none"
    WHOLE = "as many independent rows as columns"
    AXIS = "three rows x ↦ d × x"
    ONE = "one row fewer than columns"
    OPEN = "no basis that holds at every state"


SHORT = (Rest.ONE, Rest.AXIS)


@final
@dataclass(frozen=True)
class Elimination:
    """The steps that solve A ξ = b, rows and columns by number.

    Attributes
    ----------
    size : tuple of int
        Rows and columns of A.
    pivots : tuple of (row, column)
        In order. They are the same at every state, and not 0.
    free : tuple of int
        Columns that nothing restricts.
    rows, columns : tuple of int
        The rest: independent rows, and the columns in which these have entries.
    rest : Rest
    vanishing : tuple of int
        Rows that become 0, so that each is a combination of others.
    """

    size: tuple[int, int]
    pivots: tuple[tuple[int, int], ...]
    free: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    rest: Rest
    vanishing: tuple[int, ...]

    @classmethod
    def of(cls, samples: np.ndarray, likely: np.ndarray) -> Elimination:
        """The steps for matrices at several states ``(states, k, n)``; pivots are first those that are ``likely``."""
        _, k, n = samples.shape
        rows = samples / np.maximum(np.abs(samples).max(axis=(0, 2), keepdims=True, initial=0.0), np.finfo(float).tiny)
        pivots: list[tuple[int, int]] = []
        while (pivot := _next_pivot(rows, pivots, likely)) is not None:
            i, j = pivot
            if not likely[i, j] and _rest(rows, pivots)[0] in SHORT:
                break  # minors are shorter than quotients
            rows[:, i] = rows[:, i] / rows[:, i, j, None]
            others = [r for r in range(k) if r != i]
            rows[:, others] -= rows[:, others, j, None] * rows[:, None, i]
            pivots.append(pivot)
        rest, independent, columns, vanishing = _rest(rows, pivots)
        solved = {*columns, *(j for _, j in pivots)}
        free = tuple(j for j in range(n) if j not in solved)
        return cls((k, n), tuple(pivots), free, independent, columns, rest, vanishing)

    @property
    def has_basis(self) -> bool:
        """Whether a basis of the solutions is known that holds at every state where the rank is that of most."""
        return self.rest is not Rest.OPEN

    @property
    def directions(self) -> int:
        """Number of columns of the basis."""
        return len(self.free) + (self.rest in (Rest.ONE, Rest.AXIS))

    @property
    def chosen(self) -> tuple[int, ...]:
        """Independent rows; of three rows x ↦ d × x, two of which are independent, the last is left out."""
        rest = self.rows[:2] if self.rest is Rest.AXIS else self.rows
        return tuple(sorted((*(i for i, _ in self.pivots), *rest)))

    def solution(self, A: np.ndarray, b: Any) -> tuple[np.ndarray, np.ndarray | None]:
        """A basis of A ξ = 0, its columns those of :attr:`free` first, and one solution of A ξ = b."""
        reduced = self._reduced(A, b)
        n = self.size[1]
        columns = []
        for j in self.free:
            columns.append(self._completed(reduced, {j: 1}, None))
        R = [[reduced[i][j] for j in self.columns] for i in self.rows]
        kernel = self._kernel(R)
        if kernel is not None:
            columns.append(self._completed(reduced, dict(zip(self.columns, kernel, strict=True)), None))
        B = np.empty((n, len(columns)), dtype=object)
        for j, column in enumerate(columns):
            B[:, j] = column
        if b is None:
            return B, None
        values = [reduced[i][n] for i in self.rows]
        offset = self._completed(reduced, dict(zip(self.columns, self._particular(R, values, kernel), strict=True)), n)
        return B, exact.objects(offset)

    def combinations(self, A: np.ndarray) -> np.ndarray | None:
        """N ``(k, q)``, the combinations of rows that are 0, Nᵀ A = 0; ``None`` where no basis of them is known."""
        k, n = self.size
        spare = [i for i in range(k) if i not in self.chosen]
        if self.rest in (Rest.ONE, Rest.WHOLE, Rest.OPEN) and len(spare) > len(self.vanishing):
            return None
        reduced = self._reduced(A, None, tracked=True)
        rows = [reduced[i][n:] for i in self.vanishing]
        if self.rest is Rest.AXIS:
            d = _axis([[reduced[i][j] for j in self.columns] for i in self.rows])
            rows.append([_sum(x * reduced[i][n + m] for x, i in zip(d, self.rows, strict=True)) for m in range(k)])
        out = np.empty((k, len(rows)), dtype=object)
        for j, row in enumerate(rows):
            out[:, j] = row
        return out

    def dependence(self, A: np.ndarray) -> Any:
        """How near the rows come to a lower rank: a ratio of squares, infinite where rows that are left over depend on others.

        ``None`` where the rank is the same at every state, or the determinant is too long.
        """
        if self.rest is Rest.NONE or len(self.rows) > LARGEST:
            return None
        reduced = self._reduced(A, None)
        R = [[reduced[i][j] for j in self.columns] for i in self.rows]
        if self.rest is Rest.AXIS:
            entries = [A[i][j] for i in self.rows for j in self.columns]
            return _sum(x * x for x in entries) / _sum(x * x for x in _axis(R))
        gram = [[_sum(x * y for x, y in zip(one, two, strict=True)) for two in R] for one in R]
        largest: Any = 1
        for i in self.rows:
            largest = largest * _sum(x * x for x in A[i])
        return largest / _determinant(gram)

    def _reduced(self, A: np.ndarray, b: Any, tracked: bool = False) -> list[list[Any]]:
        """The rows after all steps, with the values b, or with the combinations of the rows of A that they are."""
        k, _ = self.size
        more: list[list[Any]] = (
            [[int(i == m) for m in range(k)] for i in range(k)]
            if tracked
            else [[x] for x in b]
            if b is not None
            else [[]] * k
        )
        rows = [[*row, *rest] for row, rest in zip(np.asarray(A, dtype=object), more, strict=True)]
        for i, j in self.pivots:
            pivot = rows[i][j]
            rows[i] = [1 if m == j else _quotient(x, pivot) for m, x in enumerate(rows[i])]
            for r in range(k):
                if r != i and not _zero(factor := rows[r][j]):
                    rows[r] = [
                        0 if m == j else _less(x, factor, y)
                        for m, (x, y) in enumerate(zip(rows[r], rows[i], strict=True))
                    ]
        return rows

    def _completed(self, reduced: list[list[Any]], stated: dict[int, Any], values: int | None) -> list[Any]:
        """All components of ξ from those that are no pivots; the values stand in a column, or are 0."""
        out: list[Any] = [0] * self.size[1]
        for j, x in stated.items():
            out[j] = x
        for i, j in self.pivots:
            start = 0 if values is None else reduced[i][values]
            out[j] = _sum(
                [start, *(-(reduced[i][m] * x) for m, x in stated.items() if not _zero(reduced[i][m]) and not _zero(x))]
            )
        return out

    def _kernel(self, R: list[list[Any]]) -> list[Any] | None:
        if self.rest is Rest.AXIS:
            return _axis(R)
        if self.rest is not Rest.ONE:
            return None
        width = len(self.columns)
        minors = [_determinant([[row[m] for m in range(width) if m != j] for row in R]) for j in range(width)]
        return [x if j % 2 == 0 else -x for j, x in enumerate(minors)]

    def _particular(self, R: list[list[Any]], values: list[Any], kernel: list[Any] | None) -> list[Any]:
        """The solution without a component along the kernel."""
        if self.rest is Rest.NONE or all(isinstance(x, int | float | np.number) and x == 0 for x in values):
            return [0] * len(self.columns)
        transposed = [list(column) for column in zip(*R, strict=True)]
        if self.rest is Rest.WHOLE:
            return _solved(R, values)
        if self.rest is Rest.AXIS:
            assert kernel is not None
            square = _sum(x * x for x in kernel)
            return [_sum(x * y for x, y in zip(row, values, strict=True)) / square for row in transposed]
        gram = [[_sum(x * y for x, y in zip(one, two, strict=True)) for two in R] for one in R]
        weights = _solved(gram, values)
        return [_sum(x * y for x, y in zip(row, weights, strict=True)) for row in transposed]


def rank(matrix: np.ndarray) -> int:
    """The rank of a matrix of floats, each row taken at unit length."""
    if not matrix.size:
        return 0
    rows = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), np.finfo(float).tiny)
    values = np.linalg.svd(rows, compute_uv=False)
    return int(np.sum(values > SMALL * max(1.0, values[0])))


def _next_pivot(rows: np.ndarray, pivots: list[tuple[int, int]], likely: np.ndarray) -> tuple[int, int] | None:
    used_rows, used_columns = {i for i, _ in pivots}, {j for _, j in pivots}
    same = np.ptp(rows, axis=0) < SMALL
    first = rows[0]
    candidates = [
        (not likely[i, j], int(i), int(j))
        for i, j in zip(*np.nonzero(same & (np.abs(first) > SMALL)), strict=True)
        if i not in used_rows and j not in used_columns and not _scaled_away(rows[:, i], j)
    ]
    return min(candidates)[1:] if candidates else None


def _rest(
    rows: np.ndarray, pivots: list[tuple[int, int]]
) -> tuple[Rest, tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The solution of the remaining rows, the independent ones of them, their columns, and rows that are 0."""
    _, k, n = rows.shape
    left = [i for i in range(k) if i not in {r for r, _ in pivots}]
    open_columns = [j for j in range(n) if j not in {c for _, c in pivots}]
    block = rows[:, left][:, :, open_columns]
    block = np.where(np.abs(block) < SMALL, 0.0, block)
    filled = [i for i in range(len(left)) if block[:, i].any()]
    columns = [j for j in range(len(open_columns)) if block[:, :, j].any()]
    block = block[:, filled][:, :, columns]
    independent = _independent(block)
    most, width = len(independent), len(columns)
    rest = Rest.OPEN
    if not most:
        rest = Rest.NONE
    elif most == width:
        rest = Rest.WHOLE if most <= LARGEST else Rest.OPEN
    elif len(filled) == width == 3 and np.abs(block + block.transpose(0, 2, 1)).max() < SMALL:
        rest, independent = Rest.AXIS, [0, 1, 2]
    elif most == width - 1 <= LARGEST:
        rest = Rest.ONE
    return (
        rest, tuple(left[filled[i]] for i in independent), tuple(open_columns[j] for j in columns),
        tuple(row for i, row in enumerate(left) if i not in filled),
    )  # fmt: skip


def _scaled_away(row: np.ndarray, j: int) -> bool:
    """Whether an entry is small beside others of its row."""
    return bool(np.any(np.abs(row[:, j]) < SMALL * np.abs(row).max(axis=1)))


def _independent(block: np.ndarray) -> list[int]:
    """The first independent rows at most states."""
    chosen: list[int] = []
    for i in range(block.shape[1]):
        more = [*chosen, i]
        if max((rank(one[more]) for one in block), default=0) == len(more):
            chosen.append(i)
    return chosen


def _axis(R: list[list[Any]]) -> list[Any]:
    """d of the rows x ↦ d × x."""
    return [R[2][1], R[0][2], R[1][0]]


def _zero(x: Any) -> bool:
    return exact.is_zero(x)


def _quotient(x: Any, pivot: Any) -> Any:
    return 0 if _zero(x) else exact.divide(x, pivot)


def _less(x: Any, factor: Any, y: Any) -> Any:
    return x if _zero(y) else x - factor * y


def _sum(terms: Any) -> Any:
    total: Any = 0
    for x in terms:
        if not _zero(x):
            total = x if _zero(total) else total + x
    return total


def _determinant(rows: list[list[Any]]) -> Any:
    if not rows:
        return 1
    first, *others = rows
    terms = []
    for j, x in enumerate(first):
        if not _zero(x):
            term = x * _determinant([[y for m, y in enumerate(row) if m != j] for row in others])
            terms.append(term if j % 2 == 0 else -term)
    return _sum(terms)


def _solved(matrix: list[list[Any]], values: list[Any]) -> list[Any]:
    """The solution by Cramer's rule."""
    whole = _determinant(matrix)
    return [
        exact.divide(
            _determinant([[values[i] if m == j else x for m, x in enumerate(row)] for i, row in enumerate(matrix)]),
            whole,
        )
        for j in range(len(values))
    ]
