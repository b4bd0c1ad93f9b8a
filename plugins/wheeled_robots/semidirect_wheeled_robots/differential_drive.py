"""The differential drive."""

from __future__ import annotations

from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops

GROUP = sd.DirectProduct(
    sd.SE3(),
    sd.SO2(blocks=("left",), coordinates=("alpha",)),
    sd.SO2(blocks=("right",), coordinates=("beta",)),
)


class DifferentialDrive(sd.System):
    """A robot with two wheels on one axle and a caster, on a level floor, with motor torques and noise of the wheels.

    S = SE(3) × SO(2)², ξ = (Ω, Y; θ'_L, θ'_R) in the frame of the chassis, at the middle of the axle. Each wheel rolls,
    Y + Ω × p = rθ' e₁ at its contact p = (0, ±w, −r), and the caster keeps to the floor: seven covectors of rank six, since both
    wheels forbid the same sideways motion. Of the sideways forces the sum alone is determined; the other forces are.

    Source: Siegwart, Nourbakhsh and Scaramuzza, Introduction to Autonomous Mobile Robots (2011), chapter 3.
    """

    mass: sd.Parameter = sd.parameter(5.0, unit="kg", symbol="m", positive=True, doc="mass of the chassis")
    inertia: sd.Parameter = sd.inertia(((0.04, 0.0, 0.0), (0.0, 0.05, 0.0), (0.0, 0.0, 0.06)), unit="kg m²",
                                       doc="inertia of the chassis about its centre of mass")  # fmt: skip
    centre: sd.Parameter = sd.parameter((0.08, 0.0, 0.05), unit="m", symbol="c", shape=(3,),
                                        doc="centre of mass of the chassis, from the middle of the axle")  # fmt: skip
    wheel_mass: sd.Parameter = sd.parameter(0.5, unit="kg", symbol="m_w", positive=True, doc="mass of a wheel")
    axial: sd.Parameter = sd.parameter(
        0.002, unit="kg m²", symbol="J_a", positive=True, doc="inertia of a wheel about the axle"
    )
    across: sd.Parameter = sd.parameter(
        0.001, unit="kg m²", symbol="J_d", positive=True, doc="inertia of a wheel across the axle"
    )
    width: sd.Parameter = sd.parameter(0.2, unit="m", symbol="w", positive=True, doc="half the distance of the wheels")
    radius: sd.Parameter = sd.parameter(0.08, unit="m", symbol="r", positive=True, doc="radius of a wheel")
    caster: sd.Parameter = sd.parameter((0.3, 0.0), unit="m", symbol="k", shape=(2,), doc="place of the caster")
    gravity: sd.Parameter = sd.parameter(9.81, unit="m/s²", symbol="g", nonnegative=True, doc="acceleration of gravity")
    torque: sd.Parameter = sd.parameter(
        (0.0, 0.0), unit="N m", symbol="tau", shape=(2,), doc="torques of the motors, left and right"
    )
    noise: sd.Parameter = sd.parameter(((0.5, 0.0), (0.0, 0.5)), unit="rad/√s", symbol="sigma", shape=(None, 2),
                                       doc="amplitudes of the left and the right wheel, which roll")  # fmt: skip
    slip: sd.Parameter = sd.parameter((), unit="m/√s", symbol="zeta", shape=(None,), doc="amplitudes of sideways slip")

    group = GROUP
    initial = {"left": 6.0, "right": 8.0}
    momentum_names = {"left": "p_left", "right": "p_right"}
    symbols = {"left": "omega_l", "right": "omega_r"}

    def lagrangian(self, xi: Any) -> Any:
        """Kinetic energy of the chassis and the wheels."""
        speed = xi.Y + ops.cross(xi.Omega, self.centre)
        total = self.mass * ops.dot(speed, speed) + ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega))
        for side, spin in ((1, xi.left), (-1, xi.right)):
            speed = xi.Y + ops.cross(xi.Omega, ops.array([0, side * self.width, 0]))
            across = xi.Omega[0] ** 2 + xi.Omega[2] ** 2
            total = total + self.wheel_mass * ops.dot(speed, speed) + self.axial * (xi.Omega[1] + spin) ** 2
            total = total + self.across * across
        return total / 2

    def force(self) -> Any:
        """The weight of the chassis and of the wheels, and the torques of the motors between the chassis and them."""
        left, right = self.torque
        down = ops.array([0, 0, -self.mass * self.gravity])
        return (
            ops.cross(self.centre, down),
            down - ops.array([0, 0, 2 * self.wheel_mass * self.gravity]),
            [left],
            [right],
        )

    def constraint(self) -> dict[str, sd.StochasticConstraint]:
        """Both wheels roll, and the caster keeps to the floor."""
        floor = sd.Contact("Y", normal=(0, 0, 1), load=(0, 0, 0))

        def rows(p: Any, left: Any, right: Any) -> Any:
            # Y + Ω × p − r θ' e₁
            turned = -ops.hat(p)
            spun = [[-self.radius * left, -self.radius * right], [0, 0], [0, 0]]
            return [[*turned[i], *np.eye(3, dtype=int)[i], *spun[i]] for i in range(3)]

        wheels = {
            "left": rows(ops.array([0, self.width, -self.radius]), 1, 0),
            "right": rows(ops.array([0, -self.width, -self.radius]), 0, 1),
        }
        caster = rows(ops.array([self.caster[0], self.caster[1], -self.radius]), 0, 0)[2:]
        return {
            **{f"{name}_wheel": sd.CovectorConstraint(A, contact=floor) for name, A in wheels.items()},
            "caster": sd.CovectorConstraint(caster, contact=floor),
            "noise": sd.Unconstrained(
                [*map(self._rolling, self.noise), *([0, 0, 0, 0, s, 0, 0, 0] for s in self.slip)]
            ),
        }

    def _rolling(self, amplitudes: Any) -> list[Any]:
        """The field of wheels that turn by these amplitudes and roll."""
        left, right = amplitudes
        turn, advance = self.radius * (right - left) / (2 * self.width), self.radius * (left + right) / 2
        return [0, 0, turn, advance, 0, 0, left, right]

    def shape(self) -> sd.shapes.Shape:
        """A box on two wheels and a ball."""
        w, r, (x, y) = float(self.width), float(self.radius), map(float, self.caster)
        length, rim = max(abs(x), 2 * r), 0.15 * r
        wheels = [
            part
            for side, joint in ((w, "alpha"), (-w, "beta"))
            for part in (
                sd.shapes.Cylinder(
                    (0, side - rim, 0), (0, side + rim, 0), r, colour="dark", joint=joint, hinge=(0, 1, 0)
                ),
                sd.shapes.Cylinder((0, side - 1.2 * rim, 0), (0, side + 1.2 * rim, 0), 0.3 * r, colour="mark"),
            )
        ]
        return sd.shapes.Shape(
            sd.shapes.Box((length + 1.2 * r, 1.6 * w, 0.8 * r), (length / 2 - 0.2 * r, 0, 0.5 * r)),
            sd.shapes.Ellipsoid((0.25 * r,) * 3, (x, y, -0.75 * r), colour="dark"),
            *wheels,
            sd.shapes.Dot(tuple(float(c) for c in self.centre)),
            on_ground=True,
        )

    energy = sd.energy(status="random")
