"""A run is a function of its specification: pickled, cut anyhow, by whomever, it is the same."""

import multiprocessing
import pickle
import threading
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import semidirect as sd
from semidirect.engines import stepping
from semidirect.engines.stepping import tasks as execute
from semidirect.engines.stepping.chunk import Cancelled, run_chunk
from semidirect.ensemble import specify
from semidirect.results.assembly import Assembly
from semidirect.specification import RunSpec

BODY = sd.load("rigid-body", advect_gamma=True)
BALL = sd.load("rolling-ball", noise=[[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]])
REDUCE = ["moments", sd.Covariance(["energy", "M"]), sd.Histogram("energy", 0, 3, 30), "extremes",
          sd.FirstPassage("energy", 0.9)]  # fmt: skip
ASKED = {"t_end": 0.2, "dt": 0.01, "paths": 150, "seed": 3, "save": "every:5", "reduce": REDUCE}


def specified(system=BODY, **changes):
    """The specification that simulate executes."""
    return specify(system, **{**ASKED, **changes})


def same_partials(a, b):
    """Whether what is known of the paths is the same to the bit."""
    assert set(a) == set(b)
    for key in a:
        assert set(a[key]) == set(b[key])
        for name in a[key]:
            assert a[key][name].dtype == b[key][name].dtype, (key, name)
            assert a[key][name].tobytes() == b[key][name].tobytes(), (key, name)
    return True


def same_result(a, b):
    for name in ("data", "final"):
        ours, theirs = getattr(a, name), getattr(b, name)
        assert set(ours) == set(theirs)
        assert all(ours[k].tobytes() == theirs[k].tobytes() for k in ours)
    for name in ("y", "stored", "status", "failed_at", "failed_component"):
        assert getattr(a, name).tobytes() == getattr(b, name).tobytes(), name
    return same_partials(a.partials, b.partials)


@pytest.mark.parametrize(
    ("system", "changes"),
    [
        (BODY, {}),
        (BODY, {"execution": sd.Execution(engine="compiled")}),
        (BODY, {"driver": ["sin(t)", "t", "0.1*t**2"], "method": "sdelab(0.5)"}),
        (BODY, {"driver": np.full((20, 3), 0.1)}),
        (BODY, {"method": "dop853", "driver": 0, "paths": 2}),
        (BALL, {"reduce": None, "state": {"Omega": [[1, 2, 3.0]] * 150}}),
        (BALL.replace(mass=sd.PerPath(np.linspace(1, 2, 150))), {"reduce": None}),
        (BODY, {"stop": sd.Stop("energy", above=0.9), "checks": sd.Checks({"energy": 2}, "mask")}),
    ],
)
def test_a_specification_can_be_pickled(system, changes):
    spec = specified(system, **changes)
    copy = pickle.loads(pickle.dumps(spec))
    assert copy.configuration() == spec.configuration()
    assert copy.chunks == spec.chunks
    same_result(run_chunk(copy, copy.chunk(0)), run_chunk(spec, spec.chunk(0)))


def test_pickled_systems_are_read_only():
    for system in (BODY, BALL.replace(mass=sd.PerPath([1.0, 2.0]))):
        copy = pickle.loads(pickle.dumps(system))
        assert type(copy) is type(system)
        assert repr(copy) == repr(system)
        with pytest.raises(AttributeError, match="read-only"):
            copy.mass = 3
        with pytest.raises(ValueError, match="read-only"):
            copy.noise[...] = 0


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_paths_cut_anyhow_are_the_same(engine):
    """Each alone, 64 + 936, and 1,000 at once: saved values, final states and statistics, to the bit."""
    spec = specified(paths=1000, execution=sd.Execution(engine=engine))
    whole = run_chunk(spec, range(1000))
    cuts = {
        "64 + 936": [range(64), range(64, 1000)],
        "odd": [range(997, 1000), range(333, 997), range(3), range(3, 333)],
    }
    if engine == "compiled":
        cuts["alone"] = [range(p, p + 1) for p in range(1000)]
    for cut, parts in cuts.items():
        merged = None
        for part in parts:
            one = run_chunk(spec, part)
            where = slice(part.start, part.stop)
            for name in whole.data:
                assert one.data[name].tobytes() == whole.data[name][where].tobytes(), (cut, part, name)
            for name in ("y", "stored", "status"):
                assert getattr(one, name).tobytes() == getattr(whole, name)[where].tobytes(), (cut, part, name)
            partials = one.partials
            if merged is not None:
                partials = {r.key: r.merged(merged[r.key], partials[r.key]) for r in spec.reductions}
            merged = partials
        assert same_partials(merged, whole.partials), cut


def test_paths_alone_by_array_code():
    spec = specified()
    whole = run_chunk(spec, range(150))
    for p in (0, 1, 63, 64, 149):
        one = run_chunk(spec, range(p, p + 1))
        assert all(one.data[k].tobytes() == whole.data[k][p].tobytes() for k in whole.data)


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_one_and_two_threads(engine, monkeypatch):
    """Two threads that both work give the bits of one."""
    monkeypatch.setattr(RunSpec, "usual_chunk", lambda *given: 64)
    spec = specified(paths=500, execution=sd.Execution(engine=engine))
    runs, both = {}, threading.Barrier(2)
    original, workers = stepping.run_chunk, set()

    def met(spec, paths, *more):
        if paths.start in (0, 64):
            both.wait(60)  # the first two chunks have to be under way together
        workers.add((len(runs), threading.get_ident()))
        return original(spec, paths, *more)

    for threads in (1, 2):
        if threads == 2:
            monkeypatch.setattr(execute, "run_chunk", met)
        assembly = Assembly(spec)
        stepping.execute(spec, assembly, threads=threads)
        runs[threads] = assembly
    assert len(workers) == 2
    assert same_partials(runs[1].partials, runs[2].partials)
    one, two = (runs[k].run() for k in (1, 2))
    assert all(one[k].tobytes() == two[k].tobytes() for k in one)


def test_other_processes(monkeypatch):
    """Results come back in any order and are placed by number."""
    monkeypatch.setattr(RunSpec, "usual_chunk", lambda *given: 64)
    here = BODY.simulate(**ASKED)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        there = BODY.simulate(**ASKED, execution=sd.Execution(executor=pool))
        with pytest.raises(sd.errors.SimulationError, match="energy: a value is beyond its bound") as caught:
            BODY.simulate(
                **ASKED,
                execution=sd.Execution(executor=pool),
                checks=sd.Checks(bounds={"energy": 0.8}, on_failure="raise"),
            )
    assert caught.value.failures
    assert all(here[k].tobytes() == there[k].tobytes() for k in here)
    assert dict(here.config) == dict(there.config)
    for key, ours in here.reductions.items():
        assert same_partials({key: ours.taken.partial}, {key: there.reductions[key].taken.partial})


def test_chunks_are_numbered_by_the_specification():
    spec = specified()
    assert [spec.chunk(i) for i in range(spec.chunks)] == [range(150)]
    assert RunSpec.usual_chunk(10, 8) == 64
    assert RunSpec.usual_chunk(10**4, 8) == 1024
    assert RunSpec.usual_chunk(10**4, 8, 256) == 1024
    assert RunSpec.usual_chunk(10**9, 8) == 8192
    assert RunSpec.usual_chunk(10**9, 1e5) == 512
    assert RunSpec.usual_chunk(10**9, 1e12) == 64
    assert [RunSpec.usual_chunk(10, 8, 256, sites) for sites in (1, 3, 100, 10**4)] == [256, 128, 8, 8]
    assert RunSpec.usual_chunk(10**4, 8, 256, 100) == 1024
    for paths in (1, 63, 64, 65, 999, 10**6):
        for size in (0, 100, 1e4, 1e7):
            length = RunSpec.usual_chunk(paths, size)
            assert length & (length - 1) == 0
            assert 64 <= length <= 8192


def test_a_stopped_chunk_says_so():
    event = threading.Event()
    event.set()
    for engine in ("numpy", "compiled"):
        with pytest.raises(Cancelled):
            run_chunk(specified(execution=sd.Execution(engine=engine)), range(64), event)


def test_a_longer_run_begins_with_the_shorter_one():
    short, long = (BODY.simulate(**{**ASKED, "t_end": t}) for t in (0.2, 0.4))
    for name in short:
        assert np.ascontiguousarray(long[name][:, :5]).tobytes() == short[name].tobytes()
    ours, theirs = short.reductions["moments"], long.reductions["moments"]
    assert all(theirs.mean[k][:5].tobytes() == ours.mean[k].tobytes() for k in ours.mean)
