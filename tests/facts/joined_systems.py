"""Bodies under several constraints at once, whose motions and forces are known."""

import semidirect as sd
from semidirect import ops

FRAME = sd.AdvectedFrame(sd.SE3())
VECTOR = FRAME["Gamma"].representation
JOINTED = sd.DirectProduct(sd.SE2(), sd.SO2(blocks=("turn",), coordinates=("alpha",)))


def blade(point, angle, value=None):
    """A knife edge at a point of a body in the plane."""
    n = [-ops.sin(angle), ops.cos(angle)]
    return sd.CovectorConstraint([[point[0] * n[1] - point[1] * n[0], *n]], values=None if value is None else [value])


class Blades(sd.System):
    """A body in the plane on two knife edges, under a force."""

    mass = sd.parameter(1.0, symbol="m", positive=True)
    inertia = sd.parameter(1.0, symbol="I", positive=True)
    centre = sd.parameter((0.1, -0.2), symbol="c", shape=(2,))
    points = sd.parameter(((0.5, 0.1), (-0.3, 0.2)), symbol="p", shape=(2, 2))
    angles = sd.parameter((0.4, 1.1), symbol="alpha", shape=(2,))
    moment = sd.parameter(0.0, symbol="N")
    push = sd.parameter((0.0, 0.0), symbol="F", shape=(2,))
    floors = sd.parameter((0.0, 0.0), symbol="b", shape=(2,))
    group = sd.SE2()

    def lagrangian(self, xi):
        c, v = self.centre, xi.v
        turning = self.inertia + self.mass * ops.dot(c, c)
        return self.mass * ops.dot(v, v) / 2 + self.mass * xi.nu * (c[0] * v[1] - c[1] * v[0]) + turning * xi.nu**2 / 2

    def force(self):
        return [self.moment], self.push

    def constraint(self):
        return {name: blade(self.points[i], self.angles[i], self.floors[i]) for i, name in enumerate(("front", "rear"))}


class Round(sd.System):
    """A round ball."""

    mass = sd.parameter(1.2, symbol="m", positive=True)
    radius = sd.parameter(0.3, symbol="r", positive=True)
    inertia = sd.parameter(0.04752, symbol="I", positive=True)
    group = sd.SE3()

    def lagrangian(self, xi):
        return self.inertia * ops.dot(xi.Omega, xi.Omega) / 2 + self.mass * ops.dot(xi.Y, xi.Y) / 2


def groove(normals, gravity):
    """A ball that rolls on two planes."""

    class Groove(Round):
        """A ball that rolls on two planes."""

        advected = {
            name: sd.Advected(VECTOR, tuple(x))
            for name, x in zip(("n1", "n2", "down"), (*normals, gravity), strict=True)
        }

        def force(self, a):
            return [0, 0, 0], self.mass * a.down

        def constraint(self):
            def plane(name):
                return sd.Rolling(lambda a: self.radius * a[name], normal=lambda a: a[name], load=(0, 0, 0))

            return {"left": plane("n1"), "right": plane("n2")}

    return Groove


class Plates(Round):
    """A ball that rolls between two plates, which turn about the vertical; the upper one moves along, too."""

    below = sd.parameter(0.0, unit="rad/s")
    above = sd.parameter(0.0, unit="rad/s")
    along = sd.parameter((0.0, 0.0), unit="m/s", shape=(2,))
    noise = sd.parameter((), symbol="xi", shape=(None, 3))
    advected = {
        "Gamma": FRAME["Gamma"], "b": FRAME["b"],
        "E1": sd.Advected(VECTOR, (1, 0, 0)), "E2": sd.Advected(VECTOR, (0, 1, 0)),
    }  # fmt: skip

    def force(self, a):
        return [0, 0, 0], -9.81 * self.mass * a.Gamma

    def constraint(self):
        def turning(rate, a):
            return rate * ops.cross(a.Gamma, -a.b[:3])

        def above(a):
            return turning(self.above, a) + self.along[0] * a.E1 + self.along[1] * a.E2

        up, down = lambda a: a.Gamma, lambda a: -a.Gamma
        return {
            "below": sd.Rolling(lambda a: self.radius * a.Gamma, self.noise, offset=lambda a: turning(self.below, a), normal=up,
                                load=(0, 0, 0)),
            "above": sd.Rolling(lambda a: -self.radius * a.Gamma, offset=above, normal=down, load=(0, 0, 0)),
        }  # fmt: skip


class Steered(sd.System):
    """Two blades at (1, 0) and (0, 0), the second turned by α, which a motor moves: at α = 0 they are one constraint."""

    rate = sd.parameter(1.0)
    group = JOINTED
    advected = {"e": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO2()), JOINTED, "turn"), (1, 0))}

    def lagrangian(self, xi):
        return (xi.nu**2 + ops.dot(xi.v, xi.v) + xi.turn**2) / 2

    def constraint(self):
        return {
            "front": sd.CovectorConstraint([[1, 0, 1, 0]]),
            "rear": sd.CovectorConstraint(lambda a: [[a.e[0], a.e[1], a.e[0], 0]]),
            "motor": sd.CovectorConstraint([[0, 0, 0, 1]], values=[self.rate]),
        }


class Pierced(Round):
    """A body whose turn and whose velocity have no part along the vertical: no directions of D exist everywhere."""

    advected = {"Gamma": FRAME["Gamma"]}
    initial = {"Omega": (0.5, 0.3, 0.0), "Y": (0.1, -0.4, 0.0), "Gamma": (0, 0, 1)}
    pull = sd.parameter(0.5)

    def lagrangian(self, xi, a):
        return super().lagrangian(xi) + ops.dot(xi.Omega, ops.array([1, 2, 3]) * xi.Omega) / 2 - self.pull * a.Gamma[0]

    def constraint(self):
        return {
            "turn": sd.CovectorConstraint(lambda a: [[*a.Gamma, 0, 0, 0]]),
            "level": sd.CovectorConstraint(lambda a: [[0, 0, 0, *a.Gamma]], noise=[[0.1, 0, 0, 0, 0.2, 0]]),
        }
