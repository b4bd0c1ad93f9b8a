"""Casimirs of the Lie–Poisson bracket on 𝔰* ⋉ V*: how many there are, and the polynomial ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.invariants.algebra.linear_algebra import null_space, primes, rank, rational_basis
from semidirect.invariants.algebra.residues import PrimeField
from semidirect.invariants.monomials import Monomials
from semidirect.invariants.polynomial import Polynomial

if TYPE_CHECKING:
    from semidirect.definition.definition import Definition
    from semidirect.definition.system_definition import SystemDefinition

MARGIN = 16


@final
@dataclass(frozen=True)
class Casimirs:
    """What :func:`find_casimirs` found.

    Attributes
    ----------
    dimension : int
        Of 𝔰* × V.
    rank : int
        Of the bracket at a generic point: the dimension of generic coadjoint orbits.
    basis : tuple of Polynomial
        A basis of the polynomial Casimirs up to the degree asked for, constants aside; products of others are among them.
    independent : tuple of Polynomial
        Functionally independent ones of the basis, which are printed.
    degree : int
        Up to which degree.
    """

    dimension: int
    rank: int
    basis: tuple[Polynomial, ...]
    independent: tuple[Polynomial, ...]
    degree: int

    @property
    def count(self) -> int:
        """How many functionally independent Casimirs there are near a generic point."""
        return self.dimension - self.rank

    def __str__(self) -> str:
        line = f"Lie–Poisson bracket of rank {self.rank} in dimension {self.dimension}: {self.count} Casimir"
        line += "s" if self.count != 1 else ""
        if len(self.independent) < self.count:
            line += f", {len(self.independent) or 'none'} of them a polynomial of degree up to {self.degree}"
        return "\n".join([line, *(f"  {q.primitive()}" for q in self.independent)])


def find_casimirs(system: SystemDefinition, degree: int = 2, *, seed: int = 0) -> Casimirs:
    """Casimirs of {p_i, p_j} = −c_ij^k p_k, {p_j, a} = ρ_j a, {a, a} = 0 (Holm, Marsden and Ratiu 1998).

    They commute with everything, so an unconstrained system with any Lagrangian and any transport noise keeps them; what a
    nonholonomic constraint or a force does to them is another question. The advected quantities are not restricted to an
    orbit here. The momenta are named as in the velocity's blocks, ``M`` for Ω and ``p_…`` else.
    """
    definition = system.definition()
    names = _names(definition)
    monomials = Monomials.up_to(degree, len(names))
    p = next(primes(seed))
    field = PrimeField(p, 4, np.random.default_rng(seed))
    bracket = _bracket(definition, [field.draw() for _ in names], field)
    matrix = np.array([[int(e.spread()[0]) for e in row] for row in bracket])

    def basis(p: int, i: int) -> np.ndarray:
        field = PrimeField(p, len(monomials) + MARGIN, np.random.default_rng([seed, i]))
        y = [field.draw() for _ in names]
        x = np.stack([v.spread() for v in y])
        values = monomials.values(x, p)
        rows = []
        for flow in _bracket(definition, y, field):
            rates = np.stack([r.spread() for r in flow])
            rows.append(monomials.slopes(x, rates, values, p)[1:].T)
        return null_space(np.concatenate(rows), p)

    found = []
    for vector in rational_basis(basis, seed):
        terms: dict[tuple[str, tuple[int, ...]], Fraction] = {
            ("", e): c for e, c in zip(monomials.exponents[1:], vector, strict=True) if c
        }
        found.append(Polynomial(tuple(names), terms, {}))
    independent = _independent(found, monomials, p, seed)
    return Casimirs(len(names), rank(matrix, p), tuple(found), independent, degree)


def _independent(basis: Sequence[Polynomial], monomials: Monomials, p: int, seed: int) -> tuple[Polynomial, ...]:
    """A largest set with independent differentials, at a random point of GF(p)ⁿ; low degrees go first."""
    n = len(monomials.exponents[0])
    x = np.random.default_rng(seed).integers(1, p, (n, 1))
    values = monomials.values(x, p)
    slopes = [monomials.slopes(x, np.eye(n, dtype=np.int64)[:, [j]], values, p)[:, 0] for j in range(n)]
    chosen: list[Polynomial] = []
    rows: list[list[int]] = []
    for q in sorted(basis, key=lambda q: q.degree):
        c = [q.terms.get(("", e), Fraction(0)) for e in monomials.exponents]
        residues = [int(f.numerator * pow(f.denominator, -1, p) % p) for f in c]
        row = [sum(a * int(b) for a, b in zip(residues, s, strict=True)) % p for s in slopes]
        if rank(np.array([*rows, row]), p) > len(rows):
            chosen, rows = [*chosen, q], [*rows, row]
    return tuple(chosen)


def _names(definition: Definition) -> list[str]:
    out: list[str] = []
    for name, part in definition.group.blocks.items():
        size = part.stop - part.start
        momentum = definition.momentum_name(name)
        out += [momentum] if size == 1 else [f"{momentum}{i + 1}" for i in range(size)]
    for name, quantity in definition.advected.items():
        out += [name] if quantity.dimension == 1 else [f"{name}{i + 1}" for i in range(quantity.dimension)]
    return out


def _bracket(definition: Definition, y: Sequence[Any], field: PrimeField) -> list[list[Any]]:
    """The matrix of the bracket: rows are the Hamiltonian fields of the coordinates."""
    group, n = definition.group, definition.group.dimension
    zero = field.number(0)
    rows = [[zero for _ in y] for _ in y]
    for i, j, k, c in group.brackets:
        rows[i][j] = rows[i][j] - y[k] * c
    start = n
    for quantity in definition.advected.values():
        for j, row, column in np.ndindex(quantity.representation.generators.shape):
            value = quantity.representation.generators[j, row, column]
            if value:
                term = y[start + column] * value
                rows[j][start + row] = rows[j][start + row] + term
                rows[start + row][j] = rows[start + row][j] - term
        start += quantity.dimension
    return rows
