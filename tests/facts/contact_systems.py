"""Bodies in contact with a ground, whose forces are known by hand."""

import numpy as np

import semidirect as sd
from semidirect import ops

GROUP = sd.SE3()
FRAME = sd.AdvectedFrame(GROUP)


class Ball(sd.System):
    """A homogeneous ball under gravity, written with positions: b is the origin and Γ the vertical, seen from the ball."""

    mass = sd.parameter(1.0, symbol="m", positive=True)
    radius = sd.parameter(0.2, symbol="r", positive=True)
    gravity = sd.parameter(9.8, symbol="g", nonnegative=True)
    noise = sd.parameter((), symbol="xi", shape=(None, 3))
    group = GROUP
    advected = {"Gamma": FRAME["Gamma"], "b": FRAME["b"]}

    def lagrangian(self, xi, a):
        turning = 0.4 * self.mass * self.radius**2 * ops.dot(xi.Omega, xi.Omega)
        return (turning + self.mass * ops.dot(xi.Y, xi.Y)) / 2 + self.mass * self.gravity * ops.dot(a.b[:3], a.Gamma)

    def constraint(self):
        return sd.Rolling(lambda a: self.radius * self.normal(a), noise=self.noise, normal=self.normal)

    @sd.observable(unit="J")
    def energy(self, state):
        return self.lagrangian(state, state) - 2 * self.mass * self.gravity * ops.dot(state.b[:3], state.Gamma)


class Bowl(Ball):
    """In a bowl of radius R, whose centre is the origin."""

    outer = sd.parameter(1.2, positive=True)

    def normal(self, a):
        return a.b[:3] / (self.outer - self.radius)


class Incline(Ball):
    """On a plane through the origin that is tilted by .5 about the second axis of space."""

    mass = sd.parameter(2.0, positive=True)
    angle = 0.5
    advected = {**Ball.advected, "n": sd.Advected(FRAME["Gamma"].representation, (np.sin(0.5), 0, np.cos(0.5)))}

    def normal(self, a):
        return a.n


class Cylinder(Ball):
    """Inside a vertical cylinder about the third axis; the normal is not of unit length."""

    def normal(self, a):
        return a.b[:3] - ops.dot(a.b[:3], a.Gamma) * a.Gamma

    def constraint(self):
        def contact(a):
            n = self.normal(a)
            return self.radius * n / ops.norm(n)

        return sd.Rolling(contact, noise=self.noise, normal=self.normal)


_HOOP = sd.DirectProduct(sd.SO2(blocks=("omega",), coordinates=("phi",)), sd.RealSpace(2, coordinates=("x", "y")))


class Hoop(sd.System):
    """A hoop that rolls in a vertical plane, with a point mass on it at the angle φ from the top.

    ξ = (ω, v), v the velocity of the centre; v₁ = rω, v₂ = 0. Littlewood's hoop hops: its normal force vanishes before
    the point comes down.
    """

    hoop_mass = sd.parameter(1.0, symbol="m_h", positive=True)
    point_mass = sd.parameter(1.0, symbol="m", positive=True)
    radius = sd.parameter(1.0, symbol="r", positive=True)
    gravity = sd.parameter(9.81, symbol="g", nonnegative=True)
    noise = sd.parameter((), symbol="sigma", shape=(None,))
    group = _HOOP
    advected = {
        "turn": sd.Advected(sd.Pullback(sd.VectorRepresentation(_HOOP.factor("omega")), _HOOP, "omega"), (1, 0)),
        "b": sd.Advected(sd.Pullback(sd.HomogeneousRepresentation(_HOOP.factor("v")), _HOOP, "v"), (0, 0, 1)),
    }
    initial = {"omega": 4.0, "turn": (1, 0), "b": (0, -1, 1)}

    def lagrangian(self, xi, a):
        """cos φ = turn₁, sin φ = −turn₂, y = −b₂."""
        cos, sin, height = a.turn[0], -a.turn[1], -a.b[1]
        point = xi.v + xi.omega * self.radius * ops.array([cos, -sin])
        kinetic = self.hoop_mass * (ops.dot(xi.v, xi.v) + self.radius**2 * xi.omega**2)
        kinetic = (kinetic + self.point_mass * ops.dot(point, point)) / 2
        weight = self.hoop_mass * height + self.point_mass * (height + self.radius * cos)
        return kinetic - self.gravity * weight

    def noise_force(self):
        return [[sigma, 0, 0] for sigma in self.noise]

    def constraint(self):
        return sd.DistributionConstraint(
            [[1], [self.radius], [0]], names=("omega",), contact=sd.Contact("v", normal=(0, 1), point=(0, -self.radius))
        )
