"""The unbalanced ball of the paper, with any inertia and any direction of its centre of mass."""

from __future__ import annotations

from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops


def _axisymmetric(ball: RollingBall) -> bool:
    inertia = sd.by_path(ball.inertia)
    tensors = inertia if inertia.ndim == 3 else inertia[:, :, None] * np.eye(3)
    round_ = np.all(tensors == np.diagonal(tensors, axis1=1, axis2=2)[:, [0, 0, 2], None] * np.eye(3))
    along = np.all(sd.by_path(ball.axis) == (0.0, 0.0, 1.0), axis=-1)
    return bool(round_ and np.all((sd.by_path(ball.offset) == 0) | along))


class RollingBall(sd.System):
    """Unbalanced ball rolling without slipping on a plane, with transport noise in its angular velocity.

    S = SE(3) ∋ s = (g, x), x the centre of mass; ξ = (Ω, Y) in the body; Γ = g⁻¹e₃. With the contact vector
    s(Γ) = rΓ + ℓχ and l = ½Ω·𝕀Ω + ½m|Y|² − mgℓ Γ·χ, rolling is Y = Ω × s and the noise N_i = (ξ_i, ξ_i × s) rolls too.
    χ points from the geometric centre to the centre of mass, so a low centre of mass is Γ·χ = −1.

    ``coupling = "variational"`` is what the principle gives, (Noisy_Ball_explicit1); ``"printed"`` is (Noisy_Ball_explicit2),
    whose noise differs by a slip of sign: it is the same principle with the noise force F_i = (2ξ_i × (rΓ × mY), 0).

    Source: Holm and Putkaradze, Dynamics of non-holonomic systems with stochastic transport, section 2.
    """

    inertia: sd.Parameter = sd.inertia((2.0, 2.0, 1.5), doc="moment of inertia about the centre of mass")
    mass: sd.Parameter = sd.parameter(1.0, unit="kg", symbol="m", positive=True, doc="mass")
    radius: sd.Parameter = sd.parameter(1.0, unit="m", symbol="r", positive=True, doc="radius")
    offset: sd.Parameter = sd.parameter(
        0.3, unit="m", symbol="ell", nonnegative=True, doc="distance ℓ of the centre of mass from the centre"
    )
    axis: sd.Parameter = sd.unit_vector(
        (0.0, 0.0, 1.0), symbol="chi", doc="direction χ to the centre of mass, in the body"
    )
    gravity: sd.Parameter = sd.parameter(1.0, unit="m/s²", symbol="g", nonnegative=True, doc="acceleration of gravity")
    noise: sd.Parameter = sd.parameter(
        ((0.0, 0.0, 0.1),), unit="rad/√s", symbol="xi", shape=(None, 3), doc="amplitudes ξ_i, fixed in the body"
    )
    vertical_noise: sd.Parameter = sd.parameter(
        (), unit="rad/√s", symbol="c", shape=(None,), doc="amplitudes c_j of noise about the vertical, ξ = c_j Γ"
    )

    coupling: sd.Option[str] = sd.option(
        "variational", choices=("variational", "printed"), doc="the principle's noise, or the paper's"
    )
    vertical: sd.Option[str] = sd.option(
        "formal", choices=("formal", "varied"), doc="whether Γ in ξ = cΓ is put in after the variation, or varied"
    )

    group = sd.SE3()
    advected = {
        "Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), (0, 0, 1), unit="1")
    }
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (0.4, -0.2, 1.5), "Gamma": (6 / 11, -2 / 11, -9 / 11)}

    def contact_vector(self, a: Any) -> Any:
        """The vector s = rΓ + ℓχ from the contact to the centre of mass (subst_Y)."""
        return self.radius * a.Gamma + self.offset * self.axis

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """(reduced-lag-vec)."""
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 + self.mass * ops.dot(xi.Y, xi.Y) / 2
        return kinetic - self.mass * self.gravity * self.offset * ops.dot(a.Gamma, self.axis)

    def amplitudes(self, a: Any) -> list[Any]:
        """All ξ_i: first the amplitudes fixed in the body, then those about the vertical."""
        return [*self.noise, *(c * a.Gamma for c in self.vertical_noise)]

    def transport_noise(self) -> sd.noise.TransportNoise:
        """How the amplitudes enter the variation."""
        if not len(self.vertical_noise):
            return sd.noise.ConstantNoise(self.noise)
        return (sd.noise.FormalNoise if self.vertical == "formal" else sd.StateNoise)(self.amplitudes)

    def weight(self, a: Any) -> Any:
        """The weight −mgΓ, which presses on the contact: l holds its torque about the contact."""
        return -self.mass * self.gravity * a.Gamma

    def constraint(self) -> sd.Rolling:
        """(body_constraint)."""
        return sd.Rolling(self.contact_vector, noise=self.transport_noise(), normal=lambda a: a.Gamma, load=self.weight)

    def noise_force(self, xi: Any, a: Any) -> list[Any]:
        """Nothing, or what turns the principle's equations into the printed ones."""
        if self.coupling == "variational":
            return []
        slip = ops.cross(self.radius * a.Gamma, self.mass * xi.Y)
        return [(2 * ops.cross(x, slip), ops.zeros(3)) for x in self.amplitudes(a)]

    def configuration(self, a: Any) -> np.ndarray:
        """The smallest rotation to Γ, with the geometric centre at the origin."""
        return sd.groups.minimal_motion(a.Gamma, -self.offset * self.axis)

    def shape(self) -> sd.shapes.Shape:
        """The ball, its centre of mass off its centre."""
        return sd.shapes.Shape(sd.shapes.ball(self.radius, -self.offset * self.axis), sd.shapes.Dot(), on_ground=True)

    @sd.derived(unit="m")
    def s(self, state: Any) -> Any:
        """Contact vector."""
        return self.contact_vector(state)

    @sd.derived(unit="kg² m⁴")
    def Q(self, state: Any) -> Any:
        """Q = I₁I₃ + m(𝕀s)·s of the Routh integral."""
        inertia = ops.array(self.inertia)
        first, third = (inertia[0], inertia[2]) if inertia.ndim == 1 else (inertia[0, 0], inertia[2, 2])
        s = self.contact_vector(state)
        return first * third + self.mass * ops.dot(ops.inertia(self.inertia, s), s)

    energy = sd.energy(status="random")

    @sd.observable(unit="kg m³/s", status="random")
    def jellett(self, state: Any) -> Any:
        """J = M·s = 𝕀Ω·s."""
        return ops.dot(ops.inertia(self.inertia, state.Omega), self.contact_vector(state))

    @sd.observable(unit="kg m²/s", status="random", needs=_axisymmetric)
    def routh(self, state: Any) -> Any:
        """R = Ω₃√Q, for I₁ = I₂ and χ = E₃."""
        return state.Omega[2] * ops.sqrt(self.Q(state))

    @sd.observable(unit="1", status="exact")
    def gamma_norm(self, state: Any) -> Any:
        """|Γ|."""
        return ops.norm(state.Gamma)

    @sd.observable(unit="kg m²/s", status="random")
    def momentum_gamma(self, state: Any) -> Any:
        """M·Γ."""
        return ops.dot(state.M, state.Gamma)

    @sd.observable(unit="kg² m⁴/s²", status="random")
    def momentum_squared(self, state: Any) -> Any:
        """|M|²."""
        return ops.dot(state.M, state.M)

    @sd.observable(unit="m")
    def geometric_centre(self, state: Any) -> Any:
        """x_gc = x_cm − ℓ gχ; its height is constant (xgc_eq)."""
        return state.s[:3, 3] - self.offset * ops.matvec(state.s[:3, :3], self.axis)

    @sd.observable(unit="m")
    def centre_of_mass(self, state: Any) -> Any:
        """x_cm, the translation in s."""
        return state.s[:3, 3]
