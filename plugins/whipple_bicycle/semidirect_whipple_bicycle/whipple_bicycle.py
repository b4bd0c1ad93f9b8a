"""The bicycle of Whipple with two rolling wheels, whose steering makes it stable."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops

_GROUP = sd.DirectProduct(
    sd.SE3(),
    sd.SO2(blocks=("steer",), coordinates=("delta",)),
    sd.SO2(blocks=("rear",), coordinates=("theta_R",)),
    sd.SO2(blocks=("front",), coordinates=("theta_F",)),
)
_FRAME = sd.AdvectedFrame(_GROUP)
_TURNED = sd.Pullback(sd.VectorRepresentation(sd.SO2()), _GROUP, "steer")
_LEFT = np.array([0, 1, 0])


class WhippleBicycle(sd.System):
    """Bicycle of four bodies: a frame with a rigid rider, a front frame that steers, and two wheels that roll without slip.

    S = SE(3) × SO(2)³, ξ = (Ω, Y, δ', θ_R', θ_F'). The axes of the frame point forward, left and up, and its origin is the
    centre of the rear wheel; δ > 0 steers to the right. Γ = g⁻¹e₃ up, b = −gᵀx. Each wheel touches with its lowest point, which
    does not slip: two constraints, ``rear`` and ``front``, each with the force of the ground on its wheel. Both wheels stay on
    the ground where the start has them there; ``riding`` makes such a start. A white lateral force acts at the centre of mass
    of the frame, such as that of wind.

    Without noise, upright riding is stable between 4.292 m/s and 6.024 m/s.

    Source: Meijaard, Papadopoulos, Ruina and Schwab, Linearized dynamics equations for the balance and steer of a bicycle,
    Proc. R. Soc. A 463 (2007), and its benchmark parameters. Distances are measured from the rear contact.
    """

    wheelbase: sd.Parameter = sd.parameter(1.02, unit="m", symbol="w", positive=True, doc="distance of the contacts")
    trail: sd.Parameter = sd.parameter(0.08, unit="m", symbol="c", doc="trail of the front contact")
    tilt: sd.Parameter = sd.parameter(math.pi / 10, unit="rad", symbol="lambda", doc="tilt of the steer axis")
    gravity: sd.Parameter = sd.parameter(9.81, unit="m/s²", symbol="g", nonnegative=True, doc="acceleration of gravity")
    rear_radius: sd.Parameter = sd.parameter(0.3, unit="m", symbol="r_R", positive=True, doc="radius of the rear wheel")
    rear_mass: sd.Parameter = sd.parameter(2.0, unit="kg", symbol="m_R", positive=True, doc="its mass")
    rear_inertia: sd.Parameter = sd.parameter(
        (0.0603, 0.12),
        unit="kg m²",
        symbol="I_R",
        positive=True,
        doc="its moments of inertia, across the axle and about it",
    )
    frame_place: sd.Parameter = sd.parameter(
        (0.3, 0.9), unit="m", symbol="x_B", doc="centre of mass of frame and rider, forward and up"
    )
    frame_mass: sd.Parameter = sd.parameter(85.0, unit="kg", symbol="m_B", positive=True, doc="their mass")
    frame_inertia: sd.Parameter = sd.parameter(
        (9.2, 11.0, 2.8, -2.4), unit="kg m²", symbol="I_B", doc="their moments of inertia xx, yy, zz and xz"
    )
    fork_place: sd.Parameter = sd.parameter(
        (0.9, 0.7), unit="m", symbol="x_H", doc="centre of mass of the front frame, forward and up"
    )
    fork_mass: sd.Parameter = sd.parameter(4.0, unit="kg", symbol="m_H", positive=True, doc="its mass")
    fork_inertia: sd.Parameter = sd.parameter(
        (0.05892, 0.06, 0.00708, 0.00756), unit="kg m²", symbol="I_H", doc="its moments of inertia xx, yy, zz and xz"
    )
    front_radius: sd.Parameter = sd.parameter(
        0.35, unit="m", symbol="r_F", positive=True, doc="radius of the front wheel"
    )
    front_mass: sd.Parameter = sd.parameter(3.0, unit="kg", symbol="m_F", positive=True, doc="its mass")
    front_inertia: sd.Parameter = sd.parameter(
        (0.1405, 0.28),
        unit="kg m²",
        symbol="I_F",
        positive=True,
        doc="its moments of inertia, across the axle and about it",
    )
    lean_torque: sd.Parameter = sd.parameter(
        0.0, unit="N m", symbol="T_phi", doc="torque that leans the frame to the right"
    )
    steer_torque: sd.Parameter = sd.parameter(
        0.0, unit="N m", symbol="T_delta", doc="torque of the frame on the handlebar"
    )
    wind: sd.Parameter = sd.parameter(
        (), unit="N √s", symbol="sigma", shape=(None,), doc="amplitudes σ_i of a lateral force that is white noise"
    )

    group = _GROUP
    advected = {
        "Gamma": _FRAME["Gamma"],
        "b": _FRAME["b"],
        "bar": sd.Advected(_TURNED, reference=(1, 0)),  # (cos δ, −sin δ)
    }

    @property
    def initial(self) -> Mapping[str, Any]:
        """Upright at 5 m/s, with a steer rate of 0.5 rad/s."""
        if self.workings.paths is None:
            return self.riding(5.0, steer_rate=0.5)
        starts = [self.at_path(i).riding(5.0, steer_rate=0.5) for i in range(self.workings.paths)]
        return {name: np.stack([x[name] for x in starts]) for name in starts[0]}

    def riding(self, speed: float, lean: float = 0.0, steer: float = 0.0, lean_rate: float = 0.0,
               steer_rate: float = 0.0) -> dict[str, Any]:  # fmt: skip
        """A state in which both wheels touch the ground and roll: the pitch and all other velocities follow.

        Parameters
        ----------
        speed : float
            Of the rear wheel, r_R θ_R' [m/s].
        lean, steer : float
            To the right [rad].
        lean_rate, steer_rate : float
            Their rates [rad/s].
        """
        bar, pitch = np.array([math.cos(steer), -math.sin(steer)]), 0.0
        for _ in range(20):  # Newton's method: the front contact moves by about −wheelbase for each radian
            place = _Place(lean, pitch, bar)
            rear, front = (np.asarray(x, dtype=float) for x in self.contacts(place))
            pitch += (place.Gamma @ (front - rear)) / (place.heading @ (front - rear))
        a = _Place(lean, pitch, bar)
        rear = np.asarray(self.contacts(a)[0], dtype=float)
        slips = np.concatenate([self.rear_covectors(a), self.front_covectors(a)]).astype(float)
        rows = [*slips, [*a.heading, *np.zeros(6)], *np.eye(9)[6:8]]
        xi = np.linalg.solve(rows, [*np.zeros(6), lean_rate, steer_rate, speed / self.rear_radius])
        return {
            "Omega": xi[:3], "Y": xi[3:6], "steer": xi[6], "rear": xi[7], "front": xi[8],
            "Gamma": a.Gamma, "b": np.append((a.Gamma @ rear) * a.Gamma, 1.0), "bar": bar,
        }  # fmt: skip

    def configuration(self, a: Any) -> np.ndarray:
        """The smallest rotation to Γ, and x = −gb; the handlebar at δ, the wheels at 0."""
        s = np.eye(10)
        s[:4, :4] = sd.groups.minimal_motion(a.Gamma, a.b[:3])
        s[4:6, 4:6] = [[a.bar[0], a.bar[1]], [-a.bar[1], a.bar[0]]]
        return s

    # -- the geometry of the bicycle, in the axes of the frame ---------------------------------------------------------

    @property
    def _axis(self) -> Any:
        """The direction of the steer axis, down."""
        return ops.array([ops.sin(self.tilt), 0, -ops.cos(self.tilt)])

    def _from_axis(self, forward: Any, up: Any) -> list[Any]:
        """A place by its distances from the rear contact, from a point of the steer axis: that on the ground."""
        return [forward - self.wheelbase - self.trail, 0, up]

    @property
    def _on_axis(self) -> Any:
        """That point, from the origin."""
        return ops.array([self.wheelbase + self.trail, 0, -self.rear_radius])

    def _steered(self, v: Any, a: Any, sign: int = 1) -> Any:
        """v turned about the steer axis by δ, or by −δ."""
        d, cosine, sine = self._axis, a.bar[0], -sign * a.bar[1]
        v = ops.array(v)
        return cosine * v + sine * ops.cross(d, v) + (1 - cosine) * ops.dot(d, v) * d

    def _down(self, axle: Any, a: Any, radius: Any) -> Any:
        """From the centre of a wheel to its lowest point."""
        up = a.Gamma - ops.dot(a.Gamma, axle) * axle
        return -radius * up / ops.sqrt(ops.dot(up, up))

    def contacts(self, a: Any) -> tuple[Any, Any]:
        """The lowest points of both wheels, from the origin."""
        front = self._on_axis + self._steered(self._from_axis(self.wheelbase, self.front_radius), a)
        return (
            self._down(ops.array(_LEFT), a, self.rear_radius),
            front + self._down(self._steered(_LEFT, a), a, self.front_radius),
        )

    # -- the theorem's data --------------------------------------------------------------------------------------------

    def lagrangian(self, xi: Any, a: Any) -> Any:
        """Kinetic energy of four bodies less their potential energy."""
        d, p = self._axis, self._on_axis
        rear, front, frame = xi.rear, xi.front, [self.frame_place[0], 0, self.frame_place[1] - self.rear_radius]
        turning = self._steered(xi.Omega, a, -1) + xi.steer * d
        pivot = self._steered(xi.Y + ops.cross(xi.Omega, p), a, -1)
        up = self._steered(a.Gamma, a, -1)
        fork = ops.array(self._from_axis(*self.fork_place))
        wheel = ops.array(self._from_axis(self.wheelbase, self.front_radius))
        moving = (
            self.rear_mass * _square(xi.Y)
            + self.frame_mass * _square(xi.Y + ops.cross(xi.Omega, frame))
            + self.fork_mass * _square(pivot + ops.cross(turning, fork))
            + self.front_mass * _square(pivot + ops.cross(turning, wheel))
        )
        spinning = (
            _of_wheel(self.rear_inertia, xi.Omega, rear)
            + _of_body(self.frame_inertia, xi.Omega)
            + _of_body(self.fork_inertia, turning)
            + _of_wheel(self.front_inertia, turning, front)
        )
        height, mass = -ops.dot(a.b[:3], a.Gamma), self.fork_mass + self.front_mass
        lifted = (
            (self.rear_mass + self.frame_mass + mass) * height
            + self.frame_mass * ops.dot(a.Gamma, frame)
            + mass * ops.dot(a.Gamma, p)
            + ops.dot(up, self.fork_mass * fork + self.front_mass * wheel)
        )
        return (moving + spinning) / 2 - self.gravity * lifted

    def rear_covectors(self, a: Any) -> Any:
        """Of the velocity of the rear contact, in the axes of the frame."""
        contact = self.contacts(a)[0]
        spin = ops.cross(_LEFT, contact)
        return [[*ops.cross(contact, e), *e, 0, spin[k], 0] for k, e in enumerate(ops.identity(3))]

    def front_covectors(self, a: Any) -> Any:
        """Of the velocity of the front contact, in the axes of the frame."""
        contact, axle = self.contacts(a)[1], self._steered(_LEFT, a)
        spin = ops.cross(axle, self._down(axle, a, self.front_radius))
        steer = ops.cross(self._axis, contact - self._on_axis)
        return [[*ops.cross(contact, e), *e, steer[k], 0, spin[k]] for k, e in enumerate(ops.identity(3))]

    def constraint(self) -> Mapping[str, sd.CovectorConstraint]:
        """Neither wheel slips at its contact."""
        return {
            "rear": sd.CovectorConstraint(
                self.rear_covectors, contact=sd.Contact("Y", normal=_up, point=lambda a: self.contacts(a)[0])
            ),
            "front": sd.CovectorConstraint(
                self.front_covectors, contact=sd.Contact("Y", normal=_up, point=lambda a: self.contacts(a)[1])
            ),
        }

    def _heading(self, a: Any) -> Any:
        """The horizontal direction of the rear wheel."""
        return ops.cross(_LEFT, a.Gamma) / ops.sqrt(a.Gamma[0] ** 2 + a.Gamma[2] ** 2)

    def force(self, xi: Any, a: Any) -> Any:
        """The torques that lean and that steer."""
        return [*(self.lean_torque * self._heading(a)), 0, 0, 0, self.steer_torque, 0, 0]

    def independent_force(self, xi: Any, a: Any) -> list[Any]:
        """Wind from the side."""
        place = ops.array([self.frame_place[0], 0, self.frame_place[1] - self.rear_radius])
        side = ops.cross(a.Gamma, self._heading(a))
        return [[*(x * ops.cross(place, side)), *(x * side), 0, 0, 0] for x in self.wind]

    def shape(self) -> sd.shapes.Shape:
        """Both wheels, the tubes of the frame, fork and handlebar, and a box for the rider. The wheel steers about its centre."""
        part, r = sd.shapes.Cylinder, self.rear_radius
        left, front = 0.02 * _LEFT, np.array([self.wheelbase, 0.0, self.front_radius - r])
        axis = np.array([math.sin(self.tilt), 0.0, -math.cos(self.tilt)])
        head, steers = front - 0.6 * axis, {"joint": "delta", "hinge": tuple(axis), "colour": "mark"}
        saddle, hub = np.array([0.22, 0.0, 0.45]), np.array([0.4, 0.0, 0.0])
        tubes = [(np.zeros(3), hub), (np.zeros(3), saddle), (hub, saddle), (hub, head), (saddle, head)]
        return sd.shapes.Shape(
            part(-left, left, r, colour="dark", joint="theta_R", hinge=tuple(_LEFT)),
            part(front - left, front + left, self.front_radius, **steers),
            part(head - 15 * left, head + 15 * left, 0.015, **steers),
            part(front, head, 0.015, colour="mark"),
            *(part(*ends, 0.02) for ends in tubes),
            sd.shapes.Box((0.25, 0.35, 0.6), (*self.frame_place[:1], 0.0, self.frame_place[1] - r + 0.2)),
        )

    energy = sd.energy(status="random")

    @sd.observable(unit="1")
    def sine_of_lean(self, state: Any) -> Any:
        """sin φ = Γ·e₂, of the lean φ to the right."""
        return state.Gamma[1]

    @sd.observable(unit="m")
    def heights(self, state: Any) -> Any:
        """Of the lowest points of both wheels over the ground, 0 but for the errors of a method."""
        rear, front = self.contacts(state)
        at = -ops.dot(state.b[:3], state.Gamma)
        return ops.stack([at + ops.dot(state.Gamma, rear), at + ops.dot(state.Gamma, front)])


@dataclass(frozen=True)
class _Place:
    """Advected quantities at a lean, a pitch and a steer angle, of a bicycle that heads forward."""

    lean: float
    pitch: float
    bar: np.ndarray

    @property
    def Gamma(self) -> np.ndarray:
        """Up."""
        upright = math.cos(self.lean)
        return np.array([-upright * math.sin(self.pitch), math.sin(self.lean), upright * math.cos(self.pitch)])

    @property
    def heading(self) -> np.ndarray:
        """The horizontal direction of the rear wheel."""
        return np.array([math.cos(self.pitch), 0.0, math.sin(self.pitch)])


def _up(a: Any) -> Any:
    """The normal of the ground."""
    return a.Gamma


def _square(v: Any) -> Any:
    return ops.dot(v, v)


def _of_wheel(inertia: Any, omega: Any, spin: Any) -> Any:
    """Twice the kinetic energy of a wheel about its centre, with moments across the axle and about it."""
    return inertia[0] * (omega[0] ** 2 + omega[2] ** 2) + inertia[1] * (omega[1] + spin) ** 2


def _of_body(inertia: Any, omega: Any) -> Any:
    """Twice the kinetic energy about the centre of mass, with moments xx, yy, zz and xz."""
    x, y, z = omega
    return inertia[0] * x**2 + inertia[1] * y**2 + inertia[2] * z**2 + 2 * inertia[3] * x * z
