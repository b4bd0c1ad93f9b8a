"""Point vortices on the sphere."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from semidirect_point_vortices import PointVortices

import semidirect as sd
from semidirect.testing import system_contract

TestPair = system_contract(PointVortices, strengths=(1.0, -0.6), turn=((0.3, -0.5, 0.7),))

NOT_STORED = sd.Formulation(reconstruct=False)

ARRAYS = sd.Execution(1, engine="numpy")


def start(strengths, places):
    """The momenta Γ_k x_k."""
    return {f"p_{k}": g * np.asarray(x) for k, g, x in zip("abcdefgh", strengths, places, strict=False)}


def ring(count, colatitude):
    """Places on a circle about e₃."""
    turn = 2 * np.pi * np.arange(count) / count
    return np.stack(
        [np.sin(colatitude) * np.cos(turn), np.sin(colatitude) * np.sin(turn), np.full(count, np.cos(colatitude))],
        axis=1,
    )


@pytest.mark.parametrize("count", [2, 3])
def test_rings_turn_at_their_exact_rate(count):
    """N equal vortices at colatitude θ turn about the axis at (N − 1) Γ cos θ/(4π sin² θ); measured 3e-16 of it."""
    vortices, places = PointVortices(strengths=[1.3] * count), ring(count, 0.6)
    drift = vortices.evaluate(start([1.3] * count, places))["drift"]
    rate = (count - 1) * 1.3 * np.cos(0.6) / (4 * np.pi * np.sin(0.6) ** 2)
    for k, x in zip("abcde", places, strict=False):
        np.testing.assert_allclose(drift[f"p_{k}"], 1.3 * rate * np.cross((0, 0, 1), x), rtol=0, atol=1e-14)


@pytest.fixture(scope="module")
def triangle():
    """Three vortices of any strengths on an equilateral triangle, and the vector about which it turns."""
    strengths, places = np.array([1.0, 2.0, -0.5]), ring(3, 0.8)
    return strengths, places, strengths @ places / (4 * np.pi * (1 - places[0] @ places[1]))


def test_an_equilateral_triangle_turns_rigidly(triangle):
    """x_k(t) = exp(t Ω̂) x_k(0), Ω = Σ Γ_k x_k/(4π (1 − x₁·x₂)); measured 3e-14."""
    strengths, places, rate = triangle
    run = PointVortices(strengths=strengths).simulate(
        t_end=2, dt=0.125, method="dop853", state=start(strengths, places), formulation=NOT_STORED
    )
    turned = Rotation.from_rotvec(2 * rate).apply(places)
    np.testing.assert_allclose(run["places"][0, -1].reshape(3, 3), turned, rtol=0, atol=1e-12)


def test_turns_by_noise_turn_the_exact_motion_to_the_order_of_the_method(triangle):
    """x_k(t) = exp(−ζ̂ W(t)) x_k⁰(t), dp = p × ζ∘dW; on W = sin 3t, order 2: the error falls by 4.00."""
    strengths, places, rate = triangle
    zeta = np.array([0.3, -0.5, 0.7])
    vortices = PointVortices(strengths=strengths, turn=[zeta])
    still = Rotation.from_rotvec(2 * rate).apply(places)
    exact = Rotation.from_rotvec(-zeta * np.sin(6.0)).apply(still)
    errors = []
    for dt in (1 / 16, 1 / 32):
        run = vortices.simulate(
            t_end=2, dt=dt, method="coadjoint-midpoint", state=start(strengths, places), driver=["sin(3*t)"],
            formulation=NOT_STORED, execution=ARRAYS,
        )  # fmt: skip
        errors.append(np.abs(run["places"][0, -1].reshape(3, 3) - exact).max())
    assert errors[-1] < 1e-2
    assert 3.6 < errors[0] / errors[1] < 4.4


def test_what_is_kept_is_proved():
    """Casimirs and h under turns, the momentum without noise."""
    turned, still = PointVortices(strengths=(1.0, 2.0), turn=((1, 0, 0),)), PointVortices(strengths=(1.0, 2.0))
    for name in ("energy", "momentum-squared", "dot(p_a, p_a)"):
        assert turned.is_conserved(name), name
    assert still.is_conserved("momentum")
    assert not turned.is_conserved("momentum")


@pytest.mark.parametrize("strengths", [(), np.ones(27), (1.0, 0.0)])
def test_strengths_have_bounds(strengths):
    """One factor, and one letter, for each; the place of a vortex is p_k/Γ_k."""
    with pytest.raises(sd.errors.InputError, match="strengths"):
        PointVortices(strengths=strengths)
