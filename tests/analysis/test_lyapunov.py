"""Lyapunov exponents: exact rates of linear systems, the derived divergence, an independent computation, bits, refusals."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

import semidirect as sd
from semidirect.analysis.lyapunov.orthonormal import orthonormal

sys.path.insert(0, str(Path(__file__).parents[1] / "facts"))

from dissipative import INERTIA, SIGMA, THETA, Body, Top


class Linear(sd.System):
    """dz = Az dt + Σ_ij σ E_ij z∘dW^ij in the plane, and dp = −γp dt.

    The noise commutes with rotations and with dilations, so that for A = a the exponents are a ± σ²/2 exactly.
    """

    A: sd.Parameter = sd.parameter([[0.3, 0.0], [0.0, 0.3]])
    sigma: sd.Parameter = sd.parameter(0.8)
    gamma: sd.Parameter = sd.parameter(0.7)
    group = sd.SO2()
    initial = {"omega": 1.0}

    def lagrangian(self, xi):
        return xi.omega**2 / 2

    def force(self, xi):
        return [-self.gamma * xi.omega]

    def internal(self):
        def fields(z):
            x, y = z.z[0], z.z[1]
            return [[self.sigma * x, 0], [self.sigma * y, 0], [0, self.sigma * x], [0, self.sigma * y]]

        def drift(z):
            return [self.A[i, 0] * z.z[0] + self.A[i, 1] * z.z[1] for i in range(2)]

        return [sd.InternalState("z", (0.6, 0.8), drift=drift, noise=fields)]


def independent_spectrum(T, dt, paths, every, seed):
    """The exponents of dM = M × (Ω + θ M × Ω) dt + Σ σ M × e_i∘dW^i, by Heun's method and its linearisation in NumPy."""
    rng, e, inertia = np.random.default_rng(seed), np.eye(3), np.array(INERTIA)

    def moved(M, V, dW):
        """The increment of M (paths, 3) and of the tangent vectors V (paths, 3, 3), in rows."""

        def field(M):
            Om = M / inertia
            return np.cross(M, Om + THETA * np.cross(M, Om)) * dt + SIGMA * np.cross(M, dW)

        Om, w = M / inertia, np.cross(M, M / inertia)
        m, om = M[:, None], Om[:, None]
        dOm, noise = V / inertia, dW[:, None]
        dw = np.cross(V, om) + np.cross(m, dOm)
        dV = np.cross(V, om + THETA * w[:, None]) + np.cross(m, dOm + THETA * dw)
        return field(M), dV * dt + SIGMA * np.cross(V, noise)

    M = np.tile(np.array([0.4, 1.0, -0.7]) * inertia, (paths, 1))
    size = np.linalg.norm(M[0])
    V = np.tile(np.linalg.qr(rng.normal(size=(3, 3)))[0], (paths, 1, 1))
    steps, skipped, total = round(T / dt), round(0.1 * T / dt), np.zeros((paths, 3))
    for n in range(1, steps + 1):
        dW = rng.normal(size=(paths, 3)) @ e * np.sqrt(dt)
        f, F = moved(M, V, dW)
        g, G = moved(M + f, V + F, dW)
        M, V = M + (f + g) / 2, V + (F + G) / 2
        M *= size / np.linalg.norm(M, axis=1, keepdims=True)  # the flow stays on this sphere, Heun's method does not
        if n % every == 0:
            q, r = np.linalg.qr(V.transpose(0, 2, 1))
            V = q.transpose(0, 2, 1)
            total += (n > skipped) * np.log(np.abs(np.einsum("nii->ni", r)))
    return total / (T - skipped * dt)


@pytest.fixture(scope="module")
def body():
    return sd.lyapunov(Body(), t_end=40, dt=0.02, paths=96, seed=1, method="lie-heun")


SETTLING = pytest.mark.filterwarnings("ignore:the first:semidirect.errors.ShortAverageWarning")
"""Errors of some rows are so small that what has not settled yet shows."""


@SETTLING
def test_exact_rates_of_a_linear_system_with_noise():
    found = sd.lyapunov(Linear(), t_end=20, dt=0.02, paths=300, seed=1, method="heun", burn_in=0.4)
    exact = np.array([0.3 + 0.32, 0.3 - 0.32, -0.7])
    assert (
        np.abs(found.exponents - exact)[:2].max() < 3 * found.standard_error[:2].max()
    )  # measured 0.63 standard errors
    assert abs(found.exponents[2] + 0.7) < 3 * found.standard_error[2]
    assert found.standard_error[2] < 3e-3
    assert found.averages.batches.skipped == 50  # half of the time: gaps of .64 and .68 need 8/.64 s
    assert found.standard_error[0] == pytest.approx(0.8 / np.sqrt(10 * 300), rel=0.15)
    assert abs(found.divergence[0] - (0.6 - 0.7)) < 1e-12
    assert abs(found.total[0] + 0.1) < 3 * found.total[1]


def test_exact_rates_of_linear_systems_without_noise():
    """Matrices with real eigenvalues, known to the error of the method once the tangent vectors have settled."""
    rng = np.random.default_rng(0)
    rates = np.sort(rng.uniform(-1, 1, (4, 2)) + [0, 1.0], axis=1)[:, ::-1]
    S = rng.normal(size=(4, 2, 2)) + 2 * np.eye(2)
    A = S @ (rates[:, :, None] * np.eye(2)) @ np.linalg.inv(S)
    system = Linear(A=sd.PerPath(A), sigma=0.0, gamma=3.0)
    found = sd.lyapunov(system, t_end=80, dt=0.02, burn_in=0.75, batches=4, method="rk4")
    np.testing.assert_allclose(found.by_path[:, :2], rates, atol=1e-6)  # measured 2.6e-8


def test_the_sum_is_the_mean_of_the_derived_divergence(body):
    """Also for a top whose advected quantities dissipate. Measured for the body: 4e-4 ± 9e-4, at half the step 6e-4 ± 4e-4."""
    top = sd.lyapunov(Top(), t_end=10, dt=0.02, paths=64, seed=2, method="lie-heun")
    for found in (body, top):
        difference, error = found.excess
        assert abs(difference) < 3 * error + 2e-3
        assert error < 0.05 * abs(found.divergence[0])
        assert found.divergence[0] < -20 * found.divergence[1]  # dissipation contracts
        assert found.total[0] < 0


class Rubber(sd.System):
    """A body with friction and a torque that does not turn about its third axis: by a basis, with momenta, or in A form."""

    group = sd.SO3()
    basis: bool = sd.option(True)

    @property
    def initial(self):
        return {"w1": 0.7, "w2": 0.5} if self.basis else {"Omega": (0.7, 0.5, 0.0)}

    def lagrangian(self, xi):
        inertia = [[1.2, 0.2, 0.3], [0.2, 1.5, 0.1], [0.3, 0.1, 2.0]]
        return sum(xi.Omega[i] * inertia[i][j] * xi.Omega[j] for i in range(3) for j in range(3)) / 2

    def force(self, xi):
        return [0.4 - 0.3 * xi.Omega[0], -0.2 * xi.Omega[1], -0.1 * xi.Omega[2]]

    def constraint(self):
        noise = [[0.3, 0.2, 0.0]]
        if not self.basis:
            return sd.CovectorConstraint([[0, 0, 1]], noise=noise)
        return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], names=("w1", "w2"), noise=noise)


def test_the_picture_ends_at_the_exponents(body):
    """The average up to the last batch is the exponent, and its band from batches is the error between batches."""
    spectrum = body
    ax = spectrum.plot(ax=Figure().subplots())
    curves = [line for line in ax.lines if line.get_label().startswith(r"$\lambda")]
    assert len(curves) == spectrum.count
    for curve, mean in zip(curves, spectrum.exponents, strict=True):
        assert curve.get_xdata()[-1] == pytest.approx(spectrum.t_end)
        assert curve.get_ydata()[-1] == pytest.approx(mean, rel=1e-9, abs=1e-12)
    assert ax.get_xlabel() == "$t$ [s]"


@SETTLING
def test_a_constraint_in_a_form_adds_an_exponent_that_vanishes():
    """Multipliers keep Aξ for all ξ: to that exponent the spectrum is that of the momenta, on the same paths."""
    momenta, extended = (
        sd.lyapunov(Rubber(basis=basis), t_end=20, dt=0.02, paths=24, seed=1, method="heun", every=5)
        for basis in (True, False)
    )
    assert (momenta.constraints, extended.constraints) == (0, 1)
    for ours, theirs in ((momenta.total, extended.total), (momenta.divergence, extended.divergence)):
        assert ours[0] == pytest.approx(theirs[0], rel=1e-12)  # measured: 4e-16
    assert momenta.excess[0] == pytest.approx(extended.excess[0], abs=1e-12)
    assert abs(extended.exponents[0]) < 0.01  # measured: -6e-4 ± 4e-3
    assert np.abs(extended.exponents[1:].mean() - momenta.exponents.mean()) < 0.005  # measured: 3e-4
    assert momenta.exponents.max() < -0.2
    assert momenta.lyapunov_dimension == extended.lyapunov_dimension == 0.0
    assert "1 that vanish" in str(extended)
    assert "vanish" not in str(momenta)


class Sleeping(sd.System):
    """A body that does not turn about a direction that it carries along: a covector of an advected quantity."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0.6, 0, 0.8))}
    initial = {"Omega": (0.8, 0.5, -0.6), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi, a):
        return (1.2 * xi.Omega[0] ** 2 + 1.5 * xi.Omega[1] ** 2 + 2 * xi.Omega[2] ** 2) / 2 - a.Gamma[0]

    def force(self, xi):
        return [0.4 - 0.3 * xi.Omega[0], -0.2 * xi.Omega[1], -0.1 * xi.Omega[2]]

    def constraint(self):
        return sd.CovectorConstraint(lambda a: [a.Gamma], noise=[[0.3, 0.1, 0.0]])


def test_fields_in_a_form_conserve_the_residual_off_the_constraint():
    """What makes the exponent of a constraint vanish: d(Γ·Ω) = 0 for all Ω and Γ, along the drift and the noise."""
    model = Sleeping().workings.model()
    y = np.random.default_rng(1).normal(size=(6, 20))
    for k in range(model.wieners + 1):
        omega, gamma = np.split(model.column(k, y, 0.0), 2)
        assert np.abs((omega * y[3:] + y[:3] * gamma).sum(axis=0)).max() < 1e-13  # measured: 1e-16
        assert np.abs(omega).max() > 0.1
    with_configuration = sd.lyapunov(Sleeping(), t_end=1, dt=0.05, seed=1, method="heun", configuration=True)
    assert (with_configuration.count, with_configuration.constraints) == (6, 1)


def test_the_derived_divergence_is_that_of_the_fields():
    """div f + ½ Σ g_k·∇(div g_k), by central differences of the numerical fields."""
    for system in (Body(), Top(), Linear()):
        model = system.workings.model()
        y = np.random.default_rng(3).normal(size=(model.dimension, 1))

        def divergence(k, y, model=model):
            h = 1e-4
            columns = [(model.column(k, y + h * e[:, None], 0.0) - model.column(k, y - h * e[:, None], 0.0)) @ [1] / (2 * h)
                       for e in np.eye(len(y))]  # fmt: skip
            return np.trace(np.array(columns))

        total = divergence(0, y)
        for k in range(1, model.wieners + 1):
            g, h = model.column(k, y, 0.0), 1e-3
            total += (divergence(k, y + h * g) - divergence(k, y - h * g)) / (4 * h)
        assert model.mean_divergence(y, 0.0)[0] == pytest.approx(total, abs=1e-6)


def test_a_dissipative_body_agrees_with_an_independent_computation(body):
    other = independent_spectrum(T=40.0, dt=0.02, paths=96, every=10, seed=5)
    error = np.hypot(body.standard_error, other.std(axis=0, ddof=1) / np.sqrt(len(other)))
    assert (np.abs(body.exponents - other.mean(axis=0)) < 3 * error).all()  # measured 1.1 standard errors
    assert error.max() < 0.03


@pytest.mark.parametrize("configuration", [False, True])
def test_bits_do_not_depend_on_threads_and_engines(configuration):
    how = {
        "t_end": 0.4,
        "dt": 0.02,
        "every": 5,
        "paths": 70,
        "seed": 3,
        "method": "lie-heun",
        "configuration": configuration,
    }
    first, *others = (sd.lyapunov(Body(), **how, execution=sd.Execution(threads=threads, engine=engine))
                      for threads, engine in ((1, "numpy"), (2, "numpy"), (2, "compiled")))  # fmt: skip
    for other in others:
        assert np.array_equal(first.by_path, other.by_path)


def test_the_configuration_adds_exponents_and_no_contraction(body):
    """A free body's transport does not depend on its configuration and the group is unimodular: the same sum."""
    how = {"t_end": 2, "dt": 0.02, "paths": 4, "seed": 1, "method": "lie-heun"}
    whole, reduced = (sd.lyapunov(Body(), **how, configuration=c) for c in (True, False))
    assert (len(whole.exponents), len(reduced.exponents)) == (6, 3)
    np.testing.assert_allclose(whole.by_path.sum(axis=1), reduced.by_path.sum(axis=1), atol=1e-3)
    assert whole.divergence is None
    assert len(sd.lyapunov(Body(), **how, exponents=2).exponents) == 2


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_tangent_vectors_of_the_phase_space_are_moved_linearly(seed):
    """Combinations of vectors become the same combinations of the moved ones, with what is advected and the configuration."""
    rng = np.random.default_rng(seed)
    how = {"dt": 0.05, "paths": 3, "seed": 2, "method": "lie-heun", "formulation": sd.Formulation(sensitivity="state")}
    one = Top().ensemble(**how).advance(steps=2)
    other, before = one.copy(), one.tangents()
    mixed = np.einsum("kj,jmn->kmn", rng.normal(size=(6, 6)), before)
    other.replace_tangents(mixed)
    np.testing.assert_allclose(other.tangents(), mixed, atol=1e-12)
    matrix = np.linalg.lstsq(before[:, :, 0].T, mixed[:, :, 0].T, rcond=None)[0].T
    expected = np.einsum("kj,jm->km", matrix, one.advance(steps=3).tangents()[:, :, 0])
    np.testing.assert_allclose(other.advance(steps=3).tangents()[:, :, 0], expected, atol=1e-8)


@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_vectors_are_made_orthonormal(count, seed):
    vectors = np.random.default_rng(seed).normal(size=(count, 5, 4))
    q, lengths, independence = orthonormal(vectors)
    np.testing.assert_allclose(
        np.einsum("kmn,lmn->nkl", q, q), np.broadcast_to(np.eye(count), (4, count, count)), atol=1e-9
    )
    r = np.abs(np.einsum("nii->in", np.linalg.qr(vectors.transpose(2, 1, 0))[1]))
    np.testing.assert_allclose(lengths, r, rtol=1e-8)
    assert ((independence > 0) & (independence <= 1 + 1e-12)).all()


def test_systems_without_exponents_raise_errors():
    how = {"t_end": 1, "dt": 0.1}
    with pytest.raises(sd.errors.InputError, match="multiple of every=3"):
        sd.lyapunov(Body(), **how, every=3)
    with pytest.raises(sd.errors.InputError, match="exponents"):
        sd.lyapunov(Body(), **how, exponents=4)
    with pytest.raises(sd.errors.InputError, match="configuration=True"):
        sd.lyapunov(sd.Kinematics(sd.SO3(), noise=np.eye(3)), **how)
    with pytest.raises(sd.errors.MethodError, match="smaller every="):
        sd.lyapunov(Linear(A=[[0.0, 0.0], [0.0, -30.0]], sigma=0.0), t_end=2, dt=0.01, every=100, method="rk4")
    with pytest.raises(sd.errors.InputError, match="tangent vectors"):
        Body().ensemble(dt=0.1).tangents()
