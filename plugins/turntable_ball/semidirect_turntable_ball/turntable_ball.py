"""A ball on a turntable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops

_GROUP = sd.SE3()
_FRAME = sd.AdvectedFrame(_GROUP)


class TurntableBall(sd.System):
    """Ball rolling without slipping on a horizontal table that turns at a given rate: an affine constraint.

    S = SE(3), ξ = (Ω, Y), Γ = g⁻¹e₃, b = −gᵀx, X = −b the centre seen from the axis of the table, s = rΓ:
    Y = Ω × s + Ω₀ Γ × (X − s), l = ½Ω·𝕀Ω + ½m|Y|² + mg b·Γ. A homogeneous ball runs on circles at the rate Ω₀k/(1 + k),
    𝕀 = k mr²; the energy is not kept, the moving energy E − Ω₀(Ω·𝕀Γ + mY·(Γ × X)) is, for any 𝕀.

    Source: Earnshaw, Dynamics (1844); Fassò and Sansonetto, Conservation of energy and momenta in nonholonomic systems with
    affine constraints (2015), for the moving energy.
    """

    inertia: sd.Parameter = sd.inertia((0.4, 0.4, 0.4), doc="moment of inertia about the centre")
    mass: sd.Parameter = sd.parameter(1.0, unit="kg", symbol="m", positive=True, doc="mass")
    radius: sd.Parameter = sd.parameter(1.0, unit="m", symbol="r", positive=True, doc="radius")
    rate: sd.Parameter = sd.parameter(1.0, unit="rad/s", symbol="Omega0", doc="angular velocity Ω₀ of the table")
    gravity: sd.Parameter = sd.parameter(9.81, unit="m/s²", symbol="g", nonnegative=True, doc="acceleration of gravity")
    noise: sd.Parameter = sd.parameter(
        ((0.0, 0.0, 0.1),), unit="rad/√s", symbol="xi", shape=(None, 3), doc="amplitudes ξ_i, fixed in the body"
    )

    group = _GROUP
    advected = {"Gamma": _FRAME["Gamma"], "b": _FRAME["b"]}
    momentum_names = {"Omega": "M"}

    @property
    def initial(self) -> Mapping[str, Any]:
        """On the table, beside its axis."""
        b = np.stack(np.broadcast_arrays(-1.0, 0.0, -sd.by_path(self.radius), 1.0), axis=-1)
        return {"Omega": (0.4, -0.2, 1.5), "Gamma": (0, 0, 1), "b": b if self.workings.paths else b[0]}

    def contact_vector(self, a: Any) -> Any:
        """s = rΓ, from the contact to the centre."""
        return self.radius * a.Gamma

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy less potential energy."""
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 + self.mass * ops.dot(xi.Y, xi.Y) / 2
        return kinetic + self.mass * self.gravity * ops.dot(a.b[:3], a.Gamma)

    def ground(self, a: Any) -> Any:
        """Velocity Ω₀ Γ × (X − s) of the table under the contact."""
        return self.rate * ops.cross(a.Gamma, -a.b[:3] - self.contact_vector(a))

    def constraint(self) -> sd.Rolling:
        """Y = Ω × s + Ω₀ Γ × (X − s)."""
        return sd.Rolling(self.contact_vector, noise=self.noise, offset=self.ground, normal=lambda a: a.Gamma)

    def configuration(self, a: Any) -> np.ndarray:
        """The smallest rotation to Γ, and x = −gb."""
        return sd.groups.minimal_motion(a.Gamma, a.b[:3])

    def shape(self) -> sd.shapes.Shape:
        """The ball; the table turns below it."""
        return sd.shapes.Shape(sd.shapes.ball(self.radius), on_ground=True, table=self.rate)

    energy = sd.energy(status="random")

    @sd.observable(unit="J", status="random")
    def moving_energy(self, state: Any) -> Any:
        """E − Ω₀(Ω·𝕀Γ + mY·(Γ × X)), conserved without noise."""
        turning = ops.dot(state.Omega, ops.inertia(self.inertia, state.Gamma))
        carried = self.mass * ops.dot(state.Y, ops.cross(state.Gamma, -state.b[:3]))
        return self.energy(state) - self.rate * (turning + carried)
