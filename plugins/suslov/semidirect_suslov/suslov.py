"""Suslov's problem."""

from __future__ import annotations

from typing import Any

import semidirect as sd
from semidirect import ops


class Suslov(sd.System):
    """Rigid body about a fixed point that cannot turn about one axis of its own, Ω₃ = 0, with transport noise.

    S = SO(3), l = ½Ω·𝕀Ω, D = span(e₁, e₂): ⟨dM − M × Ω̃, e_i⟩ = 0 for i = 1, 2. The third row of 𝕀 decides: where it leans, the
    motion goes from one steady rotation to the opposite one, sin(f − f₀) = tanh(κt + t₀).

    Source: Suslov, Theoretical mechanics (1902); Bloch, Nonholonomic mechanics and control (2003), section 8.6.
    """

    inertia: sd.Parameter = sd.inertia(((1.2, 0.0, 0.3), (0.0, 1.5, -0.2), (0.3, -0.2, 1.1)), doc="moment of inertia")
    noise: sd.Parameter = sd.parameter(
        ((0.1, 0.0, 0.0),), unit="rad/√s", symbol="xi", shape=(None, 3), doc="amplitudes ξ_i, also out of D"
    )

    group = sd.SO3()
    momentum_names = {"w1": "M1", "w2": "M2"}
    units = {"w1": "rad/s", "w2": "rad/s"}
    initial = {"w1": -0.9, "w2": 0.6}

    def lagrangian(self, xi: Any) -> Any:
        """Kinetic energy."""
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self) -> sd.DistributionConstraint:
        """Ω₃ = 0."""
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], names=("w1", "w2"), noise=self.noise)

    def shape(self) -> sd.shapes.Shape:
        """A homogeneous box with these ratios of the moments of inertia, and the axis about which it cannot turn."""
        return sd.shapes.Shape(
            sd.shapes.box_of_inertia(self.inertia),
            sd.shapes.Cylinder((0, 0, -0.9), (0, 0, 0.9), 0.03, colour="mark"),
            tracer=(0, 0, 0.9),
        )

    energy = sd.energy(status="random")
