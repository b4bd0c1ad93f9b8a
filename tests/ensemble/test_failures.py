"""Paths that fail: counted, located, reported; never among the others."""

import io
import warnings

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError, InputError, UnknownNameError
from semidirect.core.failure import NO_CONTRACTION, REASONS
from semidirect.core.solvers.iteration import CONTRACTING, CONVERGED, fixed_point
from semidirect.ensemble.progress import Progress

BODY = sd.load("rigid-body", advect_gamma=True)
TOO_LONG = REASONS[NO_CONTRACTION]
ENGINES = ["numpy", "compiled"]


class Growing(sd.System):
    """z' = z², beside a body that turns."""

    group = sd.SO3()

    def lagrangian(self, xi):
        return (xi.Omega[0] ** 2 + xi.Omega[1] ** 2 + xi.Omega[2] ** 2) / 2

    def internal(self):
        return [sd.InternalState("z", 0.0, drift=lambda z: [z.z**2])]

    @sd.observable(bound=50.0)
    def size(self, state):
        """|z| declared to be at most 50."""
        return state.z

    @sd.observable()
    def double(self, state):
        """2 z."""
        return 2 * state.z


@pytest.mark.parametrize("engine", ENGINES)
def test_one_path_among_ten_thousand_blows_up(engine):
    """It is named with time and component; the statistics are those of the others."""
    n, bad = 10_000, 7_321
    z = np.random.default_rng(0).uniform(-1, 1, n)
    z[bad] = 3.0
    options = {
        "t_end": 0.5,
        "dt": 0.02,
        "save": sd.Save("final", names=["z"]),
        "execution": sd.Execution(engine=engine),
        "checks": sd.Checks(bounds={"size": np.inf}),
    }
    run = Growing().simulate(**options, state={"z": z}, reduce="moments")
    (failure,) = run.failures()
    assert (failure.path, failure.component, failure.reason) == (bad, "z", "a value is not finite")
    assert 1 / 3 < failure.time <= 0.5
    assert str(failure) == f"path {bad}, t = {failure.time:g} in z: a value is not finite"
    others = np.delete(run["z"][:, 0], bad)
    assert np.isfinite(others).all()
    moments = run.reductions["moments"]
    assert moments.count["z"][-1] == n - 1
    np.testing.assert_allclose(moments.mean["z"][-1], others.mean(), rtol=1e-12)
    np.testing.assert_allclose(moments.variance["z"][-1], others.var(ddof=1), rtol=1e-12)
    np.testing.assert_allclose(run.statistics()["z"]["mean"][-1], others.mean(), rtol=1e-12)


class Relaxing(Growing):
    """z' = −k z."""

    rate = sd.parameter(1.0, symbol="k")

    def internal(self):
        return [sd.InternalState("z", 1.0, drift=lambda z: [-self.rate * z.z])]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_implicit_step_that_does_not_contract_fails_its_path(engine):
    """Iterations contract by k dt/2; where k is too large for it, the path is named, and the others are right."""
    rate = np.full(70, 1.0)
    rate[66] = 50.0
    system = Relaxing(rate=sd.PerPath(rate))
    run = system.simulate(
        t_end=0.6,
        dt=0.1,
        method="implicit-midpoint",
        save=sd.Save(names=["z"]),
        execution=sd.Execution(engine=engine),
        reduce="moments",
    )
    (failure,) = run.failures()
    assert (failure.path, failure.time, failure.reason) == (
        66,
        0.1,
        TOO_LONG,
    )
    np.testing.assert_array_equal(run.reductions["moments"].count["z"], [70, *[69] * 6])
    np.testing.assert_allclose(run.reductions["moments"].mean["z"][1:], run["z"][0, 1:], rtol=1e-14)


@pytest.mark.parametrize("save", ["final", "all"])
def test_newton_replaces_slow_fixed_point_iterations(save):
    """z' = −k z by the midpoint rule: z⁺ = z (1 − q)/(1 + q), q = k dt/2 the factor of the iterations, up to q = 1."""
    q = np.array([0.1, 0.6, 0.9, 0.99, 0.999, 1.0, 1.2])
    system = Relaxing(rate=sd.PerPath(np.repeat(q, 10) * 2 / 0.1))
    runs = [
        system.simulate(t_end=0.5, dt=0.1, method="implicit-midpoint", save=save, execution=sd.Execution(engine=e))
        for e in ENGINES
    ]
    for run in runs:
        np.testing.assert_array_equal(run.data.status, np.repeat([0, 0, 0, 0, 0, 6, 6], 10))
        good = np.repeat(q, 10)[:50]
        # measured 1.6e-15
        np.testing.assert_allclose(run["z"][:50, -1], ((1 - good) / (1 + good)) ** 5, rtol=0, atol=1e-14)
    assert runs[0]["z"].tobytes() == runs[1]["z"].tobytes()
    assert runs[0].final["z"].tobytes() == runs[1].final["z"].tobytes()


def test_what_contracts_to_nothing_has_not_converged():
    """x ← x + 1/(1 + x²) has no fixed point, though each iteration changes less than the one before."""
    x, outcome = fixed_point(lambda x: x + 1 / (1 + x * x), np.ones((1, 2)), np.ones(2))
    np.testing.assert_array_equal(outcome, [CONTRACTING] * 2)
    x, outcome = fixed_point(lambda x: 0.99 * np.cos(x), np.zeros((1, 2)), np.ones(2))
    np.testing.assert_array_equal(outcome, [CONVERGED | CONTRACTING] * 2)
    np.testing.assert_allclose(x, 0.99 * np.cos(x), rtol=0, atol=4e-15)
    _, outcome = fixed_point(lambda x: 3.0 - 2.0 * x, np.zeros((1, 1)), np.ones(1))
    np.testing.assert_array_equal(outcome, [0])


@pytest.mark.parametrize("method", ["lie-heun", "lie-midpoint", "lie-heun(exp)"])
def test_a_step_that_turns_too_far(method):
    """A body at Ω = 40/s turns by 0.4 in a step of 0.01, which is good, and by 2 in one of 0.05, which is not."""
    Omega = np.zeros((3, 3))
    Omega[1] = [0, 0, 40]
    runs = {}
    for engine in ENGINES:
        fine, coarse = (
            BODY.simulate(
                t_end=0.5, dt=dt, state={"Omega": Omega}, method=method, driver=0, execution=sd.Execution(engine=engine)
            )
            for dt in (0.01, 0.05)
        )
        assert fine.good.all()
        (failure,) = coarse.failures()
        assert failure.path == 1
        assert failure.time == pytest.approx(0.05)
        assert failure.reason in (
            "a step rotated by more than π/2",
            TOO_LONG,
        )
        if method != "lie-midpoint":
            assert failure.reason == "a step rotated by more than π/2"
        runs[engine] = coarse
    for name in ("status", "failed_at", "failed_component"):
        assert getattr(runs["numpy"].data, name).tobytes() == getattr(runs["compiled"].data, name).tobytes()
    flat = BODY.simulate(t_end=0.1, dt=0.05, state={"Omega": Omega}, method="heun", driver=0)
    assert flat.good.all()


@pytest.mark.parametrize("engine", ENGINES)
def test_nan_is_within_no_bound(engine):
    """√(1/2 − z) at z > 1/2, where the state itself is finite."""

    class Rooted(Growing):
        @sd.observable(bound=10.0)
        def root(self, state):
            return ops.sqrt(0.5 - state.z)

    run = Rooted().simulate(t_end=0.25, dt=2**-6, state={"z": [0.4, 0.1, 0.47]}, execution=sd.Execution(engine=engine))
    (failure,) = run.failures()
    assert (failure.path, failure.component, failure.reason) == (2, "root", "a value is beyond its bound")
    assert np.isnan(run["root"][2, -1])
    assert np.isfinite(run["root"][:2]).all()


@pytest.mark.parametrize("engine", ENGINES)
def test_bounds_declared_and_given(engine):
    z = [0.5, 0.9, 0.2]
    run = Growing().simulate(
        t_end=1.1, dt=0.01, state={"z": z}, execution=sd.Execution(engine=engine), reduce="moments"
    )
    (failure,) = run.failures()
    assert (failure.path, failure.component, failure.reason) == (1, "size", "a value is beyond its bound")
    n = round(failure.time / 0.01)
    assert run["z"][1, n - 1] <= 50 < run["z"][1, n]
    assert run.config["bounds"] == {"size": 50.0}
    assert run.reductions["moments"].count["z"][n - 1] == 3
    assert run.reductions["moments"].count["z"][n] == 2
    run = Growing().simulate(
        t_end=0.5,
        dt=0.01,
        state={"z": z},
        execution=sd.Execution(engine=engine),
        checks=sd.Checks(bounds={"double": 1.5, "size": 10}),
    )
    assert [(f.path, f.component) for f in run.failures()] == [(1, "double")]
    assert run.failures()[0].time == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_mask_and_raise(engine):
    options = {"t_end": 0.5, "dt": 0.01, "state": {"z": [0.1, 3.0, 4.0]}, "execution": sd.Execution(engine=engine)}
    plain = Growing().simulate(**options)
    masked = Growing().simulate(**options, checks=sd.Checks(on_failure="mask"))
    assert [f.path for f in plain.failures()] == [f.path for f in masked.failures()] == [1, 2]
    for p in range(3):
        late = plain.times >= plain.data.failed_at[p]
        assert late.any() == (p > 0)
        for name in plain:
            assert np.isnan(masked[name][p, late]).all()
            assert masked[name][p, ~late].tobytes() == plain[name][p, ~late].tobytes()
    assert np.isnan(masked.final["z"][1:]).all()
    assert np.isfinite(masked.final["z"][0])
    with pytest.raises(
        sd.errors.SimulationError, match=r"2 paths failed: path 1, t = .* in size: .*; path 2"
    ) as caught:
        Growing().simulate(**options, checks=sd.Checks(on_failure="raise"))
    assert [f.path for f in caught.value.failures] == [1, 2]
    assert isinstance(caught.value.failures[0], sd.runs.Failure)
    assert Growing().simulate(t_end=0.1, dt=0.01, checks=sd.Checks(on_failure="raise")).good.all()


def test_what_is_refused():
    for options, error in (({"on_failure": "ignore"}, UnknownNameError), ({"bounds": {"enrgy": 1}}, UnknownNameError),
                           ({"bounds": {"energy": -1}}, InputError), ({"bounds": {"energy": "1"}}, InputError)):  # fmt: skip
        with pytest.raises(error):
            BODY.simulate(t_end=0.1, dt=0.01, checks=sd.Checks(**options))
    with pytest.raises(DefinitionError, match="bound of an observable: expected a positive number"):
        sd.observable(bound=-1)(lambda self, state: 0)


# -- progress ----------------------------------------------------------------------------------------------------------


def test_progress_counts_paths_and_says_the_time_left():
    now, stream = [0.0], io.StringIO()
    progress = Progress(10, 100, stream, lambda: now[0])
    for t in (0.5, 2.0, 2.1, 4.0):
        now[0] = t
        progress.advance(100)
    lines = stream.getvalue().split("\r")[1:]
    assert lines[0] == "2 of 10 paths, 20 %, 8 s left"
    assert lines[1] == "4 of 10 paths, 40 %, 6 s left"
    assert len(lines) == 2
    progress.line.erase()
    assert stream.getvalue().endswith("\r" + " " * len(lines[1]) + "\r")


class Terminal(io.StringIO):
    """A stream that calls itself a terminal."""

    def isatty(self):
        return True


class Notebook(io.StringIO):
    """A stream as that of a cell, which is no terminal."""

    __module__ = "ipykernel.iostream"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seen", [Terminal, Notebook])
def test_progress_is_shown_where_somebody_sees_it(monkeypatch, engine, seen):
    monkeypatch.setattr("semidirect.ensemble.progress.FIRST_AFTER", 0.0)
    monkeypatch.setattr("semidirect.ensemble.progress.EVERY", 0.0)
    options = {"t_end": 1, "dt": 0.01, "paths": 100, "execution": sd.Execution(engine=engine, progress=True)}
    shown, hidden = seen(), io.StringIO()
    monkeypatch.setattr("sys.stderr", shown)
    BODY.simulate(**options)
    monkeypatch.setattr("sys.stderr", hidden)
    BODY.simulate(**options)
    monkeypatch.undo()
    assert "100 of 100 paths, 100 %" in shown.getvalue()
    assert hidden.getvalue() == ""


SHORT = {"t_end": 0.5, "dt": 0.02, "save": sd.Save("final", names=["z"])}


@pytest.mark.parametrize(
    "how",
    [{}, {"execution": sd.Execution(engine="compiled")}, {"checks": sd.Checks({"size": 1e300}, "mask")}, {"reduce": "moments"},
     {"save": sd.Save("final", names=["z"], store="run.zarr")}],
)  # fmt: skip
def test_failed_paths_warn_once(how, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.warns(sd.errors.FailedPathsWarning) as caught:
        run = Growing().simulate(
            **{**SHORT, "state": {"z": [0.0, 4.0, 1.0, 6.0]}, "checks": sd.Checks({"size": 1e300}), **how}
        )
    (warning,) = caught
    first = min(run.failures(), key=lambda failure: failure.time)
    assert first.path == 3
    assert str(warning.message) == (
        f"2 of 4 paths failed: a value is not finite; the first is path 3, at t = {first.time:g} in z. "
        "run.failures() lists all; statistics leave a path out from its failure on, averages over time leave it out altogether."
    )
    assert warning.filename == __file__


def test_causes_are_counted():
    with pytest.warns(
        sd.errors.FailedPathsWarning, match=r"3 of 4 paths failed: .*not finite \(2\); .*bound \(1\); the first"
    ):
        Growing().simulate(
            **SHORT, state={"z": [0.0, 4.0, 6.0, 1.9]}, checks=sd.Checks(bounds={"size": 30.0}), stop=None
        )


def test_a_run_that_is_extended_warns(tmp_path):
    with pytest.warns(sd.errors.FailedPathsWarning, match="1 of 2 paths failed"):
        Growing().simulate(t_end=0.5, dt=0.02, state={"z": [0.0, 4.0]}, save=sd.Save(store=tmp_path / "run"))
    with pytest.warns(sd.errors.FailedPathsWarning, match="1 of 2 paths failed") as caught:
        sd.extend(tmp_path / "run", t_end=0.6, system=Growing())
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("how", [{}, {"stop": sd.Stop("z", above=0.5)}])
def test_runs_without_failures_do_not_warn(how):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = Growing().simulate(**SHORT, **how, state={"z": [0.0, 0.9]})
    assert not run.failures()


def test_runs_that_are_compared_tell_of_failures_themselves():
    """A method that fails at a long step is a result of a comparison, not a surprise."""
    from semidirect.analysis.convergence_study import convergence

    with warnings.catch_warnings():
        warnings.simplefilter("error", sd.errors.FailedPathsWarning)
        with pytest.raises(InputError, match="too many paths fail"):
            convergence(Growing(), "heun", t_end=0.5, dt=0.125, paths=1, state={"z": 4.0})
