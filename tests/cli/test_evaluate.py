"""``semidirect evaluate`` prints the numbers of ``System.evaluate``, all of them, bit for bit."""

import math

import pytest

import semidirect as sd
from semidirect import plugins
from semidirect.expressions.component_names import component_names

SYSTEMS = sorted(plugins.available())
CASES = [
    ("routh-sphere", {"offset": 0.25, "noise": [[0, 0, 0.1], [0.1, 0, 0]]}, {"Omega": [0.1, 2, -0.3], "Gamma": [0.6, 0, 0.8]}),
    ("routh-sphere", {"coupling": "printed", "inertia": [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 1.5]]}, {"M": [1, 2, 3]}),
    ("chaplygin-ball", {"vertical_noise": [0.2]}, {"Omega": [1, -1, 0.5]}),
    ("rolling-disk", {"variant": "rolling-noise", "noise": [0.2, 0.1]}, {"omega": 2, "nu": -1, "phi": 0.5, "x": 1}),
    ("rigid-body", {"advect_gamma": True, "noise": []}, {"Omega": [1, 2, 3], "Gamma": [0, 0, 1]}),
    ("heavy-top", {"arm": 0}, {"Omega": [0, 0, 1e-9]}),
]  # fmt: skip


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_recommended_state(semidirect, name):
    done = semidirect("evaluate", name, "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert done.json == sd.load(name).evaluate()
    assert list(done.json) == ["state", "drift", "noise", "ito_drift", "derived", "observables"]
    for observable in done.json["observables"].values():
        assert list(observable) == ["value", "drift", "noise", "ito_drift"]


def pairs(flag, values):
    import json

    return [a for k, v in values.items() for a in (flag, f"{k}={json.dumps(v)}")]


@pytest.mark.parametrize(("name", "settings", "state"), CASES)
def test_parameters_and_states(semidirect, name, settings, state):
    done = semidirect("evaluate", name, *pairs("--set", settings), *pairs("--state", state), "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert done.json == sd.load(name, **settings).evaluate(state)


def test_numbers_that_are_not_finite_are_null(semidirect):
    done = semidirect("evaluate", "routh-sphere", "--set", "offset=1e200", "--format", "json")
    assert done.code == 0
    value = sd.load("routh-sphere", offset=1e200).evaluate()
    assert math.isnan(value["drift"]["M"][0])
    assert done.json["drift"]["M"][0] is None
    assert "-" in semidirect("evaluate", "routh-sphere", "--set", "offset=1e200").out


@pytest.mark.parametrize("name", SYSTEMS)
def test_for_people(semidirect, name):
    done, result = semidirect("evaluate", name), sd.load(name).evaluate()
    assert (done.code, done.err) == (0, "")
    rows = {line.split()[0]: line.split() for line in done.out.splitlines() if line}
    noises, stored = len(result["noise"]), sd.load(name).group.stored_names
    for key, observable in result["observables"].items():
        if isinstance(observable["value"], float):
            numbers = [observable["value"], observable["drift"], *observable["noise"], observable["ito_drift"]]
            assert rows[key] == [key, *(f"{x:.6g}" for x in numbers)]
        else:
            assert len(rows[f"{key}1"]) == 4 + noises
    for key, values in result["drift"].items():
        if isinstance(values, list):
            assert float(rows[component_names(key, len(values), stored)[-1]][2]) == pytest.approx(
                values[-1], rel=1e-5, abs=1e-300
            )


def test_time(semidirect):
    done = semidirect("evaluate", "heavy-top", "--t", "2.5", "--format", "json")
    assert done.json == sd.load("heavy-top").evaluate(t=2.5)
