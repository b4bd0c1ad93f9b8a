"""Functions of small matrices as array code without branches: entries of any kind first, batch axes last."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import factorial
from typing import Any, TypeAlias

import numpy as np

from semidirect.core import exact, ops
from semidirect.groups.matrices.structure import FREE, ONE, ZERO, Structure

DEGREE, SQUARINGS = 12, 3
REACH = 3.0
"""Norm of a matrix up to which :func:`taylor_exponential` is accurate to round-off."""

Rows: TypeAlias = "Sequence[Sequence[int]]"

TINY = 1e-40
"""Added to a squared angle under a root: it changes no result and keeps sin(θ)/θ defined at 0."""


def pattern_product(pattern_a: np.ndarray, a: Any, pattern_b: np.ndarray, b: Any) -> np.ndarray:
    """The product ``a b`` (N, N, ...) of matrices whose structural entries, 0 and 1, are known and skipped."""
    n, of_a, of_b = len(pattern_a), pattern_a.tolist(), pattern_b.tolist()
    a, b = entries_of(a), entries_of(b)
    return ops.matrix([[product_entry(of_a, a, of_b, b, i, j) for j in range(n)] for i in range(n)])


def entries_of(matrix: Any) -> list[list[Any]]:
    """The entries of a matrix (N, N, ...) in lists, which are read faster than an array, one by one."""
    return [list(row) for row in matrix]


def product_entry(pattern_a: Rows, a: list[list[Any]], pattern_b: Rows, b: list[list[Any]], i: int, j: int) -> Any:
    """The entry (i, j) of such a product, summed in the order of k."""
    total: Any = 0
    for k, (left, x) in enumerate(zip(pattern_a[i], a[i], strict=True)):
        right = pattern_b[k][j]
        if left == ZERO or right == ZERO:
            continue
        term = (1 if right == ONE else b[k][j]) if left == ONE else x if right == ONE else x * b[k][j]
        total = term if exact.is_zero(total) else total + term
    return total


def taylor_exponential(structure: Structure, a: Any) -> np.ndarray:
    """exp(a) by the Taylor polynomial of degree 12 of a/8 and three squarings, for every ``a`` alike.

    The polynomial is summed by Paterson and Stockmeyer (SIAM J. Comput. 2, 1973): five products. The squarings act on exp − 1,
    so small ``a`` lose no digits. Truncation at |a| = π is 6e-15, at |a| = 1 below round-off.
    """
    inside, free = structure.algebra_pattern, structure.product_pattern
    full = np.where(structure.pattern == ZERO, ZERO, FREE)
    n = len(full)
    c = [1.0 / factorial(k) for k in range(DEGREE + 1)]

    def combination(constant: float, *terms: tuple[float, np.ndarray]) -> np.ndarray:
        rows = []
        for i, j in np.ndindex(n, n):
            entry: Any = constant if i == j and constant else 0
            for factor, matrix in terms if free[i, j] else ():
                term = factor * matrix[i, j] if factor != 1 else matrix[i, j]
                entry = term if exact.is_zero(entry) else entry + term
            rows.append(entry)
        return ops.matrix([rows[i * n : i * n + n] for i in range(n)])

    a1 = np.asarray(0.5**SQUARINGS * ops.array(a))
    a2 = pattern_product(inside, a1, inside, a1)
    a3 = pattern_product(inside, a1, free, a2)
    total = combination(c[9], (c[10], a1), (c[11], a2), (c[12], a3))
    for k in (6, 3, 0):
        higher = pattern_product(free, a3, full, total)
        total = combination(c[k] if k else 0, (c[k + 1], a1), (c[k + 2], a2), (1, higher))
    for _ in range(SQUARINGS):
        total = combination(0, (2.0, total), (1, pattern_product(free, total, free, total)))
    return combination(1, (1, total))


def cayley_transform(algebra_pattern: np.ndarray, a: Any) -> np.ndarray:
    """``(1 − a/2)⁻¹ (1 + a/2)`` by elimination without pivoting, which is stable if a + aᵀ = 0 and for small a."""
    n = len(algebra_pattern)
    h = [[exact.times(exact.HALF, a[i, j]) if algebra_pattern[i, j] else 0 for j in range(n)] for i in range(n)]
    left = [[(1 - h[i][j] if i == j else 0 - h[i][j]) if algebra_pattern[i, j] else int(i == j) for j in range(n)]
            for i in range(n)]  # fmt: skip
    right = [[(1 + h[i][j] if i == j else h[i][j]) if algebra_pattern[i, j] else int(i == j) for j in range(n)]
             for i in range(n)]  # fmt: skip
    return solve(left, right)


def solve(matrix: list[list[Any]], rhs: list[list[Any]]) -> np.ndarray:
    """The solution of ``matrix x = rhs`` by elimination without pivoting; integer zeros are skipped as structure."""
    n, m = len(matrix), len(rhs[0])
    a, b = [list(row) for row in matrix], [list(row) for row in rhs]
    for p in range(n):
        for i in range(p + 1, n):
            if exact.is_zero(a[i][p]):
                continue
            factor = exact.divide(a[i][p], a[p][p])
            for j in range(p + 1, n):
                a[i][j] = _less(a[i][j], factor, a[p][j])
            for j in range(m):
                b[i][j] = _less(b[i][j], factor, b[p][j])
    for i in reversed(range(n)):
        for j in range(m):
            for k in range(i + 1, n):
                b[i][j] = _less(b[i][j], a[i][k], b[k][j])
            b[i][j] = b[i][j] if exact.is_zero(b[i][j]) else exact.divide(b[i][j], a[i][i])
    return ops.matrix(b)


def _less(x: Any, factor: Any, y: Any) -> Any:
    return x if exact.is_zero(y) or exact.is_zero(factor) else x - factor * y


def adjugate_inverse(pattern: np.ndarray, g: Any) -> np.ndarray:
    """The inverse by Faddeev and LeVerrier, for small matrices; it has no pivots, so it works for symbols and for batches."""
    n = len(pattern)
    full = np.where(pattern == ZERO, ZERO, FREE)
    if np.all(np.tril(pattern, -1) == ZERO) and np.all(np.diag(pattern) == ONE):
        return solve([[g[i, j] if pattern[i, j] == FREE else int(i == j) for j in range(n)] for i in range(n)],
                     [[int(i == j) for j in range(n)] for i in range(n)])  # fmt: skip
    m: Any = ops.identity(n)
    for k in range(1, n + 1):
        product = pattern_product(full, g, full, m)
        c = product[0, 0]
        for i in range(1, n):
            c = c + product[i, i]
        if k == n:
            scale = exact.divide(n, c)
            break
        c = exact.times(Fraction(1, k), c)
        m = ops.matrix([[product[i, j] - c if i == j else product[i, j] for j in range(n)] for i in range(n)])
    return ops.matrix([[m[i, j] * scale if full[i, j] else 0 for j in range(n)] for i in range(n)])


def half_angle(square: Any) -> tuple[Any, Any]:
    """``sin(θ/2)/θ`` and ``cos(θ/2)`` of θ², defined and accurate at 0."""
    theta = ops.sqrt(square + TINY)
    half = exact.times(exact.HALF, theta)
    return ops.sin(half) / theta, ops.cos(half)


def stumpff_3(square: Any, sinc: Any) -> Any:
    """``(θ − sin θ)/θ³`` of θ², given ``sin(θ)/θ``: its series below θ = 1, the quotient above."""
    series: Any = 0.0
    for k in reversed(range(8)):
        series = series * square + (-1) ** k / factorial(2 * k + 3)
    return ops.where(square < 1, series, (1 - sinc) / (square + TINY))
