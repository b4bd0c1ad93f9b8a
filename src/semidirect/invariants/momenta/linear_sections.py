"""Vectors of a kernel that are linear in a, with coefficients that are functions of the parameters."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.invariants.algebra.function_field import kernel
from semidirect.invariants.algebra.linear_algebra import rational_null_space
from semidirect.invariants.algebra.radicals import Radicals
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.points import on_orbit, orbit_point
from semidirect.invariants.sections import evaluator

if TYPE_CHECKING:
    from semidirect.equations import SymbolicDefinition
    from semidirect.invariants.parameters import ParameterSet

SIZE, SPOTS = 200, 3


def linear_sections(
    s: SymbolicDefinition,
    matrix: Sequence[Sequence[sp.Expr]],
    parameters: ParameterSet,
    *,
    margin: int,
    seed: int | None = None,
) -> list[list[sp.Expr]]:
    """Vectors w of polynomials of degree 1 in a with matrix · w = 0 on the orbit, the sparse ones first.

    Which coefficients are not 0 is found at the parameters' values, as the coefficients themselves by linear algebra at random
    points; then these are solved for with the parameters as symbols, at a few rational points of the orbit. If that leaves
    more than one vector, or if entries depend on t or z, there is no such vector.
    """
    count = len(matrix[0]) if matrix else 0
    terms = [sp.Integer(1), *(a for a in s.a if any(a in e.free_symbols for row in matrix for e in row))]
    entries = [e for row in matrix for e in row]
    if not entries or count * len(terms) > SIZE or any(e.free_symbols & {*s.z, s.t} for e in entries):
        return []

    vectors = combinations(s, matrix, count, terms, parameters, margin=margin, seed=seed)
    supports = sorted(([i for i, c in enumerate(v) if c] for v in vectors), key=len)
    sections = []
    for support in supports:
        pairs = [divmod(i, len(terms)) for i in support]
        solved = _solved(s, matrix, [(j, terms[k]) for j, k in pairs], parameters, seed)
        if solved is not None:
            w = [sp.Integer(0)] * count
            for (j, k), c in zip(pairs, solved, strict=True):
                w[j] = w[j] + c * terms[k]
            sections.append(w)
    return sections


def combinations(
    s: SymbolicDefinition,
    matrix: Sequence[Sequence[sp.Expr]],
    count: int,
    terms: Sequence[sp.Expr],
    parameters: ParameterSet,
    *,
    margin: int,
    seed: int | None = None,
) -> list[list[Fraction]]:
    """Numbers c with Σ_jk matrix[i][j] terms[k] c_jk = 0 on the orbit for all i and j < count, by random combinations of rows."""
    entries = [e for row in matrix for e in row]

    def rows(field: PrimeField) -> list[Any]:
        values = evaluator([*entries, *terms], (), orbit_point(s, parameters, field), field)([])
        weights, monomials = [field.draw() for _ in matrix], values[len(entries) :]
        columns = [
            sum(w * x for w, x in zip(weights, values[j : len(entries) : count], strict=True)) for j in range(count)
        ]
        return [x * term for x in columns for term in monomials]

    return rational_null_space(rows, count * len(terms), margin=margin, seed=seed, moduli=parameters.primes(seed))


def _solved(s: SymbolicDefinition, matrix: Sequence[Sequence[sp.Expr]], unknowns: Sequence[tuple[int, sp.Expr]],
            parameters: ParameterSet, seed: int | None) -> list[sp.Expr] | None:  # fmt: skip
    """The coefficients of terms (j, term) as polynomials in the parameters."""
    numbers, field = (
        Radicals(seed or 0, 3, formal=True),
        PrimeField(next(parameters.primes(seed)), 1, random_numbers(seed)),
    )
    equations = []
    for _ in range(SPOTS + len(unknowns)):
        try:
            at = dict(zip(s.a, (x.expression() for x in on_orbit(s.definition, numbers)), strict=True))
        except ZeroDivisionError:
            continue
        equations += [[(row[j] * term).xreplace(at) for j, term in unknowns] for row in matrix]
    flat = evaluator([e for row in equations for e in row], (), parameters.at(field), field)([])
    table = np.array([*flat, None], dtype=object)[:-1].reshape(len(equations), len(unknowns))
    solutions = kernel(equations, table, lambda x: not field.spread(x).any())
    return solutions[0] if len(solutions) == 1 else None
