"""The roller racer."""

from __future__ import annotations

from typing import Any

import semidirect as sd
from semidirect import ops

GROUP = sd.DirectProduct(sd.SE2(), sd.SO2(blocks=("steer",), coordinates=("alpha",)))


class RollerRacer(sd.System):
    """Two bodies joined by a hinge, each with wheels that do not slip sideways, driven by swinging the handlebar.

    S = SE(2) × SO(2) at the hinge, ξ = (ν, v; α'). The seat reaches back, with its axle at −b₁e₁; the handlebar reaches forward
    along e = (cos α, sin α), with its axle at b₂e: v₂ = b₁ν and −v₁ sin α + v₂ cos α + b₂(ν + α') = 0. Without a torque the
    energy is conserved, while the momentum is not, and a torque in step with time moves the racer, though nothing pushes it.

    Source: Krishnaprasad and Tsakiris, Oscillations, SE(2)-snakes and motion control: a study of the roller racer (2001).
    """

    mass: sd.Parameter = sd.parameter(
        1.2, unit="kg", symbol="m_1", positive=True, doc="mass of the seat with its rider"
    )
    bar_mass: sd.Parameter = sd.parameter(0.4, unit="kg", symbol="m_2", positive=True, doc="mass of the handlebar")
    inertia: sd.Parameter = sd.parameter(
        0.2, unit="kg m²", symbol="I_1", positive=True, doc="inertia of the seat about its centre of mass"
    )
    bar_inertia: sd.Parameter = sd.parameter(
        0.05, unit="kg m²", symbol="I_2", positive=True, doc="inertia of the handlebar about its centre of mass"
    )
    behind: sd.Parameter = sd.parameter(
        0.2, unit="m", symbol="c_1", doc="from the hinge back to the centre of mass of the seat"
    )
    before: sd.Parameter = sd.parameter(
        0.1, unit="m", symbol="c_2", doc="from the hinge to the centre of mass of the handlebar"
    )
    axle: sd.Parameter = sd.parameter(
        0.4, unit="m", symbol="b_1", positive=True, doc="from the hinge back to the axle of the seat"
    )
    bar_axle: sd.Parameter = sd.parameter(
        0.15, unit="m", symbol="b_2", positive=True, doc="from the hinge to the axle of the handlebar"
    )
    torque: sd.Parameter = sd.parameter(0.0, unit="N m", symbol="tau", doc="amplitude of the torque on the handlebar")
    frequency: sd.Parameter = sd.parameter(3.0, unit="rad/s", symbol="f", doc="frequency of the torque")
    stiffness: sd.Parameter = sd.parameter(
        0.0, unit="N m", symbol="k", nonnegative=True, doc="stiffness that centres the handlebar"
    )
    damping: sd.Parameter = sd.parameter(0.0, unit="N m s", symbol="d", nonnegative=True, doc="damping of the hinge")
    noise: sd.Parameter = sd.parameter((0.05,), unit="m/√s", symbol="sigma", shape=(None,),
                                       doc="amplitudes of the advance along the constraint")  # fmt: skip

    group = GROUP
    advected = {"e": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO2()), GROUP, "steer"), reference=(1, 0))}
    units = {"u": "m/s"}
    symbols = {"angle": "theta", "steer": "omega"}
    initial = {"u": 0.6, "nu": 0.3, "alpha": 0.4}

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy of both bodies."""
        (cosine, sine), turn = self._direction(a), xi.nu + xi.steer
        seat = xi.v[0] ** 2 + (xi.v[1] - self.behind * xi.nu) ** 2
        bar = (xi.v[0] - self.before * turn * sine) ** 2 + (xi.v[1] + self.before * turn * cosine) ** 2
        return (self.mass * seat + self.inertia * xi.nu**2 + self.bar_mass * bar + self.bar_inertia * turn**2) / 2

    @staticmethod
    def _direction(a: Any) -> tuple[Any, Any]:
        """cos α and sin α."""
        return a.e[0], -a.e[1]

    def force(self, xi: Any, a: Any, t: Any) -> Any:
        """The torque of the handlebar on the seat, in step with time, and of a spring and a damper in the hinge."""
        driven = self.torque * ops.cos(self.frequency * t)
        return [0], [0, 0], [driven - self.stiffness * self._direction(a)[1] - self.damping * xi.steer]

    def constraint(self) -> dict[str, sd.StochasticConstraint]:
        """Neither axle slips sideways; the multipliers are the forces of the axles to the left."""

        def bar(a: Any) -> Any:
            cosine, sine = self._direction(a)
            return [[self.bar_axle, -sine, cosine, self.bar_axle]]

        def advance(a: Any) -> Any:
            # v₁ alone, and the steering that it makes
            return [[0, s, 0, s * self._direction(a)[1] / self.bar_axle] for s in self.noise]

        return {
            "seat": sd.CovectorConstraint([[-self.axle, 0, 1, 0]]),
            "handlebar": sd.CovectorConstraint(bar, noise=sd.StateNoise(advance)),
        }

    def shape(self) -> sd.shapes.Shape:
        """A seat with its axle behind, the post of the handlebar, and a dot at the end of its bar."""
        b, c = float(self.axle), float(self.bar_axle)
        r = 0.25 * b

        def wheels(x: float, side: float) -> list[sd.shapes.Part]:
            return [
                sd.shapes.Cylinder((x, y - 0.15 * r, r), (x, y + 0.15 * r, r), r, colour="dark") for y in (side, -side)
            ]

        return sd.shapes.Shape(
            sd.shapes.Box((b, 0.5 * b, 0.12 * b), (-b / 2, 0, 1.4 * r)),
            sd.shapes.Cylinder((-b, -0.5 * b, r), (-b, 0.5 * b, r), 0.15 * r),
            *wheels(-b, 0.5 * b),
            sd.shapes.Cylinder((0, 0, 0.4 * r), (0, 0, 3.2 * r), 0.25 * r, colour="mark"),
            sd.shapes.Dot((c, 0, 1.5 * r)),
            on_ground=True,
        )

    energy = sd.energy(status="random")
