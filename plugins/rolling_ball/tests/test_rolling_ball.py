"""The rolling ball and its presets."""

import numpy as np
import pytest
from hypothesis import given
from semidirect_rolling_ball import RollingBall, chaplygin_ball, routh_sphere

import semidirect as sd
from semidirect import ops
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
    values = ball.evaluate({"Omega": Omega, "Gamma": Gamma})["derived"]
    s = 0.7 * Gamma + 0.2 * np.array([0, 0, 1])
    Y = np.cross(Omega, s)
    M = np.array([2.0, 2.0, 1.5]) * Omega + 1.3 * np.cross(s, Y)
    Q = 2.0 * 1.5 + 1.3 * (np.array([2.0, 2.0, 1.5]) * s) @ s
    for name, value in {"s": s, "Y": Y, "M": M, "Q": Q}.items():
        np.testing.assert_allclose(values[name], value, rtol=0, atol=1e-15)


def test_the_ball_starts_with_its_geometric_centre_at_the_origin():
    ball = RollingBall(axis=(0.36, -0.48, 0.8), offset=0.3)
    result = ball.evaluate()
    np.testing.assert_allclose(result["observables"]["geometric-centre"]["value"], [0, 0, 0], rtol=0, atol=1e-16)
    centre, gamma = result["observables"]["centre-of-mass"]["value"], result["state"]["Gamma"]
    # Its height above the geometric centre is ℓ Γ·χ.
    np.testing.assert_allclose(centre[2], 0.3 * np.dot(gamma, ball.axis), rtol=1e-15)
    np.testing.assert_allclose(centre, result["state"]["x"], rtol=0, atol=0)


def test_noise_about_the_vertical_needs_no_other():
    ball = RollingBall(noise=(), vertical_noise=(0.1, 0.2))
    assert ball.sde().wieners == 2
    assert RollingBall(noise=()).sde().wieners == 0
    with pytest.raises(sd.errors.InputError, match=r"formal.*varied"):
        RollingBall(vertical="exact")


@given(inertias(), unit_vectors())
def test_any_body_is_accepted(inertia, axis):
    """It has a Routh integral if a quarter turn about E₃ changes neither 𝕀 nor χ = E₃."""
    ball = RollingBall(inertia=inertia, axis=axis / np.linalg.norm(axis))
    tensor, quarter = inertia if inertia.ndim == 2 else np.diag(inertia), np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    round_ = bool(np.array_equal(quarter @ tensor @ quarter.T, tensor) and ball.axis[2] == 1)
    assert ("routh" in ball.observables()) is round_


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
def test_impossible_balls_raise_errors(choices, message):
    with pytest.raises(sd.errors.InputError, match=message):
        RollingBall(**choices)


# -- classical facts -----------------------------------------------------------------------------------------------

HEAVY = {"mass": 1.3, "radius": 0.7, "offset": 0.2, "gravity": 9.81}


@pytest.mark.parametrize("factor", [0.9, 0.99, 1.01, 1.1])
def test_sleeping_routh_sphere(factor):
    """The centre of mass above, vertical spin is stable iff ((I₃ + mr(r+ℓ))ω)² > 4mgℓ(I₁ + m(r+ℓ)²); below, it grows.

    About the contact it is a Lagrange top with A = I₁ + m(r+ℓ)² and the momentum (I₃ + mr(r+ℓ))ω, so at √(4mgℓA − (…ω)²)/2A.
    """
    one, three, arm = 0.5, 0.3, 1.3 * (0.7 + 0.2)
    whole, threshold = one + arm * 0.9, 4 * 1.3 * 9.81 * 0.2 * (one + arm * 0.9)
    critical = np.sqrt(threshold) / (three + arm * 0.7)
    ball = routh_sphere(noise=(), inertia=(one, one, three), **HEAVY)
    spin = ball.linearise({"Omega": (0, 0, factor * critical), "Gamma": (0, 0, 1)})["drift"]
    growth = np.linalg.eigvals(spin).real.max()
    expected = np.sqrt(max(0.0, threshold * (1 - factor**2))) / (2 * whole)
    assert abs(growth - expected) < 1e-12  # of .61 and .20 below; measured 1.7e-15


@pytest.mark.parametrize("up", [1, -1])
def test_resting_routh_sphere(up):
    """χ points to the centre of mass: Γ·χ = −1 swings at √(mgℓ/(I₁ + m(r−ℓ)²)), Γ·χ = 1 falls at √(mgℓ/(I₁ + m(r+ℓ)²))."""
    ball = routh_sphere(noise=(), inertia=(0.5, 0.5, 0.3), **HEAVY)
    eigenvalues = np.linalg.eigvals(ball.linearise({"Omega": (0, 0, 0), "Gamma": (0, 0, up)})["drift"])
    rate = np.sqrt(1.3 * 9.81 * 0.2 / (0.5 + 1.3 * (0.7 + up * 0.2) ** 2))
    fastest, other = (eigenvalues.real, eigenvalues.imag) if up == 1 else (eigenvalues.imag, eigenvalues.real)
    assert abs(fastest.max() - rate) < 1e-12  # of 1.3 and 1.8; measured 2.2e-16
    assert np.abs(other).max() < 1e-12  # measured 0


class Turning(RollingBall):
    """Noise about a vertical axis that stands in space, N = c(Γ, Γ × X), X = gᵀx: the table turns at random."""

    frame = sd.AdvectedFrame(sd.SE3())
    advected = {"Gamma": frame["Gamma"], "b": frame["b"]}

    def constraint(self):
        def basis(a):
            return ops.transpose(ops.array([[*e, *ops.cross(e, self.contact_vector(a))] for e in ops.identity(3)]))

        def fields(a):
            return [[*(0.7 * a.Gamma), *ops.cross(0.7 * a.Gamma, -a.b[:3])]]

        return sd.DistributionConstraint(basis, {"Omega": 3}, noise=sd.StateNoise(fields))


def test_noise_about_an_axis_in_space():
    """E, J and R, path by path: the motion is turned and no more. Noise that rolls, N = c(Γ, Γ × s), keeps J and R not."""
    state = {"Omega": (0.4, -0.2, 3.0), "g": sd.groups.minimal_rotation((0.6, 0, 0.8)), "x": (0.3, -0.5, 0.86)}
    ball = Turning(noise=(), inertia=(0.5, 0.5, 0.3), **HEAVY)
    run = ball.simulate(t_end=5, dt=0.1, method="dop853", driver="sin(3*t)", state=state)
    for name in ("energy", "jellett", "routh"):
        assert np.ptp(run[name]) < 1e-11, name  # of 6, .9, 2; measured 1.1e-13
    rolling = routh_sphere(noise=(), vertical_noise=(0.7,), vertical="varied", inertia=(0.5, 0.5, 0.3), **HEAVY)
    other = rolling.simulate(t_end=5, dt=0.1, method="dop853", driver="sin(3*t)", state=state)
    assert np.ptp(other["jellett"]) > 1e-3


def test_momentum_of_the_chaplygin_ball_in_space():
    """gM, three integrals, about the contact."""
    run = chaplygin_ball(noise=(), inertia=FULL).simulate(t_end=10, dt=0.1, method="dop853")
    momentum = np.einsum("tij,tj->ti", run["g"][0].reshape(-1, 3, 3), run["M"][0])
    assert np.abs(momentum - momentum[0]).max() < 1e-11  # measured 2.4e-13
    assert np.ptp(run["M"][0, :, 0]) > 0.5


def divergence(system, y):
    """Of the drift, by differences of order 8."""
    h, weights = 0.02, np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
    total = 0.0
    for i, e in enumerate(np.eye(len(y))):
        shifts = h * np.arange(1, 5)
        ahead, behind = (system.drift(y[:, None] + sign * np.outer(e, shifts))[i] for sign in (1, -1))
        total += weights @ (ahead - behind) / h
    return total


def test_measure_of_the_chaplygin_ball():
    """(1 − DΓ·AΓ)^(−1/2) dM dΓ on |Γ| = 1 is kept, D = mr², A = (𝕀 + D)⁻¹; dM dΓ is not."""
    ball = chaplygin_ball(noise=(), inertia=FULL, mass=1.3, radius=0.7)
    D = 1.3 * 0.49
    A = np.linalg.inv(np.array(FULL) + D * np.eye(3))
    for Omega, Gamma in (((0.4, -0.2, 1.5), (6, -2, -9)), ((-1.0, 0.7, 0.3), (2, 6, 9))):
        Gamma = np.array(Gamma) / 11
        result = ball.evaluate({"Omega": Omega, "Gamma": Gamma})
        log_rate = D * np.dot(result["drift"]["Gamma"], A @ Gamma) / (1 - D * Gamma @ A @ Gamma)
        div = divergence(ball, np.array([*result["derived"]["M"], *Gamma]))
        assert abs(div + log_rate) < 1e-11  # measured 5.7e-14
        assert abs(div) > 1e-3


@given(unit_vectors(), unit_vectors(), unit_vectors())
def test_the_drift_of_any_ball_is_reversible(axis, M, Gamma):
    """Time reversal: under Ω → −Ω, with M, the drift of M is kept and that of Γ changes sign."""
    axis = axis / np.linalg.norm(axis)
    ball = RollingBall(noise=(), inertia=FULL, axis=axis / np.linalg.norm(axis), **HEAVY)
    forward, backward = (ball.drift(np.array([*(sign * M), *Gamma])) for sign in (1, -1))
    np.testing.assert_allclose(backward[:3], forward[:3], rtol=0, atol=1e-14 * (1 + np.abs(forward).max()))
    np.testing.assert_allclose(backward[3:], -forward[3:], rtol=0, atol=1e-14 * (1 + np.abs(forward).max()))


def test_the_general_ball_keeps_its_energy_only():
    run = RollingBall(noise=(), inertia=FULL, axis=(0.36, -0.48, 0.8)).simulate(t_end=10, dt=0.1, method="dop853")
    assert np.ptp(run["energy"]) < 1e-10  # measured 2.7e-12
    for name in ("jellett", "momentum-gamma", "momentum-squared"):
        assert np.ptp(run[name]) > 0.1, name
