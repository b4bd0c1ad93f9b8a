"""One exact fact for each thing that a definition may hold: affine and state-dependent constraints, covectors, reaction
directions, forces with and without noise of their own, prescribed amplitudes, slip, Lagrangians that are not quadratic."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import semidirect as sd
from semidirect import ops
from semidirect.equations.emission import evaluate_exact


def largest(difference):
    return float(np.max(np.abs(difference)))


# -- distribution that depends on the state ------------------------------------------------------------------------


class FlatParticle(sd.System):
    """ż = yẋ on R³, where the Lagrangian is constant and the distribution is not; on the Heisenberg group it is a plugin."""

    group = sd.RealSpace(3, coordinates=("x", "y", "z"))
    advected = {"minus": sd.Advected(sd.HomogeneousRepresentation(group), (0, 0, 0, 1))}

    def lagrangian(self, xi):
        return ops.dot(xi.v, xi.v) / 2

    def constraint(self):
        return sd.DistributionConstraint(lambda a: [[1, 0], [0, 1], [-a.minus[1], 0]], names=("vx", "vy"))


def test_nonholonomic_particle():
    """ẏ = v, ẋ√(1+y²) = K, x = (K/v) asinh y, z = (K/v)√(1+y²)."""
    system = FlatParticle()
    y0, vx, vy = -0.3, 0.8, 0.6
    start = {"x": 0, "y": y0, "z": 0, "vx": vx, "vy": vy}
    drift = system.evaluate(start)["drift"]
    assert drift["vx"] == pytest.approx(0.13211009174311925, abs=1e-15)  # the substituted Lagrangian says 0.2642
    assert drift["vy"] == pytest.approx(0, abs=1e-15)  # and −0.192
    run = system.simulate(t_end=5, dt=0.1, method="dop853", state=start)
    y, K = y0 + vy * run.times, vx * np.sqrt(1 + y0**2)
    assert largest(run["y"] - y) < 1e-13  # measured 6.7e-16
    assert largest(run["vx"] * np.sqrt(1 + y**2) - K) < 1e-12  # measured 1.7e-13
    assert largest(run["x"] - K / vy * (np.arcsinh(y) - np.arcsinh(y0))) < 1e-12  # measured 1.7e-13
    assert largest(run["z"] - K / vy * (np.sqrt(1 + y**2) - np.sqrt(1 + y0**2))) < 1e-12  # measured 4.5e-13


# -- covectors -----------------------------------------------------------------------------------------------------


class Veselova(sd.System):
    """The body whose angular velocity stays horizontal, Ω·Γ = 0, by its covector: no global basis of D exists."""

    inertia = sd.inertia((1.0, 2.0, 2.5))
    noise = sd.parameter(((0.1, 0.2, -0.1), (0.3, -0.1, 0.2)), shape=(None, 3))

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    initial = {"Omega": (1.0, 0.8, -0.6), "Gamma": (0.0, 0.6, 0.8)}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self):
        return sd.CovectorConstraint(lambda a: [a.Gamma], noise=self.noise)

    @sd.observable(unit="J")
    def energy(self, state):
        return self.lagrangian(state)


def residual(run):
    return largest(np.sum(run["Omega"] * run["Gamma"], axis=-1))


def test_covectors_kept_by_the_midpoint_rule(record_property):
    """Ω·Γ = 0 and |Γ| = 1 with noise, at any step: bilinear and quadratic invariants."""
    runs = {m: Veselova().simulate(t_end=5, dt=0.01, paths=20, method=m) for m in (None, "heun")}
    assert runs[None].config["method"] == "implicit-midpoint"
    assert runs[None].good.all()
    record_property("Ω·Γ of the A form over 500 steps", f"{residual(runs[None]):.1e}")
    assert residual(runs[None]) < 1e-13  # measured 3.2e-15
    assert largest(np.linalg.norm(runs[None]["Gamma"], axis=-1) - 1) < 1e-13  # measured 3.6e-15
    assert residual(runs["heun"]) > 1e-5  # measured 3.9e-4


def test_covectors_without_noise_keep_the_energy():
    run = Veselova(noise=()).simulate(t_end=10, dt=0.1, method="dop853")
    assert np.ptp(run["energy"]) < 1e-11  # measured 4.2e-13
    assert residual(run) < 1e-11  # measured 1.7e-13


# -- reaction directions -------------------------------------------------------------------------------------------


class SlidingBlock(sd.System):
    """A block on an incline with Coulomb friction: the reaction λ(−μv/|v|, 1), λ the normal force."""

    friction = sd.parameter(0.3)
    weight = sd.parameter((3.0, 0.0, -8.0))

    group = sd.RealSpace(3)

    def lagrangian(self, xi):
        return ops.dot(xi.v, xi.v)  # a mass of 2

    def force(self):
        return 2 * self.weight

    def direction(self, xi):
        speed = ops.sqrt(xi.v[0] ** 2 + xi.v[1] ** 2)
        return [[-self.friction * xi.v[0] / speed], [-self.friction * xi.v[1] / speed], [1]]

    def constraint(self):
        return sd.CovectorConstraint([[0, 0, 1]], directions=self.direction)

    @sd.observable(unit="N")
    def normal_force(self, state):
        return state.multiplier

    @sd.observable(unit="W")
    def friction_power(self, state):
        return -self.friction * state.multiplier * ops.norm(state.v)


def test_friction_in_proportion_to_the_normal_force():
    """Down the incline the acceleration is g(sin α − μ cos α), and the normal force mg cos α."""
    run = SlidingBlock().simulate(t_end=2, dt=0.1, method="implicit-midpoint", state={"v": (1, 0, 0)})
    rate = 3 - 0.3 * 8
    assert largest(run["v"][0] - np.outer(1 + rate * run.times, [1, 0, 0])) < 1e-13  # measured 8.9e-16
    assert largest(run["x"][0] - np.outer(run.times + rate * run.times**2 / 2, [1, 0, 0])) < 1e-13  # measured 1.3e-15
    sde = SlidingBlock().sde()
    column = sde.column(0)
    v = dict(zip(sde.state, (1, 0, 0), strict=True))
    numbers = {p: Fraction(x) for p, x in zip(sde.definition.parameters, ("0.3", "3", "0", "-8"), strict=True)}
    assert evaluate_exact(column, {**v, **numbers})["multiplier"] == [16]
    # An observable may name the multiplier, along a run, at a state and in its evolution: v̇ is 3 − .3·8 on the incline.
    assert largest(run["normal-force"] - 16) < 1e-13  # measured 0
    assert largest(run["friction-power"] + 0.3 * 16 * run["v"][..., 0]) < 1e-13
    seen = SlidingBlock().evaluate({"v": (1, 0, 0)})
    assert seen["derived"]["multiplier"] == pytest.approx(16, rel=1e-15)
    assert seen["observables"]["normal-force"]["drift"] == pytest.approx(0, abs=1e-15)
    assert seen["observables"]["friction-power"]["drift"] == pytest.approx(-0.3 * 16 * rate, rel=1e-14)


# -- forces --------------------------------------------------------------------------------------------------------


class Carriage(sd.System):
    """A carriage on a line with drag: the noise W moves it and pushes it, the noise B only pushes."""

    drag, moved, pushed, shaken = sd.parameter(0.5), sd.parameter(0.3), sd.parameter(0.7), sd.parameter(1.1)

    group = sd.RealSpace(1, coordinates=("x",))

    def lagrangian(self, xi):
        return xi.v**2 / 2

    def constraint(self):
        return sd.Unconstrained(noise=[[self.moved]])

    def force(self, xi):
        return [-self.drag * xi.v]

    def noise_force(self):
        return [[self.pushed]]

    def independent_force(self):
        return [[self.shaken]]


def test_forces_with_the_transport_noise_and_with_noise_of_their_own():
    """dx = v dt + ξ∘dW, dv = −γv dt + σ∘dW + σ'∘dB, in closed form for W = sin t and B = t."""
    system = Carriage()
    run = system.simulate(t_end=5, dt=0.1, method="dop853", driver=["sin(t)", "t"], state={"v": 2.0})
    t, c, (moved, pushed, shaken) = run.times, 0.5, (0.3, 0.7, 1.1)
    forced = (c * np.cos(t) + np.sin(t) - c * np.exp(-c * t)) / (1 + c**2)
    v = 2 * np.exp(-c * t) + pushed * forced + shaken * (1 - np.exp(-c * t)) / c
    assert largest(run["v"][0] - v) < 1e-11  # measured 2.3e-12
    # x = ∫v dt + ξ sin t, and c∫v dt = v₀ − v + σ sin t + σ' t.
    x = (2 - v + pushed * np.sin(t) + shaken * t) / c + moved * np.sin(t)
    assert largest(run["x"][0] - x) < 1e-11  # measured 4.7e-12


def test_noise_of_a_force_is_independent_of_the_transport_noise():
    """Stationary law of v: variance (σ² + σ'²)/2γ; x − ξW − … feels B only through v."""
    run = Carriage().simulate(t_end=8, dt=0.05, paths=4000, seed=2, method="heun", save="final", state={"v": 0.0})
    v, x = run["v"][:, 0], run["x"][:, 0]
    variance = (0.7**2 + 1.1**2) * (1 - np.exp(-8)) / (2 * 0.5)
    assert abs(v.var() / variance - 1) < 4 * np.sqrt(2 / 4000)  # four standard errors; measured 1.4
    W, B = sd.noise.WienerNoise(2, 2, 0.05).block(range(4000), 0, 160, 0.05).sum(axis=0)
    # γ∫v dt = v₀ − v + σW + σ'B and x = ∫v dt + ξW, on the grid as well.
    assert largest(0.5 * (x - 0.3 * W) - (0.7 * W + 1.1 * B - v)) < 1e-12  # measured 1.5e-14
    assert abs(np.corrcoef(W, B)[0, 1]) < 4 / np.sqrt(4000)  # measured 0.021


# -- amplitudes prescribed in time ---------------------------------------------------------------------------------


class CarriedBody(sd.System):
    """A resting body that its noise turns, with an amplitude prescribed in time."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, xi.Omega) / 2

    def constraint(self):
        return sd.Unconstrained(
            noise=sd.noise.PrescribedNoise(lambda t: [[ops.cos(t) / 3, 2 * ops.cos(t) / 3, -2 * ops.cos(t) / 3]])
        )


def test_prescribed_amplitude():
    """ξ = e cos t, W = sin t: Γ = exp(−ê∫ξ dW)Γ₀ with ∫cos²t dt = t/2 + sin(2t)/4."""
    run = CarriedBody().simulate(t_end=5, dt=0.1, method="dop853", driver="sin(t)")
    angle = run.times / 2 + np.sin(2 * run.times) / 4
    expected = Rotation.from_rotvec(-angle[:, None] * [1 / 3, 2 / 3, -2 / 3]).apply([0, 0, 1])
    assert not run["Omega"].any()
    assert largest(run["Gamma"][0] - expected) < 1e-12  # measured 7.2e-14


def test_prescribed_amplitude_is_taken_at_both_ends_of_a_step():
    """Heun's sum of ξ∘dW over a Brownian path is the trapezoidal one."""
    run = CarriedBody().simulate(t_end=2, dt=0.05, paths=10, seed=8, method="lie-heun(exp)")
    dW = sd.noise.WienerNoise(8, 1, 0.05).block(range(10), 0, 40, 0.05)[:, 0]
    f = np.cos(run.times)
    angle = np.sum(0.5 * (f[1:] + f[:-1])[:, None] * dW, axis=0)
    expected = Rotation.from_rotvec(-angle[:, None] * [1 / 3, 2 / 3, -2 / 3]).apply([0, 0, 1])
    assert largest(run["Gamma"][:, -1] - expected) < 1e-13  # measured 7.8e-16


# -- Lagrangians that are not quadratic ----------------------------------------------------------------------------


class QuarticSphere(sd.System):
    """l = ¼|Ω|⁴ on SO(3): Π = |Ω|²Ω."""

    noise = sd.parameter((), shape=(None, 3))
    group = sd.SO3()
    initial = {"Omega": (1.0, 0.5, -0.3)}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, xi.Omega) ** 2 / 4

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


def test_quartic_sphere_moves_like_a_free_sphere():
    run = QuarticSphere().simulate(t_end=5, dt=0.1, method="dop853")
    Omega = np.array([1.0, 0.5, -0.3])
    assert largest(run["Omega"] - Omega) < 1e-13  # measured 0
    assert largest(run["M"] - Omega @ Omega * Omega) < 1e-13  # measured 0
    g = Rotation.from_rotvec(run.times[:, None] * Omega).as_matrix()
    assert largest(run["g"][0].reshape(-1, 3, 3) - g) < 1e-12  # measured 1.9e-13


def test_quartic_sphere_with_noise():
    """|Π| and the spatial momentum gΠ stay along any path."""
    system = QuarticSphere(noise=[[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]])
    run = system.simulate(t_end=5, dt=0.1, method="dop853", driver=["sin(3*t)", "cos(2*t)"])
    norm = np.linalg.norm(run["M"], axis=-1)
    assert np.ptp(norm) < 1e-11  # measured 4.3e-13
    space = np.einsum("tij,tj->ti", run["g"][0].reshape(-1, 3, 3), run["M"][0])
    assert largest(space - space[0]) < 1e-11  # measured 2.8e-13
    assert np.ptp(run["Omega"][..., 0]) > 0.5  # measured 0.63
