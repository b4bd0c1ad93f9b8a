"""Errors that filters state, of log-likelihoods and means, over seeds, how far the assumptions of an update are from true."""

import warnings

import numpy as np
import pytest
from ornstein_uhlenbeck import SEEN, Braked, log_likelihood, values
from rolling_line import DISK, START, TRACK

import semidirect as sd

COUNT = 24
TIMES = 0.5 * np.arange(1, COUNT + 1)
DATA = (TIMES, values(2, 0.8, 0.7, COUNT)[:, None])


def filtered(particles, seed, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.errors.FilterWarning)
        return sd.filter(
            Braked(), SEEN, DATA, dt=0.25, method="heun", particles=particles, seed=seed, quantities=["v"], **more
        )


def test_the_error_of_a_log_likelihood_is_that_over_seeds():
    """By 400 particles without moves: measured over 40 seeds, a root mean square error of 0.62, stated 0.42 to 0.72."""
    exact = log_likelihood(0.8, 0.7, DATA[1].ravel(), 2)
    results = [filtered(400, seed, update=sd.inference.ParticleUpdate(moves=0, temper_below=0)) for seed in range(40)]
    off = np.array([result.log_likelihood - exact for result in results])
    stated = np.array([result.log_likelihood_error for result in results])
    print(f"root mean square {np.sqrt(np.mean(off**2)):.3f}, stated {stated.min():.3f} to {stated.max():.3f}")
    assert np.isfinite(stated).all()
    assert 0.7 < np.sqrt(np.mean(off**2) / np.mean(stated**2)) < 1.35
    assert f"± {results[0].log_likelihood_error:.2g}" in repr(results[0])


def test_the_error_of_a_mean_is_never_0_where_few_families_are_left():
    """By 50 particles, of which all descend from a few: an error is nan, or of the size of the one over seeds."""
    results = [filtered(50, seed) for seed in range(6)]
    errors = np.array([result.data["v_error"].values for result in results])
    spread = np.array([result.data["v_sd"].values for result in results])
    means = np.array([result.data["v_mean"].values for result in results])
    assert np.isnan(errors).any()
    assert np.nanmin(errors / spread) > 0.02
    over_seeds = np.sqrt(np.mean(np.var(means, axis=0, ddof=1)))
    assert 0.6 < np.sqrt(np.nanmean(errors**2)) / over_seeds < 1.8


def test_other_filters_do_not_state_families():
    assert np.isnan(filtered(50, 1, update="ensemble-kalman").log_likelihood_error)
    assert filtered(50, 1, update="extended-kalman").log_likelihood_error == 0


@pytest.mark.parametrize("order", [1, 2])
def test_normal_laws_are_not_warned_of(order):
    """A disk on a line: a quadratic function explains at most 2 % of what is left, by 200 particles, in the median 0."""
    run = DISK.simulate(t_end=6, dt=0.1, save="every:2", seed=5, state=START)
    data = TRACK.of(run, seed=5).isel(time=slice(1, None))
    found = sd.filter(
        DISK, TRACK, data, dt=0.1, particles=200, state=START, update=sd.inference.EnsembleKalmanUpdate(order=order)
    )
    assert np.median(found.data["nonlinearity"]) < 0.02
    assert (found.data["nonlinearity"] < 0.1).all()


@pytest.mark.parametrize(("spread", "orders"), [(0.05, ()), (0.3, (1,)), (1.0, (1, 2))])
def test_bent_laws_are_warned_of(spread, orders):
    """A disk whose turn is not known: after a second its places lie on a bow."""
    disk, track = sd.load("rolling-disk", radius=0.7, noise=(0.1, 0.1)), sd.inference.position(["x", "y"], noise=0.02)
    run = disk.simulate(t_end=4, dt=0.1, save="every:10", seed=5, state={"omega": 1.2, "nu": 0.5})
    data = track.of(run, seed=5).isel(time=slice(1, None))

    def start(rng, count):
        return {"omega": 1.2 + 0.1 * rng.standard_normal(count), "nu": 0.5 + spread * rng.standard_normal(count)}

    for order in (1, 2):
        with warnings.catch_warnings(record=True) as messages:
            warnings.simplefilter("always", sd.errors.FilterWarning)
            sd.filter(
                disk,
                track,
                data,
                dt=0.1,
                particles=400,
                state=start,
                update=sd.inference.EnsembleKalmanUpdate(order=order),
            )
        assert any("not jointly normal" in str(message.message) for message in messages) == (order in orders)
