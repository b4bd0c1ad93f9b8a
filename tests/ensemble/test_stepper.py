"""An ensemble that is advanced step by step goes where a run goes, to the bit; resampling and changes do what they say."""

from __future__ import annotations

import copy
import os
import pickle
import platform
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect.engines.built_in.kernel_engine import KernelEngine
from semidirect.engines.built_in.lane_states import LaneStates
from semidirect.random import DrivingPath
from semidirect.stepper.ensemble_stepper import generation_seed

BODY = sd.load("rigid-body", advect_gamma=True)
VARIED = sd.load("rigid-body", inertia=sd.PerPath([(1.0, 2.0, 2.5 + 0.01 * i) for i in range(7)]))
DT = 0.01
CASES = {
    "kernel, one path": (BODY, {"method": "lie-heun", "execution": sd.Execution(engine="compiled")}),
    "kernel": (BODY, {"method": "lie-heun", "execution": sd.Execution(engine="compiled"), "paths": 70}),
    "array code": (BODY, {"method": "heun", "execution": sd.Execution(engine="numpy"), "paths": 5}),
    "implicit, chosen": (BODY, {"method": "implicit-midpoint", "paths": 5}),
    "bridges": (
        BODY,
        {"method": "heun", "driver": sd.Wiener(4 * DT), "paths": 5, "execution": sd.Execution(engine="compiled")},
    ),
    "no reconstruction": (BODY, {"method": "heun", "formulation": sd.Formulation(reconstruct=False), "paths": 5}),
    "parameters per path": (VARIED, {"method": "heun"}),
    "a path": (BODY, {"method": "heun", "driver": ["sin(t)", "t", "0"], "t_start": 0.05}),
}


def same(got: dict[str, np.ndarray], run: sd.Run) -> bool:
    return got.keys() == set(run) and all(np.array_equal(got[k], run[k][:, -1], equal_nan=True) for k in got)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(sorted(CASES)), st.lists(st.integers(1, 5), min_size=1, max_size=3), st.sampled_from([1, 2]),
       st.integers(0, 2**64 - 1))  # fmt: skip
def test_many_calls_are_one_run(case: str, stretches: list[int], threads: int, seed: int):
    system, options = CASES[case]
    engine = options.get("execution", sd.Execution()).engine
    ensemble = system.ensemble(dt=DT, seed=seed, **{**options, "execution": sd.Execution(threads, engine=engine)})
    start = ensemble.t
    for i, steps in enumerate(stretches):
        ensemble.advance(steps=steps) if i % 2 else ensemble.advance(t=ensemble.t + steps * DT)
    t_end = start + sum(stretches) * DT
    run = system.simulate(t_end=t_end, dt=DT, seed=seed, **{**options, "execution": sd.Execution(1, engine=engine)})
    assert ensemble.t == pytest.approx(t_end, abs=1e-12)
    assert same(ensemble.read(), run)
    alone = ensemble.read("energy", "M")
    assert list(alone) == ["energy", "M"]
    assert all(np.array_equal(alone[k], run[k][:, -1]) for k in alone)


def test_one_name_gives_an_array_and_several_a_mapping():
    ensemble = sd.load("rigid-body").ensemble(dt=0.1, paths=3, seed=1).advance(steps=2)
    both = ensemble.read("Omega", "energy")
    assert list(both) == ["Omega", "energy"]
    for name, values in both.items():
        assert np.array_equal(ensemble[name], values)
        assert np.array_equal(ensemble.read(name), values)
        assert isinstance(ensemble[name], np.ndarray)
    assert set(ensemble.read()) >= {*both}
    for name in ("nothing", 0):
        with pytest.raises(sd.errors.InputError):
            _ = ensemble[name]


def test_an_ensemble_goes_on_from_the_end_of_a_run():
    run = BODY.simulate(t_end=5 * DT, dt=DT, paths=3, seed=4, method="heun", save="final")
    ensemble = BODY.ensemble(dt=DT, method="heun", state=run.final).advance(steps=3)
    assert same(ensemble.read(), BODY.simulate(t_end=8 * DT, dt=DT, paths=3, seed=4, method="heun", save="final"))


@pytest.mark.parametrize("paths_of_a_chunk", [64, 2**14])
def test_several_chunks_and_failures_are_those_of_a_run(monkeypatch, paths_of_a_chunk):
    monkeypatch.setattr(import_module("semidirect.stepper.ensemble_stepper"), "PATHS_OF_ONE_WORKER", paths_of_a_chunk)
    Omega = np.ones((150, 3))
    Omega[[3, 100]] = 1e200
    call = {
        "dt": DT,
        "seed": 1,
        "method": "heun",
        "state": {"Omega": Omega},
        "execution": sd.Execution(engine="compiled", threads=1),
    }
    with pytest.warns(sd.errors.FailedPathsWarning):
        run = BODY.simulate(t_end=0.08, save="final", **call)
    ensemble = BODY.ensemble(**call).advance(steps=3).advance(steps=5)
    assert np.array_equal(ensemble.status, run.data.status)
    assert run.data.status[[3, 100]].all()
    assert same(ensemble.read(), run)
    data = ensemble.to_xarray()
    assert data["energy"].shape == (150, 1)
    assert np.array_equal(data["status"], run.data.status)


OPERATIONS = {
    "advance": lambda e, k: e.advance(steps=k + 1),
    "select": lambda e, k: e.select((np.arange(e.paths) + k) // 2),
    "replace": lambda e, k: e.replace(Omega=(0.1 * k, 1.0, 0.2)),
    "other inertia": lambda e, k: e.replace(inertia=(1.0 + 0.1 * k, 2.0, 2.5)),
    "copy": lambda e, k: e.copy(),
    "adopt": lambda e, k: e.adopt(e.copy().select([k] * e.paths), np.arange(e.paths) == 1),
    "fail": lambda e, k: e.replace(Omega=np.where(np.arange(e.paths)[:, None] == k, 1e200, 1.0) * np.ones(3)),
    "given": lambda e, k: e.advance(steps=2, increments=0.1 * k * np.ones((2, 3, e.paths))),
}  # fmt: skip


def changed(ensemble, name, k):
    """An ensemble after an operation, and the error if it is refused, as values are that a path which failed does not have."""
    try:
        return OPERATIONS[name](ensemble, k), ""
    except sd.errors.InputError as error:
        return ensemble, str(error)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(OPERATIONS)), st.integers(0, 4)), min_size=2, max_size=7),
       st.sampled_from(["heun", "implicit-midpoint"]))  # fmt: skip
def test_calls_of_the_kernel_alone_are_those_of_a_run(operations, method):
    """What the kernel does alone, where no path fails, is what a recorded interval does, whatever happens in between."""
    ours, recorded = (
        BODY.ensemble(dt=DT, paths=5, seed=3, method=method, execution=sd.Execution(1, engine="compiled"))
        for _ in range(2)
    )
    for name, k in [*operations, ("advance", 1)]:
        ours, refused = changed(ours, name, k)
        with mock.patch.object(LaneStates, "of", return_value=None):
            recorded, also_refused = changed(recorded, name, k)
        assert refused == also_refused
    assert np.array_equal(ours.status, recorded.status)
    for values, expected in zip(ours.read().values(), recorded.read().values(), strict=True):
        np.testing.assert_array_equal(values, expected)


def test_a_kernel_advances_paths_that_do_not_fail_alone(monkeypatch):
    ensemble = BODY.ensemble(dt=DT, paths=2, method="heun", execution=sd.Execution(1, engine="compiled"))
    monkeypatch.setattr(KernelEngine, "go", None)
    ensemble.advance(steps=2).advance(steps=3).select([1, 0]).advance(steps=1)
    ensemble.advance(steps=2, increments=ensemble.increments(steps=2)).advance(steps=1)


@pytest.mark.parametrize("values", [{}, {"noise": sd.PerPath(np.linspace(0.5, 1, 3500)[:, None, None] * 0.1 * np.eye(3))}],
                         ids=["common", "per path"])  # fmt: skip
def test_threads_that_stay_step_the_blocks_of_many_paths(values):
    """With the bits of one thread, also in a forked process, which has no such threads."""
    ends = []
    for threads in (1, 2, 5):
        how = {
            "method": "lie-heun",
            "paths": 3500,
            "seed": 2,
            "execution": sd.Execution(threads=threads, engine="compiled"),
        }
        ensemble = BODY.replace(**values).ensemble(dt=DT, **how)
        ensemble.advance(steps=30)
        if threads > 1 and hasattr(os, "fork"):
            child = ensemble.copy()
            pid = os.fork()
            if not pid:
                os._exit(7 * np.array_equal(child.advance(steps=30)["Omega"], ensemble.advance(steps=30)["Omega"]))
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
        ancestors = np.arange(3500)
        ensemble.advance(steps=30).select(ancestors[::-1])  # not contiguous, and changed before it is used
        ancestors[:] = 0
        ensemble.advance(steps=30)
        ends.append(ensemble.read("Omega"))
    for end in ends[1:]:
        np.testing.assert_array_equal(end, ends[0])


@pytest.mark.parametrize("driver", [None, sd.Wiener(4 * DT)])
def test_selected_slots_have_noises_of_their_own(driver: sd.Wiener | None):
    """After a selection in the middle of an increment of the noise: all slots from one, their next steps independent of each
    other and of what the slots did before; the whole is repeatable. Correlations are below 4/√n, measured at most 2.7/√n.
    """
    n = 2000

    def steps(ancestors: np.ndarray) -> list[np.ndarray]:
        ensemble = BODY.ensemble(
            dt=DT,
            paths=n,
            seed=5,
            method="heun",
            driver=driver,
            state={"Omega": (0, 0, 0)},
            execution=sd.Execution(threads=1),
        )
        found = []
        for chosen in (None, ancestors, ancestors):
            if chosen is not None:
                ensemble.select(chosen)
            before = ensemble.read("Gamma")["Gamma"]
            found.append(ensemble.advance(steps=2).read("Gamma")["Gamma"] - before)
        return [step[:, :2] for step in found]

    first, second, third = steps(np.zeros(n, dtype=int))
    assert len(np.unique(second[:, 0])) == n
    rows = [np.roll(x, shift, axis=0) for x in (first, second, third) for shift in (0, 1)]
    matrix = np.corrcoef(np.concatenate([x.T for x in rows]))
    far = np.abs(matrix - np.eye(len(matrix))).max()
    print(f"largest correlation times √n: {far * np.sqrt(n):.2f}")
    assert far < 4 / np.sqrt(n)
    assert all(np.array_equal(a, b) for a, b in zip(steps(np.zeros(n, dtype=int)), (first, second, third), strict=True))
    assert len({generation_seed(5, g) for g in range(1000)}) == 1000


def test_a_selection_takes_states_parameters_and_outcomes():
    ensemble = VARIED.ensemble(dt=DT, seed=2, method="heun").advance(steps=4)
    before, chosen = ensemble.read(), np.array([6, 6, 0, 1, 2, 3, 3])
    other = ensemble.copy()
    ensemble.select(chosen)
    assert all(np.array_equal(ensemble.read()[k], before[k][chosen]) for k in before)
    assert np.array_equal(ensemble.system.values["inertia"].values, VARIED.values["inertia"].values[chosen])
    assert (ensemble.generation, other.generation) == (1, 0)
    ensemble.advance(steps=2)
    assert all(np.array_equal(other.read()[k], before[k]) for k in before)
    assert same(other.advance(steps=2).read(), VARIED.simulate(t_end=6 * DT, dt=DT, seed=2, method="heun"))


def test_replaced_values_are_those_of_a_run_from_there():
    ensemble = BODY.ensemble(dt=DT, paths=3, seed=2, method="heun").advance(steps=4)
    run = BODY.simulate(t_end=4 * DT, dt=DT, paths=3, seed=2, method="heun", save="final")
    heavy = BODY.replace(inertia=(2.0, 3.0, 4.0))
    state = {name: run.final[name] for name in ("Omega", "g")}
    further = heavy.simulate(t_start=4 * DT, t_end=6 * DT, dt=DT, seed=2, state=state, method="heun", save="final")
    assert same(ensemble.copy().replace(inertia=(2.0, 3.0, 4.0)).advance(steps=2).read(), further)
    M = np.array([(1.0, 2.0, 3.0), (0.0, 1.0, 0.0), (2.0, 2.0, 2.0)])
    changed = ensemble.copy().replace(M=M)
    assert np.allclose(changed.read("M")["M"], M, rtol=1e-14)
    assert np.array_equal(changed.read("g")["g"], ensemble.read("g")["g"])


@pytest.mark.parametrize("wrong", [
    lambda e: e.advance(), lambda e: e.advance(t=1.0, steps=1), lambda e: e.advance(t=0.0), lambda e: e.advance(t=0.015),
    lambda e: e.advance(steps=0), lambda e: e.advance(steps=1.5), lambda e: e.read("nothing"), lambda e: e.select([0, 1]),
    lambda e: e.select([0, 1, 3]), lambda e: e.select([0, 1, -1]), lambda e: e.select([0, 0.5, 1]), lambda e: e.select("abc"),
    lambda e: e.replace(nothing=1), lambda e: e.replace(M=np.ones((2, 3))), lambda e: e.replace(inertia=(-1, 1, 1)),
    lambda e: e.replace(advect_gamma=False),
    lambda e: e.replace(Gamma=(0, 0, 1)), lambda e: e.replace(noise=[(0.1, 0, 0)]),
    lambda e: BODY.ensemble(dt="x"), lambda e: BODY.ensemble(dt=10**400),
    lambda e: BODY.ensemble(dt=DT, t_start="x"), lambda e: BODY.ensemble(dt=DT, execution=sd.Execution(threads=0)),
    lambda e: e.advance(steps=10**400),
    lambda e: e.advance(t="x"), lambda e: e.read(1), lambda e: e.replace(Omega="x"), lambda e: BODY.ensemble(dt=DT, paths=0),

    lambda e: BODY.ensemble(dt=DT, method="dop853"),
])  # fmt: skip
def test_a_refused_call_leaves_the_ensemble_as_it_was(wrong):
    ensemble = BODY.ensemble(dt=DT, paths=3).advance(steps=1)
    before = ensemble.read()
    with pytest.raises(sd.SemidirectError):
        wrong(ensemble)
    assert (ensemble.t, ensemble.generation) == (DT, 0)
    assert all(np.array_equal(before[k], v) for k, v in ensemble.read().items())


@pytest.mark.parametrize("case", ["kernel", "array code", "implicit, chosen"])
def test_given_increments_are_those_of_the_driver(case: str):
    system, options = CASES[case]
    ensemble = system.ensemble(dt=DT, seed=7, **options).advance(steps=2)
    other = ensemble.copy().advance(steps=3, increments=ensemble.increments(steps=3))
    assert same_now(other, ensemble.copy().advance(steps=3))
    fresh = ensemble.increments(t=5 * DT, seed=8)
    assert fresh.shape == (3, 3, ensemble.paths)
    assert np.array_equal(fresh, system.ensemble(dt=DT, seed=8, **options).advance(steps=2).increments(steps=3))
    moved = ensemble.copy().advance(steps=3, increments=fresh)
    slots = np.arange(ensemble.paths) % 2 == 1
    mixed = other.copy().adopt(moved, slots).read()
    for name, values in other.read().items():
        assert np.array_equal(
            mixed[name], np.where(slots.reshape(-1, *(1,) * (values.ndim - 1)), moved.read()[name], values)
        )


def test_increments_that_may_change_are_copied_and_others_are_not():
    array = np.ones((2, 3, 4))
    path = DrivingPath.from_increments(array, DT)
    array[0] = 9
    assert (path.samples == 1).all()
    array.setflags(write=False)
    assert DrivingPath.from_increments(array, DT).samples is array
    part = array[:1]  # of an array that somebody else may write to
    assert DrivingPath.from_increments(part, DT).samples is not part


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_memory_of_arrays_is_kept():
    """Arrays of 1.6 MB, three at a time: measured 1,145 new pages at first and 0 later, without 749 each."""
    resource = pytest.importorskip("resource")
    BODY.ensemble(dt=DT, paths=2)

    def three() -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        _ = [np.ones(200_000) for _ in range(3)]
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    pages = [three() for _ in range(20)]
    print(pages)
    assert sum(pages[2:]) < 500


def same_now(one: sd.System, other: sd.System) -> bool:
    return all(np.array_equal(v, other.read()[k]) for k, v in one.read().items())


@pytest.mark.parametrize("wrong", [
    lambda e: e.advance(steps=2, increments=np.zeros((1, 3, 3))), lambda e: e.advance(steps=1, increments=np.zeros((1, 2, 3))),
    lambda e: e.advance(steps=1, increments=np.full((1, 3, 3), np.nan)), lambda e: e.advance(steps=1, increments="x"),
    lambda e: e.increments(), lambda e: e.increments(steps=1, seed=-1), lambda e: e.adopt(e, [True]),
    lambda e: e.adopt(e, [1, 0, 1]), lambda e: e.adopt(e.copy().advance(steps=1), np.ones(3, dtype=bool)),
    lambda e: e.adopt(BODY.ensemble(dt=DT, paths=2).advance(steps=1), np.ones(3, dtype=bool)),
    lambda e: BODY.ensemble(dt=DT, driver=sd.Wiener(increment_law="three-point"), method="rs1").increments(steps=1),
    lambda e: BODY.ensemble(dt=DT, driver=sd.Wiener(increment_law="three-point"), method="rs1").advance(
        steps=1, increments=np.zeros((1, 3, 1))),
])  # fmt: skip
def test_increments_and_slots_that_cannot_be_used(wrong):
    with pytest.raises(sd.SemidirectError):
        wrong(BODY.ensemble(dt=DT, paths=3).advance(steps=1))


def test_a_system_without_noise_has_no_increments():
    quiet = sd.load("rigid-body", noise=[])
    ensemble = quiet.ensemble(dt=DT, paths=2)
    assert ensemble.increments(steps=4).shape == (4, 0, 2)


@pytest.mark.parametrize(
    "carry", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["deepcopy", "pickle"]
)
def test_an_ensemble_that_a_kernel_advanced_is_carried_to_other_processes(carry):
    ensemble = sd.load("rigid-body").ensemble(dt=0.01, paths=3, seed=1, execution=sd.Execution(engine="compiled"))
    before = ensemble.copy()
    ensemble.advance(steps=4)
    other = carry(ensemble)
    np.testing.assert_array_equal(other.advance(steps=4).read("M")["M"], ensemble.advance(steps=4).read("M")["M"])
    np.testing.assert_array_equal(carry(before).advance(steps=8).read("M")["M"], ensemble.read("M")["M"])


def in_threads(*functions):
    """Call the functions at once, each in a thread of its own; raises what one of them raises."""
    start = threading.Barrier(len(functions))

    def call(function):
        start.wait()
        return function()

    with ThreadPoolExecutor(len(functions)) as pool:
        return [future.result() for future in [pool.submit(call, function) for function in functions]]


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_threads_that_share_an_ensemble_lose_no_step(engine):
    """Two threads advance, one reads, one copies: the sum of the steps, to the last bit, and what is read is of one time."""
    arguments = {"dt": 0.01, "paths": 70, "seed": 3, "execution": sd.Execution(engine=engine, threads=1)}
    body = sd.load("rigid-body")
    alone = body.ensemble(**arguments)
    known = [alone.read("M", "energy")] + [alone.advance(steps=1).read("M", "energy") for _ in range(60)]
    shared = body.ensemble(**arguments)

    def advance():
        for _ in range(30):
            shared.advance(steps=1)

    def read():
        return [shared.read("M", "energy") for _ in range(15)]

    def copied():
        return [shared.copy() for _ in range(15)]

    _, _, values, copies = in_threads(advance, advance, read, copied)
    assert shared.t == alone.t
    assert np.array_equal(shared.read("M")["M"], known[-1]["M"])
    for one in [*values, *(c.read("M", "energy") for c in copies)]:
        assert any(all(np.array_equal(one[k], at[k]) for k in one) for at in known)


def test_threads_that_exchange_states_and_select_do_not_wait_for_each_other_for_ever():
    body = sd.load("rigid-body")
    one, other = (body.ensemble(dt=0.01, paths=4, seed=seed) for seed in (1, 2))
    slots = np.array([True, False, True, False])

    def exchange(a, b):
        for _ in range(20):
            a.adopt(b, slots)
            a.select([1, 0, 3, 2])

    in_threads(lambda: exchange(one, other), lambda: exchange(other, one))
    assert one.generation == other.generation == 20


def test_a_copy_and_a_pickle_of_an_ensemble_move_alone():
    one = sd.load("rigid-body").ensemble(dt=0.01, paths=2)
    for other in (one.copy(), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        other.advance(steps=2)
        assert (one.t, other.t) == (0.0, 0.02)
