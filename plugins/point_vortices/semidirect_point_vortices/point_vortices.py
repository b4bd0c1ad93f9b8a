"""Point vortices on the unit sphere, a system stated by its Hamiltonian."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from string import ascii_lowercase
from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops


@cache
def _spheres(count: int) -> sd.groups.LieGroup:
    """SO(3) once for each vortex: its coadjoint orbits are products of spheres."""
    return sd.DirectProduct.of_rotations(ascii_lowercase[:count])


def _few(strengths: np.ndarray) -> None:
    """Raise an error where there are no vortices, more than letters, or one without strength."""
    if not (1 <= len(strengths) <= len(ascii_lowercase) and np.all(strengths)):
        raise sd.errors.InputError(
            "strengths", expected=f"1 to {len(ascii_lowercase)} numbers, none of them 0", got=str(strengths)
        )


class PointVortices(sd.System):
    """Point vortices on the unit sphere, p_k = Γ_k x_k, x_k' = κ Σ Γ_j x_j × x_k/(1 − x_j·x_k), under turns of all by noise.

    S = SO(3)ᴺ, one factor for each strength; they have the letters a, b, c, …, so that the momentum of the first is ``p_a``.
    The energy of the fluid is −h = −κ Σ Γ_jΓ_k ln(1 − x_j·x_k), and noise h_i = ζ_i·Σ p_k turns all vortices alike. Kept are
    |p_k| always, h under any noise of this kind, and Σ p_k without noise.

    Source: Bogomolov, Dynamics of vorticity at a sphere, Fluid Dynamics 12 (1977).
    """

    strengths: sd.Parameter = sd.parameter(
        (1.0, 0.8, -0.5), symbol="Gamma", shape=(None,), doc="circulations Γ_k, one for each vortex", check=_few
    )
    interaction: sd.Parameter = sd.parameter(
        1 / (4 * math.pi), symbol="kappa", positive=True, doc="1/(4π) for a fluid of density 1 on the unit sphere"
    )
    turn: sd.Parameter = sd.parameter(
        (), symbol="zeta", shape=(None, 3), doc="axes and amplitudes ζ_i of turns by noise, fixed in space"
    )

    method = "coadjoint-midpoint"  # keeps |p_k|, Σ p_k and, on the whole, h

    @property
    def group(self) -> sd.groups.LieGroup:  # type: ignore[override]
        """SO(3)ᴺ."""
        return _spheres(self._count)

    @property
    def momentum_names(self) -> Mapping[str, str]:  # type: ignore[override]
        """p_a, p_b, …"""
        return {f"w{letter}": f"p_{letter}" for letter in self.letters}

    @property
    def letters(self) -> str:
        """A letter for each vortex."""
        return ascii_lowercase[: self._count]

    @property
    def _count(self) -> int:
        return self.workings.value_shape("strengths")[0]

    @property
    def _strengths(self) -> Any:
        return ops.array(self.strengths)

    @property
    def initial(self) -> Mapping[str, Any]:
        """Vortices along a spiral from the north to the south."""
        count = self._count
        heights = [1 - (2 * k + 1) / count for k in range(count)]
        turns = [k * math.pi * (3 - math.sqrt(5)) for k in range(count)]
        places = [(math.sqrt(1 - z * z) * math.cos(f), math.sqrt(1 - z * z) * math.sin(f), z)
                  for z, f in zip(heights, turns, strict=True)]  # fmt: skip
        return {f"p_{letter}": tuple(float(g) * x for x in place)
                for letter, g, place in zip(self.letters, self._strengths, places, strict=True)}  # fmt: skip

    def hamiltonian(self, p: Any) -> Any:
        """Minus the energy of the fluid; the radial part of ∂h/∂p does not move p."""
        strengths, value = self._strengths, 0
        for i, j in combinations(range(len(strengths)), 2):
            product = strengths[i] * strengths[j]
            cosine = ops.dot(p[f"w{self.letters[i]}"], p[f"w{self.letters[j]}"]) / product
            value = value + product * ops.log(1 - cosine)
        return self.interaction * value

    def noise_hamiltonian(self, p: Any) -> list[Any]:
        """ζ_i·Σ p_k."""
        total = sum(p[f"w{letter}"] for letter in self.letters)
        return [ops.dot(ops.array(axis), total) for axis in self.turn]

    def shape(self) -> sd.shapes.Shape:
        """The sphere; vortices are among the vectors of a view."""
        return sd.shapes.Shape(sd.shapes.ball(1.0))

    energy = sd.energy(status="exact")

    @sd.observable(status="random")
    def momentum(self, state: Any) -> Any:
        """Σ Γ_k x_k, which is constant without noise."""
        return sum(getattr(state, f"p_{letter}") for letter in self.letters)

    @sd.observable(status="exact")
    def momentum_squared(self, state: Any) -> Any:
        """|Σ Γ_k x_k|², which turns do not change."""
        total = self.momentum(state)
        return ops.dot(total, total)

    @sd.observable(unit="1")
    def places(self, state: Any) -> Any:
        """x_k = p_k/Γ_k, one after the other."""
        rows = [getattr(state, f"p_{k}") / g for k, g in zip(self.letters, self._strengths, strict=True)]
        return ops.stack([x for row in rows for x in row])
