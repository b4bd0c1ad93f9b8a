"""A covariance of the errors is said as one, has its law, and is asked for where an array may be either."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

import semidirect as sd
from semidirect.core.errors import InputError

C = np.array([[0.04, 0.03], [0.03, 0.05]])
DISK = sd.load("rolling-disk", noise=(0.1, 0.1))
BODY = sd.load("rigid-body")


def two_marks(state):
    return [[state.M[0], state.M[1]], [state.M[1], state.M[2]]]


def test_log_density_and_draws_have_the_covariance():
    several = np.stack([C, 2 * C - 0.01])
    law = sd.Observation(two_marks, covariance=several).noise
    data, predicted = np.array([[1.0, 2.0], [0.5, 0.3]]), np.random.default_rng(0).standard_normal((5, 2, 2))
    found = law.log_density(data, predicted, np.arange(2))
    for mark in range(2):
        expected = multivariate_normal([0, 0], several[mark]).logpdf(data[mark] - predicted[:, mark])
        np.testing.assert_allclose(found[:, mark], expected, rtol=1e-13)
    drawn = law.draw(np.random.default_rng(1), np.zeros((100_000, 2, 2)))
    for mark in range(2):
        np.testing.assert_allclose(
            np.cov(drawn[:, mark].T), several[mark], atol=8e-4
        )  # 4 standard errors of the largest


@pytest.mark.filterwarnings("ignore::semidirect.errors.FilterWarning")
@pytest.mark.parametrize("update", ["particles", "extended-kalman"])
def test_rotated_standard_deviations_are_a_covariance(update):
    """Data and errors in a turned frame: Observation of combinations with standard deviations."""
    angle = 0.5
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    scale = np.array([0.05, 0.2])
    run = DISK.simulate(t_end=0.5, dt=0.1, seed=3)
    plain = sd.Observation(["x", "y"], covariance=turn @ np.diag(scale**2) @ turn.T)
    turned = sd.Observation(lambda state: list(turn.T @ [state.s[0, 2], state.s[1, 2]]), noise=scale)
    data = plain.of(run, seed=1).isel(time=slice(1, None))
    found = sd.filter(DISK, plain, data, dt=0.1, particles=50, update=update).log_likelihood
    other = sd.filter(
        DISK, turned, (data.time.values, data.values @ turn), dt=0.1, particles=50, update=update
    ).log_likelihood
    assert found == pytest.approx(other, abs=1e-9)


def test_diagonal_covariance_is_that_of_standard_deviations():
    run = DISK.simulate(t_end=0.5, dt=0.1, seed=3)
    data = sd.Observation(["x", "y"], noise=[0.1, 0.2]).of(run, seed=1).isel(time=slice(1, None))
    values = [sd.filter(DISK, sd.Observation(["x", "y"], **law), data, dt=0.1, update="extended-kalman").log_likelihood
              for law in ({"noise": [0.1, 0.2]}, {"covariance": np.diag([0.01, 0.04])})]  # fmt: skip
    assert values[0] == pytest.approx(values[1], abs=1e-12)


@pytest.mark.parametrize("noise", [[[0.2, 0.1], [0.1, 0.2]], C])
def test_array_that_may_be_both_asks(noise):
    run = BODY.simulate(t_end=0.1, dt=0.1)
    with pytest.raises(
        InputError,
        match=r"may be standard deviations and a covariance. Write covariance=… .* or noise=sd.inference.GaussianNoise",
    ):
        sd.Observation(two_marks, noise=noise).of(run)
    assert sd.Observation(two_marks, noise=sd.inference.GaussianNoise(noise)).of(run).shape == (2, 2, 2)
    assert sd.Observation(two_marks, covariance=noise).of(run).shape == (2, 2, 2)


@pytest.mark.parametrize(
    "noise", [0.1, [0.1, 0.2], [[0.1, 0.2], [0.2, 0.1]], [[0.1, 0.2], [0.3, 0.4]], np.full((2, 2), 0.1)]
)
def test_standard_deviations_that_are_no_covariance_stay_what_they_are(noise):
    assert sd.Observation(two_marks, noise=noise).of(BODY.simulate(t_end=0.1, dt=0.1)).shape == (2, 2, 2)


@pytest.mark.parametrize(("law", "message"), [
    ({"noise": C}, r"expected standard deviations: one, \(2,\) or \(1, 2\), got shape \(2, 2\). Write covariance=…"),
    ({"noise": [[0.1, 0.0], [0.0, 0.1]]}, "If it is a covariance, write covariance=…"),
    ({"noise": [[0.1, -0.02], [-0.02, 0.1]]}, "If it is a covariance, write covariance=…"),
    ({}, "expected noise=, standard deviations or a law, or covariance=, got none"),
    ({"noise": 0.1, "covariance": C}, "got both"),
    ({"covariance": [[1, 2], [2, 1]]}, "symmetric positive definite"),
    ({"covariance": [[1, 0.5], [0.4, 1]]}, "symmetric positive definite"),
    ({"covariance": np.full((2, 2), np.nan)}, "symmetric positive definite"),
    ({"covariance": "C"}, "expected real numbers"),
    ({"covariance": np.eye(3)}, r"expected shape \(2, 2\)"),
])  # fmt: skip
def test_noise_that_cannot_be_used(law, message):
    with pytest.raises(InputError, match=message):
        sd.Observation(["x", "y"], **law).of(DISK.simulate(t_end=0.1, dt=0.1))


def test_instruments_take_a_covariance():
    run = DISK.simulate(t_end=0.1, dt=0.1)
    assert sd.inference.position(["x", "y"], covariance=C).of(run).shape == (2, 1, 2)
    assert sd.inference.camera(np.eye(3), covariance=C).noise.covariance(3, 2).shape == (3, 2, 2)
