"""Averages over time: of each path and over paths, with errors from batch means, the same however paths are grouped."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import semidirect as sd
from semidirect.cli.entry import main
from semidirect.statistics.batch_means import Batches, BatchMeans, BatchSums
from semidirect.statistics.choice.by_name import from_description

BODY = sd.load("rigid-body", noise=[[0.3, 0.2, 0.1]], advect_gamma=True)


class Relaxing(sd.System):
    """dz = −γz dt + σ dW, an Ornstein–Uhlenbeck process: variance σ²/2γ, autocorrelation time 1/γ; dx = x² dt blows up."""

    gamma: sd.Parameter = sd.parameter(2.0)
    group = sd.SO2()

    def lagrangian(self, xi):
        return xi.omega**2 / 2

    def internal(self):
        return [sd.InternalState("z", 0.0, drift=lambda z: [-self.gamma * z.z], noise=[[2.0]]),
                sd.InternalState("x", 0.0, drift=lambda z: [z.x**2])]  # fmt: skip


@given(st.data())
def test_sums_are_those_of_whole_arrays(data):
    observations, paths = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 3))
    burn_in, batches = data.draw(st.floats(0, 0.99)), data.draw(st.integers(2, 9))
    x = data.draw(arrays(float, (observations, 1, paths), elements=st.floats(-100, 100, width=32)))
    groups = Batches.of(observations, burn_in, batches)
    assert groups.skipped + groups.length * groups.count == observations
    assert groups.count == 0 or groups.skipped - burn_in * observations < groups.length + 1
    assert groups.count < 2 * batches
    assert groups.skipped >= burn_in * observations - 1e-6
    sums = BatchSums(groups, (1, paths))
    for row in x:
        sums.add(row)
    found = BatchMeans.of(groups, 0.5, sums.mean.T, sums.squares.T, sums.between.T)
    if groups.count == 0:
        assert np.isnan(found.by_path).all()
        return
    rest = x[groups.skipped :, 0]
    means = rest.reshape(groups.count, groups.length, paths).mean(axis=1)
    close = {"rtol": 1e-9, "atol": 1e-9}
    np.testing.assert_allclose(found.by_path[:, 0], rest.mean(axis=0), **close)
    np.testing.assert_allclose(found.squares[:, 0], ((rest - rest.mean(axis=0)) ** 2).sum(axis=0), rtol=1e-9, atol=1e-6)
    if groups.count > 1:
        error = means.std(axis=0, ddof=1) / np.sqrt(groups.count)
        np.testing.assert_allclose(found.error_by_path[:, 0], error, rtol=1e-7, atol=1e-6)
        np.testing.assert_allclose(found.error_from_batches, np.sqrt((error**2).sum()) / paths, rtol=1e-7, atol=1e-6)
    if paths > 1:
        error = rest.mean(axis=0).std(ddof=1) / np.sqrt(paths)
        np.testing.assert_allclose(found.error_from_paths, error, rtol=1e-7, atol=1e-7)


def test_they_are_those_of_saved_paths_in_every_grouping(tmp_path):
    asked = sd.Reduce([sd.TimeAverage(["energy", "M", "dot(M, Gamma)"], burn_in=0.25, batches=5)], at="every:2")
    how = {
        "t_end": 2,
        "dt": 0.05,
        "seed": 3,
        "method": "lie-heun",
        "save": sd.Save("every:2", ["energy", "M"]),
        "reduce": asked,
    }
    run = BODY.simulate(**how, paths=300)
    found = run.reductions["time-average"]
    rest = run["M"][:, 6:]  # 21 times, of which a quarter is left out: 5 batches of 3
    np.testing.assert_allclose(found.by_path["M"], rest.mean(axis=1), rtol=1e-12, atol=1e-14)
    assert found.by_path["energy"].shape == (300,)
    assert found.mean["dot(M, Gamma)"].shape == ()
    error = rest.mean(axis=1).std(axis=0, ddof=1) / np.sqrt(300)
    np.testing.assert_allclose(found.standard_error["M"], error, rtol=1e-10)
    store = sd.Save("every:2", ["energy", "M"], store=tmp_path / "run")
    others = [
        BODY.simulate(**how, paths=300, execution=sd.Execution(threads=2, engine="compiled")),
        BODY.simulate(**{**how, "save": store}, paths=300, execution=sd.Execution(threads=2)),
        sd.Run.load(tmp_path / "run"),
    ]
    for other in others:
        for name in ("mean", "standard_error", "by_path", "error_by_path", "autocorrelation_time"):
            for quantity in ("energy", "M"):
                theirs = getattr(other.reductions["time-average"], name)[quantity]
                assert np.array_equal(theirs, getattr(found, name)[quantity]), (name, quantity)
    assert from_description(json.loads(json.dumps(asked.chosen[0].described()))) == asked.chosen[0]
    with pytest.raises(sd.errors.InputError, match="twice"):
        found.with_paths(found)


def test_errors_are_those_of_a_process_whose_correlations_are_known():
    """An Ornstein–Uhlenbeck process for 200 autocorrelation times: the variance of an average is 2τ/T times that of a value."""
    paths, T = 400, 100.0
    run = Relaxing().simulate(
        t_end=T * 1.05, dt=0.05, paths=paths, seed=1, method="heun", save="final",
        reduce=sd.Reduce(sd.TimeAverage("z", burn_in=0.05 / 1.05, batches=20), at="every:1"),
        formulation=sd.Formulation(reconstruct=False),
    )  # fmt: skip
    found = run.reductions["time-average"]
    assert abs(found.autocorrelation_time["z"] - 0.45) < 0.02  # measured 0.449; 0.5 but for batches of 10 τ
    exact = np.sqrt(2 * 0.5 / T) * np.sqrt(1.0)
    ratio = np.sqrt((found.error_by_path["z"] ** 2).mean()) / exact
    assert 0.9 < ratio < 1.02, ratio
    scores = found.by_path["z"] / found.error_by_path["z"]
    assert abs(scores.std() - 1.05) < 0.13  # Student's law of 19 degrees of freedom has 1.06
    assert abs(found.mean["z"]) < 3 * found.standard_error["z"]
    assert 0.85 < found.error_from_batches["z"] / found.error_from_paths["z"] < 1.15


def test_paths_that_fail_or_are_not_finite_are_left_out():
    run = Relaxing().simulate(
        t_end=2.05, dt=0.05, paths=3, method="heun", state={"x": np.array([0.1, 1.0, 0.2])}, save="final",
        reduce=sd.Reduce(sd.TimeAverage(["x", "1/(x - 0.2)"], batches=2), at="every:1"),
        formulation=sd.Formulation(reconstruct=False),
    )  # fmt: skip
    found = run.reductions["time-average"]
    assert np.isfinite(found.by_path["x"]).tolist() == [True, False, True]
    assert found.count["x"] == 2
    assert found.count["1/(x - 0.2)"] == 1


@pytest.mark.parametrize(("paths", "t_end", "note"), [(1, 0.25, "too few"), (2, 1.0, "not long"), (40, 1.0, "")])
def test_short_averages_say_so(paths, t_end, note):
    run = Relaxing().simulate(
        t_end=t_end, dt=0.05, paths=paths, method="heun", save="final", formulation=sd.Formulation(reconstruct=False),
        reduce=sd.Reduce(sd.TimeAverage("z", batches=8 if paths == 1 else 20), at="every:1"),
    )  # fmt: skip
    found = run.reductions["time-average"]
    assert note in found.text()
    assert ("Note" in found.text()) == bool(note)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert np.isfinite(found.standard_error["z"])
    assert [w.category for w in caught] == [sd.errors.ShortAverageWarning] * bool(note)


@pytest.mark.parametrize(
    "bad", [{"burn_in": 1.0}, {"burn_in": -0.1}, {"burn_in": "no"}, {"batches": 1}, {"batches": 2.5}]
)
def test_what_makes_no_sense_is_refused(bad):
    with pytest.raises(sd.errors.InputError, match=next(iter(bad))):
        sd.TimeAverage("z", **bad)


def test_the_command_prints_them(capsys):
    command = ["run", "rigid-body", "--set", "noise=[[0.3,0.2,0.1]]", "--t-end", "2", "--dt", "0.1", "--paths", "25",
               "--save", "final", "--reduce-at", "every:1", "--reduce", "time-average:energy,M,burn_in=0.1"]  # fmt: skip
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "average over time" in printed
    assert "25 paths, 18 batches of 0.1 s" in printed
    assert main([*command, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["reductions"]["time-average"]
    assert len(found["M_standard_error"]) == 3
