"""Gibbs' density is called stationary where it is, on all pieces and at all times, and at no other place."""

from fractions import Fraction

import pytest
from dissipative import Body, Top

import semidirect as sd
from semidirect import ops


def kinetic(self, xi):
    return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2


def top(**what):
    return type("Changed", (Top,), what)(damping=0)


def under(potential):
    return top(lagrangian=lambda self, xi, a, t: kinetic(self, xi) - potential(a.Gamma, t))


def rubbing(share):
    return top(force=lambda self, xi, a, t: -share(xi.Omega, a.Gamma, t) * xi.Omega)


STATIONARY = {
    "absolute": lambda G, t: ops.absolute(G[2]),
    "maximum": lambda G, t: ops.maximum(G[2], 0.3) - ops.maximum(G[0], -0.2),
    "root": lambda G, t: ops.sqrt(2 + G[2]),
    "a function of time alone": lambda G, t: G[2] + t**2,
    "a function of time on the sphere": lambda G, t: G[2] + t * ops.dot(G, G),
}


@pytest.mark.parametrize("potential", STATIONARY.values(), ids=STATIONARY)
def test_kinks_roots_and_a_zero_of_the_energy_that_moves_leave_it_stationary(potential):
    assert sd.invariants.gibbs_density(under(potential)).stationary is True


MOVING = {
    "linear": lambda G, t: (1 + t) * G[2],
    "sine": lambda G, t: (1 + ops.sin(t)) * G[2],
    "after a hundred seconds": lambda G, t: (1 + ops.maximum(t - 100, 0)) * G[2],
}


@pytest.mark.parametrize("potential", MOVING.values(), ids=MOVING)
def test_an_energy_that_changes_with_time_has_no_stationary_density(potential):
    found = sd.invariants.gibbs_density(under(potential))
    assert found.stationary is False
    assert "time" in str(found)


STEPS = {
    "at one": (lambda G, t: ops.where(t < 1, 1, 2) * G[2], False),
    "late": (lambda G, t: ops.where(t > 700, G[2], G[0]), False),
    "on a cap": (lambda G, t: ops.where(t < 1, 1, 0) * ops.maximum(G[2] - 0.97, 0), False),
    "by little, with a root": (lambda G, t: 1e-12 * ops.where(t < 1, 1, 2) * ops.sqrt(2 + G[2]), False),
    "in a region that moves": (lambda G, t: ops.where(G[2] > t, 1, 0), False),
    "six times": (lambda G, t: sum(ops.where(t < k, 1, 2) for k in range(6)) * G[2], False),
    "with its zero": (lambda G, t: ops.where(t < 1, 1, 0) + G[2], True),
    "on the sphere": (lambda G, t: ops.where(t < 1, 1, 2) * ops.dot(G, G) + ops.maximum(G[2], 0), True),
    "in space as well": (lambda G, t: ops.where(t < 1, 1, 0) + ops.where(G[2] > 0.3, 1, 0), None),
}


@pytest.mark.parametrize(("potential", "answer"), STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("seed", [0, 7])
def test_an_energy_that_steps_in_time_depends_on_it_unless_all_states_step_alike(potential, answer, seed):
    found = sd.invariants.gibbs_density(under(potential), seed=seed)
    assert found.stationary is answer
    assert ("E steps in time" in str(found)) == (answer is False)


REGIONS = {
    "a cap": lambda w, G, t: ops.where(G[2] > 0.97, 1, 0),
    "a small cap below": lambda w, G, t: ops.where(G[2] < -0.99, 1, 0),
    "fast": lambda w, G, t: ops.where(ops.dot(w, w) > 400, 1, 0),
    "very fast": lambda w, G, t: ops.where(w[0] > 5e5, 1, 0),
    "slow": lambda w, G, t: ops.where(ops.dot(w, w) < 1e-6, 1, 0),
    "a band": lambda w, G, t: ops.where(G[2] > 0.5, 1, 0) * ops.where(G[2] < 0.501, 1, 0),
    "late": lambda w, G, t: ops.where(t > 1000, 1, 0),
    "growing": lambda w, G, t: ops.maximum(G[0] - 0.9, 0),
}


@pytest.mark.parametrize("share", REGIONS.values(), ids=REGIONS)
@pytest.mark.parametrize("seed", [0, 7])
def test_friction_in_a_region_is_found_wherever_it_is(share, seed):
    assert sd.invariants.gibbs_density(rubbing(share), seed=seed).stationary is False


def test_what_is_not_known_is_undecided():
    nowhere = sd.invariants.gibbs_density(rubbing(lambda w, G, t: ops.where(G[2] > 1.2, 1, 0)))
    step = sd.invariants.gibbs_density(under(lambda G, t: ops.where(G[2] > 0.3, 1, 0)))
    for found in (nowhere, step):
        assert found.stationary is None
        assert "undecided" in str(found)


class Tables(Top):
    """Potentials that are functions by tables, of time or of a direction."""

    nodes: sd.Parameter = sd.table((-1.5, -0.5, 0.5, 1.5))
    heights: sd.Parameter = sd.table((1.0, 1.5, 0.7, 2.0))
    of_time: sd.Option = sd.option(True)
    kind: sd.Option = sd.option("cubic", choices=("cubic", "linear"))

    def lagrangian(self, xi, a, t):
        if self.of_time:
            return kinetic(self, xi) - ops.interpolate(t, self.nodes, self.heights, kind=self.kind) * a.Gamma[2]
        return kinetic(self, xi) - ops.interpolate(a.Gamma[2], self.nodes, self.heights, kind=self.kind)


@pytest.mark.parametrize(("of_time", "kind", "answer"), [(True, "cubic", False), (True, "linear", False),
                                                         (False, "cubic", True), (False, "linear", None)])  # fmt: skip
def test_tables_and_options(of_time, kind, answer):
    """A table of lines has no second derivative, which the generator takes of a potential."""
    assert sd.invariants.gibbs_density(Tables(damping=0, of_time=of_time, kind=kind)).stationary is answer


class Clock(Top):
    """An internal state that is the time, or stays."""

    rate: sd.Parameter = sd.parameter(1.0)

    def lagrangian(self, xi, a, z):
        return kinetic(self, xi) - (1 + z.c) * a.Gamma[2]

    def internal(self):
        return (sd.InternalState("c", 0.0, drift=self.rate),)


def test_an_internal_clock_is_a_clock():
    assert sd.invariants.gibbs_density(Clock(damping=0)).stationary is False
    assert sd.invariants.gibbs_density(Clock(damping=0, rate=0.0)).stationary is True


def test_parameters_per_path_and_given_motions_are_refused():
    for system in (Body(theta=sd.PerPath([0.5, 0.9])), Top(damping=0, weight=sd.PerPath([1.0, 2.0]))):
        with pytest.raises(sd.errors.InputError, match=r"one set of parameters.*\n?.*at_path"):
            sd.invariants.gibbs_density(system)
        assert sd.invariants.gibbs_density(system.at_path(1)).stationary
    for beta in (None, 1):
        with pytest.raises(sd.errors.InputError, match="energy"):
            sd.invariants.gibbs_density(sd.Kinematics(sd.SO3(), noise=[[1, 0, 0]]), beta=beta)


class Carried(Body):
    """A body whose velocity is given."""

    dissipation = None
    initial = {}

    def constraint(self):
        return sd.PrescribedVelocity([0, 0, 1])


class Quartic(Body):
    """A body whose Lagrangian is not quadratic, so that its state are velocities."""

    dissipation = None

    def lagrangian(self, xi):
        return kinetic(self, xi) + ops.dot(xi.Omega, xi.Omega) ** 2


class Suslov(Body):
    """A body with a constraint by covectors."""

    dissipation = None
    initial = {}

    def constraint(self):
        return sd.CovectorConstraint([[0, 0, 1]])


@pytest.mark.parametrize(
    ("kind", "remedy"),
    [(Carried, "velocity that is given.*find_measure"), (Quartic, "quadratic"), (Suslov, "by directions")],
)
def test_a_state_without_momenta_is_refused_with_what_to_do(kind, remedy):
    with pytest.raises(sd.errors.InputError, match=f"expected a state of momenta, got .*{remedy}"):
        sd.invariants.gibbs_density(kind(), beta=1)


WRITTEN = {-4: "exp(4 E)", 4: "exp(-4 E)", 0: "exp(0 E)", Fraction(1, 3): "exp(-0.333333333333 E)", 10**400: "e+400 E)"}


@pytest.mark.parametrize(("beta", "written"), WRITTEN.items())
def test_the_sign_of_the_exponent_is_written_once(beta, written):
    text = str(sd.invariants.gibbs_density(Body(), beta=beta))
    assert written in text
    assert "--" not in text
