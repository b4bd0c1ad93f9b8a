"""The nonholonomic particle."""

import numpy as np
import pytest
from semidirect_nonholonomic_particle import NonholonomicParticle

import semidirect as sd
from semidirect.testing import system_contract

TestNonholonomicParticle = system_contract(NonholonomicParticle)

START = {"x": 0, "y": -0.3, "z": 0, "u": (0.8, 0.6)}


def test_the_motion_in_closed_form():
    """ẏ = v, ẋ√(1+y²) = K, x = (K/v) asinh y, z = (K/v)√(1+y²)."""
    run = NonholonomicParticle(noise=()).simulate(t_end=5, dt=0.1, method="dop853", state=START)
    y, K = -0.3 + 0.6 * run.times, 0.8 * np.sqrt(1.09)
    assert np.abs(run["y"][0] - y).max() < 1e-13  # measured 8.9e-16
    assert np.abs(run["u"][0, :, 0] * np.sqrt(1 + y**2) - K).max() < 1e-12  # measured 1.7e-13
    assert np.abs(run["x"][0] - K / 0.6 * (np.arcsinh(y) - np.arcsinh(-0.3))).max() < 1e-12  # measured 1.7e-13
    assert np.abs(run["z"][0] - K / 0.6 * (np.sqrt(1 + y**2) - np.sqrt(1.09))).max() < 1e-12  # measured 4.5e-13
    assert np.ptp(run["energy"]) < 2e-12  # measured 1.2e-13
    assert abs(run["energy"][0, 0] - (0.8**2 * 1.09 + 0.6**2) / 2) < 1e-15  # ½(ẋ²(1 + y²) + ẏ²)


class Substituted(sd.System):
    """The wrong model: the constraint ż = yẋ put into the Lagrangian before the variation."""

    group = sd.RealSpace(2, coordinates=("x", "y"))
    advected = {"minus": sd.Advected(sd.HomogeneousRepresentation(group), (0, 0, 1))}

    def lagrangian(self, xi, a):
        return (xi.v[0] ** 2 * (1 + a.minus[1] ** 2) + xi.v[1] ** 2) / 2


def test_substitution_before_the_variation_is_another_model():
    """At y = −.3, (ẋ, ẏ) = (.8, .6): accelerations (.1321, 0); substituted, (.2642, −.192)."""
    right = NonholonomicParticle(noise=()).evaluate(START)["drift"]["u"]
    np.testing.assert_allclose(right, [0.8 * 0.6 * 0.3 / 1.09, 0], rtol=0, atol=1e-15)
    wrong = Substituted().evaluate({"v": (0.8, 0.6), "y": -0.3})["drift"]["v"]
    np.testing.assert_allclose(wrong, [2 * 0.8 * 0.6 * 0.3 / 1.09, -0.3 * 0.8**2], rtol=1e-14)
    np.testing.assert_allclose(wrong, [0.2642, -0.192], rtol=0, atol=5e-5)


@pytest.mark.parametrize("field", [(0.3, 0.2, 0.0), (0.0, 0.0, 0.4)])
def test_noise_moves_the_particle_by_its_field(field):
    """dx, dy = field, and dz = ξ_z + yξ_x."""
    noise = NonholonomicParticle(noise=[field]).evaluate(START)["noise"][0]
    rates = [noise["x"], noise["y"], noise["z"]]
    np.testing.assert_allclose(rates, [field[0], field[1], field[2] - 0.3 * field[0]], rtol=0, atol=1e-16)
