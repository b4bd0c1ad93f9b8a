"""The symmetries of space of a system: motions of space that leave the references a₀ unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
import sympy as sp

from semidirect.core import exact, ops
from semidirect.equations import derived_sde
from semidirect.invariants.algebra.linear_algebra import rank
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.fields import Fields
from semidirect.invariants.parameters import Parameters, ParameterSet
from semidirect.invariants.points import random_point
from semidirect.invariants.proofs import Along, Proof, prove
from semidirect.invariants.sections import evaluator

if TYPE_CHECKING:
    from semidirect.definition import Definition, SystemDefinition

SPOTS = 12


@final
@dataclass(frozen=True)
class SpaceSymmetry:
    """A generator ζ with ρ(ζ)a₀ = 0, by name and in the basis of 𝔰, and the Ad_{s⁻¹}ζ that its momentum is paired with."""

    name: str
    generator: tuple[Fraction, ...]
    moved: tuple[sp.Expr, ...]

    @staticmethod
    def generators(definition: Definition) -> list[list[Fraction]]:
        """A basis of the ζ ∈ 𝔰 with ρ(ζ)a₀ = 0, the stabiliser of the references; it needs no derivation."""
        n = definition.group.dimension
        rows = []
        for q in definition.advected.values():
            images = [rho @ q.exact_reference for rho in q.representation.generators]
            rows += [[Fraction(images[j][i]) for j in range(n)] for i in range(q.dimension)]
        return [[Fraction(x) for x in vector] for vector in exact.null_space(rows, n)]

    @classmethod
    def of(cls, system: SystemDefinition) -> list[Self]:
        """Those of a system, a basis."""
        definition = derived_sde(system, variables="velocity").definition
        return [
            cls(_name(definition, zeta), tuple(zeta), tuple(_moved(system, zeta)))
            for zeta in cls.generators(definition)
        ]

    @classmethod
    def undisturbed(cls, system: SystemDefinition, seed: int | None = None) -> tuple[list[Self], str]:
        """The symmetries whose momentum must be constant by Noether's theorem, and the reason if there is none.

        ζ is one if Ad_{s⁻¹}ζ lies in D everywhere, where there is no external force and the reaction is ideal. The noise has the
        same symmetry, since N = N(a).
        """
        s = derived_sde(system, variables="velocity").setting
        if any(e != 0 for force in s.forces for e in force):
            return [], "external forces"
        if not s.ideal:
            return [], "the reaction is not ideal"
        symmetries = cls.of(system)
        if not symmetries:
            return [], "the references a₀ leave no symmetry of space"
        horizontal, _ = in_distribution(system, symmetries, seed)
        inside = [one for one, lies in zip(symmetries, horizontal, strict=True) if lies]
        return inside, "" if inside else f"{len(symmetries)} symmetries of space, none of them in D"

    def proof(
        self,
        system: SystemDefinition,
        *,
        along: Along = "both",
        parameters: Parameters = "given",
        seed: int | None = None,
    ) -> Proof:
        """Whether ⟨p, Ad_{s⁻¹}ζ⟩ is conserved."""
        p = derived_sde(system, variables="velocity").program.outputs["p"]
        pairing = sp.Add(*(x * y for x, y in zip(p, self.moved, strict=True)))
        return prove(system, lambda state: pairing, along=along, parameters=parameters, symbolic=False, seed=seed)


def in_distribution(
    system: SystemDefinition, symmetries: Sequence[SpaceSymmetry], seed: int | None = None
) -> tuple[list[bool], int]:
    """For each Ad_{s⁻¹}ζ whether it is in D at random points, and the dimension of the combinations in D."""
    sde, parameters = derived_sde(system, variables="velocity"), ParameterSet(system)
    s, n = sde.setting, system.group.dimension
    field = PrimeField(next(parameters.primes(seed)), SPOTS, random_numbers(seed))
    flat = [x for f in symmetries for x in f.moved]
    point = random_point(Fields(sde, {"moved": flat}), field, parameters)

    def values(expressions: list[Any]) -> np.ndarray:
        return field.at_spot([evaluator(expressions, (), point, field)([])]).reshape(-1, n)

    directions = values(flat)
    if s.distribution is not None:
        basis = values(list(s.distribution.basis.T.flat))
        m = rank(basis, field.p)
        inside = [rank(np.concatenate([basis, d[None]]), field.p) == m for d in directions]
        return inside, rank(directions, field.p) + m - rank(np.concatenate([basis, directions]), field.p)
    assert s.annihilator is not None
    covectors = values(list(s.annihilator.covectors.flat))
    pairings = directions.astype(object) @ covectors.astype(object).T % field.p
    return [not row.any() for row in pairings], len(directions) - rank(pairings, field.p)


def _moved(system: SystemDefinition, zeta: Sequence[Fraction]) -> list[sp.Expr]:
    """Ad_{s⁻¹}ζ in the symbols of the stored coordinates."""
    sde, group = derived_sde(system, variables="velocity"), system.group
    s = group.element(np.array(list(sde.coordinates.values()), dtype=object))
    inner = ops.matmul(
        group.inverse_entries(s), ops.matmul(group.hat_entries(exact.objects([exact.simplest(x) for x in zeta])), s)
    )
    return [sp.sympify(x) for x in group.vee_entries(inner)]


def _name(definition: Definition, zeta: Sequence[Fraction]) -> str:
    parts = []
    for name, part in definition.group.blocks.items():
        for i, x in enumerate(zeta[part]):
            if x:
                label = name if part.stop - part.start == 1 else f"{name}{i + 1}"
                parts.append(label if x == 1 else f"{x}*{label}")
    return " + ".join(parts)
