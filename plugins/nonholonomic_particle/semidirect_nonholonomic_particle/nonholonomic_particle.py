"""The nonholonomic particle."""

from __future__ import annotations

from typing import Any

import semidirect as sd
from semidirect.representations import Subrepresentation


class NonholonomicParticle(sd.System):
    """Free particle of mass m with ż = y ẋ and transport noise, for which d'Alembert's principle and substitution differ.

    S is the Heisenberg group [[1, y, z], [0, 1, x], [0, 0, 1]], ξ = (ξ_x, ξ_y, ξ_z), with ẋ = ξ_x, ẏ = ξ_y, ż = ξ_z + yξ_x, so
    the constraint is ξ_z = 0; a = (−y, 1) is advected and l = ½m(ξ_x² + ξ_y² + (ξ_z + yξ_x)²). Without noise ẏ = v and
    ẋ√(1 + y²) = K.

    Source: Rosenberg, Analytical dynamics of discrete systems (1977); Bloch (2003), section 5.6.
    """

    mass: sd.Parameter = sd.parameter(1.0, unit="kg", symbol="m", positive=True, doc="mass")
    noise: sd.Parameter = sd.parameter(((0.1, 0.0, 0.0), (0.0, 0.1, 0.0)), unit="m/√s", symbol="sigma", shape=(None, 3),
                         doc="amplitudes of (ξ_x, ξ_y, ξ_z)")  # fmt: skip

    group = sd.groups.Heisenberg()
    advected = {"a": sd.Advected(Subrepresentation(sd.VectorRepresentation(group), (0, 1)), (0, 1))}
    units = {"x": "m", "y": "m", "z": "m", "xi": "m/s", "u": "m/s"}  # ż = yẋ/L with L = 1 m
    initial = {"u": (0.8, 0.6), "a": (0.3, 1)}

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy."""
        x, y, z = xi.xi
        return self.mass * (x**2 + y**2 + (z - a.a[0] * x) ** 2) / 2

    def constraint(self) -> sd.DistributionConstraint:
        """ξ_z = 0."""
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], {"u": 2}, noise=self.noise)

    def shape(self) -> sd.shapes.Shape:
        """A small ball."""
        return sd.shapes.Shape(sd.shapes.ball(0.1, colour="mark"))

    energy = sd.energy(status="random")
