"""A rolling ball with slip noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops

_GROUP = sd.SE3()
_FRAME = sd.AdvectedFrame(_GROUP)


class SlippingBall(sd.System):
    """Unbalanced ball whose contact slips at random: noise fields outside the distribution, N = (0, v), or a coloured slip.

    S = SE(3), ξ = (Ω, Y), E₁, E₂, Γ the spatial frame seen from the body, s = rΓ + ℓχ, l = ½Ω·𝕀Ω + ½m|Y|² − mg s·Γ.
    Slip fixed in the body is N = (0, Γ × v_i), slip fixed in space N = (0, v₁E₁ + v₂E₂); both stay in the plane.
    ``coloured = True`` adds the slip velocity c = (0, z₁E₁ + z₂E₂), dz = −κz dt + σ dW, to the constraint: the contact
    follows a floor that shakes.

    dE is mY·(v × Ω + (∂v/∂Γ)(Ω × Γ))∘dW in the body and 0 in space, where the motion is only shifted by v W(t); coloured,
    E − mY·c moves by −mY·(E₁dz₁ + E₂dz₂) alone.

    Source: Holm and Putkaradze, Dynamics of non-holonomic systems with stochastic transport, for fields N_i out of D.
    """

    inertia: sd.Parameter = sd.inertia((0.3, 0.5, 0.7), doc="moment of inertia about the centre of mass")
    mass: sd.Parameter = sd.parameter(1.3, unit="kg", symbol="m", positive=True, doc="mass")
    radius: sd.Parameter = sd.parameter(0.7, unit="m", symbol="r", positive=True, doc="radius")
    offset: sd.Parameter = sd.parameter(
        0.2, unit="m", symbol="ell", nonnegative=True, doc="distance ℓ of the centre of mass from the centre"
    )
    axis: sd.Parameter = sd.unit_vector(
        (0.36, -0.48, 0.8), symbol="chi", doc="direction χ to the centre of mass, in the body"
    )
    gravity: sd.Parameter = sd.parameter(9.81, unit="m/s²", symbol="g", nonnegative=True, doc="acceleration of gravity")
    body_slip: sd.Parameter = sd.parameter(((0.02, -0.03, 0.01),), unit="m/√s", symbol="v", shape=(None, 3),
                             doc="slip fixed in the body, Γ × v_i")  # fmt: skip
    space_slip: sd.Parameter = sd.parameter(
        (), unit="m/√s", symbol="w", shape=(None, 2), doc="slip fixed in space, w₁E₁ + w₂E₂"
    )
    relaxation: sd.Parameter = sd.parameter(
        2.0, unit="1/s", symbol="kappa", nonnegative=True, doc="rate κ of the coloured slip"
    )
    agitation: sd.Parameter = sd.parameter(
        0.1, unit="m/s/√s", symbol="sigma", nonnegative=True, doc="noise σ of the coloured slip"
    )

    coloured: sd.Option[bool] = sd.option(False, doc="whether the constraint has a coloured slip")

    group = _GROUP
    advected = {name: _FRAME[name] for name in ("Gamma", "E1", "E2")}
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (0.4, -0.2, 1.5), "Gamma": (0, 0, 1), "E1": (1, 0, 0), "E2": (0, 1, 0)}

    def contact_vector(self, a: Any) -> Any:
        """s = rΓ + ℓχ, from the contact to the centre of mass."""
        return self.radius * a.Gamma + self.offset * self.axis

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy less potential energy."""
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 + self.mass * ops.dot(xi.Y, xi.Y) / 2
        return kinetic - self.mass * self.gravity * ops.dot(self.contact_vector(a), a.Gamma)

    def slip(self, a: Any) -> list[Any]:
        """Slip velocities of the white noises."""
        fixed_in_space = [w[0] * a.E1 + w[1] * a.E2 for w in self.space_slip]
        return [*(ops.cross(a.Gamma, v) for v in self.body_slip), *fixed_in_space]

    def internal(self) -> Sequence[sd.InternalState]:
        """The Ornstein–Uhlenbeck process z, with two Wiener processes of its own."""
        if not self.coloured:
            return ()
        still = [ops.zeros(2)] * (len(self.body_slip) + len(self.space_slip))
        noise = [*still, (self.agitation, 0), (0, self.agitation)]
        return [sd.InternalState("z", (0.0, 0.0), lambda z: -self.relaxation * z.z, noise, unit="m/s")]

    def floor(self, a: Any, z: Any) -> Any:
        """The coloured slip z₁E₁ + z₂E₂."""
        return z.z[0] * a.E1 + z.z[1] * a.E2

    def weight(self, a: Any) -> Any:
        """The weight −mgΓ, which presses on the contact: l holds its torque about the contact."""
        return -self.mass * self.gravity * a.Gamma

    def constraint(self) -> sd.Rolling:
        """Y = Ω × s + c, and the slip noise."""
        return sd.Rolling(
            self.contact_vector, slip=self.slip, offset=self.floor if self.coloured else None,
            normal=lambda a: a.Gamma, load=self.weight,
        )  # fmt: skip

    def configuration(self, a: Any) -> np.ndarray:
        """The frame as the rows of g, with the centre of mass at the origin."""
        s = np.eye(4)
        s[:3, :3] = [a.E1, a.E2, a.Gamma]
        self.group.validate(s)
        return s

    def shape(self) -> sd.shapes.Shape:
        """The ball, its centre of mass off its centre."""
        return sd.shapes.Shape(sd.shapes.ball(self.radius, -self.offset * self.axis), sd.shapes.Dot(), on_ground=True)

    energy = sd.energy(status="random")

    @sd.observable(unit="J", status="random", needs=lambda self: self.coloured)
    def moving_energy(self, state: Any) -> Any:
        """E − mY·c, the energy as the floor sees it, up to ½m|c|²."""
        return self.energy(state) - self.mass * ops.dot(state.Y, self.floor(state, state))
