"""Amplitudes of noise from exactly observed paths."""

import numpy as np
import pytest

import semidirect as sd

CASES = {
    "disk": (sd.load("rolling-disk", noise=(0.3, 0.2)), np.diag([0.04, 0, 0, 0.09])),
    "disk whose noise rolls": (
        sd.load("rolling-disk", noise=(0.3, 0.2), variant="rolling-noise", radius=0.5),
        np.diag([0.04, 0, 0, 0.09]) + 0.09 * np.array([[0, 0, 0, 0], [0, 0.25, 0, 0.5], [0, 0, 0, 0], [0, 0.5, 0, 0]]),
    ),
    "body": (sd.load("rigid-body", noise=[[0.1, 0.2, 0], [0, 0, 0.3]]),
             np.array([[0.01, 0.02, 0], [0.02, 0.04, 0], [0, 0, 0.09]])),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_estimate_has_the_stated_error(case):
    """Of 60 paths of 100 steps: mean within four standard errors, and 95 % intervals with a coverage from 0.88 to 1."""
    system, exact = CASES[case]
    run = system.simulate(t_end=1, dt=0.01, paths=60, seed=11)
    found = sd.inference.quadratic_variation(run)
    moved = exact > 0
    error, spread = (found.covariance - exact)[:, moved], found.standard_error[:, moved]
    z = error.mean(axis=0) / (np.sqrt(np.mean(spread**2, axis=0)) / np.sqrt(60))
    coverage = np.mean(np.abs(error) < 1.96 * spread)
    print(f"{case}: means off by {np.abs(z).max():.2f} standard errors, coverage {coverage:.3f}")
    assert np.abs(z).max() < 4
    assert 0.88 < coverage <= 1
    assert np.abs(found.covariance[:, ~moved & (exact == 0)]).max() < 0.06


@pytest.mark.parametrize("wrong", [
    lambda: sd.inference.quadratic_variation(3),
    lambda: sd.inference.quadratic_variation(CASES["body"][0].simulate(t_end=0.1, dt=0.01, save=[0.01, 0.02, 0.04, 0.05])),
    lambda: sd.inference.quadratic_variation(CASES["body"][0].simulate(t_end=0.1, dt=0.01, save="final")),
    lambda: sd.inference.quadratic_variation(CASES["body"][0].simulate(t_end=0.1, dt=0.01, save=sd.Save("all", ["Omega"]))),
])  # fmt: skip
def test_runs_without_a_quadratic_variation(wrong):
    with pytest.raises(sd.errors.InputError):
        wrong()
