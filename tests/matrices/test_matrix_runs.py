"""Runs of matrix systems against the scalar engine, reference values and laws."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from semidirect_matrix_systems import Manakov, Zeitlin

import semidirect as sd
from semidirect.groups import SpecialOrthogonal

REFERENCES = Path(__file__).parents[1] / "oracles"


@cache
def reference(name):
    """Values of an independent code."""
    return json.loads((REFERENCES / f"{name}.json").read_text())


def matrix(value):
    """A real or complex matrix of the file."""
    return np.array(value["re"]) + 1j * np.array(value["im"]) if isinstance(value, dict) else np.array(value)


class WithFields(Manakov):
    """A body whose noise is any elements of so(N)."""

    elements: sd.Parameter = sd.parameter(np.zeros((0, 4, 4)), shape=(None, None, None))

    def fields(self):
        """Those elements."""
        return list(self.elements)


class Stirred(Zeitlin):
    """The fluid whose noise is any elements of su(N), real part and imaginary part."""

    elements: sd.Parameter = sd.parameter(np.zeros((0, 2, 8, 8)), shape=(None, 2, None, None))

    def fields(self):
        """Those elements."""
        return [re + 1j * im for re, im in self.elements]


class Scalars(sd.System):
    """The body of four or five dimensions as equations in scalars."""

    size = sd.option(4)
    moments = sd.parameter((1.0, 1.5, 2.2, 3.1), shape=(None,))
    fields = sd.parameter(np.zeros((0, 6)), shape=(None, None))

    @property
    def group(self):
        """SO(n)."""
        return SpecialOrthogonal(self.size)

    def lagrangian(self, xi, a):
        """Half of the sum of (J_i + J_j) Ω_ij²."""
        n, J = self.size, self.moments
        planes = [J[i] + J[j] for i in range(n) for j in range(i + 1, n)]
        return sum(one * x * x for one, x in zip(planes, xi["Omega"], strict=True)) / 2

    def constraint(self):
        """Noise in the body."""
        return sd.Unconstrained(self.fields)


def drawn(n, count, seed=3):
    """Random elements of so(n)."""
    return sd.matrices.algebra("so", n).draw(np.random.default_rng(seed), count)


@pytest.mark.parametrize("n", [4, 5])
def test_small_bodies_move_as_by_the_scalar_engine(n):
    group, J = SpecialOrthogonal(n), np.linspace(1.0, 2.5, n)
    W0, X = drawn(n, 1)[0], 0.3 * drawn(n, 2, 7)
    how = {"t_end": 1.0, "dt": 0.05, "paths": 3, "seed": 4}
    ours = WithFields(moments=J, elements=X).simulate(state={"W": W0}, **how)
    planes = np.array([J[i] + J[j] for i in range(n) for j in range(i + 1, n)])
    system = Scalars(size=n, moments=J, fields=group.vee(X))
    by_arrays = sd.Execution(engine="numpy")
    theirs = system.simulate(
        state={"Omega": group.vee(W0) / planes}, method="coadjoint-midpoint", execution=by_arrays, **how
    )
    momentum = next(name for name in theirs if name in ("M", "p_Omega"))
    np.testing.assert_allclose(ours["W"], group.hat(theirs[momentum]), rtol=0, atol=1e-12)  # measured 9e-15
    np.testing.assert_allclose(ours["energy"], theirs["energy"], rtol=1e-12)


@pytest.mark.parametrize("name", ["so3", "so4", "so6"])
def test_steps_of_so_are_those_of_the_reference(name):
    r = reference("matrix_son")[f"isospectral_midpoint_{name}"]
    five = r["five_steps"]
    body = WithFields(moments=r["J"], noise=(), elements=r["fields"])
    one = body.simulate(t_end=0.1, dt=0.1, state={"W": r["W0"]}, driver=np.array([r["increments"]]))
    np.testing.assert_allclose(one["W"][0, -1], r["W1"], rtol=0, atol=2e-15)
    many = body.simulate(t_end=0.5, dt=0.1, state={"W": r["W0"]}, driver=np.array(five["increments"]))
    np.testing.assert_allclose(many["W"][0, -1], five["W"], rtol=0, atol=1e-14)
    smooth = body.simulate(t_end=1, dt=1, state={"W": r["W0"]}, driver=["sin(2*t)", "t**2"], method="dop853")
    np.testing.assert_allclose(smooth["W"][0, -1], r["smooth_path"]["W"], rtol=0, atol=1e-11)


def test_the_body_of_six_dimensions_is_that_of_the_reference():
    r = reference("matrix_son")["manakov_so6"]
    body = Manakov(moments=r["J"], noise=())
    run = body.simulate(t_end=3, dt=1, state={"W": r["W0"]}, method="dop853")
    np.testing.assert_allclose(run["W"][0, [1, 3]], r["W"], rtol=0, atol=1e-11)  # measured 3e-13
    np.testing.assert_allclose(run["energy"], r["energy"], rtol=1e-11)
    np.testing.assert_allclose(body.drift(np.ravel(r["W0"])), np.ravel(r["W_dot_at_0"]), rtol=0, atol=1e-15)


def test_the_fluid_is_that_of_the_reference():
    whole = reference("matrix_zeitlin")
    r, s, turned = whole["trajectory_N8"], whole["isospectral_midpoint_su8"], whole["rotation_noise_N8"]
    W0 = matrix(r["W0"])
    still = Zeitlin(modes=8, noise=())
    run = still.simulate(t_end=5, dt=1, state={"W": W0}, method="dop853")
    np.testing.assert_allclose(run["W"][0, [2, 5]], matrix(r["W"]), rtol=0, atol=1e-11)  # measured 2e-13
    np.testing.assert_allclose(run["energy"], r["energy"], rtol=1e-11)
    np.testing.assert_allclose(run["angular-momentum"][0, 0], r["angular_momentum_imag_tr_W_S"], rtol=1e-12)
    np.testing.assert_allclose(still.velocity(W0[None])[0], matrix(r["P0"]), rtol=0, atol=1e-15)
    fields = np.array([[x["re"], x["im"]] for x in s["fields"]])
    stirred = Stirred(modes=8, noise=(), elements=fields)
    step = stirred.simulate(t_end=0.1, dt=0.1, state={"W": W0}, driver=np.array([s["increments"]]))
    np.testing.assert_allclose(step["W"][0, -1], matrix(s["W1"]), rtol=0, atol=2e-15)
    spun = Zeitlin(modes=8, noise=turned["zeta"]).simulate(
        t_end=2, dt=1, state={"W": W0}, driver=["sin(3*t)"] * 3, method="dop853"
    )
    np.testing.assert_allclose(spun["W"][0, -1], matrix(turned["W"]), rtol=0, atol=1e-11)


def test_the_laplacian_is_that_of_hoppe_and_yau():
    from semidirect_matrix_systems.zeitlin import bands, spins

    S = spins(8)
    W = sd.matrices.algebra("su", 8).draw(np.random.default_rng(1), 3)
    P = Zeitlin(modes=8).velocity(W)
    double = sum(sd.matrices.bracket(s, sd.matrices.bracket(s, P)) for s in S)
    np.testing.assert_allclose(double, W, rtol=0, atol=1e-13)
    stated = reference("matrix_zeitlin")["laplacian"]["bands_N8"]
    for k, (d, e) in enumerate(zip(*bands(8), strict=True)):
        np.testing.assert_allclose(-d, stated[str(k)]["d"], rtol=1e-14)
        np.testing.assert_allclose(e**2, stated[str(k)]["c_squared"], rtol=1e-13)


@pytest.mark.parametrize("name", ["so", "su", "u", "gl", "sl"])
def test_spectra_are_kept_in_every_algebra(name):
    n, rng = 4, np.random.default_rng(2)
    space = sd.matrices.algebra(name, n)
    X = 0.2 * space.draw(rng, 2)

    class Any(sd.MatrixLiePoisson):
        algebra, size = name, n

        def velocity(self, W):
            return 0.3 * space.project(W.swapaxes(-1, -2).conj() + W @ W)

        def fields(self):
            return [X[0], lambda W: 0.1 * space.project(W @ W @ W + X[1])]

    W0 = space.draw(rng, 5) / 2
    run = Any().simulate(t_end=1, dt=0.01, state={"W": W0}, seed=3, save="final")
    np.testing.assert_allclose(run["W"][:, 0] @ np.eye(n), run["W"][:, 0])
    for k in range(1, n + 1):
        powers = [np.trace(np.linalg.matrix_power(W, k), axis1=-2, axis2=-1) for W in (W0, run["W"][:, 0])]
        np.testing.assert_allclose(*powers, rtol=0, atol=2e-13)
    assert run.good.all()
    assert space.distance(run["W"][:, 0]).max() < 1e-13
    assert np.abs(run["W"][:, 0] - W0).max() > 0.1


@pytest.mark.parametrize("system", [Manakov(), Zeitlin(modes=8), Zeitlin(modes=8, noise=[0.1] * 5)])
def test_bits_do_not_depend_on_how_paths_are_divided(system):
    how = {"t_end": 0.2, "dt": 0.02, "seed": 9}
    run = system.simulate(paths=7, **how)
    flat = run.data["W"]
    for paths, threads in ((7, 2), (3, 1), (1, 1)):
        other = system.simulate(paths=paths, execution=sd.Execution(threads=threads), **how)
        assert np.array_equal(other.data["W"], flat[:paths])
    first = system.simulate(paths=7, t_end=0.1, dt=0.02, seed=9)
    rest = system.simulate(state=first.final, t_end=0.2, dt=0.02)
    assert np.array_equal(rest.data["W"][:, -1], flat[:, -1])
    parts = [system.simulate(state={"W": run["W"][p, 0]}, paths=7, **how).data["W"][p] for p in (0, 6)]
    assert np.array_equal(parts, flat[[0, 6]])
