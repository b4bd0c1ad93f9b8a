"""A chain or ring of classical spins, a system stated by its Hamiltonian."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from string import ascii_lowercase
from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops


@cache
def _spheres(count: int) -> sd.groups.LieGroup:
    """SO(3) once for each spin: its coadjoint orbits are products of spheres."""
    return sd.DirectProduct.of_rotations(ascii_lowercase[:count])


def _few(coupling: np.ndarray) -> None:
    """Raise an error where there are no neighbours, or more spins than letters."""
    if not 1 <= len(coupling) < len(ascii_lowercase):
        raise sd.errors.InputError(
            "coupling", expected=f"1 to {len(ascii_lowercase) - 1} numbers, one for each pair of neighbours",
            got=str(coupling),
        )  # fmt: skip


class SpinChain(sd.System):
    """Classical spins with the energy H = −Σ J_i S_i·S_{i+1} − Σ B·S_i − D Σ (S_i·e₃)², S_i' = S_i × (−∂H/∂S_i).

    S = SO(3)ᴺ, h = −H, one factor for each spin. There is one J_i for each pair of neighbours: four for five spins in a line
    or four in a ring. The factors have the letters a, b, c, …: the spins of the state are ``S_a``, ``S_b``, ….
    Noise is of the field, h_i = b_i·Σ S_k. Kept are |S_k| always, H without noise, and Σ S_k without a field and an easy axis.

    Source: Landau and Lifshitz, Phys. Z. Sowjetunion 8 (1935).
    """

    coupling: sd.Parameter = sd.parameter(
        (1.0, 1.0, 1.0, 1.0),
        symbol="J",
        shape=(None,),
        doc="exchange J_i of neighbours, positive for a ferromagnet",
        check=_few,
    )
    field: sd.Parameter = sd.parameter((0.0, 0.0, 0.2), symbol="B", shape=(3,), doc="magnetic field")
    easy_axis: sd.Parameter = sd.parameter(0.1, symbol="D", doc="anisotropy D along e₃")
    noise: sd.Parameter = sd.parameter((), symbol="b", shape=(None, 3), doc="amplitudes b_i of a field that is noise")

    ring: sd.Option[bool] = sd.option(False, doc="whether the last spin is a neighbour of the first")

    @property
    def group(self) -> sd.groups.LieGroup:  # type: ignore[override]
        """SO(3)ᴺ."""
        return _spheres(self.count)

    @property
    def count(self) -> int:
        """The number of spins."""
        return self.workings.value_shape("coupling")[0] + (0 if self.ring else 1)

    @property
    def _coupling(self) -> Any:
        return ops.array(self.coupling)

    @property
    def letters(self) -> str:
        """A letter for each spin."""
        return ascii_lowercase[: self.count]

    @property
    def momentum_names(self) -> Mapping[str, str]:  # type: ignore[override]
        """S_a, S_b, …"""
        return {f"w{letter}": f"S_{letter}" for letter in self.letters}

    @property
    def initial(self) -> Mapping[str, Any]:
        """A spiral about e₃: each spin is turned by 0.7 rad from the one before."""
        return {f"S_{letter}": (0.6 * math.cos(0.7 * k), 0.6 * math.sin(0.7 * k), 0.8)
                for k, letter in enumerate(self.letters)}  # fmt: skip

    def _spins(self, p: Any) -> list[Any]:
        return [p[f"w{letter}"] for letter in self.letters]

    def hamiltonian(self, p: Any) -> Any:
        """−H."""
        spins = self._spins(p)
        value = sum(ops.dot(self.field, s) + self.easy_axis * s[2] ** 2 for s in spins)
        after = [*spins[1:], *spins[:1]]
        return value + sum(J * ops.dot(*pair) for J, *pair in zip(self._coupling, spins, after, strict=False))

    def noise_hamiltonian(self, p: Any) -> list[Any]:
        """b_i·Σ S_k."""
        total = sum(self._spins(p))
        return [ops.dot(ops.array(row), total) for row in self.noise]

    def shape(self) -> sd.shapes.Shape:
        """The sphere of the first spin; spins are among the vectors of a view."""
        return sd.shapes.Shape(sd.shapes.ball(1.0))

    energy = sd.energy(status="random")

    @sd.observable()
    def magnetisation(self, state: Any) -> Any:
        """Σ S_k."""
        return sum(getattr(state, f"S_{letter}") for letter in self.letters)

    @sd.observable(status="exact")
    def lengths(self, state: Any) -> Any:
        """|S_k|² of each spin, Casimirs."""
        spins = [getattr(state, f"S_{letter}") for letter in self.letters]
        return ops.stack([ops.dot(s, s) for s in spins])
