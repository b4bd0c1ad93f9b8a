"""Derivatives of hybrid runs, through transitions whose time moves: differences of runs, closed forms, refusals."""

import numpy as np
import pytest
from hybrid_systems import Ball, RollingBall, dropped_ball, hopping_hoop

import semidirect as sd
from semidirect.core.central_differences import SIXTH_ORDER
from semidirect.core.errors import InputError, MethodError, UnknownNameError

H = 2.0**-12


def moved(system, shifts):
    """The hybrid system whose modes have shifted parameters, one for each path, where they have them."""
    modes = {}
    for name, mode in system.modes.items():
        ours = {k: sd.PerPath(mode.values[k] + x) for k, x in shifts.items() if k in mode.values}
        modes[name] = mode.replace(**ours) if ours else mode
    return sd.Hybrid(modes, system.switches)


def hoop(shifts=None, **arguments):
    """Rolls, slips, hops, lands and slips again."""
    shifts = shifts or {}
    start = {"omega": 8.6 + shifts.get("omega", 0.0), "turn": (-1, 0)}
    call = {"t_end": 1.35, "dt": 0.03, "method": "lie-heun", "save": "every:9", **arguments}
    return moved(hopping_hoop(friction=0.8), shifts).simulate(mode="rolling", state=start, **call)


def ball(impact, shifts=None, omega=(1.0, -0.5, 1.5), friction=0.5, rate=1.5, **arguments):
    """Falls on a table that turns."""
    shifts = shifts or {}
    spin = np.stack(np.broadcast_arrays(omega[0] + shifts.get("Omega1", 0.0), *omega[1:]), axis=-1)
    start = {"Omega": spin, "Y": (0.4, -0.2, 0.0), "b": (-0.5, 0, -0.45, 1)}
    call = {"t_end": 0.6, "dt": 0.04, "method": "lie-heun", "save": "every:3", "state": start, **arguments}
    system = dropped_ball(impact, friction=friction, rate=rate)
    rolls = sd.Switch(
        "sliding", "rolling", sd.Stop("slip", below=0.2)
    )  # a step of friction changes the slip by 0.14 m/s
    return moved(sd.Hybrid(system.modes, [system.switches[0], rolls]), shifts).simulate(mode="flight", **call)


def on_the_table(restitution=0.0, slides=None, **how):
    impact = sd.Impact(restitution, slides, None if slides is None else "sliding")
    return lambda *shifts, **arguments: ball(impact, *shifts, **how, **arguments)


RUNS = {
    "slips, hops and lands": (hoop, ("gravity", "omega"), ("omega", "v", "b", "turn", "energy"),
                              ("rolling", "backward", "flight", "rolling", "backward")),
    "sticks": (on_the_table(), ("radius", "gravity", "rate", "Omega1"), ("Omega", "Y", "b", "g"), ("flight", "rolling")),
    "slides and rolls": (on_the_table(0.0, 0.05, omega=(0.5, 10.0, 3.0), friction=0.2, rate=0.0, dt=0.02, save="every:5",
                                      method="implicit-midpoint"),
                         ("gravity", "friction", "Omega1"),
                         ("Omega", "Y", "b", "energy"), ("flight", "sliding", "rolling")),
    "rebounds": (on_the_table(restitution=0.5), ("radius", "gravity", "Omega1"), ("Omega", "Y", "b", "g"),
                 ("flight", "flight", "flight", "flight")),
    "rebounds with friction": (on_the_table(restitution=0.6, slides=0.05), ("rate", "Omega1"),
                               ("Omega", "Y", "b"), ("flight", "flight", "flight")),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_derivatives_are_those_of_runs_with_the_same_transitions(name):
    """Shifted paths of one run, each with its own parameters and start, and the run without shifts."""
    run_of, by, quantities, sequence = RUNS[name]
    run = run_of(formulation=sd.Formulation(sensitivity=by))
    assert run.sequence(0)[: len(sequence)] == sequence
    plain = run_of()
    for quantity in plain:
        assert plain[quantity].tobytes() == run[quantity].tobytes(), quantity
    signs = np.array([k * sign for k, _ in SIXTH_ORDER for sign in (1, -1)])
    weights = np.array([c * sign for _, c in SIXTH_ORDER for sign in (1, -1)])
    shifts = np.kron(np.eye(len(by)), signs) * H
    several = run_of(dict(zip(by, shifts, strict=True)))
    assert set(several.sequences) == {run.sequence(0)}
    for quantity in quantities:
        theirs = np.tensordot(weights, several[quantity].reshape(len(by), 6, *several[quantity].shape[1:]), (0, 1)) / H
        ours = np.moveaxis(run.sensitivity(quantity).values[0], -1, 0)
        size = max(1.0, np.abs(theirs).max())
        assert np.abs(ours - theirs).max() < 1e-9 * size, quantity  # measured: 5e-11


def test_bounces_that_accumulate_leave_the_derivatives_of_their_limit():
    """From h = 1/4 they end at t₁ (1 + e)/(1 − e), t₁² = 2h/g; the first one slows a ball that does not turn to 5/7."""
    start = {"Omega": (0, 0, 0), "Y": (0.7, 0, 0), "b": (-0.5, 0, -0.45, 1)}
    call = {"t_end": 0.4, "dt": 0.02, "method": "rkmk4", "save": sd.Save("final", names=["dot(b, b)"]), "state": start}
    by = sd.Formulation(sensitivity=("gravity", "Y1"))
    run = dropped_ball(sd.Impact(0.25)).simulate(mode="flight", formulation=by, **call)
    assert run.accumulated.tolist() == [0]
    far = np.sqrt(2 * 0.25 / 9.8) * (1 + 2 / 3 * 5 / 7)
    x = 0.5 + 0.7 * far
    slopes = 2 * x * far * np.array([-0.7 / (2 * 9.8), 1.0])
    assert run["dot(b, b)"][0, -1] == pytest.approx(x**2 + 0.2**2 + 1, abs=1e-6)  # measured: 3e-8
    np.testing.assert_allclose(run.sensitivity("dot(b, b)").values[0, -1], slopes, atol=1e-6)  # measured: 2e-7


def test_paths_do_not_depend_on_each_other_and_data_sets_keep_derivatives():
    rates = np.array([0.5, 1.5, 2.5])
    system, by = dropped_ball(sd.Impact(0.3, settling=0.5), rate=sd.PerPath(rates), friction=0.2), ("rate", "Omega")
    call = {"mode": "flight", "t_end": 0.4, "dt": 0.04, "method": "lie-heun", "save": "every:5",
            "state": {"b": (-0.5, 0, -0.45, 1)}, "formulation": sd.Formulation(sensitivity=by)}  # fmt: skip
    run = system.simulate(**call)
    alone = dropped_ball(sd.Impact(0.3, settling=0.5), rate=1.5, friction=0.2).simulate(**call)
    for name in run:
        np.testing.assert_allclose(run[name][1], alone[name][0], rtol=1e-12, atol=1e-12)
    again = sd.runs.HybridRun.from_xarray(run.to_xarray())
    found = again.sensitivity("Y2", "Omega")
    assert found.directions == ("Omega1", "Omega2", "Omega3")
    assert np.array_equal(found.values, run.sensitivity("Y").values[:, :, 1, 1:])
    assert found.mean.shape == (3, 3)


class Noisy(RollingBall):
    noise = sd.parameter((), shape=(None, 3))

    def constraint(self):
        return sd.Rolling(lambda a: self.radius * a.Gamma, noise=self.noise, normal=lambda a: a.Gamma)


LANDS = sd.Switch("flight", "rolling", sd.Crossing("height", 0, "falling"))


def test_what_has_no_derivatives_through_transitions_is_refused():
    call = {"mode": "flight", "t_end": 0.1, "dt": 0.05, "method": "lie-heun"}

    def refused(error, message, switch=LANDS, rolling=None, by="gravity", **more):
        system = sd.Hybrid({"flight": Ball(), "rolling": rolling or RollingBall()}, [switch])
        with pytest.raises(error, match=message):
            system.simulate(**{**call, "formulation": sd.Formulation(sensitivity=by), **more})

    refused(MethodError, "under noise.*noise in rolling", rolling=Noisy(noise=[[0.1, 0, 0]]))
    refused(MethodError, "dop853 chooses its steps", method="dop853")
    refused(UnknownNameError, "gravitty", by="gravitty")
    refused(InputError, "sensitivity=…. alone", formulation=sd.Formulation(reconstruct=False, sensitivity="gravity"))
    refused(
        MethodError,
        "not differentiable.*absolute",
        switch=sd.Switch("flight", "rolling", sd.Stop("absolute(height)", below=0.1)),
    )
    plain = sd.Hybrid({"flight": Ball(), "rolling": RollingBall()}, [LANDS]).simulate(**call)
    with pytest.raises(InputError, match="a run that was differentiated"):
        plain.sensitivity("Y")
