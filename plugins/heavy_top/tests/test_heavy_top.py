"""The heavy top."""

import numpy as np
import pytest
from semidirect_heavy_top import HeavyTop, kovalevskaya_top, lagrange_top

import semidirect as sd
from semidirect.testing import system_contract

TestHeavyTop = system_contract(HeavyTop)
TestLagrangeTop = system_contract(lagrange_top)
TestKovalevskayaTop = system_contract(kovalevskaya_top)


def test_equations():
    """dM = (M × Ω + mgℓ Γ × χ) dt + Σ M × ξ_i∘dW^i, dΓ likewise."""
    chi, noise = np.array([0.36, -0.48, 0.8]), np.array([[0.1, 0.2, 0.0], [0.0, -0.3, 0.4]])
    top = HeavyTop(mass=1.3, arm=0.7, gravity=9.81, axis=chi, inertia=(1.0, 1.2, 0.5), noise=noise)
    Omega, Gamma = np.array([0.1, 0.2, 3.0]), np.array([0.6, 0.0, 0.8])
    M = np.array([1.0, 1.2, 0.5]) * Omega
    result = top.evaluate({"Omega": Omega, "Gamma": Gamma})
    drift = np.cross(M, Omega) + 1.3 * 9.81 * 0.7 * np.cross(Gamma, chi)
    np.testing.assert_allclose(result["drift"]["M"], drift, rtol=2e-15)
    np.testing.assert_allclose(result["drift"]["Gamma"], np.cross(Gamma, Omega), rtol=0, atol=1e-16)
    for field, xi in zip(result["noise"], noise, strict=True):
        np.testing.assert_allclose(field["M"], np.cross(M, xi), rtol=0, atol=1e-16)
        np.testing.assert_allclose(field["Gamma"], np.cross(Gamma, xi), rtol=0, atol=1e-16)


def test_observables():
    top = HeavyTop()
    observables = top.evaluate({"Omega": (0.1, 0.2, 3.0), "Gamma": (0.6, 0.0, 0.8)})["observables"]
    assert {"energy", "gamma-norm", "momentum-gamma", "momentum-axis"} <= set(observables)
    np.testing.assert_allclose(observables["momentum-gamma"]["value"], 0.1 * 0.6 + 1.5 * 0.8, rtol=1e-15)
    assert observables["momentum-axis"]["value"] == 1.5
    # The Lagrange top with noise along its axis keeps M₃.
    assert observables["momentum-axis"]["drift"] == observables["momentum-axis"]["noise"][0] == 0


def test_kovalevskaya():
    """E and |(Ω₁ + iΩ₂)² − (mgℓ/I₃)(Γ₁ + iΓ₂)|², also with noise about the vertical; noise in the body moves them."""
    top = kovalevskaya_top(mass=1.3, arm=0.7, gravity=2.0, inertia=(1.2, 1.2, 0.6), vertical_noise=(0.7,))
    run = top.simulate(t_end=10, dt=0.1, method="dop853", driver="sin(3*t)")
    for name in ("energy", "kovalevskaya", "momentum-gamma", "gamma-norm"):
        assert np.ptp(run[name]) < 1e-11, name  # measured 7.1e-13
    assert np.ptp(run["momentum-axis"]) > 0.5
    shaken = kovalevskaya_top(noise=[[0.3, 0, 0]], vertical_noise=())
    assert np.ptp(shaken.simulate(t_end=2, dt=0.1, method="dop853", driver="sin(3*t)")["kovalevskaya"]) > 0.01


def test_the_integral_of_kovalevskaya_needs_her_moments():
    assert "kovalevskaya" not in HeavyTop().observables()
    assert "kovalevskaya" not in kovalevskaya_top(inertia=(2.0, 2.0, 1.1)).observables()
    assert "kovalevskaya" in kovalevskaya_top(inertia=np.diag([2.0, 2.0, 1.0])).observables()


def test_presets():
    assert lagrange_top().inertia[0] == lagrange_top().inertia[1]
    assert isinstance(kovalevskaya_top(), HeavyTop)


class TopOfMotions(HeavyTop):
    """The same Lagrangian on SE(3), where Y is undetermined."""

    group = sd.SE3()
    advected = {"Gamma": sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO3()), group, "Omega"), (0, 0, 1))}

    def constraint(self):
        return sd.Unconstrained()


def test_on_se3_the_inertia_would_be_singular():
    """A top with a fixed point lives on SO(3), with Γ advected."""
    with pytest.raises(sd.errors.DefinitionError, match="Y1 is undetermined"):
        TopOfMotions().sde()
