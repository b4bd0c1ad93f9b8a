"""Runs that start at another time than 0: a run in two parts is the run in one, and what depends on time meets its time."""

import json
import logging
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence
from semidirect.analysis.monitor.monitor import _at_half_the_step
from semidirect.cli.entry import main
from semidirect.compile.kernels import KERNELS
from semidirect.core.errors import InputError, StoreError
from semidirect.ensemble import specify
from semidirect.ensemble.store.store import Store
from semidirect.random.driving_path import DrivingPath
from semidirect.random.wiener import WienerNoise
from semidirect.specification import RunSpec
from semidirect.specification.schedule import selected_steps, steps_between
from semidirect.state.state import InitialState

DT, STEPS, PATHS = 0.02, 12, 5
END = STEPS * DT


class Rocked(sd.System):
    """A top whose potential, noise and forces depend on time, with an internal state that does: nothing commutes."""

    forced = sd.option(False)
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    initial = {"Omega": (0.9, -0.4, 0.6), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi, a, t, z):
        rocking = (1 + 0.2 * ops.sin(5 * t)) * xi.Omega[0] ** 2 + xi.Omega[2] ** 2
        return (ops.dot(xi.Omega, xi.Omega) + rocking) / 2 - ops.cos(7 * t) * a.Gamma[0] * (1 + z.q)

    def internal(self):
        return [sd.InternalState("q", 0.3, lambda z, t: ops.cos(9 * t) - z.q, ())]

    def constraint(self):
        def amplitudes(a, t):
            return [0.3 * ops.stack([ops.sin(3 * t), a.Gamma[0], 0.4]), 0.3 * ops.stack([0.1, ops.exp(-t), a.Gamma[1]])]

        return sd.Unconstrained(noise=() if self.forced else sd.StateNoise(amplitudes))

    def independent_force(self, t):
        return [(0.4, 0.1 + ops.sin(4 * t), 0.0), (0.0, 0.3, ops.cos(t))] if self.forced else []

    @sd.observable(unit="J", status="random")
    def energy(self, state):
        return ops.dot(state.Omega, state.M) / 2 + state.Gamma[0]


TOP, BALL = Rocked(), sd.load("rolling-ball")
W = ["sin(20*t)", "t**2"]
#: what each needs of the noise, and one of every kind of equations: system, options
CASES = {
    "increments": (TOP, {"method": "heun"}),
    "sums of finer increments": (TOP, {"method": "lie-heun", "driver": sd.Wiener(DT / 4)}),
    "bridges below the resolution": (TOP, {"method": "lie-midpoint", "driver": sd.Wiener(8 * DT)}),
    "correlated": (TOP, {"method": "heun", "driver": sd.Wiener(covariance=[[1, 0.5], [0.5, 1]])}),
    "implicit": (TOP, {"method": "implicit-midpoint"}),
    "covectors": (BALL, {"method": "implicit-midpoint", "formulation": sd.Formulation(form="A")}),
    "velocities": (TOP, {"method": "heun", "formulation": sd.Formulation(variables="velocity")}),
    "no configuration": (TOP, {"method": "heun", "formulation": sd.Formulation(reconstruct=False)}),
    "areas": (TOP, {"method": "milstein(areas)"}),
    "areas, joined": (TOP, {"method": "lie-milstein", "driver": sd.Wiener(DT / 2)}),
    "time integrals": (Rocked(forced=True), {"method": "sra1"}),
    "three points and signs": (TOP, {"method": "rs2", "driver": sd.Wiener(increment_law="three-point")}),
    "a path": (TOP, {"method": "heun", "driver": W}),
    "a path, by stages": (TOP, {"method": "rkmk4", "driver": W}),
    "no noise": (sd.load("rigid-body"), {"method": "variational", "driver": 0}),
    "an angle": (sd.load("rolling-disk"), {"method": "lie-heun"}),
}
ENGINES = ("increments", "implicit", "areas")
"""Of which kernels are compiled: drawn by the kernel itself, in iterations, given."""


@cache
def whole(case, engine="numpy", paths=PATHS):
    system, options = CASES[case]
    run = system.simulate(
        t_end=END,
        dt=DT,
        paths=paths,
        seed=7,
        execution=sd.Execution(engine=engine, threads=1),
        reduce="moments",
        **options,
    )
    assert run.good.all()
    return run


def parts(case, split, engine="numpy", paths=PATHS, **more):
    """The run to a step, and the run that goes on from there."""
    system, options = CASES[case]
    asked = {"dt": DT, "execution": sd.Execution(engine=engine, threads=1), "reduce": "moments", **options}
    first = system.simulate(t_end=split * DT, seed=7, paths=paths, **asked)
    return first, system.simulate(t_end=END, state=first.final, **asked, **more)


def assert_second_part(run, of, split):
    """Bit for bit: what was saved, the end, the statistics, and the times, whose bits are those of the whole run."""
    assert list(run) == list(of)
    for name in of:
        assert run[name].tobytes() == np.ascontiguousarray(of[name][:, split:]).tobytes(), name
    for ours, theirs in ((run.final, of.final), (run.final.end, of.final.end)):
        assert {k: v.tobytes() for k, v in ours.items()} == {k: v.tobytes() for k, v in theirs.items()}
    assert run.times.tobytes() == of.times[split:].tobytes()
    ours, theirs = run.reductions["moments"], of.reductions["moments"]
    for kind in ("mean", "variance", "count"):
        for name, values in getattr(theirs, kind).items():
            assert getattr(ours, kind)[name].tobytes() == np.ascontiguousarray(values[split:]).tobytes(), (kind, name)


# -- in two parts --------------------------------------------------------------------------------------------------


@given(case=st.sampled_from(sorted(CASES)), split=st.integers(1, STEPS - 1), said=st.booleans())
def test_a_run_in_two_parts_is_the_run_in_one(case, split, said):
    """Whatever the method needs of the noise, whatever depends on time, wherever it is split: default and explicit t_start."""
    first, second = parts(case, split, **({"t_start": split * DT, "seed": 7} if said else {}))
    assert_second_part(second, whole(case), split)
    assert (first.config.get("t_start"), second.config["t_start"]) == (None, split * DT)
    assert second.config["seed"] == first.final.seed == 7
    assert (first.final.t, second.data.t_start, second.data.steps) == (first.times[-1], first.times[-1], STEPS - split)
    assert "t_start" not in whole(case).config


@settings(max_examples=12)
@given(case=st.sampled_from(ENGINES), split=st.integers(1, STEPS - 1), then=st.booleans())
def test_engines_go_on_for_each_other(case, split, then):
    """From array code by a kernel, and the reverse; odd and even steps, which share random words."""
    of = whole(case)
    first, _ = parts(case, split, "numpy" if then else "compiled")
    system, options = CASES[case]
    second = system.simulate(t_end=END, dt=DT, state=first.final, execution=sd.Execution(engine="compiled" if then else "numpy"),
                             reduce="moments",
                             **options)  # fmt: skip
    assert_second_part(second, of, split)


@settings(max_examples=25)
@given(split=st.integers(1, STEPS - 1), threads=st.integers(1, 3), chunk=st.integers(8, 40))
def test_neither_threads_nor_chunks_matter(split, threads, chunk):
    of = whole("increments", paths=40)
    first, _ = parts("increments", split, paths=40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunSpec, "usual_chunk", lambda *given: chunk)
        second = TOP.simulate(
            t_end=END, dt=DT, state=first.final, method="heun", execution=sd.Execution(engine="numpy", threads=threads)
        )
    for name in of:
        assert second[name].tobytes() == np.ascontiguousarray(of[name][:, split:]).tobytes(), name


def test_no_start_compiles_anything(monkeypatch):
    """Nor do the stretches that one call of a kernel runs, here of two steps."""
    monkeypatch.setattr("semidirect.engines.built_in.kernel_engine.STEPS_AT_ONCE", 2)
    parts("increments", 3, "compiled")
    before = KERNELS.all()
    for split in (1, 4, 9):
        assert_second_part(parts("increments", split, "compiled")[1], whole("increments"), split)
    assert KERNELS.all() == before


def test_the_reference_method_goes_on_to_its_tolerance():
    """It chooses its steps anew; states and a path W(t) are at their times."""
    asked = {"dt": DT, "method": "dop853", "driver": W}
    of, first = TOP.simulate(t_end=END, **asked), TOP.simulate(t_end=5 * DT, **asked)
    second = TOP.simulate(t_end=END, state=first.final, **asked)
    for name in of:
        np.testing.assert_allclose(second[name], of[name][:, 5:], rtol=0, atol=1e-12)  # measured 6.6e-14
    late = TOP.simulate(t_end=END, state=dict(first.final), t_start=4 * DT, **asked)
    assert np.abs(late["M"][:, -1] - of["M"][:, -1]).max() > 1e-3  # measured 0.048


def test_momenta_are_those_of_the_start():
    """M = ∂l/∂Ω at t_start, where l depends on time."""
    M = (0.5, -0.3, 0.8)
    late, early = (TOP.simulate(t_start=t, t_end=t + 0.1, dt=0.1, state={"M": M}) for t in (0.3, 0.0))
    np.testing.assert_allclose(late["M"][0, 0], M, rtol=0, atol=1e-15)  # measured 0
    assert abs(late["Omega"][0, 0, 0] - early["Omega"][0, 0, 0]) > 0.01  # measured 0.023


def test_a_plain_state_goes_on_to_rounding():
    """Names and values, without the state vector: velocities instead of momenta."""
    asked = {"dt": DT, "seed": 7, "method": "lie-heun"}
    of, first = (BALL.simulate(t_end=t, paths=PATHS, **asked) for t in (END, 0.1))
    second = BALL.simulate(t_end=END, state=dict(first.final), t_start=0.1, **asked)
    for name in second:
        np.testing.assert_allclose(second[name], of[name][:, 5:], rtol=0, atol=1e-13)  # measured 1.1e-14


def test_a_state_of_other_equations_goes_on_by_its_names():
    """Another parameter: the velocity goes on, not the momentum; another form: to rounding."""
    ball = sd.load("rolling-ball", inertia=(3.0, 3.0, 2.0))
    first = BALL.simulate(t_end=0.1, dt=DT, method="lie-heun")
    heavier = ball.simulate(t_end=END, dt=DT, method="lie-heun", state=first.final)
    assert heavier.data.t_start == 0.1
    np.testing.assert_allclose(heavier["Omega"][:, 0], first["Omega"][:, -1], rtol=0, atol=2e-15)  # measured 4.4e-16
    assert np.abs(heavier["M"][:, 0] - first["M"][:, -1]).max() > 0.1
    assert first.final.vector(ball, ball.workings.model()) is None
    assert first.final.vector(BALL, BALL.workings.model(form="A")) is None
    y, stored = first.final.vector(BALL, BALL.workings.model())
    np.testing.assert_array_equal(y[:3].T, first["M"][:, -1])
    np.testing.assert_array_equal(InitialState.of(BALL, first.final, model=BALL.workings.model()).stored, stored)


def test_parameters_path_by_path():
    body = sd.load("rigid-body")
    values = [[1.0, 1.5, 2.0], [1.0, 1.2, 1.5], [1.5, 1.6, 1.7]]
    systems = [body.replace(inertia=sd.PerPath([*values[:2], last])) for last in (values[2], values[2], values[1])]
    asked = {"dt": DT, "method": "heun"}
    of, first = systems[0].simulate(t_end=END, **asked), systems[0].simulate(t_end=0.1, **asked)
    again, other = (
        s.simulate(t_end=END, state=first.final, **asked, checks=sd.Checks(validate=False)) for s in systems[1:]
    )
    assert again["M"].tobytes() == np.ascontiguousarray(of["M"][:, 5:]).tobytes()
    assert first.final.vector(systems[2], systems[2].workings.model()) is None
    np.testing.assert_allclose(other["M"][:2], again["M"][:2], rtol=0, atol=1e-14)  # measured 1.1e-16
    assert np.abs(other["M"][2] - again["M"][2]).max() > 0.1


# -- time ----------------------------------------------------------------------------------------------------------


class Clock(sd.System):
    """q′ = cos t beside a particle that a force pushes by ∘dW: x = ∫ y dt, y = W."""

    group = sd.RealSpace(1, coordinates=("x",))
    initial = {"q": 0.0}

    def internal(self):
        return [sd.InternalState("q", 0.0, lambda t: ops.cos(t), ())]

    def lagrangian(self, xi):
        return xi.v**2 / 2

    def independent_force(self):
        return [(1.0,)]


def test_time_dependent_terms_use_absolute_time():
    """q(t) − q(t₀) = sin t − sin t₀ and v(t) − v(t₀) = W(t) − W(t₀), which sums of chords give exactly."""
    run = Clock().simulate(t_start=2, t_end=3, dt=2**-8, method="heun", driver="t**3", state={"q": 1.0, "v": 0.5})
    np.testing.assert_array_equal(run.times, 2 + np.arange(257) / 256)
    np.testing.assert_allclose(run["q"][0], 1 + np.sin(run.times) - np.sin(2), rtol=0, atol=3e-6)  # measured 1.0e-6
    np.testing.assert_allclose(run["v"][0], 0.5 + run.times**3 - 8, rtol=0, atol=1e-14)  # measured 0
    early = Clock().simulate(t_end=1, dt=2**-8, method="heun", driver="t**3", state={"q": 1.0, "v": 0.5})
    assert np.abs(early["q"] - run["q"]).max() > 1


def test_the_noise_is_that_of_the_steps_from_t_0_on():
    """Independently of a first part: a run is driven by the increments of its steps, and takes arrays of its own steps."""
    noise = WienerNoise(7, 1, DT)
    run = Clock().simulate(t_start=10 * DT, t_end=15 * DT, dt=DT, paths=4, seed=7, method="heun")
    dW = noise.block(range(4), 10, 5, DT)
    np.testing.assert_allclose(
        run["v"].T, np.concatenate([np.zeros((1, 4)), np.cumsum(dW[:, 0], axis=0)]), rtol=0, atol=1e-15
    )
    asked = {"t_start": 10 * DT, "t_end": 15 * DT, "dt": DT, "paths": 4, "method": "heun"}
    given = Clock().simulate(**asked, driver=dW)
    assert given["v"].tobytes() == run["v"].tobytes()
    placed = Clock().simulate(**asked, driver=DrivingPath.from_increments(noise.block(range(4), 0, 15, DT), DT))
    assert placed["v"].tobytes() == run["v"].tobytes()
    late = DrivingPath.from_increments(dW, DT, 10)
    assert Clock().simulate(**asked, driver=late)["v"].tobytes() == run["v"].tobytes()
    with pytest.raises(InputError, match=r"begins after this step: expected a time from 0\.2, got 0\.18"):
        Clock().simulate(**{**asked, "t_start": 9 * DT}, driver=late)
    with pytest.raises(InputError, match="increments of 6 steps, got 5 of them"):
        Clock().simulate(**{**asked, "t_start": 9 * DT}, driver=dW)
    np.testing.assert_allclose(late.value(np.array([10, 12.5, 15]) * DT)[0, :, 0],
                               [0, dW[:2, 0, 0].sum() + dW[2, 0, 0] / 2, dW[:, 0, 0].sum()], rtol=0, atol=1e-15)  # fmt: skip
    with pytest.raises(InputError, match=r"not defined at this time: expected 0\.2 to 0\.3"):
        late.value(9 * DT)


def test_fields_at_a_state_are_at_its_time():
    first = TOP.simulate(t_end=0.1, dt=DT, seed=7, method="lie-heun")
    for ask in (TOP.evaluate, TOP.linearise):
        ours, at, other = (repr(ask(first.final, **t)) for t in ({}, {"t": first.final.t}, {"t": 0.0}))
        assert ours == at != other


# -- what is kept, reduced, looked at ---------------------------------------------------------------------------------


@given(
    first=st.integers(0, 40),
    count=st.integers(1, 40),
    every=st.integers(1, 50),
    picked=st.lists(st.integers(0, 40), max_size=4),
)
def test_selected_steps_lie_between_first_and_last(first, count, every, picked):
    last = first + count
    assert steps_between(first * DT, last * DT, DT) == (first, last)
    kept = selected_steps(f"every:{every}", last, DT, first)
    assert kept.tolist() == sorted({*range(first, last + 1, every), last})
    times = [min(first + k, last) * DT for k in picked]
    assert selected_steps(times, last, DT, first).tolist() == sorted({*(min(first + k, last) for k in picked), last})
    if first:
        with pytest.raises(InputError, match=f"a multiple of 0.02 from {first * DT:g} to {last * DT:g}"):
            selected_steps([(first - 1) * DT], last, DT, first)


def test_times_events_and_statistics_are_absolute():
    stop = sd.Stop("energy", above=2.0, every=2)
    of = TOP.simulate(t_end=1, dt=DT, seed=1, paths=40, method="heun", stop=stop)
    first = TOP.simulate(t_end=0.4, dt=DT, seed=1, paths=40, method="heun", stop=stop)
    on = first.data.status == 0
    assert 0 < on.sum() < 40
    with pytest.raises(
        InputError, match=r"paths ended before t = 0\.4 and cannot be continued.*status 3.*path \d+, t = "
    ) as caught:
        TOP.simulate(t_end=1, dt=DT, state=first.final, stop=stop)
    assert "run.data.status == 0" in caught.value.hint
    run = TOP.simulate(
        t_end=1, dt=DT, state=first.final, t_start=0.4, seed=1, method="heun", stop=stop, save="times:0.5,0.8",
        reduce=sd.Reduce(sd.FirstPassage("energy", 2.0), at="every:2"), )  # fmt: skip
    np.testing.assert_array_equal(run.times, np.array([25, 40, 50]) * DT)
    np.testing.assert_array_equal(run.stopped.time[on], of.stopped.time[on])
    assert np.isfinite(run.stopped.time[on]).any()
    assert (run.stopped.time[~on] >= 0.4).all()  # with t_start, they start there
    passage = run.reductions["first-passage:energy"]
    np.testing.assert_array_equal(passage.times, np.arange(20, 51, 2) * DT)
    assert passage.passed[0] == (run.stopped.time == 0.4).sum() > 0
    at = run.stopped.time[np.isfinite(run.stopped.time)]
    np.testing.assert_allclose(passage.mean_time, at.mean(), rtol=1e-14)
    odd = BALL.simulate(t_start=3 * DT, t_end=END, dt=DT, stop=sd.Stop("energy", above=-1e9, every=2))
    assert odd.stopped.time == 3 * DT  # looks are counted from the start
    dataset = run.to_xarray()
    np.testing.assert_array_equal(dataset["time"], run.times)
    assert json.loads(dataset.attrs["config"])["t_start"] == 0.4


def test_paths_that_failed_do_not_go_on():
    asked = {"dt": DT, "method": "heun", "checks": sd.Checks(bounds={"energy": 2.25}), "paths": 40, "seed": 1}
    first = TOP.simulate(t_end=1, **asked)
    assert 0 < first.good.sum() < 40
    with pytest.raises(InputError, match="status 5"):
        TOP.simulate(t_end=2, dt=DT, state=first.final)
    left = {name: values[first.good] for name, values in first.final.items()}
    run = TOP.simulate(t_end=2, t_start=1, dt=DT, state=left, checks=sd.Checks(validate=False))
    assert run.paths == first.good.sum()
    part = first.final.of_paths(slice(0, 3))
    assert part["Omega"].shape == (3, 3)
    assert "energy" not in part


def test_the_error_check_is_on_the_noise_of_these_steps():
    asked = {"t_start": 0.1, "t_end": END, "paths": 3, "seed": 7, "method": "lie-heun", "driver": sd.Wiener(DT)}
    run = TOP.simulate(dt=DT, **asked, checks=sd.Checks(error_check=True))
    fine = TOP.simulate(dt=DT / 2, **asked)
    largest = np.linalg.norm(run["Omega"] - fine["Omega"][:, ::2], axis=-1).max()
    np.testing.assert_allclose(run.error_check.outputs["Omega"].largest, largest, rtol=1e-12)


def test_the_monitor_looks_at_the_same_steps_again():
    run = TOP.simulate(t_start=0.1, t_end=END, dt=DT, paths=3, seed=7, method="lie-heun")
    again = _at_half_the_step(TOP, run.data)
    np.testing.assert_array_equal(again.times, run.times)
    difference = np.abs(again["Omega"] - run["Omega"]).max()
    assert difference < 0.01  # measured 0.0067, where a step moves it by up to 0.13
    assert np.abs(np.diff(run["Omega"], axis=1)).max() > 0.1
    assert [f.quantity for f in run.monitor().findings] == ["energy"]
    with pytest.raises(InputError, match=r"several times, from 0\.1 on"):
        TOP.simulate(t_start=0.1, t_end=END, dt=DT, save="times:0.2").monitor()


def test_studies_of_methods_start_where_they_are_asked_to():
    """Order 2 along W(t), and the limit is that of the reference method at the same times."""
    asked = {"t_start": 1.0, "t_end": 1.5, "dt": 1 / 32, "driver": W, "levels": 5}
    study = convergence(TOP, "heun", **asked, finer=1)
    assert study.right_limit
    assert abs(study.curves[0].fit.slope - 2) < 0.1  # measured 2.04
    assert (study.t_start, study.t_end) == (1.0, 1.5)
    state = TOP.simulate(t_end=1, dt=0.25, method="lie-heun").final
    found = compare(TOP, ["heun"], dt=1 / 16, levels=1, driver=W, state=state, timed=False)
    assert (found.t_start, found.t_end) == (found.times[0], found.times[-1]) == (1.0, 2.0)
    point = found.points[0]
    assert point.work == 16 * point.evaluations


# -- on disk -------------------------------------------------------------------------------------------------------


def tree(path):
    return {str(f.relative_to(path)): f.read_bytes() for f in path.rglob("*") if f.is_file()}


@pytest.mark.parametrize("paths", [1, 70])
def test_a_store_goes_on_and_is_resumed_and_extended(tmp_path, monkeypatch, paths):
    monkeypatch.setattr(RunSpec, "usual_chunk", lambda *given: 64)
    asked = {"dt": DT, "method": "lie-heun", "save": "every:2"}
    of = TOP.simulate(t_end=0.4, seed=7, paths=paths, **asked)
    TOP.simulate(
        t_end=0.16, seed=7, paths=paths, **{**asked, "save": sd.Save("every:2", store=tmp_path / "first.zarr")}
    )
    first = sd.Run.load(tmp_path / "first.zarr")
    assert (first.final.t, first.final.seed) == (8 * DT, 7)
    call = {"state": first.final, **asked}
    second = TOP.simulate(t_end=0.24, **{**call, "save": sd.Save("every:2", store=tmp_path / "second.zarr")})
    assert sd.Run.load(tmp_path / "second.zarr").data.t_start == second.times[0] == 8 * DT
    before = tree(tmp_path / "second.zarr")
    (tmp_path / "second.zarr/record/checksums/c.0.0.0").unlink()
    with pytest.raises(StoreError, match=r"t_start: 0\.16 in the store, 0\.12 requested"):
        TOP.simulate(
            t_end=0.24,
            t_start=0.12,
            **{**call, "save": sd.Save("every:2", store=tmp_path / "second.zarr", resume=True)},
        )
    with pytest.raises(StoreError, match="inputs"):
        TOP.simulate(t_end=0.24, t_start=0.16, seed=7, **{
            **call, "state": dict(first.final), "save": sd.Save("every:2", store=tmp_path / "second.zarr", resume=True),
        })  # fmt: skip
    TOP.simulate(t_end=0.24, **{**call, "save": sd.Save("every:2", store=tmp_path / "second.zarr", resume=True)})
    assert tree(tmp_path / "second.zarr") == before
    third = sd.extend(tmp_path / "second.zarr", t_end=0.4, system=TOP)
    np.testing.assert_array_equal(third.times, of.times[4:])
    for name in of:
        assert third[name].tobytes() == np.ascontiguousarray(of[name][:, 4:]).tobytes(), name
    TOP.simulate(t_end=0.4, **{**call, "save": sd.Save("every:2", store=tmp_path / "at once.zarr")})
    assert tree(tmp_path / "at once.zarr") == tree(tmp_path / "second.zarr")


def test_a_run_saved_from_memory_goes_on_too(tmp_path):
    system = sd.load("rigid-body").replace(inertia=sd.PerPath([[1.0, 1.5, 2.0], [1.0, 1.2, 1.5]]))
    asked = {"dt": DT, "method": "heun"}
    of, first = system.simulate(t_end=END, seed=3, **asked), system.simulate(t_end=0.1, seed=3, **asked)
    loaded = sd.Run.load(first.save(tmp_path / "run.zarr"))
    second = system.simulate(t_end=END, state=loaded.final, **asked)
    for name in of:
        assert second[name].tobytes() == np.ascontiguousarray(of[name][:, 5:]).tobytes(), name
    assert sd.Run.load(second.save(tmp_path / "second.zarr")).data.t_start == second.data.t_start
    manifest = Store.open(tmp_path / "run.zarr").manifest
    less = replace(manifest, config={k: v for k, v in manifest.config.items() if k != "seed"})
    (tmp_path / "run.zarr/zarr.json").write_bytes(less.encoded())
    with pytest.raises(StoreError, match="cannot be read as a run"):
        sd.Run.load(tmp_path / "run.zarr")


# -- what is refused, and what is said -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"t_start": 0.15, "t_end": 1},
            r"t_start is not a multiple of dt: expected a whole number of steps, got 1\.5 steps",
        ),
        ({"t_start": -0.1, "t_end": 1}, "t_start: expected a finite number of seconds, at least 0, got -0.1"),
        ({"t_start": np.nan, "t_end": 1}, "t_start: .*got nan"),
        ({"t_start": "0", "t_end": 1}, "t_start: .*got '0'"),
        ({"t_start": True, "t_end": 1}, "t_start: .*got True"),
        ({"t_start": 1, "t_end": 1}, r"t_end: expected a time after t_start = 1, got 1\. Times are absolute"),
        ({"t_start": 2, "t_end": 1}, "t_end: expected a time after t_start = 2, got 1"),
        ({"t_start": 2**43, "t_end": 2**43 + 1}, "the noise is defined for at most"),
    ],
)
def test_bad_times_are_refused(asked, message):
    with pytest.raises(InputError, match=message):
        TOP.simulate(dt=0.1, **asked)


def test_noise_ends_where_its_counter_does():
    """A step has 46 bits: beyond, the noise of other components would be met again."""
    asked = {"dt": 1.0, "seed": 7, "method": "heun"}
    last = BALL.simulate(t_start=2**46 - 2, t_end=2**46, **asked)
    assert last.data.steps == 2
    with pytest.raises(
        InputError, match=r"the noise is defined for at most 2\*\*46 steps after t = 0: expected at most 2\*\*46 steps"
    ):
        TOP.simulate(t_start=2**46 - 1, t_end=2**46 + 1, **asked)
    with pytest.raises(InputError, match="defined for at most"):
        TOP.simulate(t_start=2**45, t_end=2**45 + 1, driver=sd.Wiener(0.5), **asked)


def test_a_final_state_brings_its_time_along_and_says_so():
    run = TOP.simulate(t_end=0.2, dt=DT, seed=9, paths=2)
    assert repr(run.final) == "Final(t = 0.2 s, 2 paths: Omega, Gamma, q, g)"
    with pytest.raises(
        InputError, match=r"t_end: expected a time after 0\.2, at which the run ended .*got 0\.1.*t_start=0"
    ):
        TOP.simulate(t_end=0.1, dt=DT, state=run.final)
    with pytest.raises(InputError, match="t_start is not a multiple of dt"):
        TOP.simulate(t_end=0.3, dt=0.03, state=run.final)
    with pytest.raises(ValueError, match="read-only"):
        run.final["Omega"][0] = 1
    with pytest.raises(
        InputError, match=r"unknown state variable at the end of the run 'Omaga'\. Did you mean 'Omega'"
    ):
        run.final["Omaga"]


def test_a_restart_on_the_same_noise_warns(caplog):
    run = TOP.simulate(t_end=0.2, dt=DT, seed=9)
    with caplog.at_level(logging.WARNING, logger="semidirect"):
        again = TOP.simulate(t_end=0.1, dt=DT, state=run.final, t_start=0)
    assert [r.getMessage() for r in caplog.records] == [
        "the noise from t = 0 on, seed 9, is made of the random numbers that brought the paths to this state; give another seed"
    ]
    assert again.times[0] == 0
    caplog.clear()
    for free in ({"seed": 10, "t_start": 0}, {"t_start": 0.2, "t_end": 0.3}, {"t_start": 0, "driver": 0}):
        TOP.simulate(**{"t_end": 0.1, "dt": DT, "state": run.final, **free})
    assert not caplog.records


@pytest.mark.parametrize("factor", [0.5, 2, 4])
def test_a_run_goes_on_along_the_same_brownian_path_at_another_step(factor, caplog):
    """W to the end at the finer of both resolutions is that of one run; nothing is met again."""
    first = TOP.simulate(t_end=0.16, dt=DT, seed=9, paths=3)
    assert first.final.resolution == DT
    with caplog.at_level(logging.WARNING, logger="semidirect"):
        spec = specify(TOP, t_end=0.32, dt=factor * DT, state=first.final)
    assert not caplog.records
    assert spec.driver == WienerNoise(9, 2, DT)


def test_reused_random_numbers_warn(caplog):
    first = TOP.simulate(t_end=0.18, dt=DT, seed=9)
    with caplog.at_level(logging.WARNING, logger="semidirect"):
        specify(TOP, t_end=0.36, dt=0.03, state=first.final)  # its steps 6, 7, 8 were those of the first run
    assert "made of the random numbers" in caplog.text
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="semidirect"):
        specify(TOP, t_end=0.36, dt=0.015, state=first.final)
        specify(TOP, t_end=0.36, dt=0.03, state=first.final, seed=10)
    assert not caplog.records


def test_the_command_line(capsys, tmp_path):
    short = ["run", "heavy-top", "--dt", "0.02", "--t-start", "1"]
    assert main([*short, "--t-end", "1.2", "-o", str(tmp_path / "run.zarr")]) == 0
    assert "1 path from t = 1 s to t = 1.2 s by" in capsys.readouterr().out
    assert sd.Run.load(tmp_path / "run.zarr").times[0] == 1
    assert main(["run", "heavy-top", "--t-start", "0", "--extend", "-o", str(tmp_path / "run.zarr")]) == 2
    assert "--t-start with --extend" in capsys.readouterr().err
    assert (
        main(["run", "heavy-top", "--extend", "--t-end", "1.3", "-o", str(tmp_path / "run.zarr"), "--format", "json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["steps"] == 15
    onwards = ["run", "heavy-top", "--from", str(tmp_path / "run.zarr"), "--dt", "0.02", "--t-end", "1.4"]
    assert main([*onwards, "--format", "json"]) == 0
    onward = json.loads(capsys.readouterr().out)
    assert main([*short, "--t-end", "1.4", "--format", "json"]) == 0
    assert onward["final"] == json.loads(capsys.readouterr().out)["final"]
    assert main([*onwards, "--state", "Omega=[0, 0, 1]"]) == 2
    assert "--state with --from" in capsys.readouterr().err
    assert main([*short, "--t-end", "0.5"]) == 2
    assert "t_end: expected a time after t_start = 1" in capsys.readouterr().err
    assert main(["compare", "heavy-top", "--methods", "heun", "--t-start", "1", "--t-end", "1.1", "--dt", "0.1", "--levels", "1",
                 "--driver", "0"]) == 0  # fmt: skip
    assert "from t = 1 s to t = 1.1 s" in capsys.readouterr().out
