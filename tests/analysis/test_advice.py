"""Advice: what is proved, which methods keep it, and in which order they are named."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.analysis import recommend
from semidirect.analysis.advice.rates import Rates, rates_at_start
from semidirect.cli.entry import main
from semidirect.invariants import Constants

TOP = sd.load("heavy-top")


@pytest.fixture(scope="module")
def advice():
    return TOP.recommend()


def test_the_first_keeps_all_that_is_proved_constant(advice):
    assert advice.constants.along_all == ("energy", "gamma-norm", "momentum-gamma", "momentum-axis")
    assert advice.method == advice.default == "implicit-midpoint"
    assert advice[advice.method].keeps == advice.constants.along_all
    assert advice["lie-heun"].keeps == ("gamma-norm", "momentum-gamma")
    assert 1e-8 < advice["lie-heun"].change < 1e-4
    assert advice["lie-heun"].evaluations == 2
    assert "heun" in advice.excluded
    with pytest.raises(sd.errors.UnknownNameError, match="implicit-midpoint"):
        _ = advice["heun"]


def test_advice_as_text_html_and_json(advice, capsys):
    assert "keeps all that is constant to rounding" in str(advice)
    assert str(advice) == str(pickle.loads(pickle.dumps(advice)))
    assert max(map(len, repr(advice).splitlines())) <= 200
    assert "implicit-midpoint" in advice._repr_html_()
    assert main(["advise", "suslov", "--goal", "weak", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["noise_class"] == "single"
    assert found["method"] == found["candidates"][0]["method"]
    assert {c["weak"] for c in found["candidates"][:1]} == {2.0}


def test_drifting_quantities_are_listed_with_their_rates(monkeypatch):
    from semidirect.analysis.advice import ranking as module
    from semidirect.integrators import integrator

    monkeypatch.setattr(module, "_methods", lambda goal: map(integrator, ["lie-heun", "implicit-midpoint"]))
    found = sd.load("kovalevskaya-top").recommend()
    assert list(found.drifts) == ["kovalevskaya"]
    drift = found.drifts["kovalevskaya"]
    assert 1e-6 < drift.rate < 1e-3
    assert drift.largest >= abs(drift.rate) * drift.time * 0.5
    assert "none of the methods tried preserves it" in str(found)


def test_goals_rank_by_their_orders(monkeypatch):
    from semidirect.analysis.advice import ranking as module
    from semidirect.integrators import integrator

    body = sd.load("rigid-body")
    monkeypatch.setattr(
        module, "_methods", lambda goal: map(integrator, ["rk4", "heun", "lie-milstein", "rs1", "dop853"])
    )
    strong, weak = (body.recommend(goal) for goal in ("strong", "weak"))
    assert (strong.noise_class, strong.method, strong["lie-milstein"].strong, strong["heun"].strong) == (
        "general", "lie-milstein", 1, 0.5,
    )  # fmt: skip
    assert (weak.method, weak["rs1"].weak) == ("rs1", 2)
    assert set(weak.excluded) == {"dop853"}
    still = body.recommend("deterministic")
    assert (still.noise_class, [c.method for c in still.candidates[:2]]) == ("none", ["dop853", "rk4"])
    assert still["rk4"].error < 0.01 * still["heun"].error


def test_constant_quantities_depend_on_the_noise():
    body = sd.load("rigid-body")
    assert Constants.of(body).along_all == ("momentum-squared",)
    assert Constants.of(body).along_drift == ("energy",)
    assert Constants.of(body, noise=False).along_all == ("energy", "momentum-squared")
    assert "dot(M, Omega)" in Constants.of(body, ["dot(M, Omega)"]).along_drift


def test_invalid_arguments_raise_input_errors():
    for wrong in (
        {"goal": "fast"},
        {"dt": -1.0},
        {"dt": "x"},
        {"dt": 1e-320},
        {"dt": 1e308},
        {"dt": 50.0},
        {"quantities": "energy*"},
        {"quantities": ["nope"]},
    ):
        with pytest.raises(sd.SemidirectError):
            TOP.recommend(**wrong)
    with pytest.raises(sd.SemidirectError):
        recommend("heavy-top")


def test_rates_at_the_start():
    body = sd.load("rigid-body", inertia=[1, 2, 3], noise=())
    Omega = np.array([0.01, 1.0, 0.02])  # about the middle axis: λ² = (I₂ − I₃)(I₁ − I₂)/(I₁I₃) Ω₂² = 1/3, by hand
    found = rates_at_start(body, {"Omega": Omega})
    assert found.growth == pytest.approx(3**-0.5, rel=1e-2)
    assert found.oscillation == 0
    assert not found.stiff
    about_the_longest = rates_at_start(body, {"Omega": (0, 0, 1.0)})  # λ² = −(I₃ − I₁)(I₃ − I₂)/(I₁I₂)
    assert about_the_longest.oscillation == pytest.approx(1, rel=1e-6)
    assert about_the_longest.step == pytest.approx(1 / 16, rel=0.05)


@given(st.floats(1e-3, 1e6), st.floats(0, 1e3), st.floats(0, 1e3))
def test_only_a_decay_faster_than_all_else_is_stiff(decay, oscillation, growth):
    rates = Rates(oscillation, decay, growth, max(oscillation, growth))
    assert rates.stiff == (decay > 30 * max(oscillation, growth, 1))
    assert rates.step * max(decay, oscillation, growth) == pytest.approx(1 / 16, rel=0.06)
