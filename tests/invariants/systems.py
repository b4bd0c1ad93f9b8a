"""Systems whose invariants are known from the literature."""

import semidirect as sd
from semidirect import ops

NO_NOISE = {"noise": []}
TWO_NOISES = ((0.3, -0.2, 0.5), (0.1, 0.4, -0.3))


def routh(**choices):
    return sd.load("routh-sphere", **choices)


def chaplygin(**choices):
    return sd.load("chaplygin-ball", **choices)


def homogeneous(**choices):
    return sd.load("rolling-ball", offset=0.0, inertia=(0.4, 0.4, 0.4), noise=TWO_NOISES, **choices)


def kovalevskaya(third=1.0):
    """A heavy top with I = (2, 2, 1) and its centre of mass in the equatorial plane."""
    return sd.load("heavy-top", inertia=(2.0, 2.0, third), axis=(1, 0, 0), noise=[])


def system_of(definition):
    """A system with the data of a definition."""
    forces = {"force": definition.forces.drift, "noise_force": definition.forces.noise,
              "independent_force": definition.forces.independent}  # fmt: skip
    data = {
        "__doc__": "Drawn.", "group": definition.group, "advected": definition.advected, "lagrangian": definition.lagrangian,
        "constraint": lambda self: definition.constraint, "internal": lambda self: definition.internal, **forces,
    }  # fmt: skip
    return type("Drawn", (sd.System,), data)()


class Kirchhoff(sd.System):
    """A body in an ideal fluid, E = ½Σ(a_i M_i² + c_i P_i²); Clebsch's case is c_i a_i = const."""

    a = sd.parameter((1.0, 2.0, 3.0))
    c = sd.parameter((6.0, 3.0, 2.0))
    group = sd.SE3()

    def lagrangian(self, xi):
        turning = ops.dot(xi.Omega, xi.Omega / ops.array(self.a))
        return (turning + ops.dot(xi.Y, xi.Y / ops.array(self.c))) / 2


class Suslov(sd.System):
    """A body with Ω₃ = 0 and inertia [[1, 0, I₁₃], [0, 2, I₂₃], [I₁₃, I₂₃, 3]]."""

    first = sd.parameter(0.3)
    second = sd.parameter(0.4)
    group = sd.SO3()

    def lagrangian(self, xi):
        x, y, z = xi.Omega
        return (x**2 + 2 * y**2 + 3 * z**2) / 2 + self.first * x * z + self.second * y * z

    def constraint(self):
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], {"w": 2})


def _carried(group, *names):
    frame = sd.AdvectedFrame(group)
    return {name: frame[name] for name in names}


class Carousel(sd.System):
    """A ball of radius 1 on a plane that turns: the constraint is affine."""

    rate = sd.parameter(1.9)
    group = sd.SE3()
    advected = _carried(group, "Gamma", "b")

    def lagrangian(self, xi, a):
        return (ops.dot(xi.Omega, xi.Omega) + ops.dot(xi.Y, xi.Y)) / 2 + ops.dot(a.b[:3], a.Gamma)

    def ground(self, a):
        return self.rate * ops.cross(a.Gamma, -a.b[:3] - a.Gamma)

    def constraint(self):
        return sd.Rolling(lambda a: a.Gamma, offset=self.ground)

    def moving_energy(self, state):
        """E − Ω₀(Ω·𝕀Γ + mY·(Γ×X)) with X = −b."""
        turn = ops.dot(state.Omega, state.Gamma) - ops.dot(state.Y, ops.cross(state.Gamma, state.b[:3]))
        return self.energy(state) - self.rate * turn

    def energy(self, state):
        return (ops.dot(state.Omega, state.Omega) + ops.dot(state.Y, state.Y)) / 2 - ops.dot(state.b[:3], state.Gamma)


class TippeTop(sd.System):
    """A sliding top with friction that is proportional to the normal force, C = ((Γ − μ v̂) × s, Γ − μ v̂)."""

    law = sd.option("proportional", choices=("proportional", "coulomb"))
    inertia = sd.parameter((0.5, 0.5, 0.4))
    offset = sd.parameter(0.3)
    coefficient = sd.parameter(0.2)
    group = sd.SE3()
    advected = _carried(group, "Gamma", "b")

    def contact(self, a):
        return a.Gamma + ops.array([0, 0, self.offset])

    def lagrangian(self, xi, a):
        turning = ops.dot(xi.Omega, ops.array(self.inertia) * xi.Omega) / 2
        return turning + ops.dot(xi.Y, xi.Y) / 2 + ops.dot(a.b[:3], a.Gamma)

    def directions(self, xi, a):
        s = self.contact(a)
        v = xi.Y - ops.cross(xi.Omega, s)
        size = 1 if self.law == "proportional" else ops.sqrt(ops.dot(v, v) + 1e-6)
        push = a.Gamma - self.coefficient * v / size
        return ops.transpose(ops.array([[*ops.cross(push, s), *push]]))

    def constraint(self):
        return sd.CovectorConstraint(
            lambda a: [[*ops.cross(a.Gamma, self.contact(a)), *a.Gamma]], directions=self.directions
        )

    @sd.observable()
    def jellett(self, state):
        """J = 𝕀Ω·s, for I₁ = I₂."""
        return ops.dot(ops.array(self.inertia) * state.Omega, self.contact(state))


class RollingByCovectors(sd.System):
    """An axisymmetric ball of radius 1 whose rolling Y + s × Ω = 0 is given by covectors alone."""

    inertia = sd.parameter((0.5, 0.5, 0.4), symbol="I", positive=True)
    offset = sd.parameter(0.3, symbol="ell", positive=True)
    mass = sd.parameter(1.5, symbol="m", positive=True)
    noise = sd.parameter(((0.0, 0.0, 0.1),), symbol="xi", shape=(None, 3))
    group = sd.SE3()
    advected = _carried(group, "Gamma")

    def contact(self, a):
        return a.Gamma + ops.array([0, 0, self.offset])

    def lagrangian(self, xi, a):
        turning = ops.dot(xi.Omega, ops.array(self.inertia) * xi.Omega) / 2
        return turning + self.mass * (ops.dot(xi.Y, xi.Y) / 2 - self.offset * a.Gamma[2])

    def constraint(self):
        def covectors(a):
            x, y, z = self.contact(a)
            return [[0, -z, y, 1, 0, 0], [z, 0, -x, 0, 1, 0], [-y, x, 0, 0, 0, 1]]

        def rolling(a):
            return [[*ops.array(row), *ops.cross(ops.array(row), self.contact(a))] for row in self.noise]

        return sd.CovectorConstraint(covectors, noise=sd.StateNoise(rolling))

    @sd.observable()
    def energy(self, state):
        """E."""
        turning = ops.dot(state.Omega, ops.array(self.inertia) * state.Omega) / 2
        return turning + self.mass * (ops.dot(state.Y, state.Y) / 2 + self.offset * state.Gamma[2])

    @sd.observable()
    def jellett(self, state):
        """J = 𝕀Ω·s."""
        return ops.dot(ops.array(self.inertia) * state.Omega, self.contact(state))


class RollerRacer(sd.System):
    """Two plane bodies on wheels, hinged at a ahead of the first and b ahead of the second, S = SE(2) × SO(2).

    e = (cos α, −sin α) of the hinge's angle α is advected. The noise k turns along D: N = k (ν(1, 0), (1, 0), 0) with the turn
    ν(speed, hinge) = (speed sin α − b hinge)/(a cos α + b), so that it depends on the state.
    """

    mass = sd.parameter(1.0, symbol="m", positive=True)
    first = sd.parameter(1.0, symbol="I", positive=True)
    second = sd.parameter(0.1, symbol="J", positive=True)
    ahead = sd.parameter(0.5, symbol="a", positive=True)
    behind = sd.parameter(0.2, symbol="b", positive=True)
    noise = sd.parameter(0.1, symbol="k")
    form = sd.option("A", choices=("A", "B"), doc="by covectors or by a basis")
    hinge = sd.SO2(blocks=("steer",), coordinates=("alpha",))
    group = sd.DirectProduct(sd.SE2(blocks=("nu", "v"), coordinates=("phi", "x", "y")), hinge)
    advected = {"e": sd.Advected(sd.Pullback(sd.VectorRepresentation(hinge), group, "steer"), (1, 0))}
    initial = {"nu": 0.0, "v": (0.0, 0.0), "steer": 0.0}

    def lagrangian(self, xi):
        turning = self.first * xi.nu**2 + self.second * (xi.nu + xi.steer) ** 2
        return (self.mass * ops.dot(xi.v, xi.v) + turning) / 2

    def turn(self, a, speed, steer):
        return (-speed * a.e[1] - self.behind * steer) / (self.ahead * a.e[0] + self.behind)

    def covectors(self, a):
        c, s = a.e[0], -a.e[1]
        return [[0, 0, 1, 0], [self.ahead * c + self.behind, -s, c, self.behind]]

    def basis(self, a):
        return [[self.turn(a, 1, 0), self.turn(a, 0, 1)], [1, 0], [0, 0], [0, 1]]

    def fields(self, a):
        return [[self.noise * self.turn(a, 1, 0), self.noise, 0, 0]]

    def constraint(self):
        noise = sd.StateNoise(self.fields)
        if self.form == "A":
            return sd.CovectorConstraint(self.covectors, noise=noise)
        return sd.DistributionConstraint(self.basis, names=("speed", "hinge_rate"), noise=noise)

    @sd.observable(unit="J")
    def energy(self, state):
        return self.lagrangian(state)
