"""The systems of the table: small ones, each with what its kind is about and little else."""

from __future__ import annotations

from typing import Any

import numpy as np

import semidirect as sd
from semidirect import ops
from semidirect.lattices import Lattice

GROUP = sd.SO3()
UP = sd.Advected(sd.VectorRepresentation(GROUP), reference=(0, 0, 1))
PLANE = sd.SE2()
DOWN = sd.Advected(sd.HomogeneousRepresentation(PLANE), reference=(1, 0, 0))
ORIGIN = sd.Advected(sd.HomogeneousRepresentation(PLANE), reference=(0, 0, 1))
NODES = np.linspace(-2, 2, 9)


class Body(sd.System):
    """A body with a fixed point under gravity, l = ½Ω·𝕀Ω − w χ·Γ."""

    inertia: sd.Parameter = sd.inertia((1.0, 1.5, 2.0))
    weight: sd.Parameter = sd.parameter(0.5, symbol="w")
    axis: sd.Parameter = sd.unit_vector((0.6, 0.0, 0.8), symbol="chi")
    noise: sd.Parameter = sd.parameter(((0.2, 0.1, -0.1),), symbol="sigma", shape=(None, 3))
    group = GROUP
    advected = {"Gamma": UP}
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (0.4, 1.0, -0.7), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi, a):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 - self.weight * ops.dot(self.axis, a.Gamma)

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


class Momenta(sd.System):
    """The body, stated by h = ½M·𝕀⁻¹M + w χ·Γ, with noise Hamiltonians σ·M."""

    inertia: sd.Parameter = sd.parameter((1.0, 1.5, 2.0), symbol="I", shape=(3,), positive=True)
    weight: sd.Parameter = sd.parameter(0.5, symbol="w")
    axis: sd.Parameter = sd.unit_vector((0.6, 0.0, 0.8), symbol="chi")
    noise: sd.Parameter = sd.parameter(((0.2, 0.1, -0.1),), symbol="sigma", shape=(None, 3))
    group = GROUP
    advected = {"Gamma": UP}
    momentum_names = {"Omega": "M"}
    initial = {"M": (0.4, 1.5, -1.4), "Gamma": (0.6, 0.0, 0.8)}

    def hamiltonian(self, p, a):
        kinetic = ops.dot(p.Omega, ops.array(p.Omega) / ops.array(self.inertia)) / 2
        return kinetic + self.weight * ops.dot(self.axis, a.Gamma)

    def noise_hamiltonian(self, p):
        return [ops.dot(row, p.Omega) for row in self.noise]


class Kicked(Body):
    """The body whose noise is in forces: one along the Wiener processes of the transport, one with its own."""

    kick: sd.Parameter = sd.parameter((0.1, 0.2, 0.3), symbol="kappa", shape=(3,))
    shake: sd.Parameter = sd.parameter((0.3, -0.2, 0.1), symbol="eta", shape=(3,))
    pull: sd.Parameter = sd.parameter(0.1, symbol="pi")

    def noise_force(self):
        return [ops.array(self.kick)]

    def independent_force(self, a):
        return [ops.array(self.shake) + self.pull * a.Gamma]


class Vertical(Body):
    """The body with noise about the vertical, which is varied with it."""

    amplitude: sd.Parameter = sd.parameter(0.3, symbol="zeta")
    noise = None

    def constraint(self):
        return sd.Unconstrained(noise=sd.StateNoise(lambda a: [self.amplitude * a.Gamma]))


class Formal(Vertical):
    """The body with noise about the vertical, which is inserted after the variation."""

    def constraint(self):
        return sd.Unconstrained(noise=sd.noise.FormalNoise(lambda a: [self.amplitude * a.Gamma]))


class Fading(Vertical):
    """The body whose noise has an amplitude that is a function of time."""

    direction: sd.Parameter = sd.parameter((1.0, 2.0, -1.0), symbol="delta", shape=(3,))

    def constraint(self):
        def fades(t):
            return [self.amplitude * ops.exp(-t) * ops.array(self.direction)]

        return sd.Unconstrained(noise=sd.noise.PrescribedNoise(fades))


class FadingState(Fading):
    """The same amplitude as an internal state, dz = −z dt."""

    def internal(self):
        return [sd.InternalState("fade", 1.0, drift=lambda z: -z.fade)]

    def constraint(self):
        def fades(z):
            return [self.amplitude * z.fade * ops.array(self.direction)]

        return sd.Unconstrained(noise=sd.noise.FormalNoise(fades))


class Quartic(Body):
    """A body whose kinetic energy has a fourth power, so that its state are velocities."""

    stiffness: sd.Parameter = sd.parameter(0.3, symbol="k")

    def lagrangian(self, xi, a):
        square = ops.dot(xi.Omega, xi.Omega)
        return super().lagrangian(xi, a) + self.stiffness * square * square / 4


class Thermostat(Body):
    """The body with an internal state that sees ξ and a, F = −ζ𝕀Ω, dζ = (Ω·𝕀Ω − w χ·Γ − T)/Q dt."""

    temperature: sd.Parameter = sd.parameter(0.5, symbol="T")
    mass: sd.Parameter = sd.parameter(2.0, symbol="Q", positive=True)
    scale: sd.Parameter = sd.parameter(1.0, symbol="c", positive=True)

    def internal(self):
        def heat(xi, a):
            kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega))
            return self.scale * (kinetic - self.weight * ops.dot(self.axis, a.Gamma) - self.temperature) / self.mass

        return [sd.InternalState("zeta", 0.0, drift=heat)]

    def force(self, xi, z):
        return -z.zeta / self.scale * ops.inertia(self.inertia, xi.Omega)


class Timed(Body):
    """The body under a weight that depends on time."""

    rate: sd.Parameter = sd.parameter(2.0, symbol="nu")

    def lagrangian(self, xi, a, t):
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2
        return kinetic - self.weight * (1 + 0.5 * ops.sin(self.rate * t)) * ops.dot(self.axis, a.Gamma)


class Clocked(Timed):
    """The same with time as an internal state."""

    def internal(self):
        return [sd.InternalState("clock", 0.0, drift=lambda z: 1 + 0 * z.clock)]

    def lagrangian(self, xi, a, z):
        return super().lagrangian(xi, a, z.clock)


class Dragged(Body):
    """The body with a drag that acts above a speed only."""

    drag: sd.Parameter = sd.parameter(0.4, symbol="d")

    def force(self, xi):
        w = xi.Omega[1]
        return ops.array([0, -self.drag * ops.where(w > 0.9, w - 0.9, 0 * w), 0])


class DraggedMaximum(Dragged):
    """The same drag as a maximum."""

    def force(self, xi):
        return ops.array([0, -self.drag * ops.maximum(xi.Omega[1] - 0.9, 0), 0])


class Bracket(Body):
    """The body with double bracket dissipation and noise that balances it."""

    theta: sd.Parameter = sd.parameter(0.4, symbol="theta", nonnegative=True)
    weight = 0
    advected = {}
    initial = {"Omega": (0.4, 1.0, -0.7)}
    axis = None

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def dissipation(self):
        return sd.DoubleBracket(self.theta)


class BracketForce(Bracket):
    """The same dissipation as a force, θ M × (M × Ω)."""

    dissipation = None

    def force(self, xi):
        M = ops.inertia(self.inertia, xi.Omega)
        return self.theta * ops.cross(M, ops.cross(M, xi.Omega))


class Forced(Body):
    """The body with noise that keeps its energy."""

    forcing: sd.Parameter = sd.parameter((0.3, 0.1, -0.2), symbol="upsilon", shape=(3,))
    noise = None

    def constraint(self):
        return sd.Unconstrained()

    @property
    def independent_force(self):
        return sd.noise.EnergyPreservingNoise([self.forcing])


class ForcedByForce(Forced):
    """The same noise as a force, ad*_ξ Υ = Υ × Ω."""

    def independent_force(self, xi):
        return [ops.cross(ops.array(self.forcing), xi.Omega)]


class Skate(sd.System):
    """A skate on an incline, its constraint given by directions."""

    mass: sd.Parameter = sd.parameter(1.0, symbol="m", positive=True)
    inertia: sd.Parameter = sd.parameter(0.5, symbol="I", positive=True)
    slope: sd.Parameter = sd.parameter(1.0, symbol="gamma")
    ahead: sd.Parameter = sd.parameter(0.2, symbol="ell")
    noise: sd.Parameter = sd.parameter(((0.3, 0.1, 0.0),), symbol="sigma", shape=(None, 3))
    group = PLANE
    advected = {"down": DOWN, "b": ORIGIN}
    initial = {"nu": 1.0, "speed": 0.5}

    def lagrangian(self, xi, a):
        v = xi.v[1] + self.ahead * xi.nu
        kinetic = (self.inertia * xi.nu**2 + self.mass * (xi.v[0] ** 2 + v**2)) / 2
        return kinetic - self.mass * self.slope * ops.dot(a.b[:2], a.down[:2])

    def constraint(self):
        edge = sd.Contact("v", normal=(0, 1), load=lambda a: ops.array([0.0, 0.0]))
        return sd.DistributionConstraint(
            [[1, 0], [0, 1], [0, 0]], names=("nu", "speed"), noise=self.noise, contact=edge
        )


class SkateCovectors(Skate):
    """The skate, its constraint given by covectors."""

    initial = {"nu": 1.0, "v": (0.5, 0.0)}

    def constraint(self):
        edge = sd.Contact("v", normal=(0, 1), load=lambda a: ops.array([0.0, 0.0]))
        return sd.CovectorConstraint([[0, 0, 1]], noise=self.noise, contact=edge)


class Suslov(Body):
    """The body with Ω·χ = r Γ₃, by covectors."""

    rate: sd.Parameter = sd.parameter(0.3, symbol="r")
    initial = {"Omega": (0.4, 1.0, 0.0), "Gamma": (0.6, 0.0, 0.8)}

    def constraint(self):
        return sd.CovectorConstraint([self.axis], values=lambda a: [self.rate * a.Gamma[2]], noise=self.noise)


class SuslovDirections(Suslov):
    """The same by directions: e₂ and e₂ × χ."""

    initial = {"u1": 1.0, "u2": 0.32, "Gamma": (0.6, 0.0, 0.8)}

    def constraint(self):
        x, y, z = self.axis
        B = [[0, z], [1, 0], [0, -x]]

        def along(a):
            return self.rate * a.Gamma[2] * ops.array([x, y, z])

        return sd.DistributionConstraint(B, names=("u1", "u2"), offset=along, noise=self.noise)


class Rolling(sd.System):
    """A ball whose centre of mass is off its centre rolls on a plane."""

    inertia: sd.Parameter = sd.inertia((0.5, 0.5, 0.4))
    mass: sd.Parameter = sd.parameter(1.0, symbol="m", positive=True)
    offset: sd.Parameter = sd.parameter(0.3, symbol="ell")
    noise: sd.Parameter = sd.parameter(((0.2, 0.1, 0.1),), symbol="sigma", shape=(None, 3))
    group = sd.SE3()
    advected = {
        "Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), reference=(0, 0, 1))
    }
    initial = {"Omega": (0.4, -0.2, 1.5), "Gamma": (0.6, 0.0, 0.8)}

    def height(self, a):
        return a.Gamma + self.offset * ops.array([0, 0, 1])

    def lagrangian(self, xi, a):
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 + self.mass * ops.dot(xi.Y, xi.Y) / 2
        return kinetic - self.mass * self.offset * a.Gamma[2]

    def constraint(self):
        def weight(a):
            return -self.mass * a.Gamma

        return sd.Rolling(self.height, noise=self.noise, normal=lambda a: a.Gamma, load=weight)


class RollingCovectors(Rolling):
    """The ball, Y − Ω × s = 0 by covectors."""

    initial = {"Omega": (0.4, -0.2, 1.5), "Y": (-0.22, 0.46, 0.12), "Gamma": (0.6, 0.0, 0.8)}

    def constraint(self):
        def covectors(a):
            x, y, z = self.height(a)
            return [[0, -z, y, 1, 0, 0], [z, 0, -x, 0, 1, 0], [-y, x, 0, 0, 0, 1]]

        def amplitudes(a):
            out = []
            for row in self.noise:
                slip = ops.cross(ops.array(row), self.height(a))
                out.append(ops.array([*row, *slip]))
            return out

        return sd.CovectorConstraint(covectors, noise=sd.StateNoise(amplitudes))


class Pendulum(sd.System):
    """A pendulum: one angle, one velocity."""

    inertia: sd.Parameter = sd.parameter(1.5, symbol="I", positive=True)
    weight: sd.Parameter = sd.parameter(2.0, symbol="w")
    noise: sd.Parameter = sd.parameter(((0.2,),), symbol="sigma", shape=(None, 1))
    group = sd.SO2()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(1, 0))}
    initial = {"omega": 1.2}

    def lagrangian(self, xi, a):
        return self.inertia * xi.omega**2 / 2 + self.weight * a.Gamma[0]

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


class PendulumInSpace(sd.System):
    """The pendulum as a body that turns about its third axis only."""

    inertia: sd.Parameter = sd.parameter(1.5, symbol="I", positive=True)
    weight: sd.Parameter = sd.parameter(2.0, symbol="w")
    noise: sd.Parameter = sd.parameter(((0.2,),), symbol="sigma", shape=(None, 1))
    group = GROUP
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(1, 0, 0))}
    initial = {"omega": 1.2}

    def lagrangian(self, xi, a):
        return self.inertia * ops.dot(xi.Omega, xi.Omega) / 2 + self.weight * a.Gamma[0]

    def constraint(self):
        about = [[0, 0, row[0]] for row in self.noise]
        return sd.DistributionConstraint([[0], [0], [1]], names=("omega",), noise=about)


class WireFormula(sd.System):
    """A bead on a line in a potential that is a cubic polynomial."""

    mass: sd.Parameter = sd.parameter(1.0, symbol="m", positive=True)
    noise: sd.Parameter = sd.parameter(((0.1,),), symbol="sigma", shape=(None, 1))
    group = sd.RealSpace(1, coordinates=("x",))
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), reference=(0, 1))}
    initial = {"v": 0.5, "x": 0.2}

    def potential(self, x):
        return x**2 - x**3 / 8

    def lagrangian(self, xi, a):
        return self.mass * (xi.v**2 / 2 - self.potential(-a.b[0]))

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


class Wire(WireFormula):
    """The bead in the same potential as a table: a spline through values of a cubic polynomial is the polynomial."""

    places: sd.Parameter = sd.table(NODES)
    heights: sd.Parameter = sd.table(NODES**2 - NODES**3 / 8, symbol="h")

    def potential(self, x):
        return ops.interpolate(x, self.places, self.heights)


class Point(WireFormula):
    """The bead in the plane, on its first axis: a group of two dimensions with a constraint."""

    group = sd.RealSpace(2, coordinates=("x", "y"))
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), reference=(0, 0, 1))}
    initial = {"u": 0.5, "x": 0.2}

    def lagrangian(self, xi, a):
        return self.mass * (ops.dot(xi.v, xi.v) / 2 - self.potential(-a.b[0]))

    def constraint(self):
        along = [[row[0], 0] for row in self.noise]
        return sd.DistributionConstraint([[1], [0]], names=("u",), noise=along)


class Cart(sd.System):
    """A body in the plane with a wheel: two factors, coupled by a constraint and by the Lagrangian."""

    mass: sd.Parameter = sd.parameter(1.0, symbol="m", positive=True)
    wheel: sd.Parameter = sd.parameter(0.3, symbol="J", positive=True)
    noise: sd.Parameter = sd.parameter(((0.2, 0.1, 0.1),), symbol="sigma", shape=(None, 3))
    group = sd.DirectProduct(sd.SE2(), sd.SO2(blocks=("steer",), coordinates=("phi",)))
    advected = {"e": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO2()), group, "steer"), reference=(1, 0))}
    initial = {"nu": 0.4, "speed": 0.8, "steer": 0.3}
    order = (0, 1, 2, 3)

    def lagrangian(self, xi, a):
        kinetic = self.mass * (ops.dot(xi.v, xi.v) + 0.4 * xi.nu**2) + self.wheel * (xi.steer + xi.nu) ** 2
        return kinetic / 2 + self.mass * a.e[0] / 4

    def constraint(self):
        rows = [[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]]
        basis = [rows[i] for i in self.order]
        noise = [[[row[0], row[1], 0, row[2]][i] for i in self.order] for row in self.noise]
        return sd.DistributionConstraint(basis, names=("nu", "speed", "steer"), noise=noise)


class CartReversed(Cart):
    """The cart with its factors in the other order."""

    group = sd.DirectProduct(sd.SO2(blocks=("steer",), coordinates=("phi",)), sd.SE2())
    advected = {"e": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO2()), group, "steer"), reference=(1, 0))}
    order = (3, 0, 1, 2)


class Loose(Cart):
    """The cart without its wheel's constraint: two factors that the Lagrangian couples."""

    initial = {"nu": 0.4, "v": (0.8, 0.1), "steer": 0.3}

    def constraint(self):
        noise = [[[row[0], row[1], 0, row[2]][i] for i in self.order] for row in self.noise]
        return sd.Unconstrained(noise=noise)


class LooseReversed(Loose):
    """The same with its factors in the other order."""

    group = CartReversed.group
    advected = CartReversed.advected
    order = (3, 0, 1, 2)


class Axle(sd.System):
    """A cart on a slope with two wheels on one axle: two constraints, which share the one that it does not slip sideways."""

    mass: sd.Parameter = sd.parameter(1.0, symbol="m", positive=True)
    wheel: sd.Parameter = sd.parameter(0.05, symbol="J", positive=True)
    noise: sd.Parameter = sd.parameter(((0.2, 0.1, 0.1, 0.0, 0.3),), symbol="sigma", shape=(None, 5))
    group = sd.DirectProduct(
        sd.SE2(), sd.SO2(blocks=("left",), coordinates=("alpha",)), sd.SO2(blocks=("right",), coordinates=("beta",))
    )
    plane = sd.Pullback(sd.HomogeneousRepresentation(sd.SE2()), group, ("nu", "v"))
    advected = {"down": sd.Advected(plane, reference=(1, 0, 0)), "b": sd.Advected(plane, reference=(0, 0, 1))}
    initial = {"left": 1.2, "right": 2.0}
    width, radius = 0.4, 0.5

    def lagrangian(self, xi, a):
        kinetic = self.mass * (ops.dot(xi.v, xi.v) + 0.4 * xi.nu * xi.v[1] + 0.5 * xi.nu**2)
        turning = self.wheel * (xi.left**2 + xi.right**2)
        return (kinetic + turning) / 2 - self.mass * ops.dot(a.b[:2], a.down[:2]) / 2

    def constraint(self):
        sideways, w, r = [0, 0, 1, 0, 0], self.width, self.radius
        return {
            "port": sd.CovectorConstraint([[-w, 1, 0, -r, 0], sideways], noise=self.noise),
            "starboard": sd.CovectorConstraint([[w, 1, 0, 0, -r], sideways]),
        }


class AxleByHand(Axle):
    """The same cart by one basis, in other coordinates."""

    initial = {"nu": 0.5, "speed": 0.8}

    def constraint(self):
        w, r = self.width, self.radius
        basis = [[1, 0], [0, 1], [0, 0], [-w / r, 1 / r], [w / r, 1 / r]]
        return sd.DistributionConstraint(basis, names=("nu", "speed"), noise=self.noise)


class Carried(sd.System):
    """A body that is carried: its velocity is prescribed, and its Lagrangian gives the reaction."""

    inertia: sd.Parameter = sd.inertia((1.0, 1.5, 2.0))
    rate: sd.Parameter = sd.parameter(0.7, symbol="r")
    noise: sd.Parameter = sd.parameter(((0.2, 0.1, -0.1),), symbol="sigma", shape=(None, 3))
    group = GROUP
    advected = {"Gamma": UP}
    initial = {"Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self):
        return sd.PrescribedVelocity(lambda a: self.rate * ops.array([a.Gamma[2], 1, a.Gamma[0]]), self.noise)


class Flying(sd.System):
    """A point in the plane that falls: b is the origin, seen from it."""

    mass: sd.Parameter = sd.parameter(1.0, symbol="m", positive=True)
    noise: sd.Parameter = sd.parameter(((0.1, 0.0),), symbol="sigma", shape=(None, 2))
    group = sd.RealSpace(2, coordinates=("x", "y"))
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), reference=(0, 0, 1))}
    initial = {"v": (0.5, 0.0), "y": 0.5}

    def lagrangian(self, xi, a):
        return self.mass * (ops.dot(xi.v, xi.v) / 2 + a.b[1])

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)

    @sd.observable(unit="m")
    def height(self, state):
        return -state.b[1]


class Sliding(Flying):
    """The point on the floor."""

    def constraint(self):
        def load(a):
            return ops.array([0.0, 0.0])

        return sd.CovectorConstraint([[0, 1]], noise=self.noise, contact=sd.Contact("v", normal=(0, 1), load=load))


def floor(mass=1.0, height=0.0):
    """The point bounces on a floor and then slides on it."""
    lands = sd.Switch(
        "flight", "floor", sd.Crossing("height", height, "falling"), sd.Impact(restitution=0.5, settling=0.3)
    )
    return sd.Hybrid({"flight": Flying(mass=mass), "floor": Sliding(mass=mass)}, [lands])


class Matrices(sd.MatrixLiePoisson):
    """The free body as a matrix of so(3)."""

    algebra, size = "so", 3
    moments = sd.parameter((1.0, 1.5, 2.2), shape=(3,))
    planes = sd.parameter(((0.0, 0.2, -0.1), (-0.2, 0.0, 0.15), (0.1, -0.15, 0.0)), shape=(3, 3))
    initial = {"W": np.array([[0.0, 0.7, 0.3], [-0.7, 0.0, -0.9], [-0.3, 0.9, 0.0]])}

    def velocity(self, W: Any) -> Any:
        """W_ij/(J_i + J_j)."""
        return W / (self.moments[:, None] + self.moments[None, :])

    def hamiltonian(self, W: Any) -> Any:
        """Half of the sum of W_ij²/(J_i + J_j) over i < j."""
        return 0.25 * np.sum(W * self.velocity(W), axis=(-2, -1))

    def fields(self) -> Any:
        """One rotation."""
        return [self.planes]

    @sd.observable(status="exact")
    def square(self, state: Any) -> Any:
        """The sum of W_ij² over i < j."""
        return 0.5 * np.sum(state.W * state.W, axis=(-2, -1))


class LatticeTop(sd.System):
    """A site: a heavy top."""

    inertia: sd.Parameter = sd.inertia((1.0, 1.5, 2.0))
    weight: sd.Parameter = sd.parameter(0.5, symbol="w")
    noise: sd.Parameter = sd.parameter(((0.2, 0.1, -0.1),), symbol="sigma", shape=(None, 3))
    group = GROUP
    advected = {"Gamma": UP}
    initial = {"Omega": (0.4, 1.0, -0.7), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi, a):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 - self.weight * a.Gamma[2]

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


class Tops(Lattice):
    """Three tops in a ring."""

    inertia: sd.Parameter = sd.inertia((1.0, 1.5, 2.0))
    weight: sd.Parameter = sd.parameter(0.5, symbol="w")
    strength: sd.Parameter = sd.parameter((0.3, 0.2, 0.4), symbol="k", shape=(3,))
    sites, edges, per_edge = 3, "ring", ("strength",)
    initial = {"Omega": ((0.4, 1.0, -0.7), (0.5, 0.9, -0.7), (0.4, 1.1, -0.6))}

    def site(self):
        return LatticeTop(inertia=self.inertia, weight=self.weight)

    def coupling(self, left, right):
        return -self.strength * ops.dot(left.Gamma, right.Gamma)

    @sd.observable(status="exact")
    def square(self, state):
        """The sum of |Γ|² over the sites."""
        return np.sum(state.Gamma * state.Gamma, axis=(-2, -1))


THREE_TOPS = sd.DirectProduct(sd.SO3(), sd.SO3(), sd.SO3(), names=("top1", "top2", "top3"))


class ThreeTops(sd.System):
    """The three tops, written out."""

    inertia: sd.Parameter = sd.inertia((1.0, 1.5, 2.0))
    weight: sd.Parameter = sd.parameter(0.5, symbol="w")
    group = THREE_TOPS
    advected = {
        f"Gamma{i}": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), THREE_TOPS, f"top{i}_Omega"), (0, 0, 1))
        for i in (1, 2, 3)
    }
    initial = {
        **{f"top{i + 1}_Omega": row for i, row in enumerate(Tops.initial["Omega"])},
        **{f"Gamma{i}": (0.6, 0.0, 0.8) for i in (1, 2, 3)},
    }

    def lagrangian(self, xi, a):
        tops = [(getattr(xi, f"top{i}_Omega"), getattr(a, f"Gamma{i}")) for i in (1, 2, 3)]
        alone = sum(ops.dot(w, ops.inertia(self.inertia, w)) / 2 - self.weight * up[2] for w, up in tops)
        return alone + sum(k * ops.dot(tops[i][1], tops[j][1]) for k, i, j in ((0.3, 0, 1), (0.2, 1, 2), (0.4, 2, 0)))

    def constraint(self):
        return sd.Unconstrained(noise=[[*[0.0] * (3 * i), 0.2, 0.1, -0.1, *[0.0] * (6 - 3 * i)] for i in range(3)])
