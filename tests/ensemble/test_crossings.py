"""Crossings that are located within a step: their times, their states, what they record, and their laws under noise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.stats import kstest, norm

import semidirect as sd
from semidirect.core.errors import InputError, MethodError, UnknownNameError
from semidirect.engines.events.locate import bracketed

TOP = sd.load("heavy-top")
LEVEL = 0.394
FALLING = sd.Crossing("Gamma", LEVEL, "falling", component=2)


class Wieners(sd.System):
    """z₁ = s W¹ + μ t and z₂ = W², the quantities of which all laws are known."""

    group = sd.SO2()
    amplitude: float = sd.parameter(1.0)
    slope: float = sd.parameter(0.0)

    def lagrangian(self, xi):
        return xi.omega**2 / 2

    def internal(self):
        return [sd.InternalState("z", [0.0, 0.0], drift=[self.slope, 0.0], noise=[[self.amplitude, 0.0], [0.0, 1.0]])]


def reference_time():
    """The first time at which Γ₃ of the default heavy top falls through the level, from SciPy alone."""
    run = TOP.simulate(t_end=0.01, dt=0.01, driver=0, save=[0.0])
    inertia, axis = TOP.values["inertia"], TOP.values["axis"]
    weight = TOP.values["mass"] * TOP.values["gravity"] * TOP.values["arm"]

    def rate(_t, x):
        M, G = x[:3], x[3:]
        w = M / inertia
        return np.concatenate([np.cross(M, w) + weight * np.cross(G, axis), np.cross(G, w)])

    start = np.concatenate([inertia * run["Omega"][0, 0], run["Gamma"][0, 0]])

    def level(_t, x):
        return x[5] - LEVEL

    level.direction = -1
    found = solve_ivp(rate, (0, 3), start, method="DOP853", events=level, rtol=1e-13, atol=1e-14)
    return found.t_events[0][0]


REFERENCE = reference_time()


@pytest.mark.parametrize("dt", [0.25, 0.1, 0.01])
def test_the_crossing_time_of_a_heavy_top_by_dop853(dt):
    for stop in (FALLING, sd.Stop("Gamma", below=LEVEL, component=2, locate=True)):
        run = TOP.simulate(t_end=2, dt=dt, driver=0, method="dop853", stop=stop)
        assert abs(run.stopped.time[0] - REFERENCE) < 1e-9  # measured: 3e-13
        assert abs(run.stopped.state["Gamma"][0, 2] - LEVEL) < 1e-12
        assert abs(np.linalg.norm(run["Gamma"][0, -1]) - 1) < 1e-12
        assert (run["Gamma"][0, run.times > REFERENCE] == run.final["Gamma"][0]).all()


@pytest.mark.parametrize(("method", "order"), [("lie-heun", 2), ("implicit-midpoint", 2), ("rk4", 4), ("gauss", 4)])
def test_the_crossing_time_has_the_order_of_the_method(method, order):
    errors = []
    for dt in (0.1, 0.05, 0.025):
        run = TOP.simulate(t_end=2, dt=dt, driver=0, method=method, save="final", stop=FALLING)
        errors.append(abs(run.stopped.time[0] - REFERENCE))
    assert np.log2(errors[0] / errors[2]) / 2 == pytest.approx(order, abs=0.3)


def test_a_smooth_driver_is_followed_within_the_step():
    times = []
    for method in ("rkmk4", "rk4", "dop853"):
        top = sd.load("heavy-top", noise=[[0.1, 0.2, 0.3]])
        run = top.simulate(t_end=2, dt=0.02, driver="sin(9*t)", method=method, save="final", stop=FALLING)
        times.append(run.stopped.time[0])
    assert np.ptp(times) < 1e-5
    assert abs(times[0] - REFERENCE) > 1e-3


ENGINES = [
    {"execution": sd.Execution(engine="numpy")},
    {"execution": sd.Execution(engine="compiled")},
    {"execution": sd.Execution(1, engine="compiled")},
    {"execution": sd.Execution(1, engine="numpy")},
]


@pytest.mark.parametrize("method", ["lie-heun", "milstein(areas)"])
def test_the_bits_are_those_of_every_engine_and_of_any_chunks(method, tmp_path):
    body = sd.load("rigid-body", advect_gamma=True)
    stop = [
        sd.Stop("energy", above=0.95, locate=True),
        sd.Crossing("M", 1.1, component=0),
        sd.Stop("energy", below=0.8),
    ]
    crossings = [
        sd.Crossing("Gamma", 0.0, component=0, most=2),
        sd.Crossing("M", 1.0, "rising", component=1, keep=["energy"]),
    ]
    given = {
        "t_end": 1,
        "dt": 0.05,
        "seed": 5,
        "method": method,
        "stop": stop,
        "save": sd.Save("every:4", crossings=crossings),
    }
    runs = [body.simulate(**given, paths=200, **how) for how in ENGINES]
    runs += [
        body.simulate(
            **{**given, "save": sd.Save("every:4", crossings=crossings, store=tmp_path / "run.zarr")}, paths=200
        ),
        sd.Run.load(tmp_path / "run.zarr"),
    ]
    runs[0].save(tmp_path / "saved.zarr")
    runs.append(sd.Run.load(tmp_path / "saved.zarr"))
    first = runs[0]
    assert set(first.stopped.condition) == {-1, 0, 1, 2}
    assert all(recorded.count.max() > 1 for recorded in first.crossings)
    for run in runs[1:]:
        assert run.stopped.time.tobytes() == first.stopped.time.tobytes()
        assert (run.stopped.condition == first.stopped.condition).all()
        assert run.stopped.labels == first.stopped.labels
        for name in first.final:
            assert run.final[name].tobytes() == first.final[name].tobytes(), name
        for one, other in zip(run.crossings, first.crossings, strict=True):
            assert one.crossing == other.crossing
            assert (one.count == other.count).all()
            assert one.times.tobytes() == other.times.tobytes()
            assert list(one.quantities) == list(other.quantities)
            assert all(one[k].tobytes() == other[k].tobytes() for k in other.quantities)
    few = body.simulate(**given, paths=70)
    assert few.stopped.time.tobytes() == first.stopped.time[:70].tobytes()
    longer = sd.extend(tmp_path / "run.zarr", paths=230)
    assert longer.crossings[0].times[:200].tobytes() == first.crossings[0].times.tobytes()


def test_a_run_in_two_pieces_crosses_where_one_run_does():
    body = sd.load("rigid-body", advect_gamma=True)
    given = {"dt": 0.02, "seed": 5, "save": "final"}
    stop = sd.Stop("energy", above=0.95, locate=True)
    whole = body.simulate(**given, t_end=1, paths=100, stop=stop)
    first = body.simulate(**given, t_end=0.5, paths=100)
    second = body.simulate(**given, t_end=1, state=first.final, stop=stop)
    late = ~(whole.stopped.time <= 0.5)
    assert 10 < np.count_nonzero(whole.data.status[late] == 3) < np.count_nonzero(late)
    assert second.stopped.time[late].tobytes() == whole.stopped.time[late].tobytes()


@pytest.mark.parametrize(
    ("name", "component", "shown"), [("Gamma", 2, "Gamma3"), ("g", 5, "g23"), ("Gamma3", None, "Gamma3")]
)
def test_a_component_has_its_own_name_in_labels(name, component, shown):
    """The name that expressions and commands use: in a store, too, and of an entry of a matrix."""
    stop, crossing = sd.Stop(name, above=2, component=component), sd.Crossing(name, 2.0, component=component)
    run = sd.load("heavy-top", noise=()).simulate(
        t_end=0.1, dt=0.1, execution=sd.Execution(engine="numpy"), stop=stop, save=sd.Save("final", crossings=crossing)
    )
    assert run.stopped.counts == {f"{shown} ≥ 2": 0}
    assert run.crossings[0].crossing == sd.Crossing(shown, 2.0)
    assert sd.Stop("Gamma", above=2, component=2).label == "Gamma3 ≥ 2"


def test_the_first_condition_of_a_step_stops_the_path():
    system = Wieners(slope=1.0, amplitude=0.0)
    levels = [
        sd.Crossing("z", 0.9, component=0),
        sd.Crossing("z", 0.3, component=0),
        sd.Crossing("z", 0.6, component=0),
    ]
    run = system.simulate(
        t_end=2, dt=1, stop=levels, save=sd.Save(crossings=[sd.Crossing("z", x, component=0) for x in (0.2, 0.4)])
    )
    assert run.stopped.condition == [1]
    assert run.stopped.time[0] == pytest.approx(0.3, abs=1e-15)
    assert [r.count[0] for r in run.crossings] == [1, 0]
    assert run.stopped.counts == {"z1 = 0.9": 0, "z1 = 0.3": 1, "z1 = 0.6": 0}
    assert repr(run.stopped) == "StoppedPaths(z1 = 0.9: 0, z1 = 0.3: 1, z1 = 0.6: 0; of 1 paths)"
    assert [f for f in run.failures() if f] == []


class Circle(sd.System):
    """z₁ = cos t, z₂ = sin t."""

    group = sd.SO2()

    def lagrangian(self, xi):
        return xi.omega**2 / 2

    def internal(self):
        return [sd.InternalState("z", [1.0, 0.0], drift=lambda z: [-z.z[1], z.z[0]])]


@pytest.mark.parametrize("method", ["rk4", "dop853"])
@pytest.mark.parametrize(
    ("direction", "expected"),
    [
        ("rising", 2 * np.pi * np.arange(1, 4)),
        ("falling", np.pi * np.arange(1, 7, 2)),
        ("both", np.pi * np.arange(1, 7)),
    ],
)
def test_recorded_crossings_of_a_direction_and_a_start_on_the_level(method, direction, expected):
    crossing = sd.Crossing("z", 0.0, direction, component=1, most=4)
    call = {"t_end": 20, "dt": {"rk4": 0.05, "dop853": 0.25}[method], "driver": 0, "method": method}
    run = Circle().simulate(**call, save=sd.Save("final", crossings=crossing))
    (found,) = run.crossings
    assert found.count[0] == len(expected)
    known = expected[:4]
    np.testing.assert_allclose(found.times[0, : len(known)], known, rtol=0, atol={"rk4": 2e-6, "dop853": 1e-11}[method])
    assert np.isnan(found.times[0, len(known) :]).all()
    assert np.abs(found.points("z")[:, 1]).max() < 1e-14
    assert found.points("z").shape == (len(known), 2)
    assert repr(found).startswith("RecordedCrossings(z2 = 0")
    alone = Circle().simulate(**call, save="final")
    assert alone.final["z"].tobytes() == run.final["z"].tobytes()


@pytest.mark.parametrize(
    ("level", "t_end", "coarse", "times"),
    [
        (0.98, 7.0, 0.5, [np.arccos(0.98), 2 * np.pi - np.arccos(0.98), 2 * np.pi + np.arccos(0.98)]),
        (0.5, 8.0, 8.0, [np.pi / 3, 5 * np.pi / 3, 7 * np.pi / 3]),
    ],
    ids=["two in one step", "three in one step"],
)
def test_of_several_crossings_within_a_step_at_most_one_is_seen(level, t_end, coarse, times):
    """As the pages say: of an even number none, of an odd number one, which may be any that goes to the side of the end."""
    crossing = sd.Crossing("z", level, component=0)
    call = {"t_end": t_end, "driver": 0, "method": "dop853", "save": sd.Save("final", crossings=crossing)}
    (short,) = Circle().simulate(dt=0.1, **call).crossings
    np.testing.assert_allclose(short.times[0, : short.count[0]], times, rtol=0, atol=1e-10)  # measured: 9e-13
    (long,) = Circle().simulate(dt=coarse, **call).crossings
    assert long.count[0] == 1
    assert np.abs(long.times[0, 0] - times[::2]).min() < 1e-10  # measured: 2e-14
    stopped = Circle().simulate(dt=coarse, t_end=t_end, driver=0, method="dop853", stop=crossing, save="final")
    assert stopped.stopped.time[0] == long.times[0, 0]


P_MAX = 2 * norm.sf(1)


@pytest.mark.parametrize("dt", [0.5, 0.1])
def test_first_passages_of_a_wiener_process(dt):
    paths = 20_000
    run = Wieners().simulate(t_end=1, dt=dt, paths=paths, seed=7, method="euler-heun", save=sd.Save("final", names=[]),
                             stop=sd.Stop("z", above=1, component=0, locate=True))  # fmt: skip
    stopped = run.stopped
    share = len(stopped.paths) / paths
    assert abs(share - P_MAX) < 3 * np.sqrt(P_MAX * (1 - P_MAX) / paths)
    t, z = stopped.time[stopped.paths], stopped.state["z"][stopped.paths]
    assert kstest(t, lambda s: 2 * norm.sf(1 / np.sqrt(s)) / P_MAX).pvalue > 1e-3
    assert np.abs(z[:, 0] - 1).max() < 1e-11
    assert (z[:, 0] >= 1).all()
    assert kstest(z[:, 1] / np.sqrt(t), "norm").pvalue > 1e-3  # the other process at the time of the passage


def test_first_passages_with_drift_and_correlated_noise():
    """P(max (σW + μt) ≥ a) = Φ((μ − a)/σ) + exp(2aμ/σ²) Φ(−(a + μ)/σ) on [0, 1]; z₂ has the correlation ρ with W¹."""
    paths, sigma, mu, a, rho = 20_000, 0.7, 0.4, 0.8, 0.6
    exact = norm.cdf((mu - a) / sigma) + np.exp(2 * a * mu / sigma**2) * norm.cdf(-(a + mu) / sigma)
    run = Wieners(amplitude=sigma, slope=mu).simulate(
        t_end=1, dt=0.25, paths=paths, seed=3, method="euler-heun", save=sd.Save("final", names=[]),
        driver=sd.Wiener(covariance=[[1, rho], [rho, 1]]), stop=sd.Crossing("z", a, "rising", component=0),
    )  # fmt: skip
    which = run.stopped.paths
    assert abs(len(which) / paths - exact) < 3 * np.sqrt(exact * (1 - exact) / paths)
    t, z = run.stopped.time[which], run.stopped.state["z"][which]
    rest = z[:, 1] - rho * (z[:, 0] - mu * t) / sigma  # independent of z₁, of variance (1 − ρ²) t
    assert kstest(rest / np.sqrt((1 - rho**2) * t), "norm").pvalue > 1e-3


def test_the_first_exit_from_an_interval():
    """P(the Wiener process has left (−1, 1) by 1) = 1 − (4/π) Σ (−1)^k/(2k+1) exp(−(2k+1)² π²/8)."""
    k, paths = np.arange(20), 20_000
    exact = 1 - 4 / np.pi * np.sum((-1.0) ** k / (2 * k + 1) * np.exp(-((2 * k + 1) ** 2) * np.pi**2 / 8))
    run = Wieners().simulate(t_end=1, dt=0.1, paths=paths, seed=2, method="euler-heun", save=sd.Save("final", names=[]),
                             stop=sd.Stop("z", above=1, below=-1, component=0, locate=True))  # fmt: skip
    share = len(run.stopped.paths) / paths
    assert abs(share - exact) < 3 * np.sqrt(exact * (1 - exact) / paths)
    assert abs(np.mean(run.stopped.state["z"][run.stopped.paths, 0])) < 3 / np.sqrt(share * paths)


def test_survival_counts_a_stop_within_a_step():
    run = Wieners().simulate(t_end=1, dt=0.1, paths=2000, seed=1, method="euler-heun", save=sd.Save("final", names=[]),
                             stop=sd.Stop("z", above=1, component=0, locate=True),
                             reduce=sd.Reduce(sd.FirstPassage("z", 1.0, component=0), at="all"))  # fmt: skip
    passage = run.reductions["first-passage:z"]
    assert passage.passed.sum() == len(run.stopped.paths)
    assert passage.stopped.sum() == 0
    times = run.stopped.time[run.stopped.paths]
    counts = np.histogram(times, bins=np.append(passage.times, 2))[0]
    assert (passage.passed[1:] == counts[:10]).all()


@st.composite
def monotone(draw):
    """A continuous function that rises from −1 to 1 on [0, 1], often steep, flat or with a jump of its slope."""
    place = draw(st.floats(1e-9, 1 - 1e-9))
    power = draw(st.sampled_from([1, 3, 9]))
    steep = draw(st.floats(1e-3, 1e9))
    return lambda x: np.tanh(steep * (x - place)) if power == 1 else np.sign(x - place) * np.abs(x - place) ** power


@given(st.lists(monotone(), min_size=1, max_size=4))
def test_brackets_are_resolved_each_alone(functions):
    def f(x):
        return np.array([g(v) for g, v in zip(functions, x, strict=True)])

    n = len(functions)
    zeros, ones = np.zeros(n), np.ones(n)
    found = bracketed(f, zeros, ones, -ones, ones, zeros)
    assert (f(found) >= 0).all()
    below = np.maximum(found - 4 * 2.0**-50, 0)
    assert ((f(below) <= 0) | (below == 0)).all()
    for i, g in enumerate(functions):
        one = bracketed(lambda x, g=g: np.array([g(x[0])]), zeros[:1], ones[:1], -ones[:1], ones[:1], zeros[:1])
        assert one[0] == found[i]


@pytest.mark.parametrize(
    ("make", "kind", "error"),
    [
        (lambda: sd.Stop("energy", above=1, every=2, locate=True), InputError, "1"),
        (lambda: sd.Stop("energy", above=1, locate=1), InputError, "True or False"),
        (lambda: sd.Crossing("energy", np.inf), InputError, "finite"),
        (lambda: sd.Crossing("energy", 1, "up"), UnknownNameError, "rising"),
        (lambda: sd.Crossing("energy", 1, most=0), InputError, "at least 1"),
        (lambda: sd.Crossing("energy", 1, keep="energy"), InputError, "keep"),
        (lambda: TOP.simulate(t_end=1, dt=0.1, stop=[FALLING, "energy"]), InputError, "such as sd.Stop"),
        (lambda: TOP.simulate(t_end=1, dt=0.1, save=sd.Save(crossings=sd.Stop("energy", above=1))), InputError,
         "such as sd.Crossing"),
        (lambda: TOP.simulate(t_end=1, dt=0.1, stop=sd.Crossing("Gamma")), InputError, "component="),
        (lambda: TOP.simulate(t_end=1, dt=0.1, save=sd.Save(crossings=sd.Crossing("enrgy"))), UnknownNameError, "energy"),
        (lambda: TOP.simulate(t_end=1, dt=0.1, save=sd.Save(crossings=sd.Crossing("energy", keep=["enrgy"]))), UnknownNameError,
         "energy"),
        (
            lambda: Wieners().simulate(
                t_end=1, dt=0.1, method="heun", driver=sd.Wiener(increment_law="three-point"), stop=sd.Crossing("omega")
            ),
            MethodError,
            "not form a Brownian path",
        ),
    ],
)  # fmt: skip
def test_events_that_cannot_be_located_raise_errors(make, kind, error):
    with pytest.raises(kind, match=error):
        make()


def test_stopped_paths_continue_each_at_its_own_time():
    """Two of three paths are stopped, at times of their own; against runs to the same end that are not stopped."""
    top = sd.load("heavy-top", noise=())
    Omega = np.array([[0.1, 0.2, 3.0], [0.0, 0.0, 3.0], [0.3, 0.2, 3.0]])
    call = {"method": "dop853", "save": "final"}
    stop = sd.Crossing("Gamma", 0.4, "falling", component=2)
    start = {"Omega": Omega, "Gamma": [[0.0, 0.6, 0.8], [0.0, 0.0, 1.0], [0.0, 0.6, 0.8]]}
    stopped = top.simulate(t_end=4, dt=0.02, state=start, stop=stop, **call).stopped
    assert stopped.paths.tolist() == [0, 2]
    later = top.simulate(t_end=1, dt=0.02, state=stopped.starts, **call)
    assert len(set(stopped.time[stopped.paths])) == 2
    for k, path in enumerate(stopped.paths):
        end = stopped.time[path] + 1
        state = {name: np.asarray(values)[path] for name, values in start.items()}
        whole = top.simulate(t_end=end, dt=end / 200, state=state, **call)
        for name in ("Omega", "Gamma", "g"):
            np.testing.assert_allclose(later.final[name][k], whole.final[name][0], atol=1e-11)  # measured 2e-13
