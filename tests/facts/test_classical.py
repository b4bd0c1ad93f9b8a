"""Exact facts of textbook systems; facts of other systems are tested with their plugins."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.special import ellipk
from semidirect_heavy_top import HeavyTop

import semidirect as sd

NOISE = [[0.1, 0, 0.2], [0, 0.3, -0.1], [0.2, 0.1, 0]]


def largest(difference):
    return float(np.max(np.abs(difference)))


def from_space(run, name):
    """g v along every path, (paths, T, 3)."""
    g = run["g"].reshape(*run["g"].shape[:2], 3, 3)
    return np.einsum("ptij,ptj->pti", g, run[name])


# -- free rigid body -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["lie-heun", "lie-heun(exp)", "lie-midpoint"])
def test_spatial_momentum_of_the_rigid_body(method):
    """gΠ is constant: ad*, Ad* and reconstruction have one sign; with noise, at any step, to round-off."""
    run = sd.load("rigid-body", noise=NOISE).simulate(t_end=5, dt=0.05, paths=5, method=method)
    momentum = from_space(run, "M")
    assert largest(momentum - momentum[:, :1]) < 1e-13  # measured 3.6e-15
    assert largest(run["M"] - run["M"][:, :1]) > 1  # measured 2.6


def test_spatial_momentum_along_the_flow():
    run = sd.load("rigid-body", noise=NOISE).simulate(
        t_end=5, dt=0.1, method="dop853", driver=["sin(3*t)", "cos(2*t)", "t"]
    )
    momentum = from_space(run, "M")
    assert largest(momentum - momentum[:, :1]) < 1e-11  # measured 1.7e-13


def test_period_of_the_free_rigid_body():
    """4K(k)/n, k² = (I₂−I₁)(2EI₃−L²)/((I₃−I₂)(L²−2EI₁)), n² = (I₃−I₂)(L²−2EI₁)/(I₁I₂I₃), where L² > 2EI₂."""
    I = np.array([1.0, 1.7, 2.5])  # no two differences alike
    Omega = np.array([0.3, 0.4, 1.0])
    E2, L2 = I @ Omega**2, I**2 @ Omega**2
    assert L2 > 1.3 * E2 * I[1]  # measured 1.4
    k2 = (I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]))
    n2 = (I[2] - I[1]) * (L2 - E2 * I[0]) / np.prod(I)
    period = 4 * ellipk(k2) / np.sqrt(n2)
    body = sd.load("rigid-body", inertia=I, noise=())
    run = body.simulate(t_end=period, dt=period / 4, method="dop853", state={"Omega": Omega})
    assert largest(run["Omega"][0, -1] - Omega) < 1e-13  # measured 9.4e-16
    assert largest(run["Omega"][0, 2] - Omega) > 0.5  # measured 0.8
    assert np.ptp(run["energy"]) < 1e-13  # measured 8.9e-16
    assert np.ptp(run["momentum-squared"]) < 5e-13  # measured 4.4e-15


def test_mean_momentum_of_the_isotropic_body():
    """𝕀 = 1, noises σe_i: E Π(t) = e^{−σ²t} Π₀."""
    run = sd.load("rigid-body", inertia=(1, 1, 1), noise=0.5 * np.eye(3)).simulate(
        t_end=1, dt=0.05, paths=20_000, seed=6, method="lie-heun(exp)", save="final", state={"Omega": (1, 0.5, -0.3)}
    )
    statistics = run.statistics()["M"]
    deviation = (statistics["mean"][0] - np.exp(-0.25) * np.array([1, 0.5, -0.3])) / statistics["se"][0]
    assert largest(deviation) < 4  # measured 0.97


# -- heavy top -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["lie-heun", "lie-heun(exp)", "lie-midpoint", "implicit-midpoint"])
def test_casimirs_of_the_heavy_top(method):
    """|Γ|² and Π·Γ, path by path, whatever the noise, at any step."""
    top = sd.load("heavy-top", inertia=(1.0, 1.5, 0.8), axis=(0.36, -0.48, 0.8), noise=NOISE)
    run = top.simulate(t_end=10, dt=0.05, paths=5, method=method)
    assert largest(run["gamma-norm"] - 1) < 1e-13  # measured 4.9e-15
    assert largest(run["momentum-gamma"] - run["momentum-gamma"][:, :1]) < 1e-13  # measured 1.4e-14
    assert np.ptp(run["energy"]) > 0.5  # measured 4.4


def lagrange_top(run):
    return np.ptp(run["energy"]), np.ptp(run["momentum-axis"])


def test_lagrange_top():
    """I₁ = I₂: E and Π₃, without noise and with N = cχ, path by path."""
    for noise, drive in ((), None), ([[0, 0, 0.7]], "sin(3*t)"):
        run = sd.load("heavy-top", noise=noise).simulate(t_end=10, dt=0.1, method="dop853", driver=drive)
        assert max(lagrange_top(run)) < 1e-11  # measured 1.1e-13
    run = sd.load("heavy-top", noise=[[0.7, 0, 0]]).simulate(t_end=10, dt=0.1, method="dop853", driver="sin(3*t)")
    assert min(lagrange_top(run)) > 0.1  # measured 2.5


def test_noise_about_the_vertical_turns_the_motion():
    """N = cΓ is fixed in space: E for any 𝕀, Π₃ for I₁ = I₂; the motion is the one without noise, turned by cW."""
    run = HeavyTop(noise=(), vertical_noise=(0.7,)).simulate(t_end=10, dt=0.1, method="dop853", driver="sin(3*t)")
    assert max(lagrange_top(run)) < 5e-13  # measured 5.3e-15
    top = HeavyTop(noise=(), vertical_noise=(0.7,), inertia=(1.0, 1.5, 0.8))
    still, moved = (top.simulate(t_end=10, dt=0.1, method="dop853", driver=W) for W in (0, "sin(3*t)"))
    assert np.ptp(moved["energy"]) < 1e-12  # measured 1.2e-14
    turn = Rotation.from_rotvec(np.outer(0.7 * np.sin(3 * still.times), [0, 0, 1])).as_matrix()
    g, h = (run["g"][0].reshape(-1, 3, 3) for run in (still, moved))
    assert largest(turn @ g - h) < 1e-11  # measured 3.4e-13
    assert largest(g - h) > 0.5  # measured 0.67


@pytest.mark.parametrize("factor", [0.9, 0.99, 1.01, 1.1])
def test_sleeping_top(factor):
    """Upright spin is stable iff (I₃ω)² > 4mgℓI₁; below, it grows at √(4mgℓI₁ − (I₃ω)²)/2I₁."""
    top = sd.load("heavy-top", mass=1.3, arm=0.4, gravity=9.81, inertia=(0.5, 0.5, 0.2))
    threshold = 4 * 1.3 * 9.81 * 0.4 * 0.5
    spin = factor * np.sqrt(threshold) / 0.2
    jacobian = top.linearise({"Omega": (0, 0, spin), "Gamma": (0, 0, 1)})["drift"]
    growth = np.linalg.eigvals(jacobian).real.max()
    expected = np.sqrt(max(0.0, threshold - (0.2 * spin) ** 2)) / (2 * 0.5)
    assert abs(growth - expected) < 1e-12  # of .45 at .99; measured 7.4e-15
