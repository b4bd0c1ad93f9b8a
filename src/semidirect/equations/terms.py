"""Sums as terms, and terms as coefficients and powers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import sympy as sp

from semidirect.equations.program import Let, Program

_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
MOST_TERMS = 12
"""Of a sum that is multiplied out."""

Term = tuple[sp.Rational, Mapping[sp.Basic, sp.Basic]]
"""A coefficient, and the exponent of each factor."""


def term_of(e: sp.Basic) -> Term:
    """An expression as a product of powers."""
    coefficient, factors = e.as_coeff_mul()
    powers: dict[sp.Basic, sp.Basic] = {}
    for factor in factors:
        base, exponent = factor, _ONE
        if not factor.is_Symbol and not (factor.is_Pow and factor.base is sp.E):
            base, exponent = factor.as_base_exp()
            if not exponent.is_Rational:
                base, exponent = factor, _ONE
        earlier = powers.get(base)
        powers[base] = exponent if earlier is None else earlier + exponent
    return coefficient, {b: n for b, n in powers.items() if n is not _ZERO}


def shared_sums(program: Program, outputs: Sequence[sp.Basic]) -> set[sp.Basic]:
    """Sums that stand in several places, up to sign."""
    places: Counter[sp.Basic] = Counter()
    todo, visited = [*outputs], set(outputs)
    for statement in program.statements:
        rows = [statement.expressions] if isinstance(statement, Let) else [*statement.matrix, statement.rhs]
        todo += [e for row in rows for e in row]
    while todo:
        e = todo.pop()
        for part in e.args:
            if part.is_Add:
                places[_unsigned(part)] += 1
            if part not in visited:
                visited.add(part)
                todo.append(part)
    return {e for e, count in places.items() if count > 1}


def _unsigned(e: sp.Basic) -> sp.Basic:
    return -e if e.could_extract_minus_sign() else e


def distributed(e: sp.Add, shared: set[sp.Basic]) -> list[sp.Expr]:
    """The terms of a sum; a product with a sum that occurs nowhere else is expanded."""
    terms: list[sp.Expr] = []
    for term in e.args:
        sums = [f for f in term.args if f.is_Add] if term.is_Mul else []
        if len(sums) == 1 and _unsigned(sums[0]) not in shared and len(sums[0].args) <= MOST_TERMS:
            rest = sp.Mul(*(f for f in term.args if f is not sums[0]))
            terms += [rest * t for t in distributed(sums[0], shared)]
        else:
            terms.append(term)
    return terms


def divisors(factors: Mapping[sp.Basic, sp.Basic]) -> list[tuple[sp.Basic, int]]:
    """The possible factors of a product: bases in numerator or denominator."""
    return [(b, 1 if n.p > 0 else -1) for b, n in factors.items() if n.is_Integer]


def without(factors: Mapping[sp.Basic, sp.Basic], base: sp.Basic, power: sp.Basic) -> dict[sp.Basic, sp.Basic]:
    """The factors after a power of one is taken out."""
    left = factors[base] - power
    return {b: left if b == base else n for b, n in factors.items() if b != base or left != 0}
