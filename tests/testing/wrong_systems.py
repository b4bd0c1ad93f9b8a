"""Definitions that are wrong on purpose, one fault each, and the check of ``semidirect check`` that names it."""

import semidirect as sd
from semidirect import ops
from semidirect.representations import Representation

SO3, SE3 = sd.SO3(), sd.SE3()
VERTICAL = sd.VectorRepresentation(SO3)


class Right(sd.System):
    """A heavy top without faults."""

    mass = sd.parameter(2.0, positive=True)
    offset = sd.parameter(0.5, symbol="ell", nonnegative=True)
    inertia = sd.inertia((2.0, 3.0, 4.0))
    noise = sd.parameter(((0.1, 0.2, 0.0),), symbol="xi", shape=(None, 3))
    group = SO3
    advected = {"Gamma": sd.Advected(VERTICAL, (0, 0, 1))}
    initial = {"Omega": (0.1, 0.2, 0.3)}

    def potential(self, a):
        return self.mass * self.offset * a.Gamma[2]

    def kinetic(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def lagrangian(self, xi, a):
        return self.kinetic(xi) - self.potential(a)

    def constraint(self):
        return sd.Unconstrained(self.noise)

    @sd.observable(status="exact")
    def casimir(self, state):
        """M·Γ."""
        return ops.dot(state.M, state.Gamma)


class RightBall(sd.System):
    """A rolling ball without faults."""

    radius = sd.parameter(0.7, symbol="r", positive=True)
    group = SE3
    advected = {"Gamma": sd.AdvectedFrame(SE3)["Gamma"]}
    initial = {"Omega": (0.1, 0.2, 0.3), "Gamma": (0, 0, 1)}

    def contact(self, a):
        return self.radius * a.Gamma

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, xi.Omega) + ops.dot(xi.Y, xi.Y)

    def slip(self, a):
        return [ops.cross(a.Gamma, (0.1, 0.2, 0.3))]

    def constraint(self):
        return sd.Rolling(self.contact, noise=[(0.1, 0.2, 0.3)], slip=self.slip, normal=lambda a: a.Gamma)


class AsymmetricInertia(Right):
    inertia = sd.parameter(((2.0, 0.3, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 4.0)), shape=(3, 3))


class RefusedInertia(Right):
    """No body has it: I₁ + I₂ < I₃."""

    inertia = sd.inertia((1.0, 1.0, 4.0))


class NegativeInertia(Right):
    def kinetic(self, xi):
        return xi.Omega[0] ** 2 + xi.Omega[1] ** 2 - xi.Omega[2] ** 2


class NoInertiaAboutAnAxis(Right):
    def kinetic(self, xi):
        return xi.Omega[0] ** 2 + xi.Omega[1] ** 2


class DependentDirections(Right):
    """Two columns of B are parallel at every state."""

    def constraint(self):
        return sd.DistributionConstraint(
            lambda a: ops.transpose(ops.array([a.Gamma, 2 * a.Gamma])), {"w": 2}, noise=self.noise
        )


class DependentNumbers(Right):
    """The same with numbers, which the derivation refuses by itself."""

    def constraint(self):
        return sd.CovectorConstraint([[1, 0, 0], [2, 0, 0]], noise=self.noise)


class WrongSign(Representation):
    """−ρ, which represents no bracket."""

    def __init__(self):
        super().__init__(SO3, -VERTICAL.generators)

    def act_entries(self, g, v):
        return VERTICAL.act_entries(g, v)


class WrongRepresentationSign(Right):
    @property
    def advected(self):
        return {"Gamma": sd.Advected(WrongSign(), (0, 0, 1))}


class Inverted(Representation):
    """The generators of an action, and its inverse."""

    def __init__(self):
        super().__init__(SO3, VERTICAL.generators)

    def act_entries(self, g, v):
        return ops.matvec(ops.transpose(g), v)


class InvertedAction(Right):
    advected = {"Gamma": sd.Advected(Inverted(), (0, 0, 1))}


class HolonomicInDisguise(sd.System):
    """ẏ = 2ẋ: the particle moves on a line."""

    group = sd.RealSpace(2, coordinates=("x", "y"))
    initial = {"u": 1.0}

    def lagrangian(self, xi):
        return ops.dot(xi.v, xi.v) / 2

    def constraint(self):
        return sd.DistributionConstraint([[1], [2]])


class TwoConstraints(RightBall):
    """B says rolling, A says rolling with another radius."""

    def constraint(self):
        return _TwoForms(self.contact)


class _TwoForms(sd.StochasticConstraint):
    def __init__(self, contact):
        self.rolling = sd.Rolling(contact)
        self.other = sd.Rolling(lambda a: 2 * a.Gamma)

    def coordinates(self, group):
        return self.rolling.coordinates(group)

    def distribution(self, **at):
        return self.rolling.distribution(**at)

    def annihilator(self, **at):
        return self.other.annihilator(**at)


class NotConserved(Right):
    @sd.observable(status="exact")
    def energy(self, state):
        """Conserved by the drift only."""
        return self.lagrangian(state, state) + 2 * self.potential(state)


class NotDissipated(Right):
    """A friction that pushes."""

    def force(self, xi):
        return 0.1 * xi.Omega

    @sd.observable(status="dissipated")
    def energy(self, state):
        """E."""
        return self.lagrangian(state, state) + 2 * self.potential(state)


class FastPath(Right):
    """A short cut for numbers, in which somebody forgot a half."""

    def kinetic(self, xi):
        if isinstance(xi.Omega[0], float):
            return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega))
        return super().kinetic(xi)


class LiftingNoise(RightBall):
    """A slip with a component along the vertical."""

    def slip(self, a):
        return [(0.1, 0.2, 0.3)]


class NoSurface(RightBall):
    """Γ·ds does not vanish: the contact vector is that of no surface."""

    def contact(self, a):
        return self.radius * a.Gamma + ops.array([a.Gamma[1], 0, 0])


class SteeredByAValue(Right):
    """Python control flow on a parameter: for a symbol the condition is never true."""

    def potential(self, a):
        return 1.0 if self.offset == 0 else self.mass * self.offset * a.Gamma[2]


class SteeredByAnInequality(Right):
    """A symbol cannot answer it, and says so."""

    def potential(self, a):
        return self.mass * self.offset * a.Gamma[2] if self.offset > 0.1 else 0.0


class SteeredObservable(Right):
    @sd.observable()
    def height(self, state):
        """Height, but for a number."""
        return 0 if self.mass == 1 else state.Gamma[2]


class WrittenAlike(Right):
    """k₁ is a component of one parameter and the whole of another."""

    rotor = sd.parameter((0.1, 0.2, 0.3), symbol="k")
    swing = sd.parameter((0.3, 0.2, 0.1), symbol="k1")


class WrongMomentumNames(Right):
    """The key is no coordinate, so that the name is never used."""

    momentum_names = {"omega": "Pi"}


class MomentumNamedTwice(Right):
    momentum_names = {"Omega": "Gamma"}


class WrongInitialName(Right):
    initial = {"Omga": (0.1, 0.2, 0.3)}


class WrongInitialState(Right):
    """|Γ| = 2."""

    initial = {"Omega": (0.1, 0.2, 0.3), "Gamma": (0, 0, 2)}


class SingularStart(Right):
    """Attracted by a point of the sphere, on which it is placed."""

    initial = {"Omega": (0.1, 0.2, 0.3), "Gamma": (0, 0, 1)}

    def potential(self, a):
        return self.mass * self.offset / (1 - a.Gamma[2])


class NotFinite(Right):
    @sd.observable()
    def bad(self, state):
        """The root of a negative number."""
        return ops.sqrt(ops.dot(state.Gamma, state.Gamma) - 2)


class WrongShape(Right):
    def constraint(self):
        return sd.Unconstrained([(0.1, 0.2)])


class Kink(Right):
    """A potential with an edge that the motion crosses, so that no method has its order."""

    initial = {"Omega": (3.0, 0.2, 0.3), "Gamma": (0.0, 0.6, 0.8)}

    def potential(self, a):
        return 40 * ops.absolute(a.Gamma[1] - 0.63)


class UnusedParameter(Right):
    """A misspelled use."""

    damping = sd.parameter(0.3)

    @sd.observable()
    def friction(self, state):
        return -self.mass * state.Omega[0]


class UnusedTable(Right):
    profile = sd.table([1.0, 2.0, 3.0])


class UnusedNoise(Right):
    """Read nowhere, and empty by default."""

    shaking = sd.parameter((), shape=(None, 3))


class CheckedOnly(Right):
    """A parameter that only its own conditions read, and an option that is read where nothing comes of it."""

    limit = sd.parameter(3.0)
    drag = sd.option("none", choices=("none", "linear"))

    def check(self):
        if sd.by_path(self.limit).min() < 1 and self.drag == "linear":
            raise sd.errors.InputError("limit")


FAULTS = {
    AsymmetricInertia: ("symmetric matrices", "not symmetric"),
    RefusedInertia: ("made", "triangle inequality"),
    NegativeInertia: ("inertia", "negative"),
    NoInertiaAboutAnAxis: ("inertia", "zero"),
    DependentDirections: ("rank of the constraint", "have rank 1"),
    DependentNumbers: ("rank of the constraint", "have rank 1"),
    WrongRepresentationSign: ("made", "WrongSign are not a representation of SO3"),
    InvertedAction: ("representations", "something else than its generators"),
    TwoConstraints: ("made", "the direction of Omega. violates the covector"),
    NotConserved: ("declared statuses", "energy is declared exact"),
    NotDissipated: ("declared statuses", "grows at the rate"),
    FastPath: ("derivatives of l", "∂l/∂Omega"),
    LiftingNoise: ("contact", "noise 2 lifts the contact"),
    NoSurface: ("contact", "n·ds along"),
    SteeredByAValue: ("symbols and numbers", "lagrangian at offset=0"),
    SteeredByAnInequality: ("derivation", "truth value"),
    SteeredObservable: ("symbols and numbers", "height at mass=1"),
    WrittenAlike: ("names", "k₁ would stand for parameter rotor and for parameter swing"),
    WrongMomentumNames: ("names", "unknown coordinate of D 'omega'"),
    MomentumNamedTwice: ("made", "names used twice: Gamma"),
    WrongInitialName: ("names", "unknown state variable 'Omga'"),
    WrongInitialState: ("recommended state", "Gamma"),
    SingularStart: ("recommended state", "not finite there"),
    NotFinite: ("observables", "bad is not finite"),
    WrongShape: ("derivation", "wrong shape"),
    Kink: ("orders", "order"),
    UnusedParameter: ("parameters and options", "damping reaches no equation"),
    UnusedTable: ("parameters and options", "profile reaches no equation"),
    UnusedNoise: ("parameters and options", "shaking reaches no equation"),
    CheckedOnly: ("parameters and options", "limit, drag reach no equation"),
}
"""The check that names each fault, and what its line contains."""
