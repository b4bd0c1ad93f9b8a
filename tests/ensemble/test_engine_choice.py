"""Which engine ``auto`` takes: by what a step of the method costs, not by how many steps there are."""

import numpy as np
import pytest

import semidirect as sd
from semidirect.engines.built_in import kernel_engine
from semidirect.engines.stepping import cost_of_step
from semidirect.ensemble.simulation import specify

BALL = {"noise": [[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]]}


@pytest.mark.parametrize("method", ["gauss(2)", "gauss(3)", "lift(gauss(2))", "nonholonomic", "rkmk4"])
def test_one_path_of_a_costly_method_is_compiled(method):
    """By the number of steps alone, none of them was compiled below 1280 steps."""
    ball = sd.load("rolling-ball", **BALL)
    assert specify(ball, t_end=10, dt=0.01, driver=0, method=method).engine == "compiled"


@pytest.mark.parametrize(
    ("seconds", "sensitivity", "engine"), [(1e-5, (), "numpy"), (3e-3, (), "compiled"), (3e-3, ("mass",), "compiled")]
)
def test_the_engine_follows_the_cost_of_a_step(monkeypatch, seconds, sensitivity, engine):
    monkeypatch.setattr(cost_of_step, "seconds_of_step", lambda spec: seconds)
    monkeypatch.setattr(kernel_engine.KernelCall, "is_known", lambda *_: False)
    ball = sd.load("rolling-ball", **BALL)
    for method in ("heun", "gauss(2)", "lie-heun"):
        spec = specify(
            ball,
            t_end=5,
            dt=0.01,
            driver="[sin(t), 0]",
            method=method,
            formulation=sd.Formulation(sensitivity=sensitivity),
        )
        assert spec.engine == engine


def test_the_steps_that_are_measured_change_nothing(monkeypatch):
    """Also per-path parameters and starts: the run is that of the engine by name, and a short run measures nothing."""
    measured = []
    real = cost_of_step.seconds_of_step
    monkeypatch.setattr(cost_of_step, "seconds_of_step", lambda spec: measured.append(spec) or real(spec))
    ball = sd.load("rolling-ball", **BALL, mass=sd.PerPath([1.0, 2.0]))
    call = {"dt": 0.01, "seed": 3, "method": "lie-heun", "state": {"Omega": [[1.0, 0, 0], [0, 1.0, 0]]}}
    auto, named = (ball.simulate(t_end=1.2, execution=sd.Execution(engine=e), **call) for e in ("auto", "numpy"))
    assert len(measured) == 1
    for name in named:
        assert np.array_equal(auto[name], named[name]), name
    ball.simulate(t_end=0.5, **call)
    assert len(measured) == 1
