"""Observations: the values of instruments, likelihoods, synthetic data, and errors for data that cannot be used."""

from importlib import import_module

import numpy as np
import pytest
import xarray
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import multivariate_normal, multivariate_t, norm

import semidirect as sd
from semidirect.geometry.geomstats_adapter import frechet_mean
from semidirect.groups.lie_group import Geometry
from semidirect.inference.group_mean import centred, deviations
from semidirect.inference.weights import ancestors, effective_size, normalised, quantiles, tempered

DISK = sd.load("rolling-disk", noise=(0.1, 0.1))
BALL = sd.load("routh-sphere")
DOTS = np.concatenate([np.eye(3), -np.eye(3)])
STATE = {"omega": 1.0, "nu": 0.3}
OPTIONS = {"dt": 0.05, "particles": 20, "state": STATE}
TIMES = np.array([0.1, 0.2, 0.3])
PLACE = sd.inference.position(("x", "y"), noise=0.1)

finite = st.floats(-5, 5)


def one_time(observation, value, system=DISK, **more):
    """The increment of the log-likelihood of data at the start, where the state is known."""
    options = {"dt": 0.05, "particles": 4, "state": STATE if system is DISK else None} | more
    return sd.filter(system, observation, ([0.0], np.asarray(value)[None]), **options).log_likelihood


@settings(max_examples=8)
@given(hnp.arrays(float, 2, elements=finite), hnp.arrays(float, 2, elements=st.floats(0.1, 3)))
def test_densities_are_those_of_scipy(value, scale):
    where = {"x": 0.2, "y": -0.3, "phi": 0.0, "theta": 0.0}
    mean = np.array([0.2, -0.3])
    expected = norm.logpdf(value, mean, scale).sum()
    state = {"state": STATE | where}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("semidirect.inference.filter"), "SURPRISING", np.inf)
        assert one_time(sd.Observation(["x", "y"], noise=scale), value, **state) == pytest.approx(expected, rel=1e-12)
        student = sd.Observation(["x", "y"], noise=sd.inference.StudentNoise(scale, 3.5))
        expected = multivariate_t.logpdf(value, mean, np.diag(scale**2), df=3.5)
        assert one_time(student, value, **state) == pytest.approx(expected, rel=1e-12)

        def density(data, predicted):
            return multivariate_normal.logpdf(predicted[:, 0] - data[0], cov=np.diag(scale**2))

        expected = norm.logpdf(value, mean, scale).sum()
        assert one_time(sd.Observation(["x", "y"], noise=density), value, **state) == pytest.approx(expected, rel=1e-9)


def test_a_camera_sees_the_dots_towards_it():
    """From a random rotation: places in the picture by hand; which dots are seen; from above and from another side."""
    from scipy.spatial.transform import Rotation

    rotation = Rotation.from_rotvec([0.4, -0.9, 0.3]).as_matrix()
    run = BALL.simulate(t_end=0.01, dt=0.01, seed=1, state={"g": rotation, "x": (3.0, 4.0, 1.0)})
    for view in ([0, 0, 1], [0, 0, -2.0], [1, 2, 0.5]):
        camera = sd.inference.camera(DOTS, noise=1e-12, view=view)
        data = camera.of(run).values[0]
        places, towards = DOTS @ rotation.T, np.array(view) / np.linalg.norm(view)
        assert np.array_equal(np.isfinite(data[:, 0]), places @ towards > 0)
        for found, place in zip(data, places, strict=True):
            if np.isfinite(found[0]):  # the picture is an orthogonal projection along the view, of the right handedness
                assert found @ found == pytest.approx(place @ place - (place @ towards) ** 2, abs=1e-9)
        seen = np.flatnonzero(np.isfinite(data[:, 0]))[:2]
        area = data[seen[0], 0] * data[seen[1], 1] - data[seen[0], 1] * data[seen[1], 0]
        assert area == pytest.approx(np.cross(*places[seen]) @ towards, abs=1e-9)
    still = sd.inference.camera(DOTS, noise=1e-12, transparent=True, centre=lambda state: state.s[:3, 3])
    assert np.allclose(still.of(run).values[0], (DOTS @ rotation.T + (3.0, 4.0, 1.0))[:, :2], atol=1e-9)


def test_the_law_of_lost_and_hidden_dots():
    camera = sd.inference.camera(DOTS, noise=0.1, lost=0.2)
    tilted = {"g": sd.groups.minimal_rotation((0.3, 0.4, np.sqrt(0.75))), "Omega": (0.1, 0.2, 0.3)}
    shown = camera.of(BALL.simulate(t_end=0.01, dt=0.01, state=tilted), seed=3).values[0]
    seen = (DOTS @ tilted["g"].T)[:, 2] > 0
    data = np.where(seen[:, None], (DOTS @ tilted["g"].T)[:, :2], np.nan)
    density = 3 * 2 * norm.logpdf(0, 0, 0.1)
    assert one_time(camera, data, BALL, state=tilted) == pytest.approx(density + 3 * np.log(0.8), rel=1e-12)
    data[np.flatnonzero(seen)[0]] = np.nan
    expected = density * 2 / 3 + 2 * np.log(0.8) + np.log(0.2)
    assert one_time(camera, data, BALL, state=tilted) == pytest.approx(expected, rel=1e-12)
    assert one_time(camera, np.full((6, 2), np.nan), BALL, state=tilted) == 0
    data[np.flatnonzero(~seen)[0]] = 0.0
    with pytest.raises(sd.errors.InputError, match=r"impossible for all 4 particles.*camera"):
        one_time(camera, data, BALL, state=tilted)
    assert np.isnan(shown[~seen]).all()


def test_synthetic_data_have_the_stated_law():
    """Standard deviations of 600 errors within 4 standard errors; losses too; path by path repeatable."""
    run = DISK.simulate(t_end=0.1, dt=0.05, paths=200, seed=3, state=STATE)
    heavy = sd.inference.StudentNoise([0.2, 0.4], 5)
    observation = sd.Observation(lambda state: [[state.x, state.y], [state.y, state.phi]], noise=heavy, lost=0.25)
    data = observation.of(run, seed=8)
    assert data.dims == ("path", "time", "mark", "component")
    assert data.shape == (200, 3, 2, 2)
    missing = np.isnan(data.values).all(axis=3)
    assert abs(missing.mean() - 0.25) < 4 * np.sqrt(0.25 * 0.75 / missing.size)
    truth = np.stack([np.stack([run["x"], run["y"]], -1), np.stack([run["y"], run["phi"]], -1)], axis=2)
    error = (data.values - truth)[~missing]
    spread = np.array([0.2, 0.4]) * np.sqrt(5 / 3)
    assert np.all(np.abs(error.std(axis=0) / spread - 1) < 4 * np.sqrt(2 / len(error)))
    assert data.equals(observation.of(run, seed=8))
    first = DISK.simulate(t_end=0.1, dt=0.05, paths=1, seed=3, state=STATE)
    assert np.array_equal(observation.of(first, seed=8).values, data.values[0], equal_nan=True)


@pytest.mark.parametrize(("data", "message"), [
    ((TIMES, np.full((3, 2), np.nan)), "got nan, at t = 0.1.*lost="),
    ((TIMES, [[1, 2], [np.inf, 0], [0, 0]]), "∞, at t = 0.2"),
    ((TIMES, np.zeros((3, 3))), r"expected shape \(3, 1, 2\), times first, got shape \(3, 3\)"),
    ((TIMES, np.zeros((2, 3))), "expected shape"),
    ((TIMES, np.zeros((4, 2))), "expected shape"),
    ((TIMES, 0.0), "expected shape"),
    ((TIMES[::-1], np.zeros((3, 2))), "ascending times"),
    ((TIMES[[0, 0, 1]], np.zeros((3, 2))), "ascending times"),
    ((TIMES - 1, np.zeros((3, 2))), "from t_start = 0 s"),
    ((TIMES * 1e9, np.zeros((3, 2))), "at most 1000000 steps"),
    ((TIMES * np.nan, np.zeros((3, 2))), "finite numbers"),
    (([], np.zeros((0, 2))), "at least one"),
    ((TIMES, "abc"), "real numbers"),
    (np.zeros((3, 2)), r"or \(times, values\)"),
    ([(TIMES, np.zeros((3, 2)))] * 2, "data of each of 1"),
    (xarray.DataArray(np.zeros((3, 2)), dims=("time", "c"), coords={"time": ("time", TIMES, {"units": "kg"})}), "got 'kg'"),
    (xarray.DataArray(np.zeros((3, 2)), dims=("time", "c"),
                      coords={"time": np.array(["2020-01-01", "2020-01-02", "2020-02-03"], "M8[ns]")}), "at most 1000000 steps"),
    (xarray.DataArray(np.zeros((3, 2)), dims=("time", "c")), "the dimension time"),
    (xarray.DataArray(np.zeros((2, 3, 1, 2)), dims=("path", "time", "mark", "component"), coords={"time": TIMES}),
     r"one path, got 2 paths.*isel\(path=0\)"),
])  # fmt: skip
def test_data_that_cannot_be_used(data, message):
    with pytest.raises(sd.errors.InputError, match=message):
        sd.filter(DISK, PLACE, data, **OPTIONS)


@pytest.mark.parametrize("wrong", [
    lambda: sd.Observation(3, noise=1), lambda: sd.Observation([], noise=1), lambda: sd.Observation("x", noise=0),
    lambda: sd.Observation("x", noise=[0.1, -1]), lambda: sd.Observation("x", noise="a"),
    lambda: sd.Observation("x", noise=1, lost=1), lambda: sd.Observation("x", noise=1, lost=-0.1),
    lambda: sd.Observation("x", noise=1, seen=3), lambda: sd.Observation("x", noise=1, name=3),
    lambda: sd.inference.StudentNoise(1, 0), lambda: sd.inference.camera(np.zeros((2, 2)), noise=1),
    lambda: sd.inference.camera(DOTS, noise=1, view=(0, 0, 0)),
    lambda: sd.inference.ParticleUpdate(resample_below=2), lambda: sd.inference.ParticleUpdate(moves=-1),
    lambda: sd.filter(DISK, sd.Observation("q", noise=1), (TIMES, TIMES), **OPTIONS),
    lambda: sd.filter(DISK, sd.Observation(["x", "y"], noise=[1, 1, 1]), (TIMES, np.zeros((3, 2))), **OPTIONS),
    lambda: sd.filter(DISK, sd.Observation(lambda a, b: a, noise=1), (TIMES, TIMES), **OPTIONS),
    lambda: sd.filter(DISK, sd.Observation(lambda s: [[s.x], [s.x, s.y]], noise=1), (TIMES, TIMES), **OPTIONS),
    lambda: sd.filter(DISK, sd.Observation(lambda s: s.x, noise=1, seen=lambda s: [s.x, s.y]), (TIMES, TIMES), **OPTIONS),
    lambda: sd.filter(DISK, sd.Observation("x", noise=lambda d, h: np.zeros(3)), (TIMES, TIMES), **OPTIONS),
    lambda: sd.filter(DISK, sd.Observation("x", noise=lambda d, h: np.full(len(h), np.nan)), (TIMES, TIMES), **OPTIONS),
    lambda: sd.filter(DISK, "x", (TIMES, TIMES), **OPTIONS),
    lambda: sd.filter(DISK, PLACE, (TIMES, np.zeros((3, 2))), **OPTIONS | {"particles": 1}),
    lambda: sd.filter(DISK, PLACE, (TIMES, np.zeros((3, 2))), **OPTIONS, levels=[0, 1]),
    lambda: sd.filter(DISK, PLACE, (TIMES, np.zeros((3, 2))), **OPTIONS, lag=-1),
    lambda: sd.filter(DISK, PLACE, (TIMES, np.zeros((3, 2))), **OPTIONS, update="best"),
    lambda: sd.filter(DISK, PLACE, (TIMES, np.zeros((3, 2))), **OPTIONS, quantities=["q"]),
    lambda: sd.filter(DISK, PLACE, (TIMES, np.zeros((3, 2))), **OPTIONS, quantities=[]),
    lambda: sd.filter(DISK, PLACE, (TIMES, np.zeros((3, 2))), **OPTIONS, quantities="x"),
    lambda: sd.filter(DISK, PLACE, (TIMES, np.zeros((3, 2))), **OPTIONS | {"state": lambda rng, n: 3}),
    lambda: sd.filter(DISK, PLACE, (TIMES, np.zeros((3, 2))), **OPTIONS | {"dt": 0}),
    lambda: PLACE.of(3), lambda: PLACE.of(DISK.simulate(t_end=0.1, dt=0.1, save=sd.Save("all", ["x"]))),
    lambda: sd.Observation("x", noise=lambda d, h: h[..., 0]).of(DISK.simulate(t_end=0.1, dt=0.1)),
])  # fmt: skip
def test_arguments_that_cannot_be_used(wrong):
    with pytest.raises(sd.SemidirectError):
        wrong()


def stored(group, g):
    return group.store(np.moveaxis(g, 0, -1))


@pytest.mark.parametrize("group", [sd.SE3(), sd.SE2()], ids=repr)
def test_means_on_groups_are_geomstats(group):
    """To 1e-6, the tolerance given to geomstats being 1e-7."""
    rng = np.random.default_rng(3)
    g = group.random(rng) @ group.exp(0.4 * rng.standard_normal((8, group.dimension)))
    weights = rng.random(8)
    weights /= weights.sum()
    mean, _ = centred(group, stored(group, g), weights)
    assert np.abs(mean - frechet_mean(group, g, weights, tol=1e-7)).max() < 1e-6


GROUPS = [
    sd.SO2(),
    sd.SO3(),
    sd.SE2(),
    sd.SE3(),
    sd.groups.Torus(2),
    sd.RealSpace(2),
    sd.groups.Heisenberg(),
    sd.groups.SO(4),
]


@pytest.mark.parametrize("width", [1e-9, 0.1, 0.5, 1.2])
@pytest.mark.parametrize("group", GROUPS, ids=repr)
def test_deviations_from_the_mean_are_logarithms_of_which_the_mean_is_zero(group, width):
    """Those of the group's own logarithm; their weighted mean is below 1e-12 (measured 7e-13), of positions that of places."""
    rng = np.random.default_rng(7)
    n, count = group.dimension, 12
    g = group.random(rng) @ group.exp(width * np.minimum(rng.standard_normal((count, n)), 1.5))
    weights = rng.random(count)
    weights /= weights.sum()
    mean, away = centred(group, stored(group, g), weights)
    exact = group.log(group.inverse(mean) @ g)
    print(f"deviations differ by {np.abs(away.T - exact).max():.1e}, their mean is {np.abs(away @ weights).max():.1e}")
    assert np.abs(away.T - exact).max() < 1e-11
    assert np.abs(deviations(group, mean, stored(group, g)).T - exact).max() < 1e-11
    if group.geometry is Geometry.MOTIONS:
        assert np.allclose(mean[:-1, -1], weights @ g[:, :-1, -1], rtol=0, atol=1e-14)
        away = away[: 1 if group.size == 3 else 3]
    assert np.abs(away @ weights).max() < 1e-12


def test_means_of_products_are_those_of_the_factors():
    factors = sd.SO3(), sd.SE2(), sd.RealSpace(1)
    product = sd.DirectProduct(*factors, names=("a", "b", "c"))
    rng, weights = np.random.default_rng(5), np.full(30, 1 / 30)
    g = product.exp(0.4 * rng.standard_normal((30, 7)))
    mean, away = centred(product, stored(product, g), weights)
    row = at = 0
    for factor in factors:
        rows, part = slice(row, row + factor.size), slice(at, at + factor.dimension)
        alone = centred(factor, stored(factor, g[:, rows, rows]), weights)
        assert np.array_equal(mean[rows, rows], alone[0])
        assert np.array_equal(away[part], alone[1])
        row, at = rows.stop, part.stop


def test_angles_on_all_of_the_circle_have_the_mean_of_the_group():
    """Turns are counted; spread over more than half of the circle, the mean is the nearest minimum to that of the chords."""
    rng = np.random.default_rng(2)
    angles = np.concatenate([rng.normal(3.1, 0.8, 200), rng.normal(3.1, 0.8, 200) - 40 * np.pi])
    weights = np.full(400, 1 / 400)
    mean, away = centred(sd.SO2(), angles[None], weights)
    assert abs(away[0] @ weights) < 1e-13
    assert np.abs(away).max() <= np.pi
    assert abs(np.angle(np.exp(1j * (np.arctan2(mean[1, 0], mean[0, 0]) - 3.1)))) < 0.1
    nothing = centred(sd.SO2(), np.full((1, 3), np.nan), np.full(3, 1 / 3))
    assert all(np.isnan(part).all() for part in nothing)


def test_a_mean_of_rotations_that_does_not_exist_is_one_of_the_minima_or_nan():
    """Half-turns about three axes and no turn: all rotations of a cube's axes are alike."""
    g = np.array([np.diag(d) for d in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))], dtype=float)
    mean, away = centred(sd.SO3(), stored(sd.SO3(), g), np.full(4, 0.25))
    assert np.isnan(mean).all() or np.allclose(mean.T @ mean, np.eye(3), atol=1e-12)
    assert away.shape == (3, 4)


logs = hnp.arrays(float, st.integers(2, 30), elements=st.one_of(st.floats(-800, 50), st.just(-np.inf)))


@given(logs, st.floats(0, 1, exclude_max=True), st.data())
def test_weights(log_weights, u, data):
    weights, total = normalised(log_weights)
    if np.isneginf(log_weights).all():
        assert total == -np.inf
        assert not weights.any()
        return
    assert weights.sum() == pytest.approx(1, rel=1e-12)
    assert total == pytest.approx(np.logaddexp.reduce(log_weights), rel=1e-12, abs=1e-12)
    assert 1 - 1e-9 <= effective_size(weights) <= len(weights) + 1e-9
    chosen = ancestors(weights, u)
    counts = np.bincount(chosen, minlength=len(weights))
    assert np.all(np.abs(counts - len(weights) * weights) < 1 + 1e-6)
    assert not counts[weights == 0].any()
    likelihood = data.draw(hnp.arrays(float, len(weights), elements=st.floats(-1e4, 10)))
    flat = np.full(len(weights), -np.log(len(weights)))
    delta = tempered(flat, likelihood, 1.0, 0.5)
    kept = effective_size(normalised(flat + delta * likelihood)[0])
    assert 0 < delta <= 1
    assert kept >= 0.5 * len(weights) * (1 - 1e-6)
    assert delta == 1 or kept < 0.5 * len(weights) * 1.01 + 1


def test_weighted_quantiles_are_those_of_repeated_values():
    rng = np.random.default_rng(0)
    values, levels = rng.normal(size=(4000, 2)), np.array([0.05, 0.3, 0.9])
    exact = np.quantile(values, levels, axis=0)
    assert np.allclose(quantiles(values.T, np.full(4000, 1 / 4000), levels), exact, atol=5e-3)
    weights = np.exp(0.5 * values[:, 0])
    moved = quantiles(values.T, weights / weights.sum(), levels)
    assert np.allclose(moved[:, 0], norm.ppf(levels) + 0.5, atol=0.12)


@given(hnp.arrays(float, st.integers(1, 3000), elements=st.one_of(st.floats(-1e3, 1e3), st.sampled_from([0.0, 7.0, 1e300]))),
       st.integers(0, 9), st.lists(st.floats(0.001, 0.999), min_size=1, max_size=5))  # fmt: skip
def test_quantiles_by_bins_are_those_of_sorted_values(values, seed, levels):
    weights = np.random.default_rng(seed).exponential(size=len(values)) ** 3
    weights /= weights.sum()
    order = np.argsort(values, kind="stable")
    w = weights[order]
    exact = np.interp(levels, np.cumsum(w) - 0.5 * w, values[order])
    found = quantiles(values[None], weights, np.array(levels))[:, 0]
    steps = np.maximum(np.abs(np.diff(np.concatenate([values[order][:1], values[order]]))).max(initial=0), 1)
    assert np.allclose(found, exact, rtol=1e-9, atol=1e-9 * steps)


def test_quantiles_of_values_that_are_not_finite():
    rng = np.random.default_rng(1)
    values, weights = rng.normal(size=2000), np.full(2000, 1 / 2000)
    values[:100], values[100:200] = np.inf, -np.inf
    low, middle, high = quantiles(values[None], weights, np.array([0.01, 0.5, 0.99]))[:, 0]
    assert (low, high) == (-np.inf, np.inf)
    assert abs(middle) < 0.1
    values[:] = np.nan
    assert np.isnan(quantiles(values[None], weights, np.array([0.5]))).all()
