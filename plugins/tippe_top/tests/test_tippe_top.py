"""The tippe top."""

import numpy as np
import pytest
from semidirect_rolling_ball import RollingBall
from semidirect_tippe_top import TippeTop

import semidirect as sd
from semidirect.integrators import DOP853
from semidirect.testing import system_contract

TestTippeTop = system_contract(TippeTop)

LAWS = ("proportional", "coulomb", "viscous")
STATE = {"Omega": (3.0, -2.0, 50.0), "Gamma": np.array([6, -2, -9]) / 11}


def admissible(top, seed=0):
    """A state that slips, Γ·(Y − Ω × s) = 0."""
    slip = np.cross(STATE["Gamma"], np.random.default_rng(seed).normal(size=3))
    s = top.radius * STATE["Gamma"] + top.offset * np.array([0, 0, 1])
    return {**STATE, "Y": np.cross(STATE["Omega"], s) + 0.1 * slip}


QUICK = DOP853(rtol=1e-10, atol=1e-11)


def test_it_turns_over():
    """f = −.3N v_c, tilt .1, Ω₃ = −155, Y = 0: Γ₃ > 0 first at t = 5.067, and Γ₃(8) = .999998."""
    times = sorted([*np.arange(0, 8.01, 0.05).round(3), 5.066, 5.067])
    flip = TippeTop().simulate(t_end=8, dt=0.001, method=QUICK, save=times)
    height = flip["Gamma"][0, :, 2]
    assert np.all(height[flip.times < 5.0665] < 0)
    assert height[np.isclose(flip.times, 5.067)] > 0
    assert height[-1] == pytest.approx(0.999998, abs=5e-7)
    assert np.ptp(flip["jellett"]) < 1e-11 * np.abs(flip["jellett"]).max()  # measured 4.6e-13
    assert np.all(np.diff(flip["energy"][0]) < 0)
    assert flip["normal-force"].min() > 0


@pytest.mark.parametrize("friction", LAWS)
def test_jellett_along_the_motion(friction):
    """Kept with every law, while E is lost; the contact is kept too."""
    run = TippeTop(friction=friction).simulate(t_end=0.1, dt=0.01, method="dop853")
    J = run["jellett"]
    assert np.ptp(J) < 1e-12 * np.abs(J).max()  # measured 2e-15
    assert run["energy"][0, -1] < 0.99999 * run["energy"][0, 0]
    assert np.abs(run["constraint-residual"]).max() < 1e-13  # of 0.1; measured 7e-16


def test_without_slip_it_does_not():
    """Rolling, Γ₃ stays in [−.99510, −.99500]."""
    top = TippeTop()
    shared = {name: top.values[name] for name in ("inertia", "mass", "radius", "offset", "gravity")}
    ball = RollingBall(noise=(), **shared)
    run = ball.simulate(t_end=4, dt=0.005, method=QUICK, state={"Omega": (0, 0, -155.0), "Gamma": top.initial["Gamma"]})
    height = run["Gamma"][0, :, 2]
    assert -0.99510 <= height.min()
    assert height.max() <= -0.99500
    assert height.max() - height.min() > 5e-5  # it does nutate


@pytest.mark.parametrize(
    ("friction", "noise"), [*((law, ()) for law in LAWS), ("viscous", (0.02, 0.01)), ("proportional", (0.02,))]
)
def test_energy_is_lost_at_the_contact_and_jellett_is_not(friction, noise):
    """dE = f·v dt, with every law; J stays, also when the friction fluctuates."""
    top = TippeTop(friction=friction, friction_noise=noise)
    observables = top.evaluate(admissible(top))["observables"]
    assert observables["energy"]["drift"] == pytest.approx(observables["friction-power"]["value"], rel=1e-12)
    assert observables["energy"]["drift"] < -1e-5
    rates = [observables["jellett"]["drift"], *observables["jellett"]["noise"]]
    np.testing.assert_allclose(rates, 0, atol=1e-17)  # of up to 1e-3 in its terms
    assert len(rates) == 1 + len(noise)
    assert all(rate != 0 for rate in observables["energy"]["noise"])


@pytest.mark.parametrize("friction", LAWS)
def test_against_newton_and_euler(friction):
    """mẍ = N e₃ + gf − mg e₃ and 𝕀Ω̇ = 𝕀Ω × Ω + (NΓ + f) × s, with N from ẍ₃ = d²(s·Γ)/dt²."""
    top = TippeTop(friction=friction)
    state = admissible(top)
    Omega, Y, Gamma, I, m = state["Omega"], state["Y"], state["Gamma"], top.inertia, float(top.mass)
    s = top.radius * Gamma + top.offset * np.array([0, 0, 1])
    v = Y - np.cross(Omega, s)
    share = {"proportional": -0.3 * v, "coulomb": -0.3 * v / np.sqrt(v @ v + 1e-6), "viscous": 0 * v}[friction]
    friction_force = -0.05 * v if friction == "viscous" else 0 * v
    dGamma = np.cross(Gamma, Omega)

    def turning(N):
        return (np.cross(I * Omega, Omega) + np.cross(N * (Gamma + share) + friction_force, s)) / I

    def lift(N):
        """ẍ₃ by the forces, less that of the contact: x₃ = R + ℓΓ₃, Γ̇ = Γ × Ω."""
        curving = np.cross(dGamma, Omega) + np.cross(Gamma, turning(N))
        return N / m - top.gravity - top.offset * curving[2]

    N = -lift(0.0) / (lift(1.0) - lift(0.0))
    result = top.evaluate(state)
    assert result["observables"]["normal-force"]["value"] == pytest.approx(N, rel=1e-14)  # measured 2.8e-16
    np.testing.assert_allclose(result["drift"]["Omega"], turning(N), rtol=5e-13)  # measured 1.1e-14
    pushed = (N * (Gamma + share) + friction_force) / m - top.gravity * Gamma - np.cross(Omega, Y)
    np.testing.assert_allclose(
        result["drift"]["Y"], pushed, rtol=0, atol=1e-14 * np.abs(pushed).max()
    )  # measured 1.3e-16


def test_lift_off_is_an_event():
    """Shaken hard enough the top would leave the plane: a path stops where N ≤ 0 and does not continue."""
    top = TippeTop(gravity=0.05)
    gamma = np.array([0.8, 0.0, -0.6])
    start = {"Omega": (0.0, 60.0, 0.0), "Gamma": gamma}
    s = top.radius * gamma + top.offset * np.array([0, 0, 1])
    start["Y"] = np.cross(start["Omega"], s)
    run = top.simulate(t_end=0.1, dt=1e-4, state=start, stop=sd.Stop("normal-force", below=0))
    assert run.data.status[0] == 3
    force = run["normal-force"][0]
    when = np.flatnonzero(force <= 0)[0]
    assert run.stopped.time[0] == pytest.approx(run.times[when], abs=1e-12)
    assert np.all(force[:when] > 0)
    assert when > 0
    assert np.all(force[when:] == force[when])


def test_friction_that_fluctuates_along_paths():
    """J path by path, to round-off; E differs from path to path."""
    top = TippeTop(friction="viscous", friction_noise=(0.02,))
    run = top.simulate(t_end=0.05, dt=1e-4, paths=8, seed=3)
    J = run["jellett"]
    assert np.abs(J - J[:, :1]).max() < 1e-12 * np.abs(J).max()  # bilinear: measured 4e-15 by the midpoint rule
    assert np.std(run["energy"][:, -1]) > 1e-6
