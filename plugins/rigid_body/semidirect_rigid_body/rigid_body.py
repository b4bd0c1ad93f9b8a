"""The free rigid body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import semidirect as sd
from semidirect import ops

_UP = {"Gamma": sd.Advected(sd.VectorRepresentation(sd.SO3()), reference=(0, 0, 1), unit="1")}


class RigidBody(sd.System):
    """Free rigid body with transport noise, Euler's equations dM = M × (Ω dt + Σ ξ_i∘dW^i).

    S = SO(3), l = ½Ω·𝕀Ω. The momentum stays on its sphere whatever the noise. ``advect_gamma = True`` carries the vertical
    Γ = g⁻¹e₃ along, which does not act back.

    Source: Arnaudon, De Castro and Holm, Noise and dissipation on coadjoint orbits (2018).
    """

    inertia: sd.Parameter = sd.inertia((1.0, 2.0, 3.0), doc="moment of inertia")
    noise: sd.Parameter = sd.parameter(
        ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)), unit="rad/√s", symbol="xi", shape=(None, 3),
        doc="amplitudes ξ_i in the body",
    )  # fmt: skip

    advect_gamma: sd.Option[bool] = sd.option(False, doc="carry the vertical Γ along")

    group = sd.SO3()
    momentum_names = {"Omega": "M"}

    @property
    def advected(self) -> Mapping[str, sd.Advected]:  # type: ignore[override]
        """Γ, if the option asks for it."""
        return _UP if self.advect_gamma else {}

    @property
    def initial(self) -> Mapping[str, Any]:
        """A start away from the axes."""
        gamma = {"Gamma": (0.0, 0.6, 0.8)} if self.advect_gamma else {}
        return {"Omega": (1.0, 0.5, -0.3), **gamma}

    def lagrangian(self, xi: Any) -> Any:
        """Kinetic energy."""
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self) -> sd.Unconstrained:
        """None."""
        return sd.Unconstrained(noise=self.noise)

    def shape(self) -> sd.shapes.Shape:
        """A homogeneous box with these ratios of the moments of inertia; the path is that of a point on the third axis."""
        return sd.shapes.Shape(sd.shapes.box_of_inertia(self.inertia), tracer=(0, 0, 0.8))

    energy = sd.energy(status="random")

    @sd.observable(unit="kg² m⁴/s²", status="exact")
    def momentum_squared(self, state: Any) -> Any:
        """|M|², a Casimir."""
        return ops.dot(state.M, state.M)

    @sd.observable(unit="1", status="exact", needs=lambda self: self.advect_gamma)
    def gamma_norm(self, state: Any) -> Any:
        """|Γ|."""
        return ops.norm(state.Gamma)
