"""The hydrodynamic Chaplygin sleigh (Fedorov and García-Naranjo 2010), whose deterministic motion is a hyperbolic secant."""

import numpy as np

import semidirect as sd
from semidirect import ops
from semidirect.invariants import compare_principles


class FluidSleigh(sd.System):
    """A planar body with a fin in an ideal fluid: l = ½ξ·Hξ with H of body and fluid, v₂ = 0; κ is the circulation."""

    H = sd.parameter(((2.0, 0.1, 0.3), (0.1, 1.0, 0.4), (0.3, 0.4, 1.5)), shape=(3, 3))
    circulation = sd.parameter(0.0, symbol="kappa")
    group = sd.SE2()
    initial = {"nu": 1.0, "speed": 0.5}

    def kinetic(self, xi):
        x = ops.array([xi.nu, xi.v[0], xi.v[1]])
        return ops.dot(x, self.H @ x) / 2

    def lagrangian(self, xi):
        return self.kinetic(xi)

    def constraint(self):
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], names=("nu", "speed"))

    def force(self, xi):
        return self.circulation * ops.array([xi.v[0], -xi.nu - xi.v[1], xi.v[0]])

    @sd.observable(status="exact")
    def energy(self, state):
        return self.kinetic(state)

    @sd.observable()
    def lateral(self, state):
        return self.H[2, 0] * state.nu + self.H[2, 1] * state.v[0]


def test_the_lateral_momentum_is_a_secant():
    """H₂(ω, v)' = p₂(−v, ω) turns (ω, v) on the ellipse of energy, p₂' = … : p₂ = R sech(Rt/√det H₂ + c)."""
    sleigh = FluidSleigh()
    run = sleigh.simulate(t_end=20, dt=0.25, method="dop853")
    H = np.array(sleigh.H)[:2, :2]
    k = np.array(sleigh.H)[2, :2]
    R = np.sqrt(2 * run["energy"][0, 0] * k @ np.linalg.solve(H, k))
    found, rate = run["lateral"][0], R / np.sqrt(np.linalg.det(H))
    size = np.arccosh(R / found[0])
    off = [np.abs(found - R / np.cosh(rate * run.times + c)).max() for c in (size, -size)]
    assert min(off) < 1e-12  # 1e-13
    assert max(off) > 0.1


def test_circulation_keeps_the_energy():
    assert FluidSleigh(circulation=0.3).is_conserved("energy")


def test_principles_compare_where_the_start_is_in_coordinates_of_D():
    """Its recommended state names ``speed``, which the vakonomic system has not."""
    found = compare_principles(FluidSleigh(), {"speed": 0.2})
    assert found.vakonomic_off < 1e-14  # 0
    assert found.substituted_off > 0.1  # 0.48
