"""The symmetries of space of a system that its constraint and forces leave in peace, and their momenta."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
import sympy as sp

from semidirect.invariants import Proof, prove
from semidirect.invariants.noether import _constant, _horizontal, _moved, _name, _stabiliser
from semidirect.system import System


@final
@dataclass(frozen=True)
class SpaceSymmetry:
    """A generator ζ with ρ(ζ)a₀ = 0, by name and in the basis of 𝔰, and the Ad_{s⁻¹}ζ that its momentum is paired with."""

    name: str
    generator: tuple[Fraction, ...]
    moved: tuple[sp.Expr, ...]

    def proof(self, system: System, seed: int = 0) -> Proof:
        """Whether ⟨p, Ad_{s⁻¹}ζ⟩ is conserved, along the drift and each noise."""
        p = system.sde(variables="velocity").program.outputs["p"]
        pairing = sp.Add(*(x * y for x, y in zip(p, self.moved, strict=True)))
        return prove(system, _constant(pairing), symbolic=False, seed=seed)


def stabiliser(system: System) -> list[list[Fraction]]:
    """A basis of the ζ ∈ 𝔰 with ρ(ζ)a₀ = 0; nothing is derived for it."""
    return _stabiliser(system.definition())


def space_symmetries(system: System) -> list[SpaceSymmetry]:
    """A basis of the stabiliser algebra of the references a₀."""
    definition = system.sde(variables="velocity").definition
    return [
        SpaceSymmetry(_name(definition, zeta), tuple(zeta), tuple(_moved(system, zeta)))
        for zeta in _stabiliser(definition)
    ]


def undisturbed(system: System, seed: int = 0) -> tuple[list[SpaceSymmetry], str]:
    """Those whose momentum must be constant by Noether's theorem, and why there is none.

    ζ is one if Ad_{s⁻¹}ζ lies in D everywhere, where there is no external force and the reaction is ideal. The noise has the
    same symmetry, since N = N(a).
    """
    s = system.sde(variables="velocity").setting
    if any(e != 0 for force in s.forces for e in force):
        return [], "external forces"
    if s.distribution is not None and s.distribution.test is not None:
        return [], "the reaction is not ideal"
    if (
        s.distribution is None
        and s.annihilator is not None
        and np.any(s.annihilator.directions != s.annihilator.covectors.T)
    ):
        return [], "the reaction is not ideal"
    found = space_symmetries(system)
    if not found:
        return [], "the references a₀ leave no symmetry of space"
    horizontal, _ = _horizontal(system, [list(f.moved) for f in found], seed)
    kept = [f for f, inside in zip(found, horizontal, strict=True) if inside]
    return kept, "" if kept else f"{len(found)} symmetries of space, none of them in D"
