"""A spherical robot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops

_GROUP = sd.DirectProduct(sd.SE3(), sd.groups.Torus(3))
_FRAME = sd.AdvectedFrame(_GROUP)


class SphericalRobot(sd.System):
    """Balanced ball on a plane with three rotors inside it, torques τ on the rotors, noise in ball, rotors and torques.

    S = SE(3) × T³, ξ = (Ω, Y, w), w the speeds of the rotors in the ball, l = ½Ω·𝕀Ω + ½m|Y|² + ½(Ω + w)·j(Ω + w), 𝕀 with the
    rotors' transverse inertia; rolling, Y = Ω × rΓ, F = (0, 0, τ). The momentum in space g M, M = 𝕀Ω + j(Ω + w) + rΓ × mY, is the
    same for every torque, and dE = τ·w dt.

    ``control = "constant"`` has τ given. ``"line"`` follows the line x₂ = 0 at a speed: τ = κ(Ω − Ω*) with Ω* the angular
    velocity that rolls at (speed, −k x₂), without spin.

    Source: Borisov, Kilin and Mamaev, How to control Chaplygin's sphere using rotors (2012).
    """

    inertia: sd.Parameter = sd.inertia(
        (0.3, 0.5, 0.7), doc="moment of inertia of the ball with the transverse inertia of the rotors"
    )
    rotor_inertia: sd.Parameter = sd.parameter(
        (0.02, 0.03, 0.05), unit="kg m²", symbol="j", positive=True, doc="axial inertia of the rotors"
    )
    mass: sd.Parameter = sd.parameter(1.3, unit="kg", symbol="m", positive=True, doc="mass of all")
    radius: sd.Parameter = sd.parameter(0.7, unit="m", symbol="r", positive=True, doc="radius")
    torque: sd.Parameter = sd.parameter(
        (0.03, -0.01, 0.02), unit="N m", symbol="tau0", doc="torques on the rotors, for constant control"
    )
    stiffness: sd.Parameter = sd.parameter(
        4.0, unit="N m s", symbol="kappa", doc="gain κ of the angular velocity, for the line"
    )
    steering: sd.Parameter = sd.parameter(1.0, unit="1/s", symbol="k", doc="gain k of the distance from the line")
    speed: sd.Parameter = sd.parameter(0.5, unit="m/s", symbol="V", doc="speed along the line")
    noise: sd.Parameter = sd.parameter(
        ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0)),
        unit="rad/√s",
        symbol="xi",
        shape=(None, 3),
        doc="amplitudes ξ_i, in the ball",
    )
    rotor_noise: sd.Parameter = sd.parameter(
        (), unit="rad/√s", symbol="zeta", shape=(None, 3), doc="amplitudes of the rotors' slip"
    )
    torque_noise: sd.Parameter = sd.parameter(
        (), unit="N m √s", symbol="eta", shape=(None, 3), doc="amplitudes of white torques"
    )

    control: sd.Option[str] = sd.option("constant", choices=("constant", "line"), doc="the law of the torques")

    group = _GROUP
    momentum_names = {"Omega": "M", "w": "p_w"}

    @property
    def advected(self) -> Mapping[str, sd.Advected]:  # type: ignore[override]
        """Γ, and the quantities that the control law uses."""
        names = ("Gamma",) if self.control == "constant" else ("Gamma", "E1", "E2", "b")
        return {name: _FRAME[name] for name in names}

    @property
    def initial(self) -> Mapping[str, Any]:
        """Rolling, or at rest one metre beside the line."""
        if self.control == "constant":
            return {"Omega": (0.4, -0.2, 1.5), "w": (0.5, 0.2, -0.3), "Gamma": (0, 0, 1)}
        frame = {"E1": (1, 0, 0), "E2": (0, 1, 0), "Gamma": (0, 0, 1)}
        return {"Omega": (0, 0, 0), "w": (0, 0, 0), **frame, "b": (0, -1, 0, 1)}

    def contact_vector(self, a: Any) -> Any:
        """s = rΓ, from the contact to the centre."""
        return self.radius * a.Gamma

    def lagrangian(self, xi: Any) -> Any:
        """Kinetic energy."""
        ball = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) + self.mass * ops.dot(xi.Y, xi.Y)
        return (ball + ops.dot(xi.Omega + xi.w, self.rotor_inertia * (xi.Omega + xi.w))) / 2

    def basis(self, a: Any) -> Any:
        """B: Ω ↦ (Ω, Ω × s, 0), w ↦ (0, 0, w)."""
        rolling = [[*e, *ops.cross(e, self.contact_vector(a)), 0, 0, 0] for e in ops.identity(3)]
        return ops.transpose(ops.array([*rolling, *([0, 0, 0, 0, 0, 0, *e] for e in ops.identity(3))]))

    def fields(self, a: Any) -> list[Any]:
        """(ξ_i, ξ_i × s, 0) and (0, 0, ζ_j)."""
        rolling = [[*x, *ops.cross(x, self.contact_vector(a)), 0, 0, 0] for x in self.noise]
        return [*rolling, *([0, 0, 0, 0, 0, 0, *x] for x in self.rotor_noise)]

    def constraint(self) -> sd.DistributionConstraint:
        """Y = Ω × rΓ."""
        return sd.DistributionConstraint(self.basis, {"Omega": 3, "w": 3}, noise=sd.StateNoise(self.fields))

    def configuration(self, a: Any) -> np.ndarray:
        """The frame as the rows of g and x = −gb, or the smallest rotation to Γ at the origin; the rotors at 0."""
        s = np.eye(10)
        s[:3, :3] = sd.groups.minimal_rotation(a.Gamma) if self.control == "constant" else [a.E1, a.E2, a.Gamma]
        if self.control == "line":
            s[:3, 3] = -s[:3, :3] @ a.b[:3]
        self.group.validate(s)
        return s

    def torques(self, xi: Any, a: Any) -> Any:
        """τ, by the law of control."""
        if self.control == "constant":
            return self.torque
        aside = -ops.dot(a.E2, a.b[:3])
        target = (self.speed * a.E2 + self.steering * aside * a.E1) / self.radius
        return self.stiffness * (xi.Omega - target)

    def force(self, xi: Any, a: Any) -> Any:
        """F = (0, 0, τ)."""
        return ops.zeros(3), ops.zeros(3), self.torques(xi, a)

    def independent_force(self) -> list[Any]:
        """White torques."""
        return [(ops.zeros(3), ops.zeros(3), x) for x in self.torque_noise]

    def shape(self) -> sd.shapes.Shape:
        """The ball, and its rotors as three wheels on its axes."""
        r = self.radius
        rotors = [
            sd.shapes.Cylinder(
                0.44 * r * e, 0.56 * r * e, 0.35 * r, colour="mark", joint=f"angle{i + 1}", hinge=tuple(e)
            )
            for i, e in enumerate(np.eye(3))
        ]
        return sd.shapes.Shape(sd.shapes.ball(self.radius), *rotors, on_ground=True)

    energy = sd.energy(status="random")

    @sd.observable(unit="kg m²/s", status="random")
    def spatial_momentum(self, state: Any) -> Any:
        """g M, conserved under every torque and under noise in the rotors."""
        return ops.matvec(state.s[:3, :3], state.M)

    @sd.observable(unit="W")
    def power(self, state: Any) -> Any:
        """τ·w, the power of the motors."""
        return ops.dot(self.torques(state, state), state.w)
