"""Quantities that depend on time keep their values at a stop, like the state: the process is stopped, and not its state alone."""

import sys
from pathlib import Path

import numpy as np
import pytest

import semidirect as sd

sys.path.insert(0, str(Path(__file__).parents[1] / "verification"))
from what_works_with_what.systems import Clocked, Timed

RUN = {"t_end": 1.2, "dt": 0.1, "paths": 3, "seed": 1, "method": "heun", "reduce": sd.Moments(["energy"])}
STOPS = [sd.Stop("Gamma3", above=0.81), sd.Stop("Gamma3", above=0.81, locate=True), sd.Crossing("Gamma3", 0.81)]


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize("stop", STOPS, ids=["at a step", "located", "crossing"])
def test_a_stopped_energy_stays(stop, engine):
    """The weight swings on, but the energy is that of the stop, in what is saved, in statistics, at the end."""
    run = Timed().simulate(**RUN, stop=stop, execution=sd.Execution(engine=engine))
    assert np.isfinite(run.stopped.time).all()
    for energy, t in zip(run["energy"], run.stopped.time, strict=True):
        after = energy[run.times >= t]
        assert len(after) > 2
        assert (after == after[0]).all()
    np.testing.assert_allclose(run.reductions["moments"].mean["energy"], run["energy"].mean(axis=0), rtol=1e-14)
    assert (run.final["energy"] == run["energy"][:, -1]).all() if "energy" in run.final else True


def test_it_is_that_of_the_same_system_with_a_clock_as_a_state():
    """A clock that is an internal state is frozen with the path: the same values, without any explicit time."""
    runs = [kind().simulate(**RUN, stop=STOPS[0]) for kind in (Timed, Clocked)]
    np.testing.assert_allclose(runs[0]["energy"], runs[1]["energy"], atol=1e-14)


def test_derivatives_stay_too():
    run = Timed().simulate(**{**RUN, "reduce": None}, stop=STOPS[0], formulation=sd.Formulation(sensitivity="weight"))
    found = run.sensitivity("energy", "weight").values[..., 0]
    for row, t in zip(found, run.stopped.time, strict=True):
        after = row[run.times >= t]
        assert (after == after[0]).all()


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_derivatives_at_a_located_stop_follow_the_time_of_the_stop(engine):
    """dE/dp has the part ∂E/∂t dτ/dp: equal to differences of order 4 of located runs, measured 2e-9."""
    call = {
        "t_end": 1.0,
        "dt": 0.1,
        "paths": 1,
        "method": "rk4",
        "driver": 0,
        "stop": sd.Stop("Gamma3", above=0.81, locate=True),
    }
    call["execution"] = sd.Execution(engine=engine)
    run = Timed().simulate(**call, formulation=sd.Formulation(sensitivity="weight"))
    found = run.sensitivity("energy", "weight").values[0, -1, 0]
    eps = 1e-3
    a, b, c, d = (Timed(weight=0.5 + k * eps).simulate(**call)["energy"][0, -1] for k in (-2, -1, 1, 2))
    assert abs(found - (a - 8 * b + 8 * c - d) / (12 * eps)) < 1e-7
