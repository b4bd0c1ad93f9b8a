"""Bodies whose contact ends and begins, as modes of hybrid systems."""

from contact_systems import FRAME, GROUP, Hoop

import semidirect as sd
from semidirect import ops


class FlyingHoop(Hoop):
    """The hoop off the ground."""

    def noise_force(self):
        return ()

    def constraint(self):
        return sd.Unconstrained()

    @sd.observable(unit="m")
    def height(self, state):
        return -state.b[1] - self.radius


class SlippingHoop(FlyingHoop):
    """The hoop that slips in one direction, ``side`` = ±1: N presses, and the friction is −side μN."""

    friction = sd.parameter(0.5, symbol="mu", nonnegative=True)
    side = sd.parameter(1.0, symbol="k")

    def constraint(self):
        push = self.side * self.friction
        directions = [[self.radius * push], [-push], [1]]
        return sd.CovectorConstraint(
            [[0, 0, 1]], directions=directions, contact=sd.Contact("v", normal=(0, 1), point=(0, -self.radius))
        )

    @sd.observable(unit="m/s")
    def slip(self, state):
        return state.v[0] - self.radius * state.omega


def hopping_hoop(friction=0.6, noise=(), **parameters):
    """Rolls, slips where friction does not suffice, hops, and lands on rough ground."""
    slips = {"friction": friction, **parameters}
    return sd.Hybrid(
        {
            "rolling": Hoop(noise=noise, **parameters),
            "forward": SlippingHoop(side=1.0, **slips),
            "backward": SlippingHoop(side=-1.0, **slips),
            "flight": FlyingHoop(**parameters),
        },
        [
            sd.Switch("rolling", "backward", sd.Stop(f"contact_force1 - {friction}*normal_force", above=0)),
            sd.Switch("rolling", "forward", sd.Stop(f"-contact_force1 - {friction}*normal_force", above=0)),
            sd.Switch("forward", "rolling", sd.Crossing("slip", 0, "falling")),
            sd.Switch("backward", "rolling", sd.Crossing("slip", 0, "rising")),
            *(sd.Switch(name, "flight", sd.Stop("normal-force", below=0)) for name in ("forward", "backward")),
            sd.Switch("flight", "rolling", sd.Crossing("height", 0, "falling")),
        ],
    )


class Ball(sd.System):
    """A ball above a table that turns at a rate about the origin, which is at b as seen from the ball."""

    mass = sd.parameter(1.0, positive=True)
    radius = sd.parameter(0.2, positive=True)
    gravity = sd.parameter(9.8, nonnegative=True)
    inertia = sd.inertia((0.016, 0.016, 0.016))
    rate = sd.parameter(0.0)
    friction = sd.parameter(0.3, nonnegative=True)
    group = GROUP
    advected = {"Gamma": FRAME["Gamma"], "b": FRAME["b"]}
    initial = {"Omega": (2.0, -1.0, 3.0), "Gamma": (0, 0, 1), "b": (-0.5, 0, -1.2, 1)}
    way = "flight"

    def lagrangian(self, xi, a):
        turning = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega))
        return (turning + self.mass * ops.dot(xi.Y, xi.Y)) / 2 + self.mass * self.gravity * ops.dot(a.b[:3], a.Gamma)

    def ground(self, a):
        return self.rate * ops.cross(a.Gamma, -a.b[:3] - self.radius * a.Gamma)

    def sliding(self, xi, a):
        return xi.Y - ops.cross(xi.Omega, self.radius * a.Gamma) - self.ground(a)

    def at_contact(self, force, a):
        return [*ops.cross(force, self.radius * a.Gamma), *force]

    def reaction(self, xi, a):
        v = self.sliding(xi, a)
        return ops.transpose(
            ops.array([self.at_contact(a.Gamma - self.friction * v / ops.sqrt(ops.dot(v, v) + 1e-12), a)])
        )

    def constraint(self):
        if self.way == "rolling":
            return sd.Rolling(lambda a: self.radius * a.Gamma, offset=self.ground, normal=lambda a: a.Gamma)
        if self.way == "sliding":
            contact = sd.Contact("Y", normal=lambda a: a.Gamma)
            return sd.CovectorConstraint(
                lambda a: [self.at_contact(a.Gamma, a)], directions=self.reaction, contact=contact
            )
        return sd.Unconstrained()

    @sd.observable(unit="m")
    def height(self, state):
        return -ops.dot(state.b[:3], state.Gamma) - self.radius

    @sd.observable(unit="m/s")
    def slip(self, state):
        v = self.sliding(state, state)
        return ops.sqrt(ops.dot(v, v))

    energy = sd.energy()


class RollingBall(Ball):
    """In the mode of rolling."""

    way = "rolling"


class SlidingBall(Ball):
    """In the mode of sliding, with Coulomb's friction."""

    way = "sliding"


def dropped_ball(impact, **parameters):
    """Falls on the table, slides and rolls."""
    return sd.Hybrid(
        {"flight": Ball(**parameters), "sliding": SlidingBall(**parameters), "rolling": RollingBall(**parameters)},
        [
            sd.Switch("flight", "rolling", sd.Crossing("height", 0, "falling"), impact),
            sd.Switch("sliding", "rolling", sd.Stop("slip", below=0.01)),
        ],
    )


class Point(sd.System):
    """A point that falls; b is the origin, seen from it."""

    mass = sd.parameter(1.0)
    gravity = sd.parameter(9.8)
    floor = sd.parameter(0.0)
    group = sd.RealSpace(2)
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), (0.0, -2.0, 1.0))}

    def lagrangian(self, xi, a):
        return self.mass * (ops.dot(xi.v, xi.v) / 2 + self.gravity * a.b[1])

    @sd.observable(unit="m")
    def height(self, state):
        return -state.b[1] - self.floor


class OnFloor(Point):
    """It stays on a smooth floor."""

    def constraint(self):
        return sd.CovectorConstraint([[0, 1]])


def falling_point(when, restitution, **parameters):
    """Bounces on the floor until it rests."""
    switch = sd.Switch("flight", "ground", when, sd.Impact(restitution=restitution))
    return sd.Hybrid({"flight": Point(**parameters), "ground": OnFloor(**parameters)}, [switch])


class Rod(sd.System):
    """A body in the plane without weight, of which one corner may touch the ground."""

    mass = sd.parameter(1.0)
    inertia = sd.parameter(0.05)
    corner1 = sd.parameter(-0.5)
    corner2 = sd.parameter(-0.1)
    group = Hoop.group
    advected = Hoop.advected
    initial = {"turn": (1, 0), "b": (0, -0.2, 1)}
    normal = (0, 1)

    def lagrangian(self, xi):
        return (self.inertia * xi.omega**2 + self.mass * ops.dot(xi.v, xi.v)) / 2

    def arm(self, a):
        cos, sin = a.turn[0], -a.turn[1]
        return ops.array([cos * self.corner1 - sin * self.corner2, sin * self.corner1 + cos * self.corner2])

    @sd.observable(unit="m")
    def height(self, state):
        return -state.b[1] + self.arm(state)[1]


class SmoothRod(Rod):
    """Its corner slides on smooth ground."""

    def constraint(self):
        contact = sd.Contact("v", normal=(0, 1), load=(0, 0))
        return sd.CovectorConstraint(lambda a: [[self.arm(a)[0], 0, 1]], contact=contact)


class PinnedRod(Rod):
    """Its corner stays where it is, on the ground; by directions of allowed velocities."""

    def constraint(self):
        contact = sd.Contact("v", normal=(0, 1), load=(0, 0))
        return sd.DistributionConstraint(
            lambda a: [[1], [self.arm(a)[1]], [-self.arm(a)[0]]], names=("omega",), contact=contact
        )


class HeldRod(Rod):
    """Its corner stays where it is; by directions, without a normal."""

    def constraint(self):
        return sd.DistributionConstraint(lambda a: [[1], [self.arm(a)[1]], [-self.arm(a)[0]]], names=("omega",))


class HingedRod(Rod):
    """The same by covectors."""

    def constraint(self):
        return sd.CovectorConstraint(lambda a: [[-self.arm(a)[1], 1, 0], [self.arm(a)[0], 0, 1]])


def landing_rod(target, impact=None, **modes):
    """Lands on a corner."""
    switch = sd.Switch(
        "flight", "target", sd.Crossing("height", 0, "falling"), sd.Impact() if impact is None else impact
    )
    return sd.Hybrid({"flight": Rod(), "target": target, **modes}, [switch])
