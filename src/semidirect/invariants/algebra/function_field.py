"""Kernels of matrices of functions on the orbit, by exact elimination over the field of those functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import gcd, lcm
from typing import Any

import numpy as np
import sympy as sp
from sympy.polys.polyerrors import CoercionFailed

from semidirect.core.errors import InputError

Zero = Callable[[Any], bool]
"""Whether a number at random points, carried along with each function, vanishes on the orbit."""


def kernel(matrix: Sequence[Sequence[sp.Expr]], values: np.ndarray, zero: Zero) -> list[list[sp.Expr]]:
    """A basis over the functions of {w: Σ_j matrix[i][j] w_j = 0}, each vector without common factors or denominators.

    Gauss and Jordan over ℚ(x₁, x₂, …), where roots count as further variables. What is 0 on the orbit only, |Γ|² − 1 and the
    like, is recognised by its values: each entry is computed twice, as a quotient of polynomials and as numbers of a prime field
    at random points of the orbit.

    Parameters
    ----------
    matrix : r × m expressions
    values : (r, m) numbers
        The same at random points.
    zero : callable
        Whether such numbers are those of 0.

    Raises
    ------
    InputError
        If an entry is not a quotient of polynomials and roots.
    """
    count = len(matrix[0]) if matrix else 0
    rows, field, roots = _quotients(matrix)
    numbers = [list(row) for row in values]
    for i, j in np.ndindex(len(rows), count):
        if zero(numbers[i][j]):
            rows[i][j] = field.zero
    pivots: list[int] = []
    while True:
        at = _pivot(rows, numbers, pivots, zero)
        if at is None:
            break
        i, j, done = *at, len(pivots)
        for table in (rows, numbers):
            table[done], table[i] = table[i], table[done]
        one, scale = rows[done][j], 1 / numbers[done][j]
        rows[done] = [x / one for x in rows[done]]
        numbers[done] = [x * scale for x in numbers[done]]
        for other in range(len(rows)):
            factor, weight = rows[other][j], numbers[other][j]
            if other == done or not factor:
                continue
            rows[other] = [x - factor * y for x, y in zip(rows[other], rows[done], strict=True)]
            numbers[other] = [x - weight * y for x, y in zip(numbers[other], numbers[done], strict=True)]
            rows[other] = [field.zero if zero(v) else x for x, v in zip(rows[other], numbers[other], strict=True)]
        pivots.append(j)
    found = []
    for free in (j for j in range(count) if j not in pivots):
        vector = [field.zero] * count
        vector[free] = field.one
        for row, j in zip(rows, pivots, strict=False):
            vector[j] = -row[free]
        found.append([sp.sympify(x).xreplace(roots) for x in _primitive(vector, field)])
    return found


def _pivot(rows: list[list[Any]], numbers: list[list[Any]], pivots: list[int], zero: Zero) -> tuple[int, int] | None:
    """The simplest entry that is left: constants, then few terms of low degree; of those the first."""
    left = [
        (len(x.denom.terms()) + len(x.numer.terms()), sum(map(sum, x.numer.monoms())), j, i)
        for i, row in enumerate(rows) if i >= len(pivots)
        for j, x in enumerate(row) if j not in pivots and x and not zero(numbers[i][j])
    ]  # fmt: skip
    if not left:
        return None
    *_, j, i = min(left)
    return i, j


def _quotients(matrix: Sequence[Sequence[sp.Expr]]) -> tuple[list[list[Any]], Any, dict[sp.Symbol, sp.Expr]]:
    """Entries as elements of ℚ(symbols, roots), the field, and what the names of the roots mean."""
    entries = [[sp.sympify(e) for e in row] for row in matrix]
    known: dict[sp.Expr, sp.Symbol] = {}

    def named(power: sp.Expr) -> sp.Expr:
        base, exponent = power.as_base_exp()
        root = sp.sqrt(base)
        if root not in known:
            known[root] = sp.Dummy("root", positive=True)
        return known[root] ** (2 * exponent)

    entries = [
        [e.replace(lambda x: x.is_Pow and x.exp.is_Rational and x.exp.q == 2, named) for e in row] for row in entries
    ]
    symbols = sorted(set().union(*(e.free_symbols for row in entries for e in row)), key=str) or [sp.Symbol("x")]
    field = sp.QQ.frac_field(*symbols)
    try:
        rows = [[field.from_sympy(e) for e in row] for row in entries]
    except (CoercionFailed, ValueError, NotImplementedError) as error:
        raise InputError(
            "sections of a distribution", expected="functions made of + − × ÷ and roots", got=str(error),
            where="the constraint or the action on an advected quantity",
        ) from None  # fmt: skip
    return rows, field, {symbol: root for root, symbol in known.items()}


def _primitive(vector: list[Any], field: Any) -> list[sp.Expr]:
    """The multiple that is a vector of polynomials with no common factor, its first coefficient positive."""
    ring = field.field.ring
    below = reduce(lambda a, b: a.lcm(b), (x.denom for x in vector), ring.one)
    raised = [x * field.from_sympy(below.as_expr()) for x in vector]
    above = [x.numer.quo_ground(x.denom.LC) for x in raised]  # numbers remain in denominators
    common = reduce(lambda a, b: a.gcd(b), above, ring.zero)
    above = [x.exquo(common) for x in above]
    whole = field.field.domain.one
    for x in above:
        for c in x.coeffs():
            whole = sp.QQ(lcm(whole.numerator, c.denominator))
    content = reduce(gcd, (int(c * whole) for x in above for c in x.coeffs()), 0)
    scale = whole / sp.QQ(content) * (-1 if next(x for x in above if x).LC < 0 else 1)
    return [x.mul_ground(scale).as_expr() for x in above]
