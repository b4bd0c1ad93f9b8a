"""Comparisons: work is counted, errors are those of the runs, and the ledger tells the model's doing from the method's."""

import numpy as np
import pytest

import semidirect as sd
from semidirect.analysis.comparison import compare
from semidirect.analysis.cost import evaluations_per_step
from semidirect.analysis.error_budget import drift_slope, motions, needed_quantities, watched
from semidirect.analysis.pictures.comparison import plot_work_precision
from semidirect.core.errors import InputError, MethodError, UnknownNameError
from semidirect.integrators import integrator

SMALL = {"t_end": 1, "dt": 1 / 8, "levels": 2, "paths": 30, "timed": False, "execution": sd.Execution(engine="numpy")}


@pytest.fixture(scope="module")
def ball():
    return sd.load("routh-sphere", noise=[[0, 0, 0.4]])


@pytest.fixture(scope="module")
def found(ball):
    return compare(ball, ["heun", "lie-midpoint", "sdelab(1)"], **SMALL)


@pytest.mark.parametrize(
    ("method", "count"), [("heun", 2), ("euler-heun", 3), ("euler-maruyama", 1), ("lie-heun", 2), ("milstein", 1)]
)
def test_evaluations_of_explicit_methods(ball, method, count):
    assert evaluations_per_step(ball, integrator(method), 0.01) == count


def test_evaluations_of_implicit_methods(ball):
    """As many as iterations, and one for the start; fewer for a smaller step, where the iterations contract faster."""
    counts = [evaluations_per_step(ball, integrator("implicit-midpoint"), dt) for dt in (0.2, 0.05, 0.0125)]
    assert 5 < counts[2] < counts[1] < counts[0] < 30  # measured 15.1, 10.2, 7.9
    still = evaluations_per_step(ball, integrator("implicit-midpoint"), 0.05, driver=0)
    assert 5 < still < counts[1] + 1


def test_the_errors_are_those_of_runs(ball, found):
    h = found.finest
    assert h == 1 / 16 / 2**4
    options = {
        "t_end": 1,
        "paths": 30,
        "driver": sd.Wiener(h),
        "execution": sd.Execution(engine="numpy"),
        "save": "final",
    }
    fine = ball.simulate(dt=h, method="implicit-midpoint", **options)
    run = ball.simulate(dt=1 / 8, method="heun", **options)
    point = found.of("heun")[0]
    assert (point.dt, point.work) == (1 / 8, 16)
    x = np.sqrt(np.mean(np.sum((run["x"] - fine["x"])[:, 0] ** 2, axis=-1)))
    assert point.errors["distance(x)"] == pytest.approx(x, rel=1e-12)
    e = run["energy"][:, 0] - fine["energy"][:, 0]
    entry = point.ledger["energy"]
    assert entry.change == pytest.approx(np.sqrt(np.mean(e**2)), rel=1e-12)
    assert (entry.mean, entry.mean_error) == pytest.approx((e.mean(), e.std(ddof=1) / np.sqrt(30)), rel=1e-12)
    change = fine["energy"][:, 0] - found.motions["energy"].start
    assert found.motions["energy"].change == pytest.approx(np.sqrt(np.mean(change**2)), rel=1e-12)


def test_the_ledger_of_what_is_conserved(found):
    """|Γ| is kept by the model: all of its change is the method's, none of it that of a geometric method."""
    assert {k for k, m in found.motions.items() if m.conserved} == {"gamma-norm"}
    assert found.motions["energy"].largest_noise > 0.01
    assert abs(found.of("lie-midpoint")[0].ledger["gamma-norm"].largest) < 1e-14  # measured 8e-16
    damped = found.of("sdelab(1)")[0].ledger["gamma-norm"]
    assert damped.slope < -10 * damped.slope_error < 0
    half = found.of("sdelab(1)")[1].ledger["gamma-norm"]
    assert half.slope / damped.slope == pytest.approx(0.55, abs=0.1)  # measured 0.57: of first order


def test_the_motion_of_the_model_is_its_evolution():
    """Along the paths of a run: the mean Itô drift is that of ``evaluate`` at each state, and integrates to the mean change."""
    top = sd.load("heavy-top", noise=[[0.5, 0.2, 0]])
    names = watched(top, ["energy", "momentum-gamma"])
    run = top.simulate(
        t_end=1,
        dt=1 / 64,
        paths=400,
        seed=1,
        method="lie-midpoint",
        save=sd.Save(names=[*needed_quantities(top), *names]),
    )
    motion = motions(top, run.data, run.good, names)
    assert motion["momentum-gamma"].conserved
    assert motion["momentum-gamma"].largest_noise < 1e-14
    path, n = 7, 30
    state = {k: run[k][path, n].tolist() for k in needed_quantities(top)}
    one = motions(top, _only(run, path, n), np.array([True]), names)["energy"]
    expected = top.evaluate(state)["observables"]["energy"]
    assert one.slope == pytest.approx(expected["ito_drift"], rel=1e-12)
    assert one.largest_noise == pytest.approx(abs(expected["noise"][0]), rel=1e-12)
    change = run["energy"][:, -1] - run["energy"][:, 0]
    assert (
        abs(change.mean() - motion["energy"].slope) < 3 * change.std() / 20
    )  # a martingale apart: measured 0.4 of that
    assert motion["energy"].slope_error < 0.2 * change.std() / 20  # measured 0.05: without the martingale


def _only(run, path, n):
    """A run that stands still at one state of a path."""
    from dataclasses import replace

    data = {k: np.repeat(run[k][path : path + 1, n : n + 1], 2, axis=1) for k in run}
    return replace(run.data, data=data, times=np.array([0.0, 1.0]), status=run.data.status[:1])


def test_slopes():
    times = np.linspace(0, 2, 9)
    values = np.array([[3.0], [5.0]]) * times + np.array([[1.0], [2.0]])
    assert drift_slope(times, values) == pytest.approx((4, 1))
    assert np.isnan(drift_slope(times, values[:1])[1])


def test_without_noise(ball):
    found = compare(ball, ["heun", "lie-heun"], **{**SMALL, "paths": None}, driver=0)
    assert (found.reference, found.paths, found.noise_class) == ("dop853", 1, "none")
    assert {k for k, m in found.motions.items() if m.conserved} == {"energy", "jellett", "routh", "gamma-norm"}
    error = [p.errors["state"] for p in found.of("heun")]
    assert error[0] / error[1] == pytest.approx(4, rel=0.3)  # measured 4.3
    assert np.isnan(found.points[0].ledger["energy"].slope_error)


def test_times_are_ratios(ball):
    found = compare(ball, ["heun"], **{**SMALL, "timed": True, "levels": 1, "paths": 2}, observables=["energy"])
    assert [p.time for p in found.points] == [1.0]
    assert list(found.motions) == ["energy"]


REFUSALS = [
    ({"methods": []}, InputError, "a list of methods"),
    ({"methods": "heun"}, InputError, "a list of methods"),
    ({"methods": ["heun", "dop853"]}, MethodError, "cannot follow a Wiener process"),
    ({"methods": ["rs2"]}, MethodError, "no strong order"),
    ({"methods": ["heun"], "levels": 0}, InputError, "from 1 to 40, got 0"),
    ({"methods": ["heun"], "observables": ["enrgy"]}, UnknownNameError, "energy"),
    ({"methods": ["heun"], "observables": ["geometric-centre"]}, InputError, "expected a number, got 3 components"),
    ({"methods": ["heun"], "observables": "energy"}, InputError, "Write"),
]


@pytest.mark.parametrize(("arguments", "error", "text"), REFUSALS)
def test_refusals(ball, arguments, error, text):
    with pytest.raises(error, match=text):
        compare(ball, **{**SMALL, **arguments})


def test_pictures(found):
    ax = plot_work_precision(found, "distance(x)")
    np.testing.assert_allclose(
        ax.get_lines()[0].get_xydata(), [(p.work, p.errors["distance(x)"]) for p in found.of("heun")]
    )
    assert ax.get_ylabel() == "error of the distance(x) [m]"
    figure = found.plot()
    titles = [ax.get_title() for ax in figure.axes]
    assert len(titles) == 1 + min(5, len(found.motions))
    assert "conserved by the model" in titles
