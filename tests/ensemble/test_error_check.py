"""``error_check=True``: a run beside itself at half the step on the same noise, which leaves the run as it is."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import semidirect as sd
from semidirect.core.errors import MethodError

OPTIONS = {"t_end": 1.0, "dt": 0.1, "paths": 5, "seed": 2, "execution": sd.Execution(engine="numpy")}


@pytest.fixture(scope="module")
def ball():
    return sd.load("routh-sphere")


def same_bits(a, b):
    return a.tobytes() == b.tobytes()


@pytest.mark.parametrize("save", ["all", "final", "every:3", [0.2, 0.7]])
def test_the_run_is_the_same_and_the_difference_that_of_the_refined_run(ball, save):
    plain = ball.simulate(save=save, **OPTIONS)
    run = ball.simulate(save=save, checks=sd.Checks(error_check=True), **OPTIONS)
    assert plain.error_check is None
    assert dict(run.config) == dict(plain.config)
    assert all(same_bits(run[k], plain[k]) for k in plain)
    assert all(same_bits(run.final[k], plain.final[k]) for k in plain.final)
    fine = ball.simulate(save=list(plain.times), driver=sd.Wiener(0.1), **{**OPTIONS, "dt": 0.05})
    check = run.error_check
    assert (check.dt, check.refined_dt, check.paths, check.failed, check.times) == (0.1, 0.05, 5, 0, len(plain.times))
    gap = np.linalg.norm(plain["M"] - fine["M"], axis=-1)
    assert check.outputs["M"].largest == gap.max() > 0
    assert check.outputs["M"].rms == pytest.approx(np.sqrt(np.mean(gap**2)), rel=1e-14)
    energy = np.abs(plain["energy"] - fine["energy"])
    assert (check.outputs["energy"].largest, check.outputs["energy"].unit) == (energy.max(), "J")
    g, h = (Rotation.from_matrix(r["g"].reshape(-1, 3, 3)) for r in (plain, fine))
    assert check.outputs["angle(g)"].largest == pytest.approx((g.inv() * h).magnitude().max(), rel=1e-9)
    assert check.outputs["angle(g)"].unit == "rad"
    assert set(check.outputs) == {*run, "angle(g)", "distance(x)"}


def test_the_error_check_estimates_the_true_error():
    """Of order 1: the difference, over 1 − ½, is the error; against a fine run on the same noise."""
    top = sd.load("heavy-top", noise=[[0.6, -0.4, 0.8]])
    run = top.simulate(
        t_end=1,
        dt=1 / 32,
        paths=40,
        method="heun",
        save="final",
        checks=sd.Checks(error_check=True),
        driver=sd.Wiener(1 / 2048),
    )
    fine = top.simulate(t_end=1, dt=1 / 2048, paths=40, method="heun", save="final")
    error = np.sqrt(np.mean(np.sum((run["M"] - fine["M"]) ** 2, axis=-1)))
    assert run.error_check.outputs["M"].rms / (1 - 0.5) == pytest.approx(error, rel=0.4)  # measured 0.11


def test_steps_below_the_resolution_and_above(ball):
    """The noise of a run is refined by bridges, whatever its resolution; where it is finer than the step, by itself."""
    for resolution in (0.2, 0.1, 0.05, 0.025):
        run = ball.simulate(driver=sd.Wiener(resolution), save="final", checks=sd.Checks(error_check=True), **OPTIONS)
        fine = ball.simulate(driver=sd.Wiener(resolution), save="final", **{**OPTIONS, "dt": 0.05})
        assert run.error_check.outputs["jellett"].largest == np.abs(run["jellett"] - fine["jellett"]).max()


def test_nothing_kept_but_the_end(ball):
    run = ball.simulate(save=sd.Save(names=[]), checks=sd.Checks(error_check=True), **OPTIONS)
    assert dict(run) == {}
    assert run.error_check.times == 1
    assert set(run.error_check.outputs) == {*run.final, "angle(g)", "distance(x)"}


def test_reductions_stops_and_stores(ball, tmp_path):
    options = {**OPTIONS, "save": "final", "reduce": "moments", "stop": sd.Stop("energy", above=2.3, every=2)}
    plain = ball.simulate(**{**options, "save": sd.Save("final", store=tmp_path / "plain.zarr")})
    options["save"] = sd.Save("final", store=tmp_path / "run.zarr")
    run = ball.simulate(checks=sd.Checks(error_check=True), **options)
    assert same_bits(run["energy"], plain["energy"])
    assert same_bits(np.asarray(run.data.status), np.asarray(plain.data.status))
    assert run.error_check.paths == 5
    files = [{p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*") if p.is_file()}
             for n in ("plain.zarr", "run.zarr")]  # fmt: skip
    assert files[0] == files[1]


def test_paths_that_fail_in_either_run_are_left_out():
    top = sd.load("heavy-top")
    omega = {"Omega": [[0.1, 0, 3], [0, 0, 1], [1e200, 0, 1e200]]}
    run = top.simulate(t_end=0.2, dt=0.02, method="heun", state=omega, checks=sd.Checks(error_check=True), save="final")
    assert (run.error_check.paths, run.error_check.failed) == (2, 1)
    assert np.isfinite(run.error_check.outputs["energy"].largest)
    none = top.simulate(
        t_end=0.2, dt=0.02, method="heun", state={"Omega": [1e200, 0, 1e200]}, checks=sd.Checks(error_check=True)
    )
    assert np.isnan(none.error_check.outputs["energy"].largest)


def test_a_method_that_chooses_its_steps(ball):
    run = ball.simulate(t_end=1, dt=0.5, method="dop853", driver="sin(t)", checks=sd.Checks(error_check=True))
    check = run.error_check
    assert check.dt == check.refined_dt == 0.5
    assert 0 < check.outputs["M"].largest < 1e-11  # measured 4e-14: what its tolerance is good for


def test_a_smooth_path(ball):
    run = ball.simulate(t_end=1, dt=0.1, method="heun", driver="sin(t)", checks=sd.Checks(error_check=True))
    fine = ball.simulate(t_end=1, dt=0.05, method="heun", driver="sin(t)", save="every:2")
    assert run.error_check.outputs["energy"].largest == np.abs(run["energy"] - fine["energy"]).max()


REFUSALS = [
    ({"driver": sd.Wiener(increment_law="three-point")}, "not form a Brownian path"),
    ({"method": "rs1", "driver": sd.Wiener(increment_law="three-point")}, "not form a Brownian path"),
    ({"driver": np.zeros((10, 1))}, "not defined at half the step"),
]


@pytest.mark.parametrize(("arguments", "text"), REFUSALS)
def test_refusals_come_before_the_run(ball, tmp_path, arguments, text):
    with pytest.raises(MethodError, match=text):
        ball.simulate(
            checks=sd.Checks(error_check=True), save=sd.Save(store=tmp_path / "run.zarr"), **{**OPTIONS, **arguments}
        )
    assert list(tmp_path.iterdir()) == []


def test_areas_need_a_finer_resolution():
    body = sd.load("rigid-body")
    with pytest.raises(MethodError, match=r"not at half the step.*Give driver=Wiener\(0.05\)"):
        body.simulate(method="milstein(areas)", checks=sd.Checks(error_check=True), **OPTIONS)
    run = body.simulate(method="milstein(areas)", checks=sd.Checks(error_check=True), driver=sd.Wiener(0.05), **OPTIONS)
    assert run.error_check.outputs["M"].largest > 0
