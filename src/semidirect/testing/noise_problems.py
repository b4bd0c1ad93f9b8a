"""Small nonlinear systems, one for each class of noise, on which methods are tested."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, final

from semidirect import (
    SO3,
    Advected,
    HomogeneousRepresentation,
    Parameter,
    RealSpace,
    System,
    Unconstrained,
    VectorRepresentation,
    inertia,
    observable,
    ops,
    parameter,
)

_SO3, _PLANE = SO3(), RealSpace(2, coordinates=("x", "y"))


@final
class TumblingTop(System):
    """A heavy top without symmetry, l = ½Ω·𝕀Ω − Γ·χ, with transport noise of rows ξ_i and random forces of rows F_j."""

    moments: Parameter = inertia((1.0, 1.5, 2.0))
    axis: Parameter = parameter((0.3, 0.2, 0.5), symbol="chi")
    noise: Parameter = parameter((), symbol="xi", shape=(None, 3))
    forces: Parameter = parameter((), symbol="F", shape=(None, 3))

    group = _SO3
    advected = MappingProxyType({"Gamma": Advected(VectorRepresentation(_SO3), (0, 0, 1))})
    initial = MappingProxyType({"Omega": (0.9, -0.4, 0.6), "Gamma": (0.6, 0.0, 0.8)})

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy less potential energy."""
        return ops.dot(xi.Omega, ops.inertia(self.moments, xi.Omega)) / 2 - ops.dot(a.Gamma, self.axis)

    def constraint(self) -> Unconstrained:
        """None."""
        return Unconstrained(self.noise)

    def independent_force(self) -> Any:
        """The forces."""
        return list(self.forces)

    @observable(unit="J", status="random")
    def energy(self, state: Any) -> Any:
        """E."""
        return ops.dot(state.Omega, ops.inertia(self.moments, state.Omega)) / 2 + ops.dot(state.Gamma, self.axis)

    @observable(status="exact")
    def gamma_squared(self, state: Any) -> Any:
        """|Γ|²."""
        return ops.dot(state.Gamma, state.Gamma)

    @observable(status="random")
    def momentum_gamma(self, state: Any) -> Any:
        """M·Γ, a Casimir, which forces change."""
        return ops.dot(state.M, state.Gamma)


@final
class ShakenParticle(System):
    """A particle in a plane quartic well, shaken by F₁ = σx e₁ and F₂ = σy e₂: two noises that commute, by the place."""

    strength: Parameter = parameter(0.3, symbol="sigma")

    group = _PLANE
    advected = MappingProxyType({"b": Advected(HomogeneousRepresentation(_PLANE), (0, 0, 1))})
    initial = MappingProxyType({"v": (0.5, -0.2), "x": 0.8, "y": 0.4})

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """½|v|² − ¼|b|⁴."""
        square = ops.dot(a.b[:2], a.b[:2])
        return ops.dot(xi.v, xi.v) / 2 - square * square / 4

    def independent_force(self, a: Any) -> Any:
        """(σb₁, 0) and (0, σb₂)."""
        return [(self.strength * a.b[0], 0), (0, self.strength * a.b[1])]


def problems() -> Mapping[str, System]:
    """A system for ``none`` and for each class of noise."""
    one, other = (0.2, 0.1, -0.1), (-0.1, 0.2, 0.15)
    return {
        "none": TumblingTop(),
        "additive": TumblingTop(forces=((1.2, 0.6, -0.6), (-0.6, 1.2, 0.9))),
        "single": TumblingTop(noise=(one,)),
        "commutative": ShakenParticle(),
        "general": TumblingTop(noise=(one, other)),
    }
