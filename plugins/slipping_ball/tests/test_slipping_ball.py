"""A rolling ball with slip noise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from semidirect_slipping_ball import SlippingBall

import semidirect as sd
from semidirect.testing import system_contract

TestSlippingBall = system_contract(SlippingBall)
TestColouredSlip = system_contract(SlippingBall, coloured=True, body_slip=())

FRAME = dict(zip(("E1", "E2", "Gamma"), sd.groups.minimal_rotation((6, -2, -9)), strict=True))
UPRIGHT = {"g": np.eye(3), "x": (0, 0, 0.86), "Omega": (0.4, -0.2, 1.5)}
E3 = np.array([0, 0, 1])
numbers = st.floats(-2, 2)
vectors = st.tuples(numbers, numbers, numbers).map(np.array)


@settings(max_examples=15)
@given(Omega=vectors, slip=vectors)
def test_slip_fixed_in_the_body(Omega, slip):
    """v = Γ × w: dE = mY·(v × Ω + (∂v/∂Γ)(Ω × Γ))∘dW."""
    ball = SlippingBall(body_slip=[slip])
    energy = ball.evaluate({"Omega": Omega, **FRAME})["observables"]["energy"]
    Gamma = FRAME["Gamma"]
    Y = np.cross(Omega, 0.7 * Gamma + 0.2 * ball.axis)
    work = 1.3 * Y @ (np.cross(np.cross(Gamma, slip), Omega) + np.cross(np.cross(Omega, Gamma), slip))
    assert energy["noise"][0] == pytest.approx(work, rel=0, abs=1e-13)  # of up to 12; measured 3e-15
    assert energy["drift"] == pytest.approx(0, abs=5e-14)  # of terms of up to 12; measured 4.4e-15


def test_slip_fixed_in_space():
    """dE = 0, and the motion is the one without noise, moved by w W(t)."""
    ball = SlippingBall(body_slip=(), space_slip=[(0.2, -0.3)])
    rates = ball.evaluate({"Omega": (0.4, -0.2, 1.5), **FRAME})["observables"]["energy"]
    np.testing.assert_allclose([rates["drift"], *rates["noise"]], 0, atol=1e-14)  # measured 3e-16
    still, moved = (ball.simulate(t_end=5, dt=0.1, method="dop853", driver=W, state=UPRIGHT) for W in (0, "sin(3*t)"))
    for name in ("Omega", "Gamma", "E1", "g"):
        assert np.abs(moved[name] - still[name]).max() < 1e-10, name  # measured 5.4e-13
    shift = np.outer(np.sin(3 * still.times), (0.2, -0.3, 0))
    assert np.abs(moved["x"] - still["x"] - shift).max() < 1e-11  # measured 1.9e-13
    assert np.ptp(moved["energy"]) < 1e-10  # of 9; measured 3.3e-12


def test_a_coloured_slip_that_stays_is_another_frame():
    """κ = σ = 0: the floor moves at z, and the ball as on a floor at rest, carried by z t; E − mY·c is constant."""
    ball = SlippingBall(body_slip=(), coloured=True, relaxation=0.0, agitation=0.0)
    z = np.array([0.3, -0.2])
    still, moved = (
        ball.simulate(t_end=5, dt=0.1, method="dop853", driver=0, state={**UPRIGHT, "z": w}) for w in (0 * z, z)
    )
    for name in ("Omega", "Gamma", "g"):
        assert np.abs(moved[name] - still[name]).max() < 1e-10, name  # measured 8.1e-13
    assert np.abs(moved["x"] - still["x"] - np.outer(still.times, [*z, 0])).max() < 1e-10  # measured 4.2e-13
    assert np.ptp(moved["moving-energy"]) < 1e-10  # of 12; measured 2.4e-12
    assert np.ptp(moved["energy"]) > 0.05


@settings(max_examples=15)
@given(Omega=vectors, z=st.tuples(numbers, numbers))
def test_energy_law_of_coloured_slip(Omega, z):
    """d(E − mY·c) = −mY·(E₁dz₁ + E₂dz₂): a shaking floor works by its acceleration."""
    ball = SlippingBall(body_slip=(), coloured=True)
    result = ball.evaluate({"Omega": Omega, **FRAME, "z": z})
    pull = -1.3 * np.array([np.dot(result["derived"]["Y"], FRAME[n]) for n in ("E1", "E2")])
    rates = result["observables"]["moving-energy"]
    assert rates["drift"] == pytest.approx(pull @ (-2.0 * np.array(z)), abs=1e-13)  # of up to 20; measured 2e-15
    np.testing.assert_allclose(rates["noise"], 0.1 * pull, rtol=0, atol=1e-15)  # measured 5.6e-17


def test_white_and_coloured_slip_have_wiener_processes_of_their_own():
    """Γ × v, w₁E₁ + w₂E₂, and dz = −κz dt + σ(dW³, dW⁴): two slip and leave z, two move z alone."""
    choices = {"coloured": True, "body_slip": [(0.2, -0.3, 0.1)], "space_slip": [(0.2, -0.3)], "relaxation": 1.5,
               "agitation": 0.4}  # fmt: skip
    result = SlippingBall(**choices).evaluate({**UPRIGHT, "z": (0.3, -0.2)})
    rates = [(field["z"], field["x"]) for field in (result["drift"], *result["noise"])]
    floor = np.array([0.3, -0.2, 0]) + np.cross((0.4, -0.2, 1.5), 0.7 * E3 + 0.2 * SlippingBall().axis)
    expected = [((-0.45, 0.3), floor), ((0, 0), np.cross(E3, (0.2, -0.3, 0.1))), ((0, 0), (0.2, -0.3, 0)),
              ((0.4, 0), (0, 0, 0)), ((0, 0.4), (0, 0, 0))]  # fmt: skip
    for (z, x), (dz, dx) in zip(rates, expected, strict=True):
        np.testing.assert_allclose(z, dz, rtol=0, atol=1e-16)
        np.testing.assert_allclose(x, dx, rtol=0, atol=5e-16)  # measured 0


def test_coloured_slip_is_an_ornstein_uhlenbeck_process():
    """E z_i² = σ²/2κ (1 − e^{−2κt}), the two of them independent; the contact stays in the plane."""
    ball = SlippingBall(body_slip=(), coloured=True, agitation=0.5)
    run = ball.simulate(t_end=1, dt=0.02, paths=4000, seed=2, method="heun", save=sd.Save("final", names=["z", "x", "Gamma"]),
                        state=UPRIGHT)  # fmt: skip
    z = run["z"][:, 0]
    variance = 0.25 / 4 * (1 - np.exp(-4))
    se = variance * np.sqrt(2 / 4000)
    assert np.abs(z.var(axis=0) - variance).max() < 4 * se  # measured 1.4 se
    assert abs(np.mean(z[:, 0] * z[:, 1])) < 4 * variance / np.sqrt(4000)


def test_invalid_frames_raise_errors():
    with pytest.raises(sd.SemidirectError):
        SlippingBall().evaluate({"Gamma": (0.6, 0, 0.8)})
