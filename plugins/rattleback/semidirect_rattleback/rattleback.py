"""The rattleback."""

from __future__ import annotations

from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops


class Rattleback(sd.System):
    """Ellipsoid on a plane whose axes of inertia are turned against those of its surface; it rolls, with noise that rolls.

    S = SE(3), ξ = (Ω, Y), Γ = g⁻¹e₃ up. With semi-axes a = (a₁, a₂, a₃), A = diag(a), and the centre of mass h below the centre,
    s = A²Γ/√(Γ·A²Γ) − hE₃, Y = Ω × s, l = ½Ω·𝕀Ω + ½m|Y|² − mg s·Γ. I₁₂ ≠ 0 couples spin and rattling: spun one way it continues,
    spun the other way it soon turns back.

    Source: Kane and Levinson, Realistic mathematical modeling of the rattleback (1982).
    """

    semiaxes: sd.Parameter = sd.parameter(
        (0.2, 0.03, 0.02), unit="m", symbol="a", positive=True, doc="semi-axes of the surface"
    )
    drop: sd.Parameter = sd.parameter(0.01, unit="m", symbol="h", doc="depth of the centre of mass below the centre")
    inertia: sd.Parameter = sd.inertia(((2e-4, 2e-5, 0.0), (2e-5, 1.6e-3, 0.0), (0.0, 0.0, 1.7e-3)),
                         doc="moment of inertia about the centre of mass")  # fmt: skip
    mass: sd.Parameter = sd.parameter(1.0, unit="kg", symbol="m", positive=True, doc="mass")
    gravity: sd.Parameter = sd.parameter(9.8, unit="m/s²", symbol="g", nonnegative=True, doc="acceleration of gravity")
    noise: sd.Parameter = sd.parameter(
        ((0.0, 0.0, 0.05),), unit="rad/√s", symbol="xi", shape=(None, 3), doc="amplitudes ξ_i, fixed in the body"
    )

    group = sd.SE3()
    advected = {
        "Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), (0, 0, 1), unit="1")
    }
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (0.0, 0.0, 5.0), "Gamma": (0.0, 71 / 2521, 2520 / 2521)}

    def contact_vector(self, a: Any) -> Any:
        """s = A²Γ/√(Γ·A²Γ) − hE₃, from the contact to the centre of mass."""
        stretched = self.semiaxes**2 * a.Gamma
        return stretched / ops.sqrt(ops.dot(a.Gamma, stretched)) - self.drop * ops.array([0, 0, 1])

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy less potential energy."""
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 + self.mass * ops.dot(xi.Y, xi.Y) / 2
        return kinetic - self.mass * self.gravity * ops.dot(self.contact_vector(a), a.Gamma)

    def weight(self, a: Any) -> Any:
        """The weight −mgΓ, which presses on the contact: l holds its torque about the contact."""
        return -self.mass * self.gravity * a.Gamma

    def constraint(self) -> sd.Rolling:
        """Y = Ω × s."""
        return sd.Rolling(self.contact_vector, noise=self.noise, normal=lambda a: a.Gamma, load=self.weight)

    def configuration(self, a: Any) -> np.ndarray:
        """The smallest rotation to Γ, with the centre of mass at the origin."""
        return sd.groups.minimal_motion(a.Gamma)

    def shape(self) -> sd.shapes.Shape:
        """The ellipsoid of its surface, the centre of mass below its centre."""
        return sd.shapes.Shape(sd.shapes.Ellipsoid(self.semiaxes, (0, 0, self.drop)), sd.shapes.Dot(), on_ground=True)

    @sd.derived(unit="m")
    def s(self, state: Any) -> Any:
        """Contact vector."""
        return self.contact_vector(state)

    energy = sd.energy(status="random")

    @sd.observable(unit="rad/s", status="random")
    def spin(self, state: Any) -> Any:
        """Ω·Γ, about the vertical."""
        return ops.dot(state.Omega, state.Gamma)
