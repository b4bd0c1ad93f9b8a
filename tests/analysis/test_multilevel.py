"""Multilevel estimates: exact means, bits, the numbers of paths, and what is refused."""

import json
import pickle

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.analysis.multilevel.estimate import _optimal
from semidirect.analysis.multilevel.level import Level
from semidirect.analysis.multilevel.orders import (
    bias_of,
    used_weak_order,
    variance_bounds,
    variance_order,
    weak_order,
)
from semidirect.cli.entry import main

NUMPY = sd.Execution(engine="numpy")
BALL = sd.load("rigid-body", inertia=[1.0, 1.0, 1.0], noise=0.6 * np.eye(3))
"""Its momentum turns at random: E M(t) = exp(−t Σ(ξ_jᵀξ_j 1 − ξ_j ξ_jᵀ)/2) M(0) = exp(−σ² t) M(0)."""
START = {"Omega": (0.5, -0.3, 1.0)}
RMSE = 0.04
ASKED = {"t_end": 1.0, "dt": 0.25, "state": START, "method": "lie-heun", "execution": NUMPY}
SLOWLY = sd.load("rigid-body", noise=[[0.35, 0.25, 0.2]])


def mean_m3(seed, **more):
    return sd.multilevel(BALL, "M3", rmse=RMSE, seed=seed, **{**ASKED, **more})


@pytest.fixture(scope="module")
def found():
    return mean_m3(0)


def test_the_rmse_meets_the_request():
    exact = np.exp(-(0.6**2))
    results = [mean_m3(seed) for seed in range(12)]
    errors = np.array([r.estimate - exact for r in results])
    assert np.sqrt(np.mean(errors**2)) < 1.5 * RMSE  # measured 0.6
    assert np.abs(errors / [r.error for r in results]).max() < 3.5  # measured 1.4
    for r in results:
        assert r.statistical_error <= 1.02 * RMSE / np.sqrt(2)
        assert r.bias <= RMSE / np.sqrt(2)
    assert len({r.estimate for r in results}) == len(results)


def test_the_estimate_depends_on_the_seed_only(found):
    assert mean_m3(0, execution=sd.Execution(engine="numpy", threads=2)).described() == found.described()
    assert mean_m3(1).estimate != found.estimate


def test_a_constant_needs_no_paths_beside_the_first():
    r = sd.multilevel(BALL, "dot(M, M)", rmse=1e-6, seed=0, **ASKED)
    assert r.estimate == pytest.approx(0.5**2 + 0.3**2 + 1, rel=1e-12)
    assert {x.paths for x in r.levels} == {100}
    assert r.error < 1e-12
    assert "hidden by chance" in str(r) or r.weak_order == r.weak_order


def test_start_time_and_state_can_be_given():
    first = SLOWLY.simulate(t_end=0.5, dt=0.25, paths=1, execution=NUMPY)
    r = sd.multilevel(
        SLOWLY, "M1", t_end=1.5, rmse=0.05, state=first.final, method="lie-heun", dt=0.25, execution=NUMPY
    )
    assert (r.t_start, r.t_end, r.levels[0].steps) == (0.5, 1.5, 4)
    by_default = sd.multilevel(SLOWLY, "M1", t_end=1, rmse=0.1, method="lie-heun", execution=NUMPY)
    assert by_default.levels[0].dt * by_default.levels[0].steps == pytest.approx(1)
    again = sd.multilevel(
        SLOWLY, "M1", t_end=1, rmse=0.1, method="lie-heun", execution=NUMPY, driver=sd.Wiener(1 / 1024)
    )
    assert abs(again.estimate - by_default.estimate) < 0.5


def test_variances_fall_with_twice_the_strong_order():
    several = sd.load("rigid-body", noise=0.4 * np.eye(3))
    asked = {"t_end": 1.0, "dt": 0.25, "rmse": 4e-3, "method": "lie-heun"}
    one, three = (sd.multilevel(body, "M2", **asked) for body in (SLOWLY, several))
    assert one.variance_order == pytest.approx(2, abs=0.4)  # measured 1.9
    assert three.variance_order == pytest.approx(1, abs=0.3)  # measured 1.1
    coarse = one.levels[0]
    assert coarse.mean == coarse.value
    assert coarse.variance == coarse.value_variance
    assert one.levels[1].variance < 0.02 * one.levels[1].value_variance  # both steps share their paths


def test_fields_of_the_result_are_consistent(found):
    assert found.cost == sum(x.steps * x.paths for x in found.levels)
    assert [x.steps for x in found.levels[:3]] == [4, 12, 24]
    assert [x.dt for x in found.levels[:3]] == [0.25, 0.125, 0.0625]
    assert found.estimate == sum(x.mean for x in found.levels)
    assert found.statistical_error == pytest.approx(sum(x.variance / x.paths for x in found.levels) ** 0.5)
    assert found.plain_cost == found.plain_paths * 4 * 2 ** (len(found.levels) - 1)
    assert found.unit == "kg m²/s"
    data = found.to_xarray()
    assert data.sizes == {"level": len(found.levels)}
    assert data["mean"].attrs["units"] == found.unit
    assert data.attrs["estimate"] == found.estimate
    assert pickle.loads(pickle.dumps(found)).described() == found.described()
    assert "times as many" in str(found)
    assert "<table>" in found._repr_html_()
    assert len(repr(found)) <= 160
    variances, means, paths = found.plot().axes
    for ax, order in ((variances, found.variance_order), (means, found.weak_order)):
        lines = {line.get_label(): line.get_xydata() for line in ax.lines}
        slopes = [points for label, points in lines.items() if label.startswith("slope")]
        assert len(slopes) == np.isfinite(order)
        for points in slopes:
            assert np.polyfit(*np.log(points.T), 1)[0] == pytest.approx(order)
    assert variances.get_title() == r"variance [(kg m$^{2}$/s)$^{2}$]"
    assert paths.get_ylabel() == ""
    plt.close("all")


def test_on_the_command_line(capsys, tmp_path):
    words = ["multilevel", "suslov", "energy", "--t-end", "0.5", "--rmse", "0.05", "--dt", "0.25", "--engine", "numpy"]
    assert main([*words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["estimate"] == sd.multilevel(
        sd.load("suslov"), "energy", t_end=0.5, rmse=0.05, dt=0.25, execution=NUMPY
    ).estimate  # fmt: skip
    assert main([*words, "-o", str(tmp_path / "levels.png")]) == 0
    assert (tmp_path / "levels.png").stat().st_size > 1000
    assert "plain sampling" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rmse": 0}, "rmse"), ({"rmse": 1e-200}, "paths reach"), ({"quantity": "log(-M3*M3)"}, "not finite"),
        ({"rmse": float("nan")}, "rmse"), ({"t_end": 1.1}, "multiple"), ({"levels": 2}, "levels"),
        ({"quantity": "M"}, "M1"), ({"quantity": "Mass"}, "Mass"), ({"quantity": 3}, "quantity"), ({"driver": 0}, "noise"),
        ({"driver": "sin(t)"}, "noise"), ({"driver": sd.Wiener(increment_law="three-point")}, "share"),
        ({"method": "rs1"}, "share"),
        ({"method": "dop853"}, "Wiener"), ({"method": "milstein"}, "general"), ({"seed": -1}, "seed"),
        ({"execution": np.ones(3)}, "execution"),
        ({"rmse": 0.01, "levels": 3, "dt": 1.0, "method": "euler-maruyama"}, "bias"),
        ({"system": BALL.replace(noise=sd.PerPath(np.ones((2, 3, 3))))}, "per path"),
        ({"state": {"Omega": [[1, 0, 0], [0, 1, 0]]}}, "starts per path: expected one start, got 2 paths"),
        ({"system": sd.load("rigid-body", noise=())}, "noise"),
        ({"dt": 1.0, "system": BALL.replace(noise=3 * np.eye(3))}, "fail"),
    ],
)  # fmt: skip
def test_invalid_estimates_raise_errors(change, words):
    asked = {"system": BALL, "quantity": "M3", "rmse": RMSE, **ASKED, **change}
    with pytest.raises((sd.errors.InputError, sd.errors.UnknownNameError, sd.errors.MethodError), match=words):
        sd.multilevel(**asked)


VALUES = st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30)


@given(st.lists(VALUES, min_size=1, max_size=5))
def test_paths_that_come_in_parts_have_the_moments_of_all(parts):
    level = Level(0.1, 3)
    for part in parts:
        level = level.with_paths(np.array(part), 2 * np.array(part) + 1, 0)
    whole = np.concatenate(parts)
    assert level.paths == len(whole)
    assert level.mean == pytest.approx(np.mean(whole), abs=1e-9)
    assert level.variance == pytest.approx(np.var(whole, ddof=1) if len(whole) > 1 else 0, rel=1e-9, abs=1e-6)
    assert level.value == pytest.approx(2 * np.mean(whole) + 1, abs=1e-9)


VARIANCES = st.lists(st.floats(1e-6, 10), min_size=3, max_size=8)


@given(VARIANCES, st.floats(1e-3, 1e-1), st.randoms(use_true_random=False))
def test_no_other_numbers_of_paths_are_cheaper(variances, rmse, random):
    levels = [Level(2.0**-i, 3 * 2**i, 100, variance=v, fourth=300 * v * v) for i, v in enumerate(variances)]
    smooth = variance_bounds(levels, 1.0)
    paths = _optimal(levels, 1.0, rmse)
    assert np.sum(smooth / paths) <= rmse**2 / 2 * (1 + 1e-9)
    costs = np.array([x.steps for x in levels])
    other = paths * np.array([random.uniform(0.3, 3) for _ in levels])
    other *= np.sum(smooth / other) / (rmse**2 / 2)  # of the same variance
    assert np.sum(costs * (paths - 1)) <= np.sum(costs * other) * (1 + 1e-9)


@given(st.floats(0.6, 3.5), st.floats(0.6, 3.5), st.floats(-3, 3).filter(lambda x: abs(x) > 1e-2))
def test_orders_of_means_and_variances(alpha, beta, first):
    levels = [
        _normal(2.0**-i, 3 * 2**i, 10**18, first * 2.0 ** (-alpha * i), first**2 * 2.0 ** (-beta * i)) for i in range(6)
    ]
    assert weak_order(levels) == pytest.approx(alpha, rel=1e-6)
    assert variance_order(levels) == pytest.approx(beta, rel=1e-6)
    rest = sum(abs(first) * 2.0 ** (-alpha * i) for i in range(6, 200))
    assert bias_of(levels, alpha) == pytest.approx(rest, rel=1e-6)
    assert used_weak_order(levels, 1.0) == pytest.approx(min(alpha, 1.0), rel=1e-6)  # never above the declared one
    hidden = [Level(x.dt, x.steps, 1, mean=x.mean, variance=1e6) for x in levels]
    assert np.isnan(weak_order(hidden))
    assert used_weak_order(hidden, 1.0) == 1.0


def _normal(dt, steps, paths, mean, variance):
    """A level whose differences have the fourth moment of a normal law."""
    return Level(dt, steps, paths, mean=mean, variance=variance, fourth=3.0 * paths * variance**2)
