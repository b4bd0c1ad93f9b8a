"""The Chaplygin sleigh."""

import numpy as np
import pytest
from semidirect_chaplygin_sleigh import ChaplyginSleigh

from semidirect.testing import system_contract

TestChaplyginSleigh = system_contract(ChaplyginSleigh)


@pytest.mark.parametrize("V", [2.0, 0.5])
def test_the_motion_in_closed_form(V):
    """v = V tanh κt, ω = W sech κt; it turns by π√((I+ma²)/(ma²)) in all, whatever its energy."""
    m, I, a = 1.3, 0.7, 0.4
    whole = I + m * a**2
    kappa, W = m * a * V / whole, V * np.sqrt(m / whole)
    run = ChaplyginSleigh(noise=()).simulate(t_end=60 / V, dt=0.2 / V, method="dop853", state={"omega": W, "speed": 0})
    assert np.abs(run["speed"][0] - V * np.tanh(kappa * run.times)).max() < 1e-11  # measured 5.5e-14
    assert np.abs(run["omega"][0] - W / np.cosh(kappa * run.times)).max() < 1e-11  # measured 3e-13
    half = np.pi / 2 * np.sqrt(whole / (m * a**2))  # from t = 0 on
    angle = half * np.arctan(np.tanh(kappa * run.times / 2)) / (np.pi / 4)
    assert np.abs(run["phi"][0] - angle).max() < 1e-11  # measured 2.6e-13
    assert abs(run["phi"][0, -1] - half) < 1e-12  # κt = 34: nothing is left; measured 8.9e-15
    assert np.abs(run["energy"] - m * V**2 / 2).max() < 1e-12  # measured 1.1e-13


def test_the_blade_slips_by_noise_out_of_the_distribution_only():
    """ẏ cos φ − ẋ sin φ is the side slip: 0 along drift, turn and advance."""
    result = ChaplyginSleigh(noise=[[0.3, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.4]]).evaluate({"phi": 0.7})
    slips = [c["y"] * np.cos(0.7) - c["x"] * np.sin(0.7) for c in (result["drift"], *result["noise"])]
    np.testing.assert_allclose(slips, [0, 0, 0, 0.4], rtol=0, atol=1e-16)


def test_energy_and_accelerations():
    """E = ½mv² + ½(I + ma²)ω², as (v̇, ω̇) = (aω², −maωv/(I + ma²)) has it."""
    m, I, a, omega, v = 1.3, 0.7, 0.4, 0.9, -0.6
    result = ChaplyginSleigh(mass=m, inertia=I, ahead=a, noise=()).evaluate({"omega": omega, "speed": v})
    whole = I + m * a**2
    np.testing.assert_allclose(result["observables"]["energy"]["value"], (m * v**2 + whole * omega**2) / 2, rtol=1e-15)
    np.testing.assert_allclose(result["drift"]["speed"], a * omega**2, rtol=1e-15)
    np.testing.assert_allclose(result["drift"]["omega"], -m * a * omega * v / whole, rtol=1e-15)
