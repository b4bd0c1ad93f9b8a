"""A body in an ideal fluid."""

from __future__ import annotations

from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops


def _clebsch(body: KirchhoffBody) -> bool:
    products = sd.by_path(body.inertia) * sd.by_path(body.masses)
    return bool(np.all(np.ptp(products, axis=-1) <= 1e-12 * np.max(products, axis=-1)))


class KirchhoffBody(sd.System):
    """Rigid body in an ideal fluid at rest at infinity, Kirchhoff's equations with transport noise on se(3)*.

    S = SE(3) ∋ (g, x), ξ = (Ω, Y) in the body, l = ½Σ(I_iΩ_i² + m_iY_i²) with the fluid's share in I and m, no advected
    quantity: dM = M × Ω̃ + P × Ỹ, dP = P × Ω̃, where Ω̃ = Ω dt + Σ ξ_i∘dW^i and Ỹ = Y dt + Σ η_i∘dW^i for noise (ξ_i, η_i).
    In the literature a_i = 1/I_i, c_i = 1/m_i and E = ½Σ(a_iM_i² + c_iP_i²).

    Source: Kirchhoff, Über die Bewegung eines Rotationskörpers in einer Flüssigkeit (1870); Lamb, Hydrodynamics, chapter 6.
    """

    inertia: sd.Parameter = sd.parameter(
        (1.0, 2.0, 4.0), unit="kg m²", symbol="I", positive=True, doc="moments of inertia I_i"
    )
    masses: sd.Parameter = sd.parameter(
        (3.0, 2.0, 1.5), unit="kg", symbol="m", positive=True, doc="masses m_i along the axes"
    )
    noise: sd.Parameter = sd.parameter(
        ((0.0, 0.0, 0.1, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.1, 0.0, 0.0)), unit="rad/√s, m/√s", symbol="xi", shape=(None, 6),
        doc="amplitudes (ξ_i, η_i) of turn and shift, in the body",
    )  # fmt: skip

    group = sd.SE3()
    momentum_names = {"Omega": "M", "Y": "P"}
    initial = {"Omega": (0.4, -0.2, 0.5), "Y": (0.3, 0.5, -0.4)}

    def lagrangian(self, xi: Any) -> Any:
        """Kinetic energy of body and fluid."""
        return (
            ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) + ops.dot(xi.Y, ops.inertia(self.masses, xi.Y))
        ) / 2

    def constraint(self) -> sd.Unconstrained:
        """None."""
        return sd.Unconstrained(noise=self.noise)

    def shape(self) -> sd.shapes.Shape:
        """An ellipsoid as long and as wide as a box with these ratios of the moments of inertia."""
        edges = np.asarray(sd.shapes.box_of_inertia(self.inertia, 2.0).placement()[0])
        return sd.shapes.Shape(
            sd.shapes.Ellipsoid(np.linalg.norm(edges, axis=0) / 2, axes=edges / np.linalg.norm(edges, axis=0))
        )

    energy = sd.energy(status="random")

    @sd.observable(unit="kg² m²/s²", status="exact")
    def impulse_squared(self, state: Any) -> Any:
        """|P|², a Casimir."""
        return ops.dot(state.P, state.P)

    @sd.observable(unit="kg² m³/s²", status="exact")
    def momentum_impulse(self, state: Any) -> Any:
        """M·P, a Casimir."""
        return ops.dot(state.M, state.P)

    @sd.observable(unit="kg² m⁴/s²", status="random", needs=_clebsch)
    def clebsch(self, state: Any) -> Any:
        """M² − β Σ a_iP_i², conserved without noise in Clebsch's case."""
        _, two, three = self.inertia
        beta = two * three / self.masses[0]
        weighted = sum(p * p / i for p, i in zip(state.P, self.inertia, strict=True))
        return ops.dot(state.M, state.M) - beta * weighted
