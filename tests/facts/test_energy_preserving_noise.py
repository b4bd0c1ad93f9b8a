"""Energy-preserving noise beside transport noise: what each keeps is proved, refuted and shown."""

import numpy as np
import pytest
from dissipative import Body, Top

import semidirect as sd
from semidirect import ops
from semidirect.testing import system_contract

UPSILON = np.array([[0.3, 0.1, -0.2], [0.0, 0.2, 0.4]])


class Forced(Body):
    """A free body with F_i = ad*_Ω Υ_i, dM = (M dt + Σ Υ_i∘dW^i) × Ω."""

    upsilon: sd.Parameter = sd.parameter(UPSILON)
    energy = sd.energy(status="exact")
    dissipation = theta = sigma = None

    def constraint(self):
        return sd.Unconstrained()

    @property
    def independent_force(self):
        return sd.noise.EnergyPreservingNoise(self.upsilon)

    @sd.observable(status="random")
    def momentum_squared(self, state):
        """|M|², which this noise does not keep."""
        return ops.dot(state.M, state.M)


class ForcedTop(Top):
    """A heavy top, Υ_i functions of Γ."""

    energy = sd.energy(status="exact")
    dissipation = theta = sigma = damping = None
    noise_force = sd.noise.EnergyPreservingNoise(lambda a: [0.3 * a.Gamma, [a.Gamma[2], 0, 1]])

    def constraint(self):
        return sd.Unconstrained()

    @sd.observable(status="random")
    def vertical_momentum(self, state):
        """M·Γ."""
        return ops.dot(state.M, state.Gamma)


TestForced = system_contract(Forced)
TestForcedTop = system_contract(ForcedTop)


class Skate(sd.System):
    """The same under a constraint that is linear and ideal."""

    group = sd.SE2()
    initial = {"nu": 0.7, "speed": 1.0}
    noise_force = sd.noise.EnergyPreservingNoise([[0.1, 0.3, 0.4]])

    def lagrangian(self, xi):
        return (xi.nu**2 + ops.dot(xi.v, xi.v)) / 2 + xi.nu * xi.v[1] / 3

    def constraint(self):
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], names=("nu", "speed"))


def test_energy_preserving_and_transport_noise_conserve_different_quantities():
    transported = Body(theta=0)
    assert Forced().is_conserved("energy")
    assert not Forced().is_conserved("momentum-squared")
    assert transported.is_conserved("momentum-squared")
    assert not transported.is_conserved("energy")
    assert ForcedTop().is_conserved("energy")
    assert ForcedTop().is_conserved("gamma-squared")
    assert not ForcedTop().is_conserved("vertical-momentum")
    assert Skate().is_conserved("energy")


def test_the_equation_and_its_ito_drift():
    """dM = M × Ω dt + Σ Υ_i × Ω∘dW^i; Itô's drift has ½ Σ Υ_i × 𝕀⁻¹(Υ_i × Ω)."""
    found, Omega, inverse = Forced().evaluate(), np.array([0.4, 1.0, -0.7]), 1 / np.array([1.0, 1.6, 2.2])
    M = Omega / inverse
    for i, Y in enumerate(UPSILON):
        np.testing.assert_allclose(found["noise"][i]["M"], np.cross(Y, Omega), atol=1e-16)
    correction = sum(np.cross(Y, inverse * np.cross(Y, Omega)) for Y in UPSILON) / 2
    np.testing.assert_allclose(found["ito_drift"]["M"], np.cross(M, Omega) + correction, atol=1e-15)


def test_the_energy_stays_to_round_off_in_the_method_that_keeps_quadratic_invariants():
    run = Forced().simulate(t_end=20, dt=0.01, paths=4, seed=1, method="implicit-midpoint", save="every:100")
    energy, momentum = run["energy"], run["momentum-squared"]
    assert np.max(np.abs(energy / energy[:, :1] - 1)) < 1e-13  # measured 4e-15
    assert np.min(np.ptp(momentum, axis=1)) > 0.1  # measured 1.2


def test_momenta_of_another_length_are_refused():
    with pytest.raises(sd.errors.DefinitionError, match="momenta of an energy-preserving noise"):
        type("Wrong", (Forced,), {"independent_force": sd.noise.EnergyPreservingNoise([[1, 2]])})().sde()
