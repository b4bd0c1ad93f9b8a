"""The kit for authors of Lagrangians, constraints, integrators and systems: what is right passes, each fault is noticed."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import find, given
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops, plugins
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.integrators.method import Integrator, Step
from semidirect.model.noise_classes import noise_class
from semidirect.testing import (
    assert_equivariant,
    assert_measure,
    assert_orbit,
    assert_reversible,
    assert_spatial_momentum,
    constraint_contract,
    drift_slope,
    installed_systems,  # noqa: F401 - a fixture
    integrator_contract,
    lagrangian_contract,
    parameter_values,
    problems,
    systems,
)
from semidirect.testing.laws.sizes import budget

SO3, SE3 = sd.SO3(), sd.SE3()
GAMMA = {"Gamma": sd.Advected(sd.VectorRepresentation(SO3), (0, 0, 1))}
FRAME = {"Gamma": sd.AdvectedFrame(SE3)["Gamma"]}

# -- Lagrangians ---------------------------------------------------------------------------------------------------


def top(xi, a):
    return ops.dot(xi.Omega, ops.inertia((1.0, 2.0, 2.5), xi.Omega)) / 2 - a.Gamma[2] + 0.3 * xi.Omega[0]


def indefinite(xi):
    return (xi.Omega[0] ** 2 + xi.Omega[1] ** 2 - xi.Omega[2] ** 2) / 2


def steered(xi, a):
    """By a value: silently another function for symbols."""
    return top(xi, a) + (0 if a.Gamma[0] == 0 else xi.Omega[1] ** 2)


TestTop = lagrangian_contract(top, SO3, GAMMA)
TestQuadratic = lagrangian_contract(sd.QuadraticLagrangian((1, 2, 3), potential=lambda a: a.Gamma[0] ** 2), SO3, GAMMA)
TestIndefinite = lagrangian_contract(indefinite, SO3, positive=False)


@pytest.mark.parametrize(
    ("lagrangian", "test"),
    [
        (indefinite, "test_inertia"),
        (steered, "test_symbols_and_numbers"),
    ],
    ids=["indefinite", "steered"],
)
def test_a_faulty_lagrangian_is_noticed(lagrangian, test):
    contract, arguments = (
        lagrangian_contract(lagrangian, SO3, GAMMA),
        {"label": "default"} if test == "test_symbols_and_numbers" else {},
    )
    with pytest.raises(AssertionError):
        getattr(contract(), test)(**arguments)


# -- constraints ---------------------------------------------------------------------------------------------------

TestSuslov = constraint_contract(
    sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], {"u": 2}, noise=[(0.1, 0.2, 0.3)]), SO3
)
TestCovector = constraint_contract(sd.CovectorConstraint(lambda a: [a.Gamma], noise=[(0.1, 0, 0)]), SO3, GAMMA)
TestRolling = constraint_contract(sd.Rolling(lambda a: 2 * a.Gamma, noise=[(0.1, 0.2, 0)]), SE3, FRAME)


class TwoConstraints(sd.StochasticConstraint):
    """B says Ω₃ = 0, A says Ω₂ = 0."""

    def coordinates(self, group):
        return {"u": 2}

    def distribution(self, **at):
        return sd.Distribution(ops.array([[1, 0], [0, 1], [0, 0]]))

    def annihilator(self, **at):
        return sd.definition.Annihilator(ops.array([[0, 1, 0]]))


def dependent(a):
    return ops.transpose(ops.array([a.Gamma, 2 * a.Gamma]))


@pytest.mark.parametrize(
    ("constraint", "test"),
    [(TwoConstraints(), "test_A_form_and_B_form"),
     (sd.DistributionConstraint(dependent, {"u": 2}), "test_rank_of_the_constraint")],
    ids=["two constraints", "dependent"],
)  # fmt: skip
def test_a_faulty_constraint_is_noticed(constraint, test):
    contract = constraint_contract(constraint, SO3, GAMMA)
    with pytest.raises(AssertionError):
        getattr(contract(), test)()


def test_a_contract_has_what_applies():
    assert hasattr(TestCovector, "test_residual")
    assert not hasattr(TestSuslov, "test_residual")
    assert hasattr(TestTop, "test_inertia")
    assert not hasattr(TestIndefinite, "test_inertia")


# -- integrators ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ralston(Integrator):
    """A method of somebody else: Ŷ = Y + ⅔K(Y), Y⁺ = Y + ¼K(Y) + ¾K(Ŷ), K = fΔt + gΔW."""

    name: ClassVar[str] = "ralston"
    strong_order = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0, "general": 0.5})
    deterministic_order: ClassVar[int] = 2

    def step(self, model, y, t, dt, dW):
        k = model.field(y, t, dt, dW)
        d = model.dimension
        later = model.field(y + 2 / 3 * k[:d], t + 2 / 3 * dt, dt, dW)
        mean = 0.25 * k + 0.75 * later
        return Step(y + mean[:d], mean[d:])


@dataclass(frozen=True)
class Boasting(Ralston):
    """The same, which declares more than it does."""

    name: ClassVar[str] = "boasting"
    deterministic_order: ClassVar[int] = 3


@dataclass(frozen=True)
class Modest(Ralston):
    """The same, which declares less."""

    name: ClassVar[str] = "modest"
    deterministic_order: ClassVar[int] = 1


@dataclass(frozen=True)
class Inconsistent(Ralston):
    """Weights that do not add up to 1."""

    name: ClassVar[str] = "inconsistent"

    def step(self, model, y, t, dt, dW):
        k = model.field(y, t, dt, dW)
        return Step(y + 0.9 * k[: model.dimension], 0.9 * k[model.dimension :])


@dataclass(frozen=True)
class Frozen(Ralston):
    """The noise at the beginning of the step only: Itô's limit, where Stratonovich's is declared."""

    name: ClassVar[str] = "frozen"

    def step(self, model, y, t, dt, dW):
        d = model.dimension
        k, noise = model.field(y, t, dt, 0 * dW), model.field(y, t, 0.0, dW)
        later = model.field(y + k[:d], t + dt, dt, 0 * dW)
        mean = (k + later) / 2 + noise
        return Step(y + mean[:d], mean[d:])


@dataclass(frozen=True)
class Remembering(Ralston):
    """Adams and Bashforth's: it takes the step before for one of the same run."""

    name: ClassVar[str] = "remembering"
    before: ClassVar[list] = []

    def step(self, model, y, t, dt, dW):
        k = model.field(y, t, dt, dW)
        mean = 1.5 * k - 0.5 * self.before[-1] if self.before else k
        self.before.append(k)
        return Step(y + mean[: model.dimension], mean[model.dimension :])


TestRalston = integrator_contract(Ralston(), paths=50)
TestLieMidpoint = integrator_contract("lie-midpoint", conserves=("gamma-squared", "momentum-gamma"), paths=50)


@pytest.mark.parametrize(
    ("method", "test"),
    [(Boasting(), "test_deterministic_order"), (Modest(), "test_deterministic_order"),
     (Inconsistent(), "test_it_follows_the_drift"), (Frozen(), "test_strong_order"),
     (Remembering(), "test_a_run_in_two_parts_is_the_run_in_one")],
    ids=lambda x: getattr(x, "name", ""),
)  # fmt: skip
def test_a_faulty_integrator_is_noticed(method, test):
    contract = integrator_contract(method, paths=50)
    with pytest.raises(AssertionError):
        getattr(contract(), test)()


def test_a_method_that_keeps_nothing_is_noticed():
    with pytest.raises(AssertionError, match="gamma-squared: error"):
        integrator_contract(Ralston(), conserves=("gamma-squared",))().test_it_conserves("gamma-squared")


def test_what_methods_are_tried_on():
    for name, system in problems().items():
        assert noise_class(system).name == name


def test_drift_slope():
    heun = problems()["none"].simulate(t_end=20, dt=0.05, driver=0, method="heun")
    found = drift_slope(heun, "gamma-squared")
    assert 1e-4 < found.error < 1e-2  # measured 1.9e-3
    assert found.trend > 0.5  # it grows; measured 0.97
    kept = drift_slope(problems()["none"].simulate(t_end=20, dt=0.05, driver=0, method="lie-midpoint"), "energy")
    assert 1e-6 < kept.error < 1e-3  # measured 1e-4
    assert kept.trend < 0.5  # it oscillates


# -- dynamics ------------------------------------------------------------------------------------------------------


def test_spatial_momentum():
    assert_spatial_momentum(sd.load("rigid-body"), symmetries=3)
    assert_spatial_momentum(sd.load("heavy-top"), symmetries=1)
    with pytest.raises(AssertionError, match="1 symmetries, expected 3"):
        assert_spatial_momentum(sd.load("heavy-top"), symmetries=3)


@pytest.mark.parametrize(
    ("name", "dimension"), [("rigid-body", 3), ("heavy-top", 1), ("rolling-ball", 4), ("suslov", 3)]
)
def test_equivariance(name, dimension):
    assert assert_equivariant(sd.load(name)) == dimension


def test_reversal():
    assert_reversible(sd.load("chaplygin-ball", noise=()), {"Omega": -1})
    assert_reversible(sd.load("heavy-top", noise=()), {"Omega": -1})
    with pytest.raises(AssertionError, match="dOmega is"):
        assert_reversible(sd.load("heavy-top", noise=()), {"Gamma": -1})
    with pytest.raises(InputError, match="a reversal of 'omega'"):
        assert_reversible(sd.load("heavy-top"), {"omega": -1})


def test_measures():
    assert_measure(sd.load("rigid-body"), along="both")
    with pytest.raises(AssertionError, match="not divergence-free"):
        assert_measure(sd.load("suslov"))


def test_orbits():
    assert_orbit(sd.load("rolling-ball"))


# -- strategies ----------------------------------------------------------------------------------------------------


@budget(0.3)
@given(data=st.data())
def test_parameter_values_are_accepted(data):
    ball = sd.plugins.load("rolling-ball")
    for name, parameter in ball.workings.parameters().items():
        value = data.draw(parameter_values(parameter), label=name)
        np.testing.assert_array_equal(parameter.validated(value, "RollingBall"), value.reshape(np.shape(value)))


@budget(0.3)
@given(system=systems(sd.plugins.load("rolling-ball"), offset=0.25))
def test_systems_are_drawn_within_their_bounds(system):
    assert isinstance(system, sd.System)
    assert system.offset == 0.25
    assert np.all(system.mass > 0)


def test_systems_shrink_to_the_defaults():
    ball = sd.plugins.load("rolling-ball")
    assert find(systems(ball), lambda s: True).values["mass"] == ball().values["mass"]
    found = find(systems(ball), lambda s: s.values["mass"] > 1.5)
    changed = [n for n, v in found.values.items() if not np.array_equal(v, ball().values[n])]
    assert changed == ["mass"]
    assert found.values["mass"] == 2.0  # the simplest number above 1.5


def test_the_fixture_hides_installed_plugins(installed_systems):  # noqa: F811
    assert plugins.available() == {}
    installed_systems(
        **{"my-body": "semidirect_rigid_body:RigidBody", "other": ("tops", "semidirect_rigid_body:RigidBody")}
    )
    assert {n: e.distribution for n, e in plugins.available().items()} == {"my-body": "tests", "other": "tops"}
    assert isinstance(sd.load("my-body"), sd.System)
    with pytest.raises(UnknownNameError, match="Known: my-body, other"):
        sd.load("rolling-ball")
