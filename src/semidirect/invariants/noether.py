"""Momentum maps of the symmetries of space, and what a nonholonomic constraint leaves of their conservation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect import ops
from semidirect.groups.exact import simplest
from semidirect.invariants.fields import Fields
from semidirect.invariants.linear_algebra import primes, rank
from semidirect.invariants.parameters import Parameters, ParameterSet
from semidirect.invariants.points import random_point
from semidirect.invariants.prove import Along, Proof, prove
from semidirect.invariants.residues import PrimeField
from semidirect.invariants.scalars import eliminate
from semidirect.invariants.sections import evaluator, spread

if TYPE_CHECKING:
    from semidirect.system import System

SPOTS = 12


@final
@dataclass(frozen=True)
class Symmetry:
    """One generator of the symmetries of space.

    Attributes
    ----------
    generator : tuple of Fraction
        ζ in the basis of 𝔰.
    name : str
        The same by blocks.
    horizontal : bool
        Whether Ad_{s⁻¹}ζ lies in D everywhere, so that the momentum feels no ideal reaction.
    proof : Proof
        Whether ⟨p, Ad_{s⁻¹}ζ⟩ is conserved, column by column.
    """

    generator: tuple[Fraction, ...]
    name: str
    horizontal: bool
    proof: Proof

    def __str__(self) -> str:
        kept = [v.column for v in self.proof.verdicts if v.holds]
        how = "in D" if self.horizontal else "not in D"
        return f"{self.name} ({how}): momentum kept by {', '.join(kept) if kept else 'no column'}"


@final
@dataclass(frozen=True)
class Symmetries:
    """The symmetries of space of a system.

    Attributes
    ----------
    generators : tuple of Symmetry
        A basis of the ζ ∈ 𝔰 with ρ(ζ)a₀ = 0.
    sections : int
        Dimension of the ζ with Ad_{s⁻¹}ζ ∈ D at a generic configuration: so many momenta obey a nonholonomic momentum equation
        d⟨p, Ad_{s⁻¹}ζ(s)⟩ = ⟨p, Ad_{s⁻¹}dζ⟩ (Bloch, Krishnaprasad, Marsden and Murray 1996), which
        :func:`.nonholonomic_momenta` writes out.
    """

    generators: tuple[Symmetry, ...]
    sections: int

    def __str__(self) -> str:
        lines = [f"symmetries of space: {len(self.generators)}, of which {self.sections} combine to directions in D"]
        return "\n".join([*lines, *(f"  {g}" for g in self.generators)])


def find_symmetries(
    system: System, *, along: Along = "both", parameters: Parameters = "given", seed: int = 0
) -> Symmetries:
    """The stabiliser algebra of the references a₀, and Noether's theorem for it.

    All data depend on s through a = s⁻¹a₀ only, so each ζ with ρ(ζ)a₀ = 0 moves space without moving anything that matters.
    Its momentum obeys d⟨p, Ad_{s⁻¹}ζ⟩ = ⟨F + R, Ad_{s⁻¹}ζ⟩: with no forces it is conserved if there is no constraint or if
    Ad_{s⁻¹}ζ lies in D. Noise of the kind N = N(a) keeps it as well, since it has the same symmetry. Both are proved.
    """
    sde = system.sde(variables="velocity")
    definition = sde.definition
    found = []
    for zeta in _stabiliser(definition):
        moved = _moved(system, zeta)
        pairing = sp.Add(*(p * x for p, x in zip(sde.program.outputs["p"], moved, strict=True)))
        proof = prove(system, _constant(pairing), along=along, parameters=parameters, symbolic=False, seed=seed)
        found.append((zeta, moved, proof))
    horizontal, sections = _horizontal(system, [m for _, m, _ in found], seed)
    return Symmetries(
        tuple(
            Symmetry(tuple(zeta), _name(definition, zeta), inside, proof)
            for (zeta, _, proof), inside in zip(found, horizontal, strict=True)
        ),
        sections,
    )


def _constant(e: sp.Expr) -> Callable[[Any], sp.Expr]:
    return lambda state: e


def _stabiliser(definition: Any) -> list[list[Fraction]]:
    """A basis of {ζ: ρ(ζ)a₀ = 0}."""
    n = definition.group.dimension
    rows = []
    for q in definition.advected.values():
        images = [rho @ q.exact_reference for rho in q.representation.generators]
        rows += [[sp.Rational(str(Fraction(images[j][i]))) for j in range(n)] for i in range(q.dimension)]
    if not rows:
        return [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    return [[Fraction(int(x.p), int(x.q)) for x in vector] for vector in sp.Matrix(rows).nullspace()]


def _moved(system: System, zeta: list[Fraction]) -> list[sp.Expr]:
    """Ad_{s⁻¹}ζ in the symbols of the stored coordinates."""
    sde, group = system.sde(variables="velocity"), system.group
    s = group.element(np.array(list(sde.coordinates.values()), dtype=object))
    inner = ops.matmul(group.inverse_entries(s), ops.matmul(group.hat_entries([simplest(x) for x in zeta]), s))
    return [sp.sympify(x) for x in group.vee_entries(inner)]


def _horizontal(system: System, moved: list[list[sp.Expr]], seed: int) -> tuple[list[bool], int]:
    """For each Ad_{s⁻¹}ζ whether it is in D at random points, and the dimension of those that combine to be."""
    sde = system.sde(variables="velocity")
    s, n = sde.setting, system.group.dimension
    field = PrimeField(next(primes(seed)), SPOTS, np.random.default_rng(seed))
    fields = Fields(sde, {"moved": tuple(x for m in moved for x in m)})
    point = random_point(fields, field, ParameterSet(system), eliminate)

    def values(expressions: list[Any], rows: int) -> np.ndarray:
        found = evaluator(expressions, (), point, field)([])
        return np.array([spread(x, field) for x in found]).reshape(rows, -1, SPOTS)

    directions = values([x for m in moved for x in m], len(moved)) if moved else np.zeros((0, n, SPOTS), dtype=np.int64)
    spot = int(np.nonzero(field.valid)[0][0])
    if s.distribution is not None:
        basis = values(list(s.distribution.basis.T.flat), s.distribution.basis.shape[1])[..., spot]
        m = rank(basis, field.p)
        inside = [rank(np.concatenate([basis, d[None, :, spot]]), field.p) == m for d in directions]
        together = rank(np.concatenate([basis, directions[..., spot]]), field.p)
        return inside, rank(directions[..., spot], field.p) + m - together
    assert s.annihilator is not None
    covectors = values(list(s.annihilator.covectors.flat), len(s.annihilator.covectors))[..., spot]
    pairings = np.array([[sum(int(a) * int(b) for a, b in zip(c, d[:, spot], strict=True)) % field.p for c in covectors]
                         for d in directions])  # fmt: skip
    return [not row.any() for row in pairings], len(moved) - (rank(pairings, field.p) if len(moved) else 0)


def _name(definition: Any, zeta: list[Fraction]) -> str:
    parts = []
    for name, part in definition.group.blocks.items():
        for i, x in enumerate(zeta[part]):
            if x:
                label = name if part.stop - part.start == 1 else f"{name}{i + 1}"
                parts.append(label if x == 1 else f"{x}*{label}")
    return " + ".join(parts)
