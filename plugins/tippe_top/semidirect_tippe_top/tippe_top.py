"""The tippe top."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops

_GROUP = sd.SE3()
_FRAME = sd.AdvectedFrame(_GROUP)
_UP = np.array([0.0, 0.0, 1.0])


class TippeTop(sd.System):
    """Ball with its centre of mass below its centre, sliding on a plane with friction: spun fast, it turns over.

    S = SE(3), ξ = (Ω, Y), Γ = g⁻¹e₃ up, b = −gᵀx, s = RΓ + ℓE₃, l = ½Ω·𝕀Ω + ½m|Y|² + mg b·Γ. Only the contact is kept,
    A = (Γ × s, Γ), and λ = N is the normal force. The contact slips at v = Y − Ω × s and the friction f acts there: as a
    reaction N(Γ + f/N), C = ((Γ + f/N) × s, Γ + f/N), or as a force F = (f × s, f).

    ``friction``: ``"proportional"``, f = −μN v (μ in s/m); ``"coulomb"``, f = −μN v/√(|v|² + ε²); ``"viscous"``, f = −c v.
    Jellett's J = 𝕀Ω·s is kept by every contact force, also by one that fluctuates. Where N ≤ 0 the top would leave the
    plane, which is not simulated: stop there, ``stop=sd.Stop("normal-force", below=0)``.

    Source: Cohen, The tippe top revisited (1977); Rauch-Wojciechowski, Sköldstam and Glad (2005), for the numbers.
    """

    mass: sd.Parameter = sd.parameter(0.02, unit="kg", symbol="m", positive=True, doc="mass")
    radius: sd.Parameter = sd.parameter(0.02, unit="m", symbol="R", positive=True, doc="radius")
    offset: sd.Parameter = sd.parameter(
        0.006, unit="m", symbol="ell", nonnegative=True, doc="depth ℓ of the centre of mass"
    )
    inertia: sd.Parameter = sd.inertia(
        (131 * 8e-6 / 350, 131 * 8e-6 / 350, 0.4 * 8e-6), doc="moment of inertia about the centre of mass"
    )
    gravity: sd.Parameter = sd.parameter(9.82, unit="m/s²", symbol="g", nonnegative=True, doc="acceleration of gravity")
    coefficient: sd.Parameter = sd.parameter(
        0.3, unit="s/m or 1", symbol="mu", nonnegative=True, doc="μ of friction with the normal force"
    )
    viscosity: sd.Parameter = sd.parameter(0.05, unit="kg/s", symbol="c", nonnegative=True, doc="c of viscous friction")
    smoothing: sd.Parameter = sd.parameter(
        1e-3, unit="m/s", symbol="epsilon", positive=True, doc="ε, below which Coulomb friction is viscous"
    )
    friction_noise: sd.Parameter = sd.parameter(
        (), unit="kg/√s", symbol="sigma", shape=(None,), doc="amplitudes σ_i of forces −σ_i v∘dB^i"
    )

    friction: sd.Option[str] = sd.option(
        "proportional", choices=("proportional", "coulomb", "viscous"), doc="the law of friction"
    )

    group = _GROUP
    advected = {"Gamma": _FRAME["Gamma"], "b": _FRAME["b"]}
    units = {"multiplier": "N", "constraint-residual": "m/s"}

    @property
    def initial(self) -> Mapping[str, Any]:
        """Spun at −155 rad/s, tilted by 0.1 rad, its centre of mass low and at rest."""
        gamma = np.array([np.sin(0.1), 0.0, -np.cos(0.1)])
        height = sd.by_path(self.radius) + sd.by_path(self.offset) * gamma[2]
        b = np.stack(np.broadcast_arrays(*(-height * x for x in gamma), 1.0), axis=-1)
        return {"Omega": (0, 0, -155.0), "Y": (0, 0, 0), "Gamma": gamma, "b": b if self.workings.paths else b[0]}

    def contact_vector(self, a: Any) -> Any:
        """s = RΓ + ℓE₃, from the contact to the centre of mass."""
        return self.radius * a.Gamma + self.offset * ops.array(_UP)

    def slip(self, xi: Any, a: Any) -> Any:
        """v = Y − Ω × s, velocity of the point of the top that touches."""
        return xi.Y - ops.cross(xi.Omega, self.contact_vector(a))

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy less potential energy."""
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 + self.mass * ops.dot(xi.Y, xi.Y) / 2
        return kinetic + self.mass * self.gravity * ops.dot(a.b[:3], a.Gamma)

    def at_contact(self, push: Any, a: Any) -> list[Any]:
        """The covector (f × s, f) of a force f at the contact."""
        return [*ops.cross(push, self.contact_vector(a)), *push]

    def reaction(self, xi: Any, a: Any) -> Any:
        """C: the normal force and the friction in proportion to it."""
        v = self.slip(xi, a)
        size = 1 if self.friction == "proportional" else ops.sqrt(ops.dot(v, v) + self.smoothing**2)
        return ops.transpose(ops.array([self.at_contact(a.Gamma - self.coefficient * v / size, a)]))

    def along(self, xi: Any, a: Any) -> Any:
        """The slip in the plane; Γ·v = 0 but for the errors of a method."""
        v = self.slip(xi, a)
        return v - ops.dot(v, a.Gamma) * a.Gamma

    def force(self, xi: Any, a: Any) -> Any:
        """Viscous friction."""
        return (
            ops.array(self.at_contact(-self.viscosity * self.along(xi, a), a))
            if self.friction == "viscous"
            else ops.zeros(6)
        )

    def independent_force(self, xi: Any, a: Any) -> list[Any]:
        """Friction that fluctuates."""
        return [ops.array(self.at_contact(-c * self.along(xi, a), a)) for c in self.friction_noise]

    def constraint(self) -> sd.CovectorConstraint:
        """Γ·(Y − Ω × s) = 0."""
        if self.friction == "viscous":  # an external force, of which the reaction has no part
            return sd.CovectorConstraint(lambda a: [self.at_contact(a.Gamma, a)])
        contact = sd.Contact("Y", normal=lambda a: a.Gamma, point=lambda a: -self.contact_vector(a))
        return sd.CovectorConstraint(lambda a: [self.at_contact(a.Gamma, a)], directions=self.reaction, contact=contact)

    def configuration(self, a: Any) -> np.ndarray:
        """The smallest rotation to Γ, and x = −gb."""
        return sd.groups.minimal_motion(a.Gamma, a.b[:3])

    def shape(self) -> sd.shapes.Shape:
        """The ball with its stem, the centre of mass below the centre."""
        centre = -self.offset * _UP
        stem = sd.shapes.Cylinder(centre, centre - 1.5 * self.radius * _UP, 0.25 * self.radius, colour="mark")
        return sd.shapes.Shape(sd.shapes.ball(self.radius, centre), stem, sd.shapes.Dot(), on_ground=True)

    @sd.derived(unit="m")
    def s(self, state: Any) -> Any:
        """Contact vector."""
        return self.contact_vector(state)

    @sd.derived(unit="m/s")
    def v(self, state: Any) -> Any:
        """Velocity of the point that touches."""
        return self.slip(state, state)

    energy = sd.energy(status="dissipated")

    @sd.observable(unit="kg m³/s", status="exact")
    def jellett(self, state: Any) -> Any:
        """J = 𝕀Ω·s."""
        return ops.dot(ops.inertia(self.inertia, state.Omega), self.contact_vector(state))

    @sd.observable(unit="N", status="random")
    def normal_force(self, state: Any) -> Any:
        """N = λ, up."""
        return state.multiplier

    @sd.observable(unit="W")
    def friction_power(self, state: Any) -> Any:
        """f·v, which is dE/dt."""
        v = self.slip(state, state)
        if self.friction == "viscous":
            return -self.viscosity * ops.dot(self.along(state, state), v)
        size = 1 if self.friction == "proportional" else ops.sqrt(ops.dot(v, v) + self.smoothing**2)
        return -self.coefficient * state.multiplier * ops.dot(v, v) / size
