"""The rolling ball and its presets."""

import numpy as np
import pytest
from hypothesis import given
from semidirect_rolling_ball import RollingBall, chaplygin_ball, routh_sphere

import semidirect as sd
from semidirect.testing import inertias, system_contract, unit_vectors

TestRollingBall = system_contract(RollingBall)
TestRouthSphere = system_contract(routh_sphere)
TestChaplyginBall = system_contract(chaplygin_ball)

FULL = [[2.0, 0.1, 0.0], [0.1, 1.7, 0.0], [0.0, 0.0, 1.5]]


def test_presets_are_choices_of_one_system():
    assert isinstance(routh_sphere(), RollingBall)
    assert isinstance(chaplygin_ball(), RollingBall)
    assert chaplygin_ball().offset == 0
    assert routh_sphere(offset=0.1).offset == 0.1
    assert routh_sphere().inertia[0] == routh_sphere().inertia[1]
    assert "Sim_Results_Chaplygin" in chaplygin_ball.doc


@pytest.mark.parametrize(
    ("choices", "defined"),
    [
        ({}, True),
        ({"inertia": (2.0, 1.9, 1.5)}, False),
        ({"inertia": FULL}, False),
        ({"inertia": np.diag([2.0, 2.0, 1.5])}, True),
        ({"axis": (1.0, 0.0, 0.0)}, False),
        ({"axis": (1.0, 0.0, 0.0), "offset": 0.0}, True),
    ],
)
def test_the_routh_integral_belongs_to_a_body_of_revolution(choices, defined):
    assert ("routh" in RollingBall(**choices).observables()) is defined


def test_what_evaluate_derives():
    """s = rΓ + ℓχ, Y = Ω × s, M = 𝕀Ω + s × mY, Q = I₁I₃ + m(𝕀s)·s."""
    ball = RollingBall(inertia=(2.0, 2.0, 1.5), mass=1.3, radius=0.7, offset=0.2)
    Omega, Gamma = np.array([0.4, -0.2, 1.5]), np.array([6, -2, -9]) / 11
    found = ball.evaluate({"Omega": Omega, "Gamma": Gamma})["derived"]
    s = 0.7 * Gamma + 0.2 * np.array([0, 0, 1])
    Y = np.cross(Omega, s)
    M = np.array([2.0, 2.0, 1.5]) * Omega + 1.3 * np.cross(s, Y)
    Q = 2.0 * 1.5 + 1.3 * (np.array([2.0, 2.0, 1.5]) * s) @ s
    for name, value in {"s": s, "Y": Y, "M": M, "Q": Q}.items():
        np.testing.assert_allclose(found[name], value, rtol=0, atol=1e-15)


def test_the_ball_starts_with_its_geometric_centre_at_the_origin():
    ball = RollingBall(axis=(0.36, -0.48, 0.8), offset=0.3)
    found = ball.evaluate()
    np.testing.assert_allclose(found["observables"]["geometric-centre"]["value"], [0, 0, 0], rtol=0, atol=1e-16)
    centre, gamma = found["observables"]["centre-of-mass"]["value"], found["state"]["Gamma"]
    # Its height above the geometric centre is ℓ Γ·χ.
    np.testing.assert_allclose(centre[2], 0.3 * np.dot(gamma, ball.axis), rtol=1e-15)
    np.testing.assert_allclose(centre, found["state"]["x"], rtol=0, atol=0)


def test_noise_about_the_vertical_needs_no_other():
    ball = RollingBall(noise=(), vertical_noise=(0.1, 0.2))
    assert ball.sde().wieners == 2
    assert RollingBall(noise=()).sde().wieners == 0
    with pytest.raises(sd.InputError, match=r"formal.*varied"):
        RollingBall(vertical="exact")


@given(inertias(), unit_vectors())
def test_any_body_is_accepted(inertia, axis):
    ball = RollingBall(inertia=inertia, axis=axis / np.linalg.norm(axis))
    assert ball.signature[0] is RollingBall
    assert ("routh" in ball.observables()) in (True, False)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"inertia": (1.0, 1.0, 2.1)}, "triangle inequality"),
        ({"mass": -1.0}, "'mass' of RollingBall: expected positive"),
        ({"offset": -0.1}, "'offset' of RollingBall: expected not negative"),
        ({"axis": (0.0, 0.0, 2.0)}, r"expected length 1.*Normalised it is \[0.0, 0.0, 1.0\]"),
        ({"noise": (0.0, 0.0, 0.1)}, r"'noise' of RollingBall has the wrong shape: expected \(k, 3\), got \(3,\)"),
        ({"coupling": "print"}, "expected 'variational' or 'printed'"),
    ],
)
def test_what_is_no_ball_is_refused(choices, message):
    with pytest.raises(sd.InputError, match=message):
        RollingBall(**choices)
