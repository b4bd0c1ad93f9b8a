"""Momentum maps of the symmetries of space, and their conservation under a nonholonomic constraint."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, final

from semidirect.core import display, explains_calls
from semidirect.invariants.parameters import Parameters
from semidirect.invariants.proofs import Along, Proof
from semidirect.invariants.space_symmetries import SpaceSymmetry, in_distribution

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition


@final
@dataclass(frozen=True, repr=False)
class Symmetry(display.Read):
    """One generator of the symmetries of space.

    Attributes
    ----------
    generator : tuple of Fraction
        ζ in the basis of 𝔰.
    name : str
        The same by blocks.
    horizontal : bool
        Whether Ad_{s⁻¹}ζ lies in D everywhere, so that ideal reactions do not change the momentum.
    proof : Proof
        Whether ⟨p, Ad_{s⁻¹}ζ⟩ is conserved, column by column.
    """

    generator: tuple[Fraction, ...]
    name: str
    horizontal: bool
    proof: Proof

    def __str__(self) -> str:
        return f"{self.name} ({'in D' if self.horizontal else 'not in D'}): momentum conserved by {self.proof.kept_by}"


@final
@dataclass(frozen=True, repr=False)
class Symmetries(display.Read):
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


@explains_calls
def find_symmetries(
    system: SystemDefinition, *, along: Along = "both", parameters: Parameters = "given", seed: int | None = None
) -> Symmetries:
    """The stabiliser algebra of the references a₀, and Noether's theorem for it.

    All data depend on s through a = s⁻¹a₀ only, so each ζ with ρ(ζ)a₀ = 0 moves space without changing these data.
    Its momentum obeys d⟨p, Ad_{s⁻¹}ζ⟩ = ⟨F + R, Ad_{s⁻¹}ζ⟩: with no forces it is conserved if there is no constraint or if
    Ad_{s⁻¹}ζ lies in D. Noise of the kind N = N(a) conserves it too, since it has the same symmetry. Both are proved.
    """
    symmetries = SpaceSymmetry.of(system)
    horizontal, sections = in_distribution(system, symmetries, seed)
    return Symmetries(
        tuple(
            Symmetry(f.generator, f.name, inside, f.proof(system, along=along, parameters=parameters, seed=seed))
            for f, inside in zip(symmetries, horizontal, strict=True)
        ),
        sections,
    )
