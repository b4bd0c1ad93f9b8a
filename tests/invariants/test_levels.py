"""Proofs and searches on levels: integrals that exist on one level only, invariant relations, and levels that are refused."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from systems import kovalevskaya, routh

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError
from semidirect.invariants import find_invariants, prove

GORYACHEV_CHAPLYGIN = "Omega1*Gamma3 - Omega1**2*Omega3 - Omega2**2*Omega3"


def top(inertia=(4.0, 4.0, 1.0), axis=(1, 0, 0), **choices):
    return sd.load("heavy-top", inertia=inertia, axis=axis, **{"noise": [], **choices})


class OnSphere(sd.System):
    """A homogeneous ball of radius r that rolls on a sphere; its centre is at the distance R from that of the sphere."""

    radius = sd.parameter(0.5)
    distance = sd.parameter(2.0)
    group = sd.SE3()
    _frame = sd.AdvectedFrame(group)
    advected = {"Gamma": _frame["Gamma"], "b": _frame["b"]}

    def lagrangian(self, xi, a):
        return ops.dot(xi.Omega, xi.Omega) / 20 + ops.dot(xi.Y, xi.Y) / 2 + ops.dot(a.b[:3], a.Gamma)

    def constraint(self):
        return sd.Rolling(lambda a: -self.radius / self.distance * a.b[:3])

    def square(self, state):
        """|b|²."""
        return ops.dot(state.b[:3], state.b[:3])

    def energy_of_the_sphere(self, state):
        """The energy where |b| = R, which stands in it instead of |b|."""
        omega, b, q = state.Omega, state.b[:3], (self.radius / self.distance) ** 2
        speed = q * (ops.dot(omega, omega) * self.distance**2 - ops.dot(omega, b) ** 2)
        return ops.dot(omega, omega) / 20 + speed / 2 - ops.dot(b, state.Gamma)


def test_goryachev_and_chaplygin_found_at_0_only():
    system = top()
    found = find_invariants(system, 3, on={"momentum-gamma": 0})
    assert (found.dimension, found.rank) == (2, 2)
    assert str(found.basis[1].primitive()) == GORYACHEV_CHAPLYGIN
    assert all(p.certified for p in found.proofs)
    assert "on momentum-gamma = 0" in str(found)
    assert [str(q) for q in find_invariants(system, 3).basis].count(GORYACHEV_CHAPLYGIN) == 0
    assert find_invariants(system, 3, on={"momentum-gamma": 1}).dimension == 1  # the energy


@settings(max_examples=8, deadline=None)
@given(value=st.fractions(min_value=-3, max_value=3, max_denominator=8))
def test_goryachev_and_chaplygin_on_any_level(value):
    proof = prove(top(), GORYACHEV_CHAPLYGIN, on={"dot(M, Gamma)": value})
    assert proof.holds is (value == 0)
    if proof.counterexample is not None:
        at = proof.counterexample.state
        moments = (4, 4, 1)
        assert sum(i * w * c for i, w, c in zip(moments, at["Omega"], at["Gamma"], strict=True)) == value
        assert sum(c * c for c in at["Gamma"]) == 1


def test_it_needs_its_moments_and_its_axis():
    for other in (top(inertia=(4.0, 4.0, 2.0)), top(axis=(0, 0, 1)), top(inertia=(4.0, 3.5, 1.0))):
        assert prove(other, GORYACHEV_CHAPLYGIN, on={"momentum-gamma": 0}).along("drift").holds is False
    assert prove(top(), GORYACHEV_CHAPLYGIN, on={"momentum-gamma": 0}, parameters="generic").holds is False
    assert not prove(kovalevskaya(), GORYACHEV_CHAPLYGIN, on={"momentum-gamma": 0})


def test_both_parts_of_a_reducible_level_count():
    """M·Γ (M·Γ − 1) = 0 consists of two levels, of which one keeps the quantity."""
    product = {"dot(M, Gamma)*(dot(M, Gamma) - 1)": 0}
    assert prove(top(), GORYACHEV_CHAPLYGIN, on=product).along("drift").holds is False
    assert prove(top(), "energy", on=product).holds
    assert prove(top(), GORYACHEV_CHAPLYGIN, on={"dot(M, Gamma)**2": 0}).holds
    with pytest.raises(InputError, match="several factors"):
        prove(OnSphere(), "energy", on={"(dot(b, b) - 5)*(Omega[0]*b[0] + Omega[1]*b[1] + Omega[2]*b[2])": 0})


def test_levels_of_two_quantities_and_of_the_energy():
    on = {"momentum-gamma": 0, "energy": Fraction(3, 2)}
    assert prove(top(), GORYACHEV_CHAPLYGIN, on=on).holds
    proof = prove(top(), GORYACHEV_CHAPLYGIN, on=on, symbolic=False)
    assert proof.holds
    assert 0 < proof.error < 1e-30
    free = sd.load("rigid-body", noise=[])
    assert prove(free, "dot(M, M)", on={"energy": 1}).holds
    assert prove(free, "M[0]", on={"energy": 1}).counterexample is not None


def test_hess():
    """χ ⟂ a circular section of the ellipsoid of inertia: M·χ = 0 is an invariant relation, M·χ is no integral."""
    half = 0.5**0.5
    system = top(inertia=(6.0, 4.0, 3.0), axis=(half, 0.0, half))
    relation = "M[0] + M[2]"
    assert prove(system, relation, on={relation: 0}).holds
    assert not prove(system, relation)
    assert not prove(system, relation, on={relation: 1})
    assert not prove(system, "M[0] - M[2]", on={"M[0] - M[2]": 0})
    assert not prove(top(inertia=(6.0, 4.5, 3.0), axis=(half, 0.0, half)), relation, on={relation: 0})
    assert find_invariants(system, 2, on={relation: 0}).rank == 2
    assert str(prove(system, relation, on={relation: 0})).startswith(
        f"{relation} (given parameters, on {relation} = 0)"
    )


def test_a_constraint_that_is_holonomic_in_disguise():
    system = OnSphere()
    assert prove(system, system.square).holds
    assert not prove(system, system.energy_of_the_sphere)
    assert prove(system, system.energy_of_the_sphere, on={system.square: 4}).holds
    assert prove(system, system.energy_of_the_sphere, on={"sqrt(dot(b, b) - 1)": 2}).holds  # b has a last component 1
    assert not prove(system, system.energy_of_the_sphere, on={system.square: 9})
    found = find_invariants(system, 2, on={system.square: 4})
    assert (found.dimension, found.rank) == (2, 2)  # Ω·b, and the energy, a polynomial of degree 2 on this level


def test_constraints_and_roots():
    """A form, and a level whose condition has a root."""
    assert prove(routh(), "energy", on={"jellett": 1}, along="drift").holds
    assert prove(routh(), "Omega[2]", on={"routh": 0}, along="drift").holds
    assert not prove(routh(), "Omega[2]", on={"routh": 1}, along="drift")


@pytest.mark.parametrize(
    ("on", "match"),
    [
        ({"Omega[0]": 1}, "conserved"),
        ({"dot(Gamma, Gamma)": 2}, "constant"),
        ({"momentum-gamma": "x"}, "a finite number"),
        ({"momentum-gamma": float("nan")}, "a finite number"),
        ({"Gamma": [0, 1]}, "3 of them"),
        ({"momentum-gamma": 1, "dot(M, Gamma)": 1}, "independent"),
        ({"momentum-gamma": 1, "dot(M, Gamma)": 2}, "independent"),
        ({"dot(M, Gamma)**3": 1}, "above 2"),
        ({"Gamma[0]": 0}, "above 2"),
        ({}, "a mapping"),
        (0, "a mapping"),
    ],
)
def test_levels_that_are_refused(on, match):
    with pytest.raises(InputError, match=match):
        prove(top(), "energy", on=on)


def test_a_level_is_invariant_along_the_columns_that_are_asked():
    noisy = routh()
    assert prove(noisy, "energy", on={"jellett": 0}, along="drift").holds
    with pytest.raises(InputError, match="noise1"):
        prove(noisy, "energy", on={"jellett": 0})


def test_a_condition_that_holds_everywhere_changes_nothing():
    assert not prove(top(), GORYACHEV_CHAPLYGIN, on={"gamma-norm": 1})
    assert prove(top(), "energy", on={"dot(Gamma, Gamma)": 1}).holds


def test_a_run_knows_its_level():
    run = top().simulate(state={"Omega": (0.5, 0.25, 1.0)}, t_end=0.1, dt=0.01)
    level = run.level()
    assert level["momentum-gamma"] == run["momentum-gamma"][0, 0]
    assert level == run.monitor(refine=False).level
    assert "on the level of its start" in str(run.monitor(refine=False))


class Measured(OnSphere):
    """|b|² as an observable."""

    @sd.observable(status="exact")
    def radius_squared(self, state):
        return self.square(state)


def test_a_run_knows_on_which_sphere_it_is():
    system = Measured()
    for x, on_it in (((1.2, 0, 1.6), True), ((0, 1.8, 2.4), False)):
        run = system.simulate(state={"x": x, "Omega": (0.3, 0.4, 0.5)}, t_end=0.1, dt=0.01)
        (radius,) = run.level().values()
        assert radius == pytest.approx(4 if on_it else 9, abs=1e-14)
        assert f"on the level of its start, radius-squared = {radius:g}" in str(run.monitor(refine=False))
        assert prove(system, system.energy_of_the_sphere, on={"radius-squared": round(radius)}).holds is on_it
