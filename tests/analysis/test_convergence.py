"""Studies of convergence find declared orders, missed orders and wrong limits, and refuse what has no order."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from matplotlib.figure import Figure

import semidirect as sd
from semidirect.analysis.convergence_study import convergence
from semidirect.core.errors import InputError, MethodError, UnknownNameError
from semidirect.integrators import Heun, Integrator, Step
from semidirect.integrators.method import flat

# Small: fine solutions at a quarter of the smallest step bend an order of 1 to 1.15. COMPILED is what a user would run.
NUMPY = {"execution": sd.Execution(engine="numpy"), "t_end": 0.25, "dt": 1 / 8, "levels": 5, "finer": 2}
COMPILED = {"execution": sd.Execution(engine="compiled"), "t_end": 0.5, "dt": 1 / 16, "levels": 5}


def top(**changes):
    return sd.load(
        "heavy-top", **{"inertia": (1, 1.5, 0.8), "axis": (0.36, -0.48, 0.8), "noise": [[0.6, -0.4, 0.8]], **changes}
    )


class WithoutCorrection(Integrator):
    """Euler–Maruyama on the Stratonovich drift: it converges, to the solution of another equation."""

    name = "without-correction"
    strong_order = MappingProxyType({"single": 0.5, "general": 0.5})
    weak_order = MappingProxyType({"single": 1.0})
    deterministic_order = 1

    def step(self, model, y, t, dt, dW):
        k = model.field(y, t, dt, dW)
        return Step(flat(model, y, k), k[model.dimension :])


class HalfHeun(Integrator):
    """Heun with the drift frozen, said to be of order 2."""

    name = "half-heun"
    strong_order = MappingProxyType({"single": 2.0})
    deterministic_order = 2

    def step(self, model, y, t, dt, dW):
        f = model.field(y, t, dt, 0 * dW)
        g = model.field(y, t, 0.0, dW)
        k = f + 0.5 * (g + model.field(flat(model, y, g), t + dt, 0.0, dW))
        return Step(flat(model, y, k), k[model.dimension :])


@pytest.mark.parametrize(("method", "declared"), [("heun", 1), ("euler-maruyama", 0.5)])
def test_strong_orders(method, declared):
    study = convergence(top(), method, paths=100, **COMPILED)
    assert (study.kind, study.noise_class, study.verdict, study.right_limit) == ("strong", "single", "met", True)
    state = study["state"]
    assert state.declared == declared
    assert abs(state.fit.slope - declared) < 0.15  # measured 1.04, 0.51
    assert state.fit.low < state.fit.slope < state.fit.high
    assert 0.02 < state.fit.half_width < 0.15  # measured 0.04 to 0.09: 100 paths
    assert abs(state.independent_fit.slope - declared) < 0.2
    assert [c.name for c in study.curves] == ["state", "M", "Gamma", "angle(g)"]
    assert study["angle(g)"].unit == "rad"


def test_the_errors_are_those_of_runs():
    """By hand: the differences of runs on one noise, and the geodesic distance of SciPy."""
    from scipy.spatial.transform import Rotation

    study = convergence(top(), "heun", paths=20, seed=3, **NUMPY)
    h = study.finest
    assert h == 1 / 8 / 2**6
    runs = [
        top().simulate(t_end=0.25, dt=dt, method="heun", paths=20, seed=3, driver=sd.Wiener(h), save="final")
        for dt in (1 / 32, h)
    ]
    M = np.sqrt(np.mean(np.sum((runs[0]["M"] - runs[1]["M"]) ** 2, axis=-1)))
    assert study["M"].errors[2] == pytest.approx(M, rel=1e-13)
    a, b = (Rotation.from_matrix(r["g"].reshape(-1, 3, 3)) for r in runs)
    assert study["angle(g)"].errors[2] == pytest.approx(np.sqrt(np.mean((a.inv() * b).magnitude() ** 2)), rel=1e-9)
    again = convergence(top(), "heun", paths=20, seed=3, **NUMPY)
    assert again.described() == study.described()


def test_a_wrong_limit_shows_in_the_second_comparison_only():
    study = convergence(top(), WithoutCorrection(), paths=50, **NUMPY)
    assert 0.4 < study["state"].fit.slope < 0.9  # measured 0.69: its own limit hides nothing
    assert not study.right_limit
    assert study["state"].limits > 2 * study["state"].allowed  # measured 2.6
    assert not study.good


def test_a_missed_order():
    study = convergence(top(), HalfHeun(), paths=50, **NUMPY)
    assert study.verdict == "not met"
    assert not study.good
    assert study.right_limit
    without = convergence(top(), HalfHeun(), "deterministic", **NUMPY)
    assert without.verdict == "not met"
    assert abs(without["state"].fit.slope - 1) < 0.15  # measured 1.10


@pytest.mark.parametrize("method", ["heun", "lie-midpoint"])
def test_deterministic_orders(method):
    study = convergence(top(), method, "deterministic", **NUMPY)
    assert (study.verdict, study.right_limit, study.reference) == ("met", True, "dop853")
    assert abs(study["state"].fit.slope - 2) < 0.05  # measured 2.00
    assert (study.paths, study.noise_class) == (1, "none")


def test_along_a_smooth_path():
    study = convergence(top(), "heun", driver="sin(3*t)", **NUMPY)
    assert (study.kind, study.verdict, study.right_limit) == ("deterministic", "met", True)
    assert abs(study["state"].fit.slope - 2) < 0.1  # measured 2.02


def test_weak_orders_and_their_chance():
    study = convergence(top(), "heun", "weak", paths=500, **NUMPY)
    energy = study["energy"]
    assert study.verdict == "not declared" or study["state"].declared == 1
    assert abs(energy.fit.slope - 1) < 0.15  # measured 1.03
    assert energy.standard_errors.shape == (5,)
    assert np.all(energy.standard_errors > 0)
    # chance falls as the root of the number of paths, the bias stays
    more = convergence(top(), "heun", "weak", paths=2000, **NUMPY)["energy"]
    assert np.all(np.abs(more.standard_errors / energy.standard_errors - 0.5) < 0.1)  # measured to 0.03
    assert np.all(np.abs(more.errors - energy.errors) < 4 * energy.standard_errors)
    # what is within chance is no bias, and does not count
    few = convergence(top(), "lie-midpoint", "weak", paths=20, **NUMPY)["momentum-axis"]
    unresolved = few.errors <= 3 * few.standard_errors
    assert unresolved.any()
    assert not np.any(np.array(few.fit.used) & unresolved)
    assert any("of chance" in n for n in few.fit.notes)


def test_the_required_number_of_paths_is_reported():
    """Errors 16 to 1, each with chance ½: that of 1 is not above 3 · ½, which 2.25 times as many paths would change."""
    curve = convergence(top(), "heun", "weak", paths=10, **NUMPY).curves[0]
    made = replace(curve, errors=np.array([16, 8, 4, 2, 1.0]), standard_errors=np.full(5, 0.5), declared=1.0)
    assert made.needed_paths(100) == 225
    assert replace(made, declared=2.0).needed_paths(100) == 900
    assert replace(made, standard_errors=np.full(5, 0.1)).needed_paths(100) is None
    assert replace(made, standard_errors=None).needed_paths(100) is None


def test_three_point_increments_share_no_noise():
    coarse = {**NUMPY, "finer": None}
    study = convergence(top(), "heun", "weak", paths=300, driver=sd.Wiener(increment_law="three-point"), **coarse)
    common = convergence(top(), "heun", "weak", paths=300, **NUMPY)
    assert study.finest == common.finest == study.steps[-1] / 4
    assert np.all(study["energy"].standard_errors > 3 * common["energy"].standard_errors)  # measured 8 to 60


def test_what_the_model_keeps_has_no_error():
    study = convergence(top(), "lie-heun", paths=10, quantities=["gamma-norm"], **NUMPY)
    assert study["gamma-norm"].verdict == "exact"
    assert study["gamma-norm"].errors.max() < 1e-14
    disk = convergence(sd.load("rolling-disk"), "lie-heun", paths=50, **NUMPY)
    assert {c.name: c.verdict for c in disk.curves if c.verdict != "exact"} == {"distance(x,y)": disk.verdict}
    assert disk.verdict == "met"  # measured 1.03 for 1, of additive noise


def test_paths_that_fail_are_left_out_and_counted():
    omega = [[0.1, 0, 3.0]] * 20 + [[0.1, 0, 1e200]]
    study = convergence(top(), "heun", state={"Omega": omega}, paths=21, **NUMPY)
    assert study.failed == 1
    assert np.isfinite(study["state"].fit.slope)
    with pytest.raises(InputError, match=r"too many paths fail.*expected at least two thirds.*got 0 of 5; heun at dt"):
        convergence(top(), "heun", state={"Omega": [[0.1, 0, 1e200]] * 5}, paths=5, **NUMPY)


REFUSALS = [
    (top, {"method": "dop853"}, MethodError, "chooses its steps.*cannot follow a Wiener process either"),
    (top, {"method": "dop853", "kind": "deterministic"}, MethodError, "It is a reference for deterministic studies"),
    (top, {"method": "heun", "driver": sd.Wiener(increment_law="three-point")}, MethodError, "Brownian path.*or a weak study"),
    (top, {"method": "euler-maruyama", "kind": "deterministic"}, MethodError, r"--set 'noise=\[\]'"),
    (top, {"method": "heun", "kind": "fast"}, UnknownNameError, "kind of convergence 'fast'"),
    (top, {"method": "heun", "levels": 4}, InputError, "from 5 to 40, got 4"),
    (top, {"method": "heun", "paths": 1}, InputError, "at least 2, for an interval"),
    (top, {"method": "heun", "dt": 0.3}, InputError, "t_end is not a multiple of dt"),
    (top, {"method": "heun", "quantities": ["enrgy"]}, UnknownNameError, "energy"),
    (top, {"method": "heun", "quantities": "energy"}, InputError, "Write"),
    (lambda: top(noise=()), {"method": "heun", "kind": "strong"}, InputError, "a system without noise.*--deterministic"),
    (top, {"method": "heun", "kind": "weak", "driver": "t"}, InputError, "a drive.*--deterministic"),
]  # fmt: skip


@pytest.mark.parametrize(("system", "arguments", "error", "text"), REFUSALS)
def test_refusals(system, arguments, error, text):
    with pytest.raises(error, match=text):
        convergence(system(), **{"paths": 4, **NUMPY, **arguments})


def test_general_noise_of_methods_for_commuting_noise():
    with pytest.raises(MethodError, match=r"declares no strong order for general noise.*milstein\(areas\)"):
        convergence(sd.load("rigid-body"), "milstein", paths=4, **NUMPY)


def test_weak_methods_are_for_weak_studies():
    with pytest.raises(MethodError, match=r"rs2 declares no strong order.*weak order, 2 \(--weak\)"):
        convergence(top(), "rs2", paths=4, **NUMPY)


def test_the_picture():
    study = convergence(top(), "heun", paths=20, **NUMPY)
    ax = study.plot(ax=Figure().subplots())
    labels = [t.get_text() for t in ax.get_legend().get_texts()]
    assert labels[0].startswith("state, order 1.")
    assert "declared order 1" in labels
    points = ax.get_lines()[0].get_xydata()
    np.testing.assert_allclose(points[:, 0], study.steps)
    np.testing.assert_allclose(points[:, 1], study["state"].errors)
    with pytest.raises(UnknownNameError, match="quantity of the study"):
        study.plot(["nothing"])


def test_an_integrator_object_is_a_method():
    assert convergence(top(), Heun(), paths=10, **NUMPY).method == "heun"
    assert convergence(top(), paths=10, **NUMPY).method == "lie-heun"
