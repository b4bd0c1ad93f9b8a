"""The heavy top."""

from __future__ import annotations

from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops


def _kovalevskaya(top: HeavyTop) -> bool:
    inertia = sd.by_path(top.inertia)
    tensors = inertia if inertia.ndim == 3 else inertia[:, :, None] * np.eye(3)
    shape = np.diag([2.0, 2.0, 1.0]) * tensors[:, 2:, 2:]
    return bool(np.all(tensors == shape) and np.all(sd.by_path(top.axis) == (1.0, 0.0, 0.0)))


class HeavyTop(sd.System):
    """Heavy top with a fixed point and transport noise: a stochastic Lie–Poisson system on so(3)* ⋉ R³.

    S = SO(3), Γ = g⁻¹e₃ is up, l = ½Ω·𝕀Ω − mgℓ Γ·χ: dM = (M × Ω + mgℓ Γ × χ) dt + Σ M × ξ_i∘dW^i, dΓ likewise.
    Noise about the vertical, N = c_jΓ, is varied with Γ: it is fixed in space and turns the motion by c_jW^j, no more.

    Source: Holm, Marsden and Ratiu, The Euler–Poincaré equations and semidirect products (1998); Arnaudon, De Castro and Holm,
    Noise and dissipation on coadjoint orbits (2018).
    """

    mass: sd.Parameter = sd.parameter(1.0, unit="kg", symbol="m", positive=True, doc="mass")
    inertia: sd.Parameter = sd.inertia((1.0, 1.0, 0.5), doc="moment of inertia about the fixed point")
    arm: sd.Parameter = sd.parameter(
        1.0, unit="m", symbol="ell", nonnegative=True, doc="distance of the centre of mass from the fixed point"
    )
    axis: sd.Parameter = sd.unit_vector(
        (0.0, 0.0, 1.0), symbol="chi", doc="direction χ to the centre of mass, in the body"
    )
    gravity: sd.Parameter = sd.parameter(1.0, unit="m/s²", symbol="g", nonnegative=True, doc="acceleration of gravity")
    noise: sd.Parameter = sd.parameter(
        ((0.0, 0.0, 0.1),), unit="rad/√s", symbol="xi", shape=(None, 3), doc="amplitudes ξ_i in the body"
    )

    vertical_noise: sd.Parameter = sd.parameter(
        (), unit="rad/√s", symbol="c", shape=(None,), doc="amplitudes c_j of noise about the vertical, N = c_j Γ"
    )

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1), unit="1")}
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (0.1, 0.0, 3.0), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy of rotation less potential energy."""
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2
        return kinetic - self.mass * self.gravity * self.arm * ops.dot(a.Gamma, self.axis)

    def amplitudes(self, a: Any) -> list[Any]:
        """The amplitudes fixed in the body, then those about the vertical."""
        return [*self.noise, *(c * a.Gamma for c in self.vertical_noise)]

    def constraint(self) -> sd.Unconstrained:
        """None."""
        return sd.Unconstrained(noise=sd.StateNoise(self.amplitudes) if len(self.vertical_noise) else self.noise)

    def shape(self) -> sd.shapes.Shape:
        """A wheel on an axle from the fixed point along χ, its middle at the centre of mass."""
        arm, chi = self.arm or 1.0, np.asarray(self.axis)
        stem = sd.shapes.Cylinder((0, 0, 0), 1.5 * arm * chi, 0.05 * arm, colour="dark")
        wheel = sd.shapes.disc(0.6 * arm, chi, arm * chi)
        foot = sd.shapes.Cone(0.8 * arm * chi, (0, 0, 0), 0.2 * arm)
        return sd.shapes.Shape(stem, wheel, foot, sd.shapes.Dot(self.arm * chi), tracer=1.5 * arm * chi, stand=True)

    energy = sd.energy(status="random")

    @sd.observable(unit="1", status="exact")
    def gamma_norm(self, state: Any) -> Any:
        """|Γ|."""
        return ops.norm(state.Gamma)

    @sd.observable(unit="kg m²/s", status="exact")
    def momentum_gamma(self, state: Any) -> Any:
        """M·Γ, a Casimir."""
        return ops.dot(state.M, state.Gamma)

    @sd.observable(unit="kg m²/s", status="random")
    def momentum_axis(self, state: Any) -> Any:
        """M·χ, which the Lagrange top conserves if the noise is along χ."""
        return ops.dot(state.M, self.axis)

    @sd.observable(unit="rad⁴/s⁴", status="random", needs=_kovalevskaya)
    def kovalevskaya(self, state: Any) -> Any:
        """|(Ω₁ + iΩ₂)² − (mgℓ/I₃)(Γ₁ + iΓ₂)|², for I₁ = I₂ = 2I₃ and χ = E₁."""
        inertia = ops.array(self.inertia)
        pull = self.mass * self.gravity * self.arm / (inertia[2] if inertia.ndim == 1 else inertia[2, 2])
        (x, y), Gamma = state.Omega[:2], state.Gamma
        return (x**2 - y**2 - pull * Gamma[0]) ** 2 + (2 * x * y - pull * Gamma[1]) ** 2
