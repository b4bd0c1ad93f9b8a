"""Kernels of matrices of functions on the orbit, by exact elimination over the field of those functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import gcd, lcm
from typing import Any, final

import numpy as np
import sympy as sp
from sympy.polys.polyerrors import CoercionFailed

from semidirect.core import errors, exact

Zero = Callable[[Any], bool]
"""A test whether the values of a function at random points are those of a function that vanishes on the orbit."""


def kernel(matrix: Sequence[Sequence[sp.Expr]], values: np.ndarray, zero: Zero) -> list[list[sp.Expr]]:
    """A basis over the functions of {w: Σ_j matrix[i][j] w_j = 0}, each vector without common factors or denominators.

    Elimination over ℚ(x₁, x₂, …), where roots count as further variables. A function that vanishes only on the orbit, |Γ|² −
    1 and the like, is recognised by its values: each entry is computed twice, as a quotient of polynomials and as numbers of
    a prime field at random points of the orbit.

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
    rows, field, roots = _quotients(matrix)
    pairs = [[_Entry(x, v, zero) for x, v in zip(row, at, strict=True)] for row, at in zip(rows, values, strict=True)]
    vectors = exact.null_space(pairs, len(matrix[0]) if matrix else 0, _Entry.simplicity, anywhere=True)
    basis = [[x.quotient if isinstance(x, _Entry) else field.one * x for x in vector] for vector in vectors]
    return [[sp.sympify(x).xreplace(roots) for x in _primitive(vector, field)] for vector in basis]


@final
class _Entry:
    """A quotient of polynomials with its values at random points, which decide whether it is 0."""

    __slots__ = ("quotient", "values", "zero")

    def __init__(self, quotient: Any, values: Any, zero: Zero):
        self.quotient, self.values, self.zero = 0 * quotient if zero(values) else quotient, values, zero

    def __neg__(self) -> _Entry:
        return _Entry(-self.quotient, -self.values, self.zero)

    def __sub__(self, other: _Entry) -> _Entry:
        return _Entry(self.quotient - other.quotient, self.values - other.values, self.zero)

    def __mul__(self, other: _Entry) -> _Entry:
        return _Entry(self.quotient * other.quotient, self.values * other.values, self.zero)

    def __rtruediv__(self, one: int) -> _Entry:
        return _Entry(one / self.quotient, one / self.values, self.zero)

    def simplicity(self) -> tuple[int, int] | None:
        """Constants first, then few terms of low degree."""
        x = self.quotient
        return (-len(x.denom.terms()) - len(x.numer.terms()), -sum(map(sum, x.numer.monoms()))) if x else None


def _quotients(matrix: Sequence[Sequence[sp.Expr]]) -> tuple[list[list[Any]], Any, dict[sp.Symbol, sp.Expr]]:
    """Entries as elements of ℚ(symbols, roots), the field, and what the names of the roots mean."""
    entries = [[sp.sympify(e) for e in row] for row in matrix]
    symbol_of: dict[sp.Expr, sp.Symbol] = {}

    def named(power: sp.Expr) -> sp.Expr:
        base, exponent = power.as_base_exp()
        root = sp.sqrt(base)
        if root not in symbol_of:
            symbol_of[root] = sp.Dummy("root", positive=True)
        return symbol_of[root] ** (2 * exponent)

    entries = [
        [e.replace(lambda x: x.is_Pow and x.exp.is_Rational and x.exp.q == 2, named) for e in row] for row in entries
    ]
    symbols = sorted(set().union(*(e.free_symbols for row in entries for e in row)), key=str) or [sp.Symbol("x")]
    field = sp.QQ.frac_field(*symbols)
    try:
        rows = [[field.from_sympy(e) for e in row] for row in entries]
    except (CoercionFailed, ValueError, NotImplementedError) as error:
        raise errors.InputError(
            "sections of a distribution", expected="functions made of + − × ÷ and roots", got=str(error),
            where="the constraint or the action on an advected quantity",
        ) from None  # fmt: skip
    return rows, field, {symbol: root for root, symbol in symbol_of.items()}


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
