"""The rolling and falling disc."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops


class FallingDisc(sd.System):
    """Thin disc or hoop rolling without slipping on a plane, free to fall, with transport noise that rolls.

    S = SE(3), ξ = (Ω, Y), E₃ the axle, Γ = g⁻¹e₃ up. The contact is the lowest point of the rim: s = r(Γ − Γ₃E₃)/|Γ − Γ₃E₃|,
    Y = Ω × s, l = ½Ω·diag(A, A, C)Ω + ½m|Y|² − mg s·Γ. Where the disc lies flat, Γ = ±E₃, s is not defined.

    ``start`` chooses the recommended state only: ``"rolling"``, or ``"spolling"``, in which the centre of mass rests.

    Source: Chaplygin (1897), Appell (1900), Korteweg (1900); O'Reilly, The dynamics of rolling disks and sliding disks (1996).
    """

    mass: sd.Parameter = sd.parameter(1.0, unit="kg", symbol="m", positive=True, doc="mass")
    radius: sd.Parameter = sd.parameter(1.0, unit="m", symbol="r", positive=True, doc="radius")
    diametral: sd.Parameter = sd.parameter(
        0.25, unit="kg m²", symbol="A", positive=True, doc="moment of inertia about a diameter"
    )
    axial: sd.Parameter = sd.parameter(
        0.5, unit="kg m²", symbol="C", positive=True, doc="moment of inertia about the axle"
    )
    gravity: sd.Parameter = sd.parameter(1.0, unit="m/s²", symbol="g", nonnegative=True, doc="acceleration of gravity")
    noise: sd.Parameter = sd.parameter(
        ((0.0, 0.0, 0.1),), unit="rad/√s", symbol="xi", shape=(None, 3), doc="amplitudes ξ_i, fixed in the body"
    )

    start: sd.Option[str] = sd.option("rolling", choices=("rolling", "spolling"), doc="the recommended state")

    group = sd.SE3()
    advected = {
        "Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), (0, 0, 1), unit="1")
    }
    momentum_names = {"Omega": "M"}

    def check(self) -> None:
        """No body of revolution has C > 2A."""
        if np.any(sd.by_path(self.axial) > 2 * sd.by_path(self.diametral) * (1 + 1e-12)):
            raise sd.errors.InputError("moments of a disc", expected="C ≤ 2A (triangle inequality)",
                                got=f"A = {self.diametral}, C = {self.axial}")  # fmt: skip

    @property
    def initial(self) -> Mapping[str, Any]:
        """Rolling upright but for a small lean, or whirling at sin α = 0.6."""
        if self.start == "rolling":
            return {"Omega": (0.0, 0.3, 1.5), "Gamma": (0.96, 0.0, 0.28)}
        weight = sd.by_path(self.mass) * sd.by_path(self.gravity) * sd.by_path(self.radius)
        turn = np.sqrt(0.6 * weight / sd.by_path(self.diametral))
        Omega = np.stack(np.broadcast_arrays(turn, 0.0, 0.0), axis=-1)
        return {"Omega": Omega if self.workings.paths else Omega[0], "Gamma": (0.6, 0.0, 0.8)}

    def contact_vector(self, a: Any) -> Any:
        """s = r(Γ − Γ₃E₃)/|Γ − Γ₃E₃|, from the contact to the centre."""
        flat = ops.array([a.Gamma[0], a.Gamma[1], 0])
        return self.radius * flat / ops.norm(flat)

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy less potential energy."""
        turning = self.diametral * (xi.Omega[0] ** 2 + xi.Omega[1] ** 2) + self.axial * xi.Omega[2] ** 2
        height = ops.dot(self.contact_vector(a), a.Gamma)
        return (turning + self.mass * ops.dot(xi.Y, xi.Y)) / 2 - self.mass * self.gravity * height

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
        """The disc."""
        return sd.shapes.Shape(sd.shapes.disc(self.radius), on_ground=True)

    @sd.derived(unit="m")
    def s(self, state: Any) -> Any:
        """Contact vector."""
        return self.contact_vector(state)

    energy = sd.energy(status="random")

    @sd.observable(unit="rad/s", status="random")
    def spin(self, state: Any) -> Any:
        """Ω₃, about the axle."""
        return state.Omega[2]

    @sd.observable(unit="rad/s", status="random")
    def turn(self, state: Any) -> Any:
        """Ω_t = Ω·s/r, about the diameter through the contact."""
        return ops.dot(state.Omega, self.contact_vector(state)) / self.radius

    @sd.observable(unit="rad/s", status="random")
    def tilting(self, state: Any) -> Any:
        """Ω·(E₃ × s)/r, the nutation rate."""
        s = self.contact_vector(state)
        return (state.Omega[1] * s[0] - state.Omega[0] * s[1]) / self.radius
