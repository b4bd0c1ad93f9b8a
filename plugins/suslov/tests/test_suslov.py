"""Suslov's problem."""

import numpy as np
from semidirect_suslov import Suslov

from semidirect.testing import system_contract

TestSuslov = system_contract(Suslov)

ONE, TWO, THIRTEEN, TWENTYTHREE = 1.2, 1.5, 0.3, -0.2  # I₁₁, I₂₂, I₁₃, I₂₃ of the default body


def test_the_motion_in_closed_form():
    """E; sin(f − f₀) = tanh(κt + t₀), f the polar angle of (√I₁₁ω₁, √I₂₂ω₂), κ = √(2E) K/√(I₁₁I₂₂), K² = I₁₃²/I₁₁ + I₂₃²/I₂₂."""
    run = Suslov(noise=()).simulate(t_end=10, dt=0.1, method="dop853")
    one, two = np.sqrt([ONE, TWO])
    lean = np.array([THIRTEEN / one, TWENTYTHREE / two])
    f = np.arctan2(two * run["w2"][0], one * run["w1"][0])
    kappa = np.sqrt(2 * run["energy"][0, 0]) * np.hypot(*lean) / (one * two)
    leaning = np.sin(f - np.arctan2(lean[1], lean[0]))
    assert np.ptp(run["energy"]) < 1e-13  # measured 1.1e-15
    assert np.abs(leaning - np.tanh(kappa * run.times + np.arctanh(leaning[0]))).max() < 1e-13  # measured 7.2e-16
    assert np.ptp(leaning) > 0.5  # measured 0.89


def test_no_measure_is_kept():
    """The divergence of the field is I₂₃ω₁/I₂₂ − I₁₃ω₂/I₁₁, which is not that of a preserved smooth measure."""
    for w1, w2 in ((-0.9, 0.6), (0.3, 1.7)):
        jacobian = Suslov(noise=()).linearise({"w1": w1, "w2": w2})["drift"]
        expected = TWENTYTHREE * w1 / TWO - THIRTEEN * w2 / ONE
        np.testing.assert_allclose(np.trace(jacobian), expected, rtol=1e-14)


def test_energy_with_noise_within_and_out_of_the_distribution():
    """dE = ⟨p, [N, ξ]⟩∘dW + ⟨R, 0⟩: the reaction does no work, whatever the noise."""
    Omega, I = np.array([-0.9, 0.6, 0.0]), Suslov().inertia
    noise = np.array([[0.1, 0.2, 0.0], [0.0, 0.0, 0.3]])
    rates = Suslov(noise=noise).evaluate()["observables"]["energy"]["noise"]
    np.testing.assert_allclose(rates, [I @ Omega @ np.cross(xi, Omega) for xi in noise], rtol=0, atol=1e-15)
