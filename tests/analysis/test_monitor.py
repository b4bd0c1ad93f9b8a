"""What observables declare, true and false, and what the monitor says of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.analysis.monitor import EXPECTATIONS, Outcome
from semidirect.analysis.monitor.watched import Watched
from semidirect.definition.observables import STATUSES
from semidirect.integrators.dop853 import DOP853

MET, METHOD, BETTER, VIOLATED, OPEN = Outcome.MET, Outcome.METHOD, Outcome.BETTER, Outcome.VIOLATED, Outcome.OPEN


class Body(sd.System):
    """A rigid body with drag and noise in the body, whose observables declare what is true of a body without drag."""

    inertia = sd.inertia((1.0, 2.0, 2.5))
    drag = sd.parameter(0.0)
    noise = sd.parameter(((0.1, 0.2, -0.1),), shape=(None, 3))

    group = sd.SO3()
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (1.0, 0.8, -0.6)}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)

    def force(self, xi):
        return -self.drag * xi.Omega

    @sd.observable(status="random")
    def energy(self, state):
        return self.lagrangian(state)

    @sd.observable(status="exact")
    def casimir(self, state):
        return ops.dot(state.M, state.M)

    @sd.observable(status="exact")
    def space(self, state):
        """gΠ, a vector."""
        return ops.matvec(state.s, state.M)

    @sd.observable()
    def first(self, state):
        """Declares nothing."""
        return state.M[0]


class Mistaken(Body):
    """The same, whose observables declare what is wrong, or less than what is true."""

    @sd.observable(status="exact")
    def energy_exact(self, state):
        return self.lagrangian(state)

    @sd.observable(status="dissipated")
    def energy_dissipated(self, state):
        return self.lagrangian(state)

    @sd.observable(status="drifts")
    def energy_drifts(self, state):
        return self.lagrangian(state)

    @sd.observable(status="random")
    def casimir_random(self, state):
        return ops.dot(state.M, state.M)

    @sd.observable(status="bounded")
    def casimir_bounded(self, state):
        return ops.dot(state.M, state.M)

    @sd.observable(status="dissipated")
    def casimir_dissipated(self, state):
        return ops.dot(state.M, state.M)

    @sd.observable(status="drifts")
    def casimir_drifts(self, state):
        return ops.dot(state.M, state.M)

    @sd.observable(status="bounded")
    def spin_bounded(self, state):
        return state.M[2]


class Walker(sd.System):
    """A particle on a line with friction, moved by noise: its place wanders, its velocity does not."""

    friction, moved, pushed = sd.parameter(1.0), sd.parameter(0.5), sd.parameter(0.3)

    group = sd.RealSpace(1, coordinates=("x",))
    initial = {"v": 1.0}

    def lagrangian(self, xi):
        return xi.v**2 / 2

    def constraint(self):
        return sd.Unconstrained(noise=[[self.moved]])

    def force(self, xi):
        return [-self.friction * xi.v]

    def noise_force(self):
        return [[self.pushed]]

    @sd.observable(status="bounded")
    def place(self, state):
        return state.x

    @sd.observable(status="bounded")
    def velocity(self, state):
        return state.v

    @sd.observable(status="random")
    def apart(self, state):
        """pushed·x − moved·v has no noise."""
        return self.pushed * state.x - self.moved * state.v


LONG = {"t_end": 10, "dt": 0.01, "paths": 16, "seed": 3}


def outcomes(found):
    return {f.quantity: f.outcome for f in found}


@pytest.fixture(scope="module")
def mistaken():
    return Mistaken().simulate(**LONG, method="lie-heun")


def test_true_declarations_are_met(mistaken):
    found = mistaken.monitor(names=["energy", "casimir", "space"])
    assert found.met
    assert outcomes(found) == {"energy": MET, "casimir": MET, "space": MET}
    kept = found["casimir"].figures
    assert kept["largest change"] < 0.1 * kept["bound of rounding"]  # measured 0.01
    variation = found["energy"].figures
    assert abs(variation["measured over exact"] - 1) < variation["allowed"] < 0.2  # measured 0.006 and 0.06
    assert [f.quantity for f in mistaken.monitor(names=["energy", "first"])] == ["energy"]


def test_false_declarations_are_violated(mistaken):
    found = mistaken.monitor()
    assert not found.met
    assert {k: v for k, v in outcomes(found).items() if "-" in k} == {
        "energy-exact": VIOLATED, "energy-dissipated": VIOLATED, "energy-drifts": VIOLATED, "casimir-random": BETTER,
        "casimir-bounded": BETTER, "casimir-dissipated": BETTER, "casimir-drifts": MET,
        "spin-bounded": VIOLATED,  # over 10 s: it spreads over a sphere in some 100 s
    }  # fmt: skip
    assert "not conserved" in found["energy-exact"].reason  # with a state, exactly
    assert "first" not in outcomes(found)


def test_drift_of_the_method_is_distinguished_from_drift_of_the_model():
    """Heun keeps no quadratic invariant; the equations do."""
    found = Mistaken().simulate(**LONG, method="heun").monitor(names=["casimir", "casimir-drifts", "energy-exact"])
    assert outcomes(found) == {"casimir": METHOD, "casimir-drifts": MET, "energy-exact": VIOLATED}
    figures = found["casimir"].figures
    assert figures["largest change"] > 1e3 * figures["bound of rounding"]
    assert figures["declared order"] == 1.0  # one noise
    assert 0.7 < figures["measured order"] < 2.3  # measured 1.9
    assert "measured order" not in Body().simulate(**LONG, method="heun").monitor(refine=False)["casimir"].figures


def test_without_noise():
    run = Mistaken(noise=()).simulate(t_end=10, dt=0.01, method="heun")
    found = run.monitor()
    assert found["energy"].reason.startswith("there is no noise; heun changes it by ")
    assert "of its largest value, implicit-midpoint" in found["energy"].reason
    assert outcomes(found)["energy-exact"] is METHOD
    assert found["energy-exact"].figures["measured order"] == pytest.approx(3, abs=0.05)  # measured 3.0000
    long = Mistaken(noise=()).simulate(t_end=100, dt=0.02, method="lie-heun")  # some 12 turns
    assert outcomes(long.monitor(names=["spin-bounded"])) == {"spin-bounded": MET}


def test_drag_dissipates():
    run = Mistaken(noise=(), drag=0.3).simulate(t_end=5, dt=0.01, method="lie-heun")
    found = run.monitor()
    assert outcomes(found)["energy-dissipated"] is MET
    assert found["energy-dissipated"].figures["largest rate"] < 0
    assert outcomes(found)["energy-exact"] is outcomes(found)["casimir"] is VIOLATED
    pushed = Mistaken(noise=(), drag=-0.3).simulate(t_end=5, dt=0.01, method="lie-heun").monitor()
    assert pushed["energy-dissipated"].reason == "the equations increase it somewhere"


def test_a_diffusing_quantity_is_not_bounded():
    run = Walker().simulate(t_end=40, dt=0.05, paths=64, method="heun", seed=5)
    found = run.monitor()
    assert outcomes(found) == {"place": VIOLATED, "velocity": MET, "apart": BETTER}
    assert found["place"].figures["growth of the spread"] > 1.5  # √3 for a random walk; measured 1.6


def test_wrong_quadratic_variation_is_detected(mistaken):
    wrong = type(mistaken)(replace(mistaken.data, data={**mistaken.data, "energy": 1.2 * mistaken["energy"]}))
    finding = wrong.monitor(names=["energy"], refine=False)["energy"]
    assert finding.outcome is VIOLATED
    assert finding.figures["measured over exact"] == pytest.approx(1.44, abs=0.1)
    assert outcomes(wrong.monitor(names=["energy"])) == {"energy": METHOD}  # a run at half the step is right


def test_errors_of_large_steps_are_attributed_to_the_method():
    """A rattleback rattles: at .005 s its energy has 1.5 times the variation of its noise, at half of that the right one."""
    run = sd.load("rattleback").simulate(t_end=1, dt=0.005, paths=16, seed=1, method="lie-heun")
    found = {refine: run.monitor(names=["energy"], refine=refine)["energy"] for refine in (True, False)}
    assert found[False].outcome is VIOLATED
    assert found[True].outcome is METHOD
    assert "at half the step" in found[True].reason


def test_intervals_that_are_too_long():
    """A body that turns in .15 s: steps of .002 s see its energy vary, times .16 s apart do not (2.6 of the variation)."""
    state = {"Omega": (40.0, 32.0, -24.0)}
    for dt, save, outcome in ((0.002, "all", MET), (0.01, "every:16", OPEN)):
        run = Body().simulate(t_end=4, dt=dt, paths=16, seed=3, method="lie-heun", state=state, save=save)
        assert outcomes(run.monitor(names=["energy"])) == {"energy": outcome}


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "heavy-top", "rigid-body", "suslov", "nonholonomic-particle"])
def test_what_installed_systems_declare(name):
    run = sd.load(name).simulate(t_end=2, dt=0.005, paths=8, seed=1)
    found = run.monitor()
    assert found.met
    assert len(found.findings) >= 1


def test_a_smooth_path_has_no_variation():
    run = Body().simulate(t_end=2, dt=0.02, method="dop853", driver="sin(t)")
    found = run.monitor()
    assert outcomes(found)["energy"] is OPEN
    assert outcomes(found)["casimir"] is MET
    loose = Body().simulate(t_end=10, dt=0.5, method=DOP853(rtol=1e-6, atol=1e-6), driver="sin(t)")
    finding = loose.monitor(names=["casimir"])["casimir"]
    # Its tolerances are not rounding, and half a step, which it does not take, tells nothing.
    assert finding.outcome is METHOD
    assert "measured order" not in finding.figures
    assert outcomes(Body().simulate(t_end=2, dt=0.02, method="heun", driver=0).monitor())["energy"] is MET


def watched(values, times, status="bounded", *, fine=None, proof=None, noise=0.0):
    values = np.asarray(values, dtype=float)[:, :, None]
    still = np.zeros_like(values)
    return Watched("Q", status, np.asarray(times), values, still, still, np.full((1, *values.shape), noise), 1.0, len(times),
                   True, lambda along="both": proof, lambda: fine, 1.0)  # fmt: skip


@given(st.floats(0.1, 10), st.floats(3, 40), st.floats(0, 6), st.floats(-5, 5))
def test_an_oscillation_is_bounded_and_a_slope_is_not(amplitude, turns, phase, level):
    t = np.linspace(0, 1, 400)
    wave = level + amplitude * np.sin(2 * np.pi * turns * t + phase)
    judge = EXPECTATIONS["bounded"].judge
    assert judge(watched([wave], t)).outcome is MET
    assert judge(watched([wave + 8 * amplitude * t], t)).outcome is VIOLATED
    assert judge(watched([np.full(400, level)], t)).outcome is BETTER


def test_drift_independent_of_the_step_is_attributed_to_the_model():
    t = np.linspace(0, 1, 20)
    same, half = 1e-3 * t[None, :, None], 5e-4 * t[None, :, None]
    exact = EXPECTATIONS["exact"].judge
    assert exact(watched([1e-3 * t], t, "exact", fine=same)).outcome is VIOLATED
    assert exact(watched([1e-3 * t], t, "exact", fine=half)).outcome is METHOD
    assert exact(watched([1e-3 * t], t, "exact")).outcome is OPEN  # neither proof nor a second run
    assert exact(watched([0 * t], t, "exact")).outcome is MET


def test_every_status_has_an_expectation():
    assert set(EXPECTATIONS) == set(STATUSES) - {""}


def test_quantities_that_cannot_be_monitored_raise_errors(tmp_path):
    body = Body()
    with pytest.raises(sd.errors.InputError, match="several times, from 0 on"):
        body.simulate(t_end=1, dt=0.1, save="final").monitor()
    run = body.simulate(t_end=1, dt=0.1)
    with pytest.raises(sd.errors.UnknownNameError, match="momentum"):
        run.monitor(names=["momentum"])
    with pytest.raises(sd.errors.InputError, match="Save everything"):
        body.simulate(t_end=1, dt=0.1, save=sd.Save(names=["energy"])).monitor()
    loaded = sd.Run.load(run.save(tmp_path / "run.zarr"))
    assert loaded.monitor(body).described() == loaded.monitor().described() == run.monitor().described()
    with pytest.raises(sd.errors.InputError, match="its system"):
        type(loaded)(replace(loaded.data, config={**run.config, "system": "elsewhere:Body"})).monitor()


def test_table_and_types(mistaken):
    found = mistaken.monitor(names=["energy", "casimir", "energy-exact"])
    lines = str(found).splitlines()
    assert lines[0].split() == ["observable", "declared", "result", "figures", "because"]
    assert len([line for line in lines if line[0] != " "]) == 5  # a title, three observables, and the level
    described = found.described()
    assert described["met"] is False
    assert described["observables"]["casimir"]["outcome"] == "met"
