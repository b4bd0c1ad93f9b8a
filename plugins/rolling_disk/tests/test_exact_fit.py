"""The exact likelihood of the disk: its maximum, its errors, and quadratic variation against it."""

import numpy as np
import pytest
from scipy.optimize import minimize
from semidirect_rolling_disk import RollingDisk, exact_fit
from semidirect_rolling_disk.exact_fit import log_likelihood

import semidirect as sd

NOISE = 0.3, 0.2
DISK = RollingDisk(noise=NOISE)


def test_the_closed_form_is_the_maximum():
    """Against a search, for saved times at different distances; relative difference 1e-6."""
    run = DISK.simulate(t_end=4, dt=0.05, seed=3, save=[0, 0.2, 0.5, 0.6, 1.5, 2.5, 2.6, 4.0])
    fit = exact_fit(run)
    best = minimize(lambda p: -log_likelihood(run, p[:2], np.exp(p[2:]))[0], [1, 1, -1, -1], method="BFGS",
                    options={"gtol": 1e-7})  # fmt: skip
    np.testing.assert_allclose([*fit.velocity[0], *fit.noise[0]], [*best.x[:2], *np.exp(best.x[2:])], rtol=1e-6)
    assert -best.fun == pytest.approx(fit.log_likelihood[0], abs=1e-9)


@pytest.mark.parametrize("variant", ["printed", "rolling-noise"])
def test_errors_are_those_stated_and_quadratic_variation_has_larger_ones(variant):
    """Of 400 paths of 100 intervals: biases within four errors, spreads within 10 % of the stated; the variance by quadratic
    variation is 1.5 times as large, as its formula says (measured 1.49).
    """
    run = DISK.replace(variant=variant).simulate(t_end=2, dt=0.02, seed=4, paths=400)
    fit = exact_fit(run)
    truth = np.array([*NOISE]) * (1 - 0.75 / 100)  # E of the root of χ² with 99 degrees over 100
    assert (np.abs(fit.noise.mean(axis=0) - truth) < 4 * fit.noise_error.mean(axis=0) / 20).all()
    np.testing.assert_allclose(fit.noise.std(axis=0), fit.noise_error.mean(axis=0), rtol=0.1)
    np.testing.assert_allclose(fit.velocity.std(axis=0), fit.velocity_error.mean(axis=0), rtol=0.1)
    rough = np.sqrt(np.diagonal(sd.inference.quadratic_variation(run).covariance, axis1=1, axis2=2)[:, [3, 0]])
    ratio = rough.var(axis=0) / fit.noise.var(axis=0)
    print(f"variance of quadratic variation over that of the likelihood: {ratio.round(2)}")
    assert ((ratio > 1.2) & (ratio < 1.9)).all()


def test_runs_without_angles():
    with pytest.raises(sd.errors.InputError, match="three times or more, got 2 times"):
        exact_fit(DISK.simulate(t_end=0.1, dt=0.1))
    with pytest.raises(sd.errors.InputError, match="got no phi"):
        exact_fit(DISK.simulate(t_end=0.5, dt=0.1, save=sd.Save("all", ["theta"])))
