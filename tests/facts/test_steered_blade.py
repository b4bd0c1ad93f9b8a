"""A blade steered by a given angle with an Ornstein–Uhlenbeck play: a constraint of time and of an internal state, with √2."""

import json
import re

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.analysis.monitor import Outcome
from semidirect.core.errors import InputError
from semidirect.invariants import find_invariants, lie_rank
from semidirect.testing.laws.observables import statuses
from semidirect.testing.laws.subject import Subject


class SteeredBlade(sd.System):
    """S = SE(2), the blade at a ahead of the centre and turned by δ(t) + q; drag c."""

    lever = sd.parameter(0.3, symbol="a")
    swing = sd.parameter(0.4, symbol="delta")
    play = sd.parameter(0.1, symbol="k", nonnegative=True)
    memory = sd.parameter(0.5, symbol="T", positive=True)
    drag = sd.parameter(0.1, symbol="c", nonnegative=True)
    group = sd.SE2()
    initial = {"nu": 0.0, "v": (1.0, 0.0)}

    def internal(self):
        return [
            sd.InternalState(
                "q", 0.0, drift=lambda z: -z.q / self.memory, noise=[self.play * ops.sqrt(2) / self.memory]
            )
        ]

    def kinetic(self, xi):
        return (xi.nu**2 / 2 + ops.dot(xi.v, xi.v)) / 2

    def lagrangian(self, xi):
        return self.kinetic(xi)

    def covectors(self, t, z):
        angle = self.swing * ops.sin(t) + z.q
        return [[self.lever * ops.cos(angle), -ops.sin(angle), ops.cos(angle)]]

    def constraint(self):
        return sd.CovectorConstraint(self.covectors)

    def force(self, xi):
        return -self.drag * ops.array([0, xi.v[0], xi.v[1]])

    @sd.observable(status="dissipated")
    def energy(self, state):
        return self.kinetic(state)


class ShakenBlade(SteeredBlade):
    """Its turn is shaken, which gives and takes energy."""

    def independent_force(self):
        return [ops.array([0.1, 0, 0])]


def test_dissipation_is_held_against_the_noise():
    assert statuses(Subject(SteeredBlade, {}, 0)).figure.startswith("energy falls at ")
    shaken = statuses(Subject(ShakenBlade, {}, 0))
    assert shaken.status == "failed"
    assert "noise2: not conserved" in shaken.figure
    assert len(shaken.figure) < 300  # of sines, 206; exactly written 2500


def test_the_monitor_tells_a_constraint_that_a_method_leaves_from_a_noise():
    """Off the constraint by the error of the method, the reaction does work; on it DQ·g is 0, which is proved."""
    run = SteeredBlade().simulate(
        t_end=2, dt=0.02, paths=4, seed=0, save="every:10", execution=sd.Execution(engine="numpy")
    )
    found = run.monitor(refine=False)["energy"]
    assert found.outcome is Outcome.MET
    assert found.figures["largest noise"] > 1e-6  # 1.4e-5
    run = ShakenBlade().simulate(
        t_end=2, dt=0.02, paths=4, seed=0, save="every:10", execution=sd.Execution(engine="numpy")
    )
    assert run.monitor(refine=False)["energy"].outcome is Outcome.VIOLATED


class Wandering(sd.System):
    """A body and an internal state with the noise √2, irrational modulo half of the primes."""

    group = sd.SO3()

    def internal(self):
        return [sd.InternalState("q", 0.0, noise=[ops.sqrt(2)])]

    def lagrangian(self, xi):
        return (xi.Omega[0] ** 2 + 2 * xi.Omega[1] ** 2 + 3 * xi.Omega[2] ** 2) / 2

    def force(self, xi, z):
        return z.q * ops.array(xi.Omega)


@pytest.mark.parametrize("seed", range(4))
def test_primes_without_a_root_are_passed_over(seed):
    """Half of the primes have no √2; each of the seeds starts at another one."""
    body = Wandering()
    assert find_invariants(body, 1, along="both", seed=seed).dimension == 0
    assert lie_rank(body, seed=seed).rank == 4


def test_observables_take_the_state_alone():
    with pytest.raises(sd.errors.DefinitionError, match=r"the observable 'late' takes other arguments.*'t'.*state\.t"):

        class Late(SteeredBlade):
            """The time is in the state."""

            @sd.observable()
            def late(self, state, t):
                return state.nu * t

    class Timely(SteeredBlade):
        """So."""

        @sd.observable()
        def late(self, state):
            return state.nu * state.t

    assert Timely(swing=0.0).evaluate({"nu": 0.5, "v": (1.0, -0.15)}, t=2.0)["observables"]["late"]["value"] == 1.0


def test_an_inadmissible_velocity_raises_an_error_with_the_nearest_one():
    """The error says what to give, and what it says is accepted."""
    blade = SteeredBlade()
    with pytest.raises(InputError, match="nearest is nu = ") as caught:
        blade.evaluate({"nu": 0.3, "v": (1.0, 0.2)}, t=2.0)
    text = str(caught.value).partition("nearest is ")[2].rstrip(".")
    found = {k: json.loads(v) for k, v in re.findall(r"(\w+) = (\[.*?\]|[^,]+)", text)}
    there = blade.evaluate(found, t=2.0)["state"]
    angle = 0.4 * np.sin(2.0)
    A = np.array([0.3 * np.cos(angle), -np.sin(angle), np.cos(angle)])
    given, velocity = np.array([0.3, 1.0, 0.2]), np.array([there["nu"], *there["v"]])
    np.testing.assert_allclose(velocity, given - A * (A @ given) / (A @ A), rtol=0, atol=1e-11)  # twelve digits
