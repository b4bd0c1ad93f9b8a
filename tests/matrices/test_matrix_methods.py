"""Orders, spectra and failures of the isospectral midpoint rule."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import roots_genlaguerre
from semidirect_matrix_systems import Manakov, Zeitlin

import semidirect as sd
from semidirect.model import noise_class

REFERENCE = json.loads((Path(__file__).parents[1] / "oracles" / "matrix_son.json").read_text())


def slopes(errors):
    """Orders between neighbouring steps."""
    return np.diff(np.log2(errors)) * -1


@pytest.mark.parametrize(("planes", "low", "high"), [((0.6, 0.6, 0.6), 0.35, 0.8), ((0.6, 0.0, 0.6), 0.85, 1.25)])
def test_strong_orders(planes, low, high):
    body = Manakov(noise=planes)
    assert noise_class(body).name == ("commutative" if planes[1] == 0 else "general")
    steps = [16, 32, 64]
    how = {"t_end": 1, "paths": 50, "seed": 5, "save": "final", "driver": sd.Wiener(2.0**-9)}
    fine = body.simulate(dt=2.0**-9, **how)["W"]
    errors = [np.sqrt(np.mean((body.simulate(dt=1 / n, **how)["W"] - fine) ** 2)) for n in steps]
    order = slopes([errors[0], errors[-1]])[0] / 2
    print(order)
    assert low < order < high


def test_order_without_noise():
    body = Manakov(noise=())
    exact = body.simulate(t_end=1, dt=1, method="dop853", save="final")["W"]
    errors = [np.abs(body.simulate(t_end=1, dt=h, save="final")["W"] - exact).max() for h in (0.1, 0.05, 0.025)]
    assert np.all(np.abs(slopes(errors) - 2) < 0.02)  # measured 1.999


def test_the_mean_of_a_step_and_its_weak_order():
    """By quadrature over all increments of three noises: q = |ΔW|²/h is χ² with three degrees, the direction is uniform."""

    class Walk(sd.MatrixLiePoisson):
        algebra, size = "so", 3

        def velocity(self, W):
            return 0 * W

        def fields(self):
            return sd.matrices.algebra("so", 3).basis() * 2  # hat(e_a), up to order and sign

    x, w = roots_genlaguerre(24, 0.5)
    ways = np.concatenate([np.eye(3), -np.eye(3)])
    start = np.array([[0, -0.3, 0.5], [0.3, 0, -0.8], [-0.5, 0.8, 0]])
    rows = REFERENCE["exact_weak_error"]["rows"]
    factors = []
    for row in rows:
        h = row["h"]
        increments = np.sqrt(2 * x * h)[:, None, None] * ways[None]
        dW = increments.reshape(-1, 3).T[None]
        run = Walk().simulate(t_end=h, dt=h, driver=dW, paths=dW.shape[2], state={"W": start}, save="final")
        weights = np.repeat(w / w.sum() / 6, 6)
        mean = np.einsum("p,pij->ij", weights, run["W"][:, -1])
        factor = np.sum(mean * start) / np.sum(start * start)
        np.testing.assert_allclose(mean, factor * start, rtol=0, atol=1e-13)
        factors.append(factor)
    np.testing.assert_allclose(factors, [r["factor_per_step"] for r in rows], rtol=1e-8)
    errors = [abs(f ** r["steps"] - np.exp(-1)) for f, r in zip(factors, rows, strict=True)]
    assert np.all(np.abs(slopes(errors) - REFERENCE["exact_weak_error"]["orders"]) < 1e-6)
    assert 0.85 < slopes(errors)[0] < slopes(errors)[-1] < 1.0


@pytest.mark.parametrize("system", [Manakov(noise=(0.5, 0.5, 0.5)), Zeitlin(modes=6, noise=(0.3,) * 5)])
def test_spectra_stay_over_many_steps(system):
    run = system.simulate(t_end=4, dt=0.02, seed=2, save="final")
    W0, W = np.array(system.initial["W"]), run["W"][0, 0]
    before, after = (np.linalg.eigvalsh(-1j * x) for x in (W0, W))
    assert np.abs(W - W0).max() > 0.05
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-12)  # measured 2e-15


def test_steps_that_do_not_converge_are_reported_path_by_path():
    body = Manakov(moments=(1e-3, 2e-3, 3e-3, 4e-3))
    starts = np.stack([np.array(body.initial["W"]), 1e-3 * np.array(body.initial["W"])])
    with pytest.warns(sd.errors.FailedPathsWarning):
        run = body.simulate(t_end=0.5, dt=0.1, seed=1, state={"W": starts})
    assert run.data.status[0] in (2, 6)
    assert run.data.status[1] == 0
    alone = body.simulate(t_end=0.5, dt=0.1, seed=1, paths=2, state={"W": starts[1]})
    assert np.array_equal(alone["W"][1], run["W"][1])


def test_a_path_that_blows_up_is_reported():
    class Growing(sd.MatrixLiePoisson):
        algebra, size = "gl", 2

        def velocity(self, W):
            return W.swapaxes(-1, -2) * np.sum(W * W, axis=(-2, -1), keepdims=True)

    starts = np.array([[[0.1, 0.2], [0.0, 0.1]], [[10.0, 200.0], [0.0, -10.0]]])
    with pytest.warns(sd.errors.FailedPathsWarning):
        run = Growing().simulate(t_end=1, dt=0.1, state={"W": starts}, method="heun")
    assert list(run.data.status) == [0, 1]
    assert run.failures()[0].reason == "a value is not finite"


def test_parameters_of_paths_are_those_of_each_system():
    moments = np.outer([1.0, 2.0, 0.5], (1.0, 1.5, 2.2, 3.1))
    how = {"t_end": 0.2, "dt": 0.05, "seed": 3}
    together = Manakov(moments=sd.PerPath(moments)).simulate(**how)
    assert together["energy"].shape == (3, 5)
    for path, one in enumerate(moments):
        alone = Manakov(moments=one).simulate(paths=3, **how)
        for name in ("W", "energy", "square"):
            assert np.array_equal(alone[name][path], together[name][path])


@pytest.mark.parametrize("order", [(0.0, 1.0), (1.0, 0.0)])
def test_fields_may_be_functions_of_W_on_some_paths_only(order):
    """A field that is an element and a function with that value are the same noise, on whichever path."""
    element = np.array([[0, -0.3, 0.2], [0.3, 0, -0.1], [-0.2, 0.1, 0]])

    class Pushed(sd.MatrixLiePoisson):
        algebra, size = "so", 3
        as_function: sd.Parameter = sd.parameter(0.0)

        def velocity(self, W):
            return W / np.array([[1, 2, 3], [2, 1, 4], [3, 4, 1]])

        def fields(self):
            return [(lambda W: element) if self.as_function else element]

    how = {"t_end": 0.5, "dt": 0.1, "paths": 2, "seed": 4, "state": {"W": 4 * element.T}}
    mixed = Pushed(as_function=sd.PerPath(order)).simulate(**how)["W"]
    np.testing.assert_allclose(mixed, Pushed().simulate(**how)["W"], rtol=0, atol=1e-15)
