"""Symmetries of the body: motions of the material frame that leave the Lagrangian unchanged."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.invariants.algebra.linear_algebra import rational_null_space
from semidirect.invariants.algebra.residues import PrimeField
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.points import orbit_point
from semidirect.invariants.sections import evaluator

if TYPE_CHECKING:
    from semidirect.equations import SymbolicDefinition

MARGIN = 120


def material_symmetries(
    s: SymbolicDefinition, parameters: ParameterSet, seed: int | None = None
) -> list[list[Fraction]]:
    """A basis of the χ ∈ 𝔰 with ⟨∂l/∂ξ, [ξ, χ]⟩ − ⟨∂l/∂a, ρ(χ)a⟩ = 0 for all ξ and all a of the orbit.

    These are the generators of right translations s ↦ s exp(τχ) under which l(ξ, a, t, z) does not change: ξ moves by [ξ, χ]
    and a by −ρ(χ)a. The condition is linear in χ and solved at random points, over prime fields, then lifted to rationals.

    Raises
    ------
    InputError
        If a quantity is advected by a group without a Cayley map, or l is piecewise.
    """
    n = s.definition.group.dimension
    changes = [_change(s, [sp.Integer(int(i == j)) for i in range(n)]) for j in range(n)]

    def rows(field: PrimeField) -> list[Any]:
        values = orbit_point(s, parameters, field) | {x: field.draw() for x in s.xi}
        return evaluator(changes, (), values, field)([])

    return rational_null_space(rows, n, margin=MARGIN, seed=seed, moduli=parameters.primes(seed))


def _change(s: SymbolicDefinition, chi: list[sp.Expr]) -> sp.Expr:
    """The change of l along χ."""
    bracket = s.definition.group.bracket(s.xi, np.array(chi, dtype=object))
    total = sp.Add(*(p * x for p, x in zip(s.momentum, bracket, strict=True)))
    for name, action in moved_by(s, np.array(chi, dtype=object)).items():
        part = s.definition.advected_layout[name]
        total -= sp.Add(*(sp.diff(s.lagrangian, a) * x for a, x in zip(s.a[part], action, strict=True)))
    return sp.sympify(total)


def moved_by(s: SymbolicDefinition, eta: np.ndarray) -> dict[str, np.ndarray]:
    """ρ(η)a for each advected quantity, in symbols."""
    return {
        name: s.definition.advected[name].representation.action(eta, s.a[part])
        for name, part in s.definition.advected_layout.items()
    }
