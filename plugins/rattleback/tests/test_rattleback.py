"""The rattleback."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from semidirect_rattleback import Rattleback

from semidirect.integrators import DOP853
from semidirect.testing import system_contract

TestRattleback = system_contract(Rattleback)

TILT = np.deg2rad(0.5)
START = np.array([np.sin(TILT), np.sin(TILT) * np.cos(TILT), np.cos(TILT) ** 2])  # 0.5° about y and about x


def body(sign=1):
    coupling = sign * 2e-5
    return Rattleback(noise=(), inertia=[[2e-4, coupling, 0], [coupling, 1.6e-3, 0], [0, 0, 1.7e-3]])


def spun(spin, t_end, method):
    return body().simulate(t_end=t_end, dt=0.01, method=method, state={"Omega": (0, 0, spin), "Gamma": START})


def reversal(run):
    return run.times[np.flatnonzero(run["spin"][0] * run["spin"][0, 0] < 0)[0]]


def test_one_sided_reversal():
    """Spun one way it turns back after 2.8 s, the other way after 11.5 s."""
    run = spun(5.0, 3.0, "dop853")
    assert np.ptp(run["energy"]) < 1e-10  # of 0.12; measured 9.5e-13
    assert abs(reversal(run) - 2.8) < 0.05  # measured 2.77
    run = spun(-5.0, 12.0, DOP853(rtol=1e-9, atol=1e-10))
    assert abs(reversal(run) - 11.5) < 0.05  # measured 11.47
    assert np.ptp(run["energy"]) < 1e-7  # measured 2.9e-9


numbers = st.floats(-2, 2)


@given(st.tuples(numbers, numbers, numbers), st.tuples(numbers, numbers))
def test_against_newton_and_euler(Omega, lean):
    """m(Ẏ + Ω × Y) = F − mgΓ and 𝕀Ω̇ = 𝕀Ω × Ω − s × F, with the contact force F eliminated by Y = Ω × s(Γ)."""
    Gamma, Omega = np.array([*lean, 1.0]) / np.linalg.norm([*lean, 1.0]), np.array(Omega)
    I, m, g, h = np.array([[2e-4, 2e-5, 0], [2e-5, 1.6e-3, 0], [0, 0, 1.7e-3]]), 1.0, 9.8, 0.01
    A2 = np.diag(np.square([0.2, 0.03, 0.02]))
    n = np.sqrt(Gamma @ A2 @ Gamma)
    s = A2 @ Gamma / n - h * np.array([0, 0, 1])
    dGamma = np.cross(Gamma, Omega)
    ds = A2 @ dGamma / n - A2 @ Gamma * (Gamma @ A2 @ dGamma) / n**3
    carried = m * (np.cross(Omega, ds) + np.cross(Omega, np.cross(Omega, s)) + g * Gamma)
    whole = I + m * (s @ s * np.eye(3) - np.outer(s, s))
    expected = np.linalg.solve(whole, np.cross(I @ Omega, Omega) - np.cross(s, carried))
    result = body().evaluate({"Omega": Omega, "Gamma": Gamma})
    scale = 1 + np.abs(expected).max()
    np.testing.assert_allclose(result["drift"]["Omega"], expected, rtol=0, atol=1e-13 * scale)  # measured 3e-15
    energy = (Omega @ whole @ Omega) / 2 + m * g * s @ Gamma
    np.testing.assert_allclose(result["observables"]["energy"]["value"], energy, rtol=1e-14)  # measured 3.9e-16


@given(st.tuples(numbers, numbers, numbers), st.tuples(numbers, numbers))
def test_exact_mirror(M, lean):
    """I₁₂, Ω₂, Ω₃ and Γ₁ change sign, Ω₁ is kept, and M with Ω: what one sense does to ±I₁₂, the other does to ∓I₁₂."""
    Gamma = np.array([*lean, 1.0]) / np.linalg.norm([*lean, 1.0])
    y, mirror = np.array([*(1e-3 * x for x in M), *Gamma]), np.array([1, -1, -1, -1, 1, 1])
    rates, image = body().drift(y), body(-1).drift(mirror * y)
    np.testing.assert_allclose(image, mirror * rates, rtol=0, atol=1e-13 * (1 + np.abs(rates).max()))


def test_without_coupling_spin_does_not_turn_back():
    """I₁₂ = 0: both ways are alike."""
    plain = Rattleback(noise=(), inertia=(2e-4, 1.6e-3, 1.7e-3))
    method = DOP853(rtol=1e-9, atol=1e-10)
    runs = [
        plain.simulate(t_end=3, dt=0.01, method=method, state={"Omega": (0, 0, w), "Gamma": START}) for w in (5, -5)
    ]
    assert all(np.abs(run["spin"]).min() > 4 for run in runs)


def test_the_equations_stay_small():
    """A solve of 3 × 3 in the body: no inverse or determinant is written out, which takes 819,143 operations elsewhere."""
    model = body().workings.model()
    y = np.array([0.1, -0.2, 0.3, *START])
    model.field(y, 0.0, 0.01, np.zeros(0))
    lines = model.structure.text("field", str).splitlines()
    assert 100 < len(lines) < 350  # an operation each: measured 232; 746 is what common subexpressions alone leave
    assert sum("solve_symmetric" in line for line in lines) == 1
