"""One realisation of the noise for all paths: ``sd.Wiener(path=…)``."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect.random.drivers.registry import driver_as_json, driver_from_json
from semidirect.random.wiener import WienerNoise


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(1, 5), st.integers(-2, 2), st.booleans())
def test_every_path_gets_the_increments_of_that_path(seed, path, paths, doublings, correlated):
    C = [[1.0, 0.5], [0.5, 2.0]] if correlated else None
    one, own = WienerNoise(seed, 2, 0.125, C, path=path), WienerNoise(seed, 2, 0.125, C)
    dt = 0.125 * 2.0**doublings
    expected = own.block(np.array([path], dtype=np.uint64), 3, 4, dt)
    assert np.array_equal(one.block(range(7, 7 + paths), 3, 4, dt), np.repeat(expected, paths, axis=2))


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize("method", ["lie-heun", "lie-milstein"])
def test_runs_repeat_one_path_of_a_usual_run(method, engine):
    """Also with iterated integrals, which are drawn with the increments, and in chunks of several threads."""
    body = sd.load("rigid-body", noise=[[0.3, 0.2, 0.1], [0.0, 0.4, 0.1]])
    how = {"t_end": 0.5, "dt": 0.1, "seed": 4, "method": method}
    usual = body.simulate(**how, paths=70)
    run = body.simulate(**how, paths=70, driver=sd.Wiener(path=66), execution=sd.Execution(threads=2, engine=engine))
    assert np.array_equal(run["M"], np.broadcast_to(usual["M"][66], run["M"].shape))
    assert run.config["noise"]["path"] == 66


def test_starts_at_other_times_meet_the_same_noise():
    """The noise is a function of absolute time: a pullback needs nothing but ``t_start``."""
    body = sd.load("rigid-body", noise=[[0.3, 0.2, 0.1]])
    how = {"dt": 0.1, "seed": 4, "method": "lie-heun", "driver": sd.Wiener(path=2), "paths": 3}
    first = body.simulate(t_end=0.5, **how)
    state = {"Omega": first["Omega"][:, -1]}
    second = body.simulate(t_start=0.5, t_end=1.0, state=state, **how)
    assert np.allclose(second["M"][:, -1], body.simulate(t_end=1.0, **how)["M"][:, -1], rtol=1e-12)


def test_a_manifest_holds_it_and_a_path_that_is_no_number_is_refused():
    driver = sd.Wiener(0.25, path=5)
    form = json.loads(json.dumps(driver_as_json(driver, WienerNoise(0, 1, 0.25, path=5))))
    assert driver_from_json(form) == driver
    for path in (-1, 1.5, "three", 2**64):
        with pytest.raises(sd.errors.InputError, match="path of the noise"):
            sd.Wiener(path=path)


def test_what_needs_independent_paths_is_refused():
    body = sd.load("rigid-body", noise=[[0.3, 0.2, 0.1]])
    with pytest.raises(sd.errors.InputError, match=r"independent noises.*leave path= out"):
        sd.multilevel(body, "M3", t_end=1, rmse=0.1, driver=sd.Wiener(path=0))
