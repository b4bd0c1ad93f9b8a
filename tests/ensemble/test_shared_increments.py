"""Paths of which several have one noise: their spread is no error of a mean, and is not stated as one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.random.shared_increments import share_noise

BODY = sd.load("rigid-body", noise=[[0.3, 0.2, 0.1]])
STEPS, DT = 8, 0.05


def normal(paths, seed=0):
    return np.random.default_rng(seed).normal(0, DT**0.5, (STEPS, 1, paths))


def together(*parts):
    return np.concatenate(parts, axis=2)


SHARED = {
    "antithetic": together(normal(3), -normal(3)),
    "twice": together(normal(3), normal(3)),
    "one pair": together(normal(5), normal(5)[:, :, 4:]),
    "all": np.repeat(normal(1), 6, axis=2),
}


@pytest.mark.parametrize("increments", SHARED.values(), ids=SHARED)
@pytest.mark.parametrize("driver", [np.asarray, lambda x: sd.noise.DrivingPath.from_increments(x, DT)])
def test_the_spread_of_paths_that_share_noise_is_no_error(increments, driver):
    run = BODY.simulate(t_end=STEPS * DT, dt=DT, paths=6, driver=driver(increments), method="lie-heun",
                        reduce=[sd.Moments("M3"), sd.Histogram("M3", -3, 3, bins=10)], save="final")  # fmt: skip
    moments, histogram = run.reductions["moments"], run.reductions["histogram:M3"]
    assert np.isfinite(moments.mean["M3"]).all()
    with pytest.raises(sd.errors.InputError, match="for several of them"):
        moments.standard_error  # noqa: B018
    with pytest.raises(sd.errors.InputError, match="for several of them"):
        histogram.quantile_intervals(0.5)


@given(st.integers(1, 3), st.integers(2, 9), st.integers(0, 5), st.booleans())
def test_repeated_paths_are_found_wherever_they_are(components, paths, seed, opposite):
    rng = np.random.default_rng(seed)
    dW = rng.normal(size=(5, components, paths))
    assert not share_noise(dW)
    again = dW[:, :, [rng.integers(paths)]] * (-1 if opposite else 1)
    order = rng.permutation(paths + 1)
    assert share_noise(np.concatenate([dW, again], axis=2)[:, :, order])


def test_paths_that_agree_by_chance_are_independent():
    """Of random signs, or increments of three points, many short paths are equal; a step that is 0 is not a path."""
    rng = np.random.default_rng(0)
    assert not share_noise(rng.choice([-1.0, 1.0], (3, 1, 40)))
    assert not share_noise(rng.choice([-(3**0.5), 0, 3**0.5], (2, 1, 40)))
    begun = normal(6)
    begun[:2] = 0.0
    assert not share_noise(begun)
