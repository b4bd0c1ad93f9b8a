"""Chaplygin's ball on a fixed sphere: a ground that is no plane, and the radius at which there is one more integral."""

import pytest

import semidirect as sd
from semidirect import ops
from semidirect.invariants import find_casimirs, find_measure, prove
from semidirect.testing.laws.constraint import contact
from semidirect.testing.laws.observables import statuses
from semidirect.testing.laws.subject import Subject


class BallOnSphere(sd.System):
    """Its centre is at the distance R from that of the sphere, which is seen at b; r = 2R: a shell around the sphere."""

    inertia = sd.inertia((1.0, 1.5, 2.0))
    mass = sd.parameter(1.0, symbol="m", positive=True)
    radius = sd.parameter(0.5, symbol="r")
    distance = sd.parameter(2.0, symbol="R", positive=True)
    noise = sd.parameter(((0.0, 0.0, 0.1),), symbol="xi", shape=(None, 3))
    group = sd.SE3()
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), reference=(0, 0, 0, 1))}
    initial = {"Omega": (0.3, 1.0, -0.2), "b": (0.0, -1.2, -1.6, 1.0)}

    def outward(self, a):
        return -a.b[:3] / self.distance

    def lagrangian(self, xi):
        return (ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) + self.mass * ops.dot(xi.Y, xi.Y)) / 2

    def constraint(self):
        return sd.Rolling(lambda a: self.radius * self.outward(a), noise=self.noise, normal=self.outward)

    @sd.observable(status="exact")
    def distance_squared(self, state):
        return ops.dot(state.b[:3], state.b[:3])

    @sd.observable(status="drifts", needs=lambda self: not len(self.noise))
    def energy(self, state):
        return self.lagrangian(state)


class WrongNormal(BallOnSphere):
    """The normal of another surface."""

    def outward(self, a):
        return a.b[:3] / self.distance + ops.array([1, 0, 0])


class NoNormal(BallOnSphere):
    """Nothing is said of the ground."""

    def constraint(self):
        return sd.Rolling(lambda a: self.radius * self.outward(a), noise=self.noise)


def test_the_contact_is_checked_against_the_normal_of_the_ground():
    assert contact(Subject(BallOnSphere, {}, 0)).status == "ok"
    assert contact(Subject(NoNormal, {}, 0)).status == "not applicable"
    assert contact(Subject(WrongNormal, {}, 0)).status == "failed"
    with pytest.raises(sd.errors.DefinitionError, match="the normal of the ground of rolling has the wrong shape"):
        sd.Rolling((0, 0, 1), normal=lambda: (0, 1)).ground_normal(a=None, t=0, z=None)


def test_what_drifts_by_the_method_only_is_proved():
    assert statuses(Subject(BallOnSphere, {"noise": ()}, 0)).figure == "exact and proved: distance-squared, energy"


def test_an_observable_that_is_not_there_with_these_parameters():
    ball, message = BallOnSphere(), "the observable 'energy' of BallOnSphere does not exist with these parameters"
    for asked in (
        lambda: ball.evolution("energy"),
        lambda: ball.prove("2*energy"),
        lambda: ball.simulate(t_end=0.1, dt=0.1, save=sd.Save(names=["energy"])),
        lambda: ball.simulate(t_end=0.1, dt=0.1, checks=sd.Checks(bounds={"energy": 1.0})),
    ):
        with pytest.raises(sd.errors.InputError, match=message):
            asked()
    with pytest.raises(sd.errors.UnknownNameError, match="Known"):
        ball.prove("2*enrgy")


def special(i):
    """One term of Borisov and Fedorov's integral, (I_j + I_k − I_i + D) M_i γ_i with D = mr²|b|²/R² on any sphere |b|."""
    j, k = (i + 1) % 3, (i + 2) % 3
    return f"(inertia[{j}] + inertia[{k}] - inertia[{i}] + mass*radius**2*distance_squared/distance**2)*M[{i}]*b[{i}]"


@pytest.mark.parametrize(("radius", "kept"), [(4.0, True), (0.5, False), (-4.0, False)])
def test_the_shell_of_twice_the_distance_has_one_more_integral(radius, kept):
    """γ' = kγ × Ω with k = 1 − r/R = −1 (Borisov and Fedorov 1995)."""
    ball = BallOnSphere(radius=radius, noise=())
    assert prove(ball, "dot(M, M)").certified
    assert prove(ball, " + ".join(map(special, range(3)))).holds is kept


def test_chaplygins_measure_on_the_sphere():
    assert find_measure(BallOnSphere(), along="both").exponents == {"det(BᵀHB)": -1 / 2}


def test_products_of_casimirs_are_not_printed():
    """Of p, M, b only the weight of b is a Casimir of degree up to 2; the other has degree 4."""
    found = find_casimirs(BallOnSphere())
    assert (found.count, len(found.basis), len(found.independent)) == (2, 2, 1)
    assert str(found) == (
        "no Lie–Poisson bracket of its own: along drift, noise1 it leaves the coadjoint orbits; of the 1 independent polynomial "
        "Casimirs of degree up to 2 of that on 𝔰* ⋉ V* (rank 8 in dimension 10, 2 Casimirs) it keeps 1\n  b4"
    )


def test_points_of_space_are_vectors_in_the_equations():
    lines = [line.strip() for line in str(BallOnSphere().equations()).splitlines()]
    assert "Y = r/R (b × Ω)" in lines
    assert "db = (b × Ω - Y) dt + (b × ξ₁ + r/R (ξ₁ × b))∘dW¹" in lines
    assert not any(line.startswith("db₄") for line in lines)  # a constant, written by its value
