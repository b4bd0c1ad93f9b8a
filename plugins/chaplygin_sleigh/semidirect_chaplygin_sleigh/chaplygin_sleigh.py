"""The Chaplygin sleigh."""

from __future__ import annotations

from typing import Any

import semidirect as sd


class ChaplyginSleigh(sd.System):
    """A sleigh on a blade that does not slip sideways, its centre of mass a ahead of the blade, with transport noise.

    S = SE(2) at the blade, ξ = (ω; v), l = ½m(v₁² + (v₂ + aω)²) + ½Iω², v₂ = 0: dv = aω² dt, (I + ma²) dω = −maωv dt without
    noise, so v = V tanh κt and ω = W sech κt. Noise out of D makes the blade slip.

    Source: Chaplygin, On the theory of motion of nonholonomic systems (1911); Bloch (2003), section 1.7.
    """

    mass: sd.Parameter = sd.parameter(1.3, unit="kg", symbol="m", positive=True, doc="mass")
    inertia: sd.Parameter = sd.parameter(
        0.7, unit="kg m²", symbol="I", positive=True, doc="moment of inertia about the centre of mass"
    )
    ahead: sd.Parameter = sd.parameter(
        0.4, unit="m", symbol="a", doc="distance of the centre of mass ahead of the blade"
    )
    noise: sd.Parameter = sd.parameter(((0.1, 0.0, 0.0),), unit="rad/√s, m/√s", symbol="xi", shape=(None, 3),
                         doc="amplitudes of turn, advance and side slip")  # fmt: skip

    group = sd.SE2(blocks=("omega", "v"), coordinates=("phi", "x", "y"))
    units = {"speed": "m/s"}
    symbols = {"speed": "u"}
    initial = {"omega": 1.0, "speed": 0.5}

    def lagrangian(self, xi: Any) -> Any:
        """Kinetic energy."""
        side = xi.v[1] + self.ahead * xi.omega
        return (self.mass * (xi.v[0] ** 2 + side**2) + self.inertia * xi.omega**2) / 2

    def constraint(self) -> sd.DistributionConstraint:
        """v₂ = 0."""
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], names=("omega", "speed"), noise=self.noise)

    def shape(self) -> sd.shapes.Shape:
        """A deck on a blade and two feet that slide, the centre of mass ahead of the blade."""
        reach = max(abs(self.ahead), 0.2)
        side = 0.6 * reach
        return sd.shapes.Shape(
            sd.shapes.Box((1.6 * reach, 1.6 * side, 0.1 * reach), (0.6 * reach, 0, 0.35 * reach)),
            sd.shapes.Box((0.7 * reach, 0.03 * reach, 0.3 * reach), (0, 0, 0.15 * reach), colour="mark"),
            *(
                sd.shapes.Cylinder((1.2 * reach, y, 0), (1.2 * reach, y, 0.35 * reach), 0.04 * reach, colour="dark")
                for y in (side, -side)
            ),
            sd.shapes.Dot((self.ahead, 0, 0.4 * reach)),
            on_ground=True,
        )

    energy = sd.energy(status="random")
