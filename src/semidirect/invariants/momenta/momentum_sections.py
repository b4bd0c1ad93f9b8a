"""Directions in D along which the symmetries act: where the nonholonomic momentum map has its components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core import display, exact, ops
from semidirect.invariants.algebra.function_field import kernel
from semidirect.invariants.algebra.linear_algebra import rank
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.momenta.linear_sections import combinations, linear_sections
from semidirect.invariants.momenta.material import MARGIN, material_symmetries, moved_by
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.points import orbit_point
from semidirect.invariants.sections import evaluator

if TYPE_CHECKING:
    from semidirect.equations import SymbolicDefinition

SPOTS = 48


@final
@dataclass(frozen=True, eq=False, repr=False)
class MomentumSection(display.Brief):
    """η = σ + Σ c_j χ_j ∈ D with ρ(σ)a = 0: σ = Ad_{s⁻¹}ζ moves space by a symmetry, the χ_j move the body by symmetries of l.

    Attributes
    ----------
    direction : array (n,)
        η in the basis of 𝔰, expressions in (a, t, z) and the parameters.
    coordinates : array (m,)
        The same by the basis B of D; in A form it is η.
    material : array (n,)
        Σ c_j χ_j.
    coefficients : array
        c_j.
    generators : tuple of arrays (n,)
        χ_j.
    """

    direction: np.ndarray
    coordinates: np.ndarray
    material: np.ndarray
    coefficients: np.ndarray
    generators: tuple[np.ndarray, ...]

    @property
    def spatial(self) -> np.ndarray:
        """σ = Ad_{s⁻¹}ζ."""
        return self.direction - self.material

    @property
    def kind(self) -> str:
        """``space``, ``body`` or ``both``: on what the symmetry acts."""
        if all(c == 0 for c in self.coefficients):
            return "space"
        return "body" if all(sp.expand(x) == 0 for x in self.spatial) else "both"


def momentum_sections(
    s: SymbolicDefinition, parameters: ParameterSet, *, covectors: bool, seed: int | None = None
) -> list[MomentumSection]:
    """A basis of D ∩ (stabiliser of a + symmetries of the body), over the functions of a.

    The unknowns are coordinates w of D, or w ∈ 𝔰 with A w = 0 where ``covectors``, and c: ρ(Bw − Σ c_jχ_j) a = 0. Constant
    solutions are taken first, found by linear algebra at random points of the orbit; then those of elimination over the field
    of rational functions, polynomial ones without common factors, with c = 0; last those with c that depends on a, linear
    ones if there are any.

    Raises
    ------
    InputError
        If the orbit has no rational points, or the constraint is not algebraic.
    """
    n = s.definition.group.dimension
    zero = np.full(n, sp.Integer(0), dtype=object)
    chi = [_exact(x) for x in material_symmetries(s, parameters, seed)]
    if covectors:
        assert s.annihilator is not None
        basis, extra = np.array(sp.eye(n).tolist(), dtype=object), s.annihilator.covectors
    else:
        assert s.distribution is not None
        basis, extra = s.distribution.basis, np.zeros((0, n), dtype=object)
    still = s.constants
    columns = [_stacked(s, column, ops.matvec(extra, column)) for column in basis.T]
    columns += [_stacked(s, -x, np.full(len(extra), sp.Integer(0), dtype=object)) for x in chi]
    m = basis.shape[1]
    matrix = [[e.xreplace(still) for e in row] for row in zip(*columns, strict=True)]

    def section_of(w: Sequence[Any]) -> MomentumSection:
        coordinates, c = _exact(w[:m]), _exact([*w[m:], *[0] * (m + len(chi) - len(w))])
        material = zero + sum(k * x for k, x in zip(c, chi, strict=True))
        direction = [sp.sympify(x).xreplace(still) for x in ops.matvec(basis, coordinates)]
        return MomentumSection(_array(direction), coordinates, _array(material), c, tuple(chi))

    orbit = Orbit(s, parameters, seed)
    sections: list[MomentumSection] = []

    def take(candidates: Sequence[Sequence[Any]]) -> None:
        for w in candidates:
            section = section_of(w)
            if orbit.rank([x.direction for x in (*sections, section)]) == len(sections) + 1:
                sections.append(section)

    # sections with constant coefficients first: they are the simplest
    take(combinations(s, matrix, m + len(chi), [sp.Integer(1)], parameters, margin=MARGIN, seed=seed))
    values = orbit.values([e for row in matrix for e in row])
    table = np.array([*values, None], dtype=object)[:-1].reshape(len(matrix), m + len(chi))
    # then those of space alone, which need no symmetry of the body
    if len(sections) < m:
        take(kernel([row[:m] for row in matrix], table[:, :m], orbit.zero) if matrix else [])
    if len(sections) < m and chi:
        # those that are linear in what is advected, before any rational ones
        take(linear_sections(s, matrix, parameters, margin=MARGIN, seed=seed))
    if len(sections) < m and chi:
        take(kernel(matrix, table, orbit.zero))
    return sorted(sections, key=lambda x: ("space", "body", "both").index(x.kind))


class Orbit:
    """Functions of (a, t, z) at random points of the orbit, over a prime field."""

    def __init__(self, s: SymbolicDefinition, parameters: ParameterSet, seed: int | None):
        self.s, self.parameters = s, parameters
        self.field = PrimeField(next(parameters.primes(seed)), SPOTS, random_numbers(seed))
        self._point = orbit_point(s, parameters, self.field)

    def values(self, expressions: Sequence[Any]) -> list[Any]:
        """Expressions at the points."""
        return evaluator(list(expressions), (), self._point, self.field)([]) if len(expressions) else []

    def zero(self, x: Any) -> bool:
        """Whether a function vanishes at all points at which it is regular."""
        return not self.field.spread(x)[self.field.valid].any()

    def rank(self, vectors: Sequence[np.ndarray]) -> int:
        """How many of them are independent at a point."""
        return rank(self.field.at_spot([self.values(list(v)) for v in vectors]), self.field.p)


def _stacked(s: SymbolicDefinition, eta: np.ndarray, extra: np.ndarray) -> list[sp.Expr]:
    """ρ(η)a for all advected quantities, then what else must vanish."""
    return [sp.sympify(x) for part in moved_by(s, eta).values() for x in part] + list(extra)


def _exact(entries: Sequence[Any]) -> np.ndarray:
    return _array([sp.Rational(x.numerator, x.denominator) if isinstance(x, Fraction) else x for x in entries])


def _array(entries: Sequence[Any]) -> np.ndarray:
    return exact.objects([sp.sympify(x) for x in entries])
