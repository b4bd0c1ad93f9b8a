"""The contract of systems notices what is wrong with a system, each fault by the test that is made for it."""

import numpy as np
import pytest
from wrong_systems import (
    FastPath,
    InvertedAction,
    LiftingNoise,
    NegativeInertia,
    NoSurface,
    NotConserved,
    NotDissipated,
    NotFinite,
    Right,
    RightBall,
    SteeredByAValue,
    SteeredObservable,
    WrongInitialState,
)

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError, SimulationError
from semidirect.laws import LAWS, check
from semidirect.testing import structures, system_contract, variants


class Explosive(Right):
    def force(self, xi):
        return ops.exp(ops.exp(xi.Omega + 100))


TestTop = system_contract(Right)
TestBall = system_contract(RightBall, radius=0.5)

OF_VARIANTS = {law.name for law in LAWS if law.cases}
FAULTS = {
    SteeredByAValue: ("symbols and numbers", {"label": "offset=0"}),
    SteeredObservable: ("symbols and numbers", {"label": "mass=1"}),
    NotConserved: ("declared statuses", {}), NotDissipated: ("declared statuses", {}), FastPath: ("derivatives of l", {}),
    NegativeInertia: ("inertia", {}), NotFinite: ("observables", {}), NoSurface: ("contact", {}), LiftingNoise: ("contact", {}),
    InvertedAction: ("advected quantities", {}), WrongInitialState: ("recommended state", {}), Explosive: ("reconstruction", {}),
}  # fmt: skip


def of_test(name):
    return "test_" + name.replace(" ", "_")


def of_law(contract, name):
    return getattr(contract, of_test(name))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda kind: kind.__name__)
def test_a_fault_is_noticed(fault):
    test, arguments = FAULTS[fault]
    contract = system_contract(fault)
    with np.errstate(all="ignore"), pytest.raises((AssertionError, InputError, SimulationError)):
        of_law(contract(), test)(**arguments)


@pytest.mark.parametrize("fault", [SteeredByAValue, SteeredObservable, NotConserved])
def test_a_fault_is_noticed_by_its_test_only(fault):
    contract = system_contract(fault)()
    for name in ("principles", "energy law", "observables", "inertia"):
        of_law(contract, name)(**({"label": "default"} if name in OF_VARIANTS else {}))


def test_the_contract_varies_what_a_system_has():
    ball = sd.load("rolling-ball")
    assert list(structures(ball)) == ["default", "coupling=printed", "vertical=varied"]
    assert structures(sd.load("rigid-body")).keys() == {"default", "advect_gamma=True"}
    found = variants(ball)
    assert {
        "offset=0",
        "gravity=0",
        "mass=1e-6",
        "axis=e1",
        "inertia=1",
        "inertia=a matrix",
        "noise=0 rows",
    } <= found.keys()
    assert not {"mass=0", "radius=0", "inertia=0", "axis=0", "offset=-1"} & found.keys()
    assert found["noise=2 rows"].noise.shape == (2, 3)
    assert found["offset=0"].offset == 0


def test_choices_and_presets():
    printed = system_contract(sd.plugins.load("routh-sphere"), coupling="printed", offset=0.1)
    assert any("coupling=variational" in mark.args[1] for mark in printed.test_energy_law.pytestmark)
    with pytest.raises(InputError, match="unknown parameter or option of RollingBall 'ofset'"):
        system_contract(sd.plugins.load("routh-sphere"), ofset=0.1)


def test_inapplicable_tests_are_absent():
    """No test passes without asserting: a system without exact observables or contact has no such tests."""
    assert hasattr(TestTop, "test_declared_statuses")
    assert not hasattr(TestTop, "test_contact")
    assert hasattr(TestBall, "test_contact")
    assert not hasattr(TestBall, "test_declared_statuses")


def test_both_drivers_try_the_same_laws():
    """Each law that applies according to a quick check is a test, and no other."""
    report = check(Right, quick=True)
    applicable = {f.check for f in report.findings if f.outcome.status != "not applicable"}
    tests = {law.name for law in LAWS if hasattr(TestTop, of_test(law.name))}
    assert tests == applicable


class Everything(sd.System):
    """What a system can have: a volatility and an internal state from parameters, time, forces with both kinds of noise."""

    inertia = sd.inertia((2.0, 3.0, 4.0))
    stiffness = sd.parameter(0.5, symbol="k", nonnegative=True)
    volatility = sd.parameter(((0.1, 0.2, 0.0), (0.0, 0.1, 0.1)), symbol="sigma", shape=(None, 3))
    relaxation = sd.parameter(0.4, symbol="tau", positive=True)
    friction = sd.parameter(0.3, symbol="mu", nonnegative=True)
    period = sd.option(2, choices=(2, 3))
    group = sd.DirectProduct(sd.SO3(), sd.SE2(blocks=("nu", "v"), coordinates=("phi", "x", "y")))
    initial = {"Omega": (0.1, 0.2, 0.3), "q": 0.2}

    @property
    def advected(self):
        frame = sd.Pullback(sd.VectorRepresentation(sd.SO3()), self.group, "Omega")
        inner = sd.Pullback(sd.HomogeneousRepresentation(sd.SE2()), self.group, ("nu", "v"))
        return {"Gamma": sd.Advected(frame, (0, 0, 1)), "b": sd.Advected(inner, (0, 0, 1))}

    def internal(self):
        def drift(z, t):
            return -z.q / self.relaxation + ops.sin(self.period * t)

        return [sd.InternalState("q", 0.1, drift, [0.2, 0.1])]

    def lagrangian(self, xi, a, t, z):
        turning = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 * (1 + z.q**2)
        moving = (ops.dot(xi.v, xi.v) + xi.nu**2 + xi.nu * xi.Omega[2]) / 2
        potential = self.stiffness * (a.Gamma[0] * ops.cos(t) + ops.dot(a.b[:2], a.b[:2]) * z.q)
        return turning + moving - potential

    def lift(self, row):
        return [*row, 0, 0, 0]

    def constraint(self):
        noise = sd.noise.VolatilityNoise(
            [self.lift(row) for row in self.volatility], diffusion=[self.lift(r) for r in self.volatility]
        )
        basis = ops.transpose(
            ops.array([[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0]])
        )
        return sd.DistributionConstraint(basis, {"Omega": 3, "w": 1}, noise=noise)

    def force(self, xi):
        return -self.friction * xi.Omega, 0, 0, 0

    def noise_force(self, xi, a):
        return [(xi.Omega, 0, a.Gamma[0], 0)]

    def independent_force(self, t):
        return [(0, 0, 0, t, 0, 1)]

    @sd.observable(status="exact")
    def length(self, state):
        """|Γ|²."""
        return ops.dot(state.Gamma, state.Gamma)

    @sd.observable()
    def place(self, state):
        """Position and an angle of the second factor, and the internal state."""
        return ops.array([state.x, state.y, ops.cos(state.phi), state.q, state.t, state.s[4, 5]])


TestEverything = system_contract(Everything)
