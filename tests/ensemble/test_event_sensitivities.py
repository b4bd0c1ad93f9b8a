"""Derivatives at located events: closed forms, differences of located runs, both engines, statistics, stores, refusals."""

import functools

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.core.central_differences import SIXTH_ORDER
from semidirect.core.errors import MethodError


class Decay(sd.System):
    """q′ = −a q + amplitude·W′ and x′ = speed(t): all is known at q = 1; the level of ``excess`` is a parameter."""

    group = sd.SO2()
    a: float = sd.parameter(1.0)
    level: float = sd.parameter(1.0)
    bend: float = sd.parameter(0.0)
    amplitude: float = sd.parameter(0.0)

    def lagrangian(self, xi):
        return xi.omega**2 / 2

    def internal(self):
        return [
            sd.InternalState("q", 2.0, drift=lambda z: [-self.a * z.q], noise=[[self.amplitude]]),
            sd.InternalState("x", 0.0, drift=lambda t: [1.5 + self.bend * t]),
        ]

    @sd.observable(unit="1")
    def excess(self, state):
        return state.q - self.level

    @sd.observable(unit="1")
    def size(self, state):
        return ops.absolute(state.q)


DECAY = Decay()
ENGINES = ("numpy", "compiled")


def simulate(system, engine="numpy", by=(), **arguments):
    return system.simulate(formulation=sd.Formulation(sensitivity=by),
                           execution=sd.Execution(engine=engine, threads=1), **arguments)  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("stop", [sd.Stop("q", below=1, locate=True), sd.Crossing("q", 1.0, "falling"),
                                  sd.Stop("excess", below=0, locate=True)])  # fmt: skip
def test_a_level_that_is_reached_exactly_moves_no_more(engine, stop):
    """q = 2 exp(−a t) = level at t* = log(2/level)/a; x(t*) = 1.5 t* + bend t*²/2."""
    run = simulate(DECAY, engine, ("a", "level", "bend", "q", "x"), driver=0, t_end=1, dt=0.02, method="rk4", stop=stop)
    t, of_level = np.log(2.0), -1.0 if stop.name == "excess" else 0.0
    rates = np.array([-t, of_level, 0.0, 0.5, 0.0])
    x = 1.5 * rates + [0, 0, t**2 / 2, 0, 1]
    q = [0, -of_level, 0, 0, 0]
    np.testing.assert_allclose(run.sensitivity("x").values[0, -1], x, atol=1e-7)  # measured: 5e-9
    np.testing.assert_allclose(run.sensitivity("q").values[0, -1], q, atol=1e-12)  # measured: 6e-17
    # after the stop the state is frozen, and so is the time that quantities read
    held = simulate(
        DECAY, engine, ("a",), driver=0, t_end=1, dt=0.02, method="rk4", stop=stop, save=sd.Save("final", names=["t*x"])
    )
    np.testing.assert_allclose(held.sensitivity("t*x").values[0, -1], [-3 * t**2], atol=1e-7)


def differences(run_of, values, read):
    """The derivatives of what is read of each path, by differences of order 6 along each direction with its step.

    ``run_of(names, shifts)`` is a run with one path for each shift of what is named.
    """
    pairs = [(name, sign * k * h) for name, h in values.items() for k, _ in SIXTH_ORDER for sign in (1, -1)]
    names, shifts = zip(*pairs, strict=True)
    found = np.stack(read(run_of(np.array(names), np.array(shifts)), len(pairs)))
    found = found.reshape(len(values), len(SIXTH_ORDER), 2, -1)
    weights = np.array([c for _, c in SIXTH_ORDER])[None, :, None]
    slopes = (weights * (found[:, :, 0] - found[:, :, 1])).sum(axis=1)
    return slopes.T / np.array(list(values.values()))


@functools.cache
def heavy_top():
    return sd.load("heavy-top", noise=[[0.1, 0.2, 0.3]])


METHODS = ["rk4", "lie-heun", "implicit-midpoint", "gauss(2)", "rkmk4", "coadjoint-midpoint", "milstein"]


@pytest.mark.parametrize("method", METHODS)
def test_derivatives_at_a_crossing_are_those_of_located_runs(method):
    """A top on a driving path, stopped at a level that moves with a parameter, after crossings of another."""
    top, call = heavy_top(), {"t_end": 0.6, "dt": 0.1, "method": method, "driver": "sin(3*t)"}
    start = {"Omega": [0.3, 0.2, 2.0], "Gamma": [0.6, 0.0, 0.8]}
    call["stop"] = sd.Stop("Gamma3 - mass/4 + t/8", above=0.71, locate=True)
    call["save"] = sd.Save("final", crossings=sd.Crossing("M1", 0.2, keep=["Gamma", "energy", "t*M2"], most=4))

    def run_of(names, shifts):
        omega = np.tile(start["Omega"], (len(shifts), 1))
        omega[:, 0] += np.where(names == "Omega1", shifts, 0)
        mass = top.values["mass"] + np.where(names == "mass", shifts, 0)
        return simulate(top.replace(mass=sd.PerPath(mass)), state={**start, "Omega": omega}, **call)

    by = ("mass", "Omega1")
    run = simulate(top, by=by, state=start, **call)
    plain = simulate(top, state=start, **call)
    compiled = simulate(top, "compiled", by, state=start, **call) if method in ("lie-heun", "gauss(2)") else run
    assert run.stopped.time[0] < 0.6
    assert run.crossings[0].count[0] > 0
    assert plain.stopped.time.tobytes() == run.stopped.time.tobytes() == compiled.stopped.time.tobytes()
    for name in run:
        assert run[name].tobytes() == compiled[name].tobytes(), name
        assert name.startswith("sensitivity.") or run[name].tobytes() == plain[name].tobytes(), name
    (ours,), (same,) = run.crossings, plain.crossings
    for name in same:
        assert ours[name].tobytes() == same[name].tobytes(), name

    def read(run, paths):
        (seen,) = run.crossings
        parts = [
            *(run[k][:, -1] for k in ("M", "Gamma", "g")),
            seen.times,
            *(seen[k] for k in ("Gamma", "energy", "t*M2")),
        ]
        return np.concatenate([np.asarray(x).reshape(paths, -1) for x in parts], axis=1)

    def slopes(run):
        (seen,) = run.crossings
        parts = [run.sensitivity(k).values[0, -1] for k in ("M", "Gamma", "g")]
        parts += [seen[f"sensitivity.{k}"][0].reshape(-1, 2) for k in ("time", "Gamma", "energy", "t*M2")]
        return np.concatenate(parts)

    theirs = differences(run_of, {"mass": 2.0**-12, "Omega1": 2.0**-12}, read)
    assert np.nanmax(np.abs(theirs)) > 0.5
    np.testing.assert_allclose(slopes(run), theirs, rtol=1e-8, atol=1e-9)  # measured: 7e-12


@pytest.mark.parametrize("form", [{"reconstruct": False}, {"variables": "velocity"}, {}])
def test_reduced_equations_velocities_and_given_increments_have_them_too(form):
    """Increments are linear in a step; the quantity depends on a parameter and on velocities."""
    drive = np.linspace(-0.1, 0.2, 12)[:, None]
    call = {"t_end": 0.6, "dt": 0.05, "method": "lie-heun", "driver": drive, "save": "final",
            "stop": sd.Stop("Gamma3 + mass*Omega1/50", above=0.85, locate=True)}  # fmt: skip

    top, start = heavy_top(), {"Omega": [0.3, 0.2, 2.0], "Gamma": [0.6, 0.0, 0.8]}

    def run_of(names, shifts):
        omega = np.tile(start["Omega"], (len(shifts), 1))
        omega[:, 1] += np.where(names == "Omega2", shifts, 0)
        mass = top.values["mass"] + np.where(names == "mass", shifts, 0)
        return top.replace(mass=sd.PerPath(mass)).simulate(
            state={**start, "Omega": omega}, formulation=sd.Formulation(**form), **call
        )

    run = top.simulate(state=start, formulation=sd.Formulation(sensitivity=("mass", "Omega2"), **form), **call)
    assert 0 < run.stopped.time[0] < 0.6
    for quantity in ("Omega", "Gamma"):
        theirs = differences(
            run_of, dict.fromkeys(("mass", "Omega2"), 2.0**-12), lambda run, _, q=quantity: run[q][:, -1]
        )
        assert np.abs(theirs).max() > 0.1
        np.testing.assert_allclose(run.sensitivity(quantity).values[0, -1], theirs, atol=1e-9)  # measured: 8e-12


def test_paths_have_derivatives_of_their_own_at_their_stops(tmp_path):
    """Parameters and starts by path, both engines, statistics, a store, a longer run and the data set."""
    a, q = np.array([0.5, 1.0, 1.5, 0.1]), np.array([2.0, 1.5, 3.0, 2.0])
    call = {"driver": 0, "dt": 0.02, "method": "rk4", "by": ("a", "q"), "state": {"q": q},
            "reduce": sd.Moments(["sensitivity.x"]),
            "stop": [sd.Stop("x", above=5.0), sd.Stop("q", below=1, locate=True)]}  # fmt: skip
    crossing = sd.Crossing("q", 1.25, most=1, keep=["x"])
    system = DECAY.replace(a=sd.PerPath(a))
    run = simulate(system, t_end=1, save=sd.Save("every:25", crossings=crossing), **call)
    t = np.log(q) / a
    stopped = t < 1
    assert stopped.tolist() == [False, True, True, False]
    slopes = np.stack([-1.5 * t / a, 1.5 / (a * q)], axis=-1) * stopped[:, None]
    np.testing.assert_allclose(run.sensitivity("x").values[:, -1], slopes, atol=1e-6)  # measured: 5e-8
    np.testing.assert_allclose(run.reductions["moments"].mean["sensitivity.x"][-1], slopes.mean(axis=0), atol=1e-6)
    (seen,) = run.crossings
    crossed = np.flatnonzero(seen.count)
    at = np.log(q / 1.25) / a
    assert crossed.tolist() == [0, 1, 2]
    np.testing.assert_allclose(seen["sensitivity.time"][crossed, 0, 0], (-at / a)[crossed], atol=1e-6)
    labelled = run.to_xarray()["crossing1_sensitivity_time"].sel(direction="q")
    np.testing.assert_allclose(labelled.values[crossed, 0], (1 / (a * q))[crossed], atol=1e-6)

    stored = simulate(
        system, "compiled", t_end=0.5, save=sd.Save("every:25", crossings=crossing, store=tmp_path / "run"), **call
    )
    assert stored.stopped.paths.tolist() == [1]
    longer = sd.extend(tmp_path / "run", t_end=1, system=system)
    for name in run:
        assert run[name].tobytes() == longer[name].tobytes(), name
    for name in seen:
        assert seen[name].tobytes() == longer.crossings[0][name].tobytes(), name
    rest = simulate(
        system, t_end=1, save="final", **{**call, "state": simulate(system, t_end=0.2, save="final", **call).final}
    )
    assert rest["sensitivity.x"].tobytes() == run["sensitivity.x"][:, -1:].tobytes()


def test_a_stop_at_a_step_has_the_derivatives_at_a_fixed_time():
    """The step at which it stops is piecewise constant in a: differences that do not change it are those at its time."""
    call = {"driver": 0, "t_end": 1, "dt": 0.1, "method": "rk4", "save": "final", "stop": sd.Stop("q", below=1)}
    run = simulate(DECAY, by=("a",), **call)
    assert run.stopped.time[0] == pytest.approx(0.7)
    h = 2.0**-10
    moved = [simulate(DECAY.replace(a=1 + k * h), **call)["q"][0, -1] for k in (1, -1)]
    assert run.sensitivity("q").values[0, -1, 0] == pytest.approx((moved[0] - moved[1]) / (2 * h), rel=1e-6)
    assert run.sensitivity("q").values[0, -1, 0] == pytest.approx(-1.4 * np.exp(-0.7), rel=1e-5)
    assert run.sensitivity("x").values[0, -1, 0] == 0


def test_first_passages_are_those_of_a_run_without_derivatives():
    call = {"driver": 0, "t_end": 1, "dt": 0.05, "method": "rk4", "reduce": sd.FirstPassage("q", 1.2, "down"),
            "stop": sd.Stop("q", below=1, locate=True)}  # fmt: skip
    a, b = (simulate(DECAY, by=by, **call).reductions["first-passage:q"] for by in ((), ("a",)))
    assert np.array_equal(a.passed, b.passed)


LOCATED = [
    {"stop": sd.Stop("q", below=1, locate=True)},
    {"stop": sd.Crossing("q", 1.0)},
    {"save": sd.Save(crossings=sd.Crossing("q", 1.0))},
]


@pytest.mark.parametrize("where", LOCATED)
@pytest.mark.parametrize("engine", ENGINES)
def test_derivatives_at_an_event_that_is_located_under_noise_are_refused(where, engine):
    noisy = DECAY.replace(amplitude=0.1)
    with pytest.raises(MethodError, match=r"located under noise \(q .*driver=0.*locate=False"):
        simulate(noisy, engine, ("a",), t_end=1, dt=0.1, paths=3, method="heun", **where)
    run = simulate(noisy, engine, ("a",), t_end=1, dt=0.1, paths=3, method="heun", stop=sd.Stop("q", below=1))
    assert np.isfinite(run.sensitivity("q").values).all()


@pytest.mark.parametrize("stop", [sd.Stop("size", below=1, locate=True), sd.Crossing("sensitivity.q", -0.1)])
def test_events_without_a_derivative_of_their_time_are_refused(stop):
    with pytest.raises(MethodError, match=r"time (of|at which).*locate=False"):
        simulate(DECAY, by=("a",), driver=0, t_end=1, dt=0.1, method="rk4", stop=stop)


def test_where_a_quantity_only_touches_its_level_nothing_is_said():
    """x = 1.5 t + bend t²/2 is largest where x′ = 0: the time at which it has this value has no derivative."""
    from semidirect.engines.events.event_slopes import slopes_at_event
    from semidirect.engines.events.partial_step import PartialStep
    from semidirect.ensemble.simulation import specify
    from semidirect.specification.conditions.condition import Barrier

    spec = specify(
        DECAY.replace(bend=-1.5 / 0.5),
        driver=0,
        t_end=1,
        dt=1,
        method="rk4",
        formulation=sd.Formulation(sensitivity="a"),
    )
    y, stored = spec.begin
    step = PartialStep(
        spec,
        spec.model,
        np.zeros(1, dtype=np.uint64),
        0,
        y,
        stored,
        spec.contents.everything["x"][0],
        Barrier(0.375, 1),
    )
    found = slopes_at_event(step, np.array([0.5]))
    assert np.isnan(found.time).all()
