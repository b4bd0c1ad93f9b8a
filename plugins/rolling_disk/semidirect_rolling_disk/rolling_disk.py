"""The vertical disk of the paper."""

from __future__ import annotations

from typing import Any

import semidirect as sd


class RollingDisk(sd.System):
    """Vertical disk rolling without slipping, with noise in its spin θ and in its turn φ.

    S = SE(2) × SO(2), ξ = (ν; v; ω): turn, translation in the body, spin. l = ½m|v|² + ½Iω² + ½Jν² and v = (Rω, 0). The noise
    ξ₁ moves θ and ξ₂ moves φ. ``variant = "printed"`` keeps the θ-noise out of the position, as the printed constraint
    (constraints_disk) does; ``"rolling-noise"`` lets it roll, N₁ = ξ₁(e_ω + R e_x).

    Source: Holm and Putkaradze, section 3.
    """

    mass: sd.Parameter = sd.parameter(1.0, unit="kg", symbol="m", positive=True, doc="mass")
    radius: sd.Parameter = sd.parameter(1.0, unit="m", symbol="R", positive=True, doc="radius")
    spin_inertia: sd.Parameter = sd.parameter(
        0.5, unit="kg m²", symbol="I", positive=True, doc="moment of inertia about the axle"
    )
    turn_inertia: sd.Parameter = sd.parameter(
        0.25, unit="kg m²", symbol="J", positive=True, doc="moment of inertia about a diameter"
    )
    noise: sd.Parameter = sd.parameter((0.1, 0.1), unit="rad/√s", symbol="xi", doc="amplitudes [spin ξ₁, turn ξ₂]")

    variant: sd.Option[str] = sd.option(
        "printed", choices=("printed", "rolling-noise"), doc="whether the noise of the spin rolls"
    )

    group = sd.DirectProduct(
        sd.SE2(blocks=("nu", "v"), coordinates=("phi", "x", "y")), sd.SO2(blocks=("omega",), coordinates=("theta",))
    )
    initial = {"omega": 1.0, "nu": 1.0}

    def lagrangian(self, xi: Any) -> Any:
        """Kinetic energy."""
        moving = self.mass * (xi.v[0] ** 2 + xi.v[1] ** 2)
        return (moving + self.spin_inertia * xi.omega**2 + self.turn_inertia * xi.nu**2) / 2

    def constraint(self) -> sd.DistributionConstraint:
        """v = (Rω, 0), the coordinates of D are ω and ν."""
        spin, turn = self.noise
        rolled = self.radius * spin if self.variant == "rolling-noise" else 0
        return sd.DistributionConstraint(
            basis=[[0, 1], [self.radius, 0], [0, 0], [1, 0]], names=("omega", "nu"),
            noise=sd.noise.ConstantNoise([[0, rolled, 0, spin], [turn, 0, 0, 0]]),
        )  # fmt: skip

    def shape(self) -> sd.shapes.Shape:
        """An upright wheel with its axle along the second axis."""
        wheel = sd.shapes.disc(self.radius, axle=(0, 1, 0), centre=(0, 0, self.radius), joint="theta")
        return sd.shapes.Shape(wheel, on_ground=True)

    energy = sd.energy(status="exact")
