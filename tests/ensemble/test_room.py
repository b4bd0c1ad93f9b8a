"""Memory and disk that a run needs are announced before it begins, and a store is written in chunks that fit into memory."""

import os
import signal
import subprocess
import sys
import time
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from shutil import disk_usage
from types import SimpleNamespace

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import InputError, StoreError
from semidirect.engines import stepping
from semidirect.engines.stepping import room
from semidirect.engines.stepping.chunk import run_chunk
from semidirect.ensemble.simulation import specify
from semidirect.ensemble.store import running
from semidirect.ensemble.store.store import Store
from semidirect.ensemble.store.stored_arrays import StoredArrays
from semidirect.statistics.histogram import Histogram

BODY = sd.load("rigid-body")
STATISTICS = [
    sd.Moments(), sd.Covariance(), sd.Extremes(), sd.TimeAverage(), sd.Histogram("energy", 0, 10, bins=50),
    sd.FirstPassage("energy", 1.0),
]  # fmt: skip


@pytest.mark.parametrize("statistic", STATISTICS, ids=lambda one: one.kind)
def test_the_bytes_of_statistics_are_those_that_a_chunk_takes(statistic):
    spec = specify(BODY, t_end=0.5, dt=0.01, paths=70, reduce=statistic)
    paths = range(min(spec.chunk_paths, 70))
    partial = statistic.resolved(spec.contents).accumulator(paths, len(spec.reduced), spec.contents.sizes).partial()
    assert room.bytes_of_statistics(spec) == sum(np.asarray(v).nbytes for v in partial.values())


@pytest.mark.parametrize("store", [False, True])
def test_statistics_that_do_not_fit_are_refused_before_the_run(store, tmp_path):
    save = sd.Save("final", store=tmp_path / "run") if store else "final"
    large = sd.Reduce(sd.Histogram("energy", 0, 10, bins=10**5), at="all")
    with pytest.raises(InputError, match=r"the statistics do not fit into memory: expected at most 4 GB, got 8.0 GB"):
        BODY.simulate(t_end=10, dt=0.001, paths=2, save=save, reduce=large)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("paths", [10**9, 10**12, 2**53])
def test_states_that_do_not_fit_are_refused(paths):
    for make in (
        lambda: BODY.ensemble(dt=0.1, paths=paths),
        lambda: BODY.simulate(t_end=0.1, dt=0.1, paths=paths, save=sd.Save("final", names=[])),
        lambda: sd.lyapunov(BODY, t_end=0.1, dt=0.1, every=1, paths=paths),
    ):
        with pytest.raises(InputError, match=r"fit into memory"):
            make()


def test_memory_that_runs_out_all_the_same_is_an_error_of_ours(monkeypatch):
    def accumulator(self, paths, times, sizes):
        if times > 2:
            raise MemoryError
        return usual(self, paths, times, sizes)

    usual = Histogram.accumulator
    monkeypatch.setattr(Histogram, "accumulator", accumulator)
    with pytest.raises(InputError, match=r"the run does not fit into memory: got .* GB of statistics, for each worker"):
        BODY.simulate(t_end=0.1, dt=0.01, reduce=sd.Histogram("energy", 0, 10))


def test_a_run_that_does_not_fit_on_the_disk_does_not_begin(tmp_path):
    free = disk_usage(tmp_path).free
    with pytest.raises(StoreError, match=r"does not fit on its disk: expected at most .* GB, got 13600"):
        BODY.simulate(t_end=1000, dt=0.01, paths=10**6, save=sd.Save(store=tmp_path / "run"))
    assert not os.listdir(tmp_path)
    assert free < 13600e9


def test_what_is_missing_of_an_unfinished_run_must_fit(tmp_path, monkeypatch):
    call = {"t_end": 0.5, "dt": 0.01, "paths": 4, "seed": 1}
    run = BODY.simulate(**call)
    monkeypatch.setattr(room.shutil, "disk_usage", lambda place: SimpleNamespace(free=1000))
    with pytest.raises(StoreError, match=r"does not fit on its disk"):
        BODY.simulate(**call, save=sd.Save(store=tmp_path / "run"))
    monkeypatch.undo()
    stored = BODY.simulate(**call, save=sd.Save(store=tmp_path / "run"))
    assert np.array_equal(stored["M"], run["M"])


def test_paths_with_many_saved_times_are_stored_in_chunks_of_few_with_the_same_bits(tmp_path, monkeypatch):
    """A chunk has at most MOST_BYTES, where fewer paths make it shorter; statistics are those of a run in memory."""
    call = {"t_end": 2.0, "dt": 0.01, "paths": 37, "seed": 1, "reduce": ["moments", sd.Covariance(["energy", "M"])]}
    run = BODY.simulate(**call)
    each = 8 * 201 * (3 + 9 + 3 + 2)
    monkeypatch.setattr(running, "MOST_BYTES", 5 * each)
    stored = BODY.simulate(**call, save=sd.Save(store=tmp_path / "run"))
    assert len([*sd.Run.parts(tmp_path / "run")]) == 10  # of 4 paths
    for name in run:
        assert np.array_equal(run[name], stored[name])
    for ours, theirs in zip(run.reductions.values(), stored.reductions.values(), strict=True):
        for name, (_, values) in ours.tables().items():
            assert repr(values.tolist()) == repr(theirs.tables()[name][1].tolist())


@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_into_a_store_takes_the_memory_of_the_chunks_in_work(tmp_path, monkeypatch, threads):
    """However many chunks there are and however long each is; what Python and NumPy take is counted, byte for byte."""
    monkeypatch.setattr(running, "MOST_BYTES", 1e6)

    def run(name, **call):
        how = sd.Execution(threads=threads, engine="compiled")
        BODY.simulate(dt=0.01, seed=1, save=sd.Save(store=tmp_path / name), execution=how, **call)

    run("first", t_end=10.0, paths=20)  # what is known of the body from now on
    with at_most_in_use() as most_used:
        run("run", t_end=10.0, paths=20)
        used = most_used()
    contents = Store.open(tmp_path / "run").manifest
    assert contents.chunks == 5
    chunk = contents.bytes_of_a_chunk
    # the largest array is held twice more when it is written; two threads have two chunks each that run or wait for that
    most = {1: 2.7, 2: 5.8}[threads] * chunk  # measured 2.2 and 4.7; one chunk of all paths has 5 times as much
    assert used < most


def test_a_result_is_kept_until_it_is_accepted_and_no_longer():
    """Of two threads: two results each, whether the sink or the threads are slower."""
    spec = replace(specify(BODY, t_end=0.1, dt=0.1, paths=24, seed=1), chunk_paths=1)
    kept, most = [], 0

    def job(spec, number, stopped):
        nonlocal most
        result = run_chunk(spec, spec.chunk(number), stopped)
        kept.append(weakref.ref(result))
        most = max(most, sum(one() is not None for one in kept))
        return result

    sink = SimpleNamespace(deliver=None, accept=lambda number, result: time.sleep(0.02 if number < 12 else 0))
    stepping.execute(spec, sink, threads=2, job=job)
    assert len(kept) == 24
    assert most <= 4


@contextmanager
def at_most_in_use():
    """A function that tells the most bytes that were in use at once in this context."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


LONG = """
import os, signal, sys, threading, time, tracemalloc
import semidirect as sd
body = sd.load("rigid-body")
def ask():
    while tracemalloc.get_traced_memory()[0] < 0.4e9:  # two chunks are in work
        time.sleep(0.05)
    print(tracemalloc.get_traced_memory()[1], flush=True)
    os.kill(os.getpid(), signal.SIGTERM)
threading.Thread(target=ask, daemon=True).start()
compiled = sd.Execution(threads=2, engine="compiled")
body.simulate(t_end=0.002, dt=0.001, paths=64, execution=compiled)  # what is known of the body from now on
tracemalloc.start()
body.simulate(t_end=200, dt=0.001, paths=64, seed=1, save=sd.Save(store=sys.argv[1]), execution=compiled)
"""


def test_a_run_with_many_saved_times_ends_soon_when_it_is_asked_to(tmp_path):
    """64 paths × 200,000 times, a minute and 1.8 GB in one chunk: in chunks of 8 paths, two of them in work."""
    done = subprocess.Popen(
        [sys.executable, "-c", LONG, str(tmp_path / "run")], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    _, status, used = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    out, err = done.communicate()
    assert done.returncode == -signal.SIGTERM
    assert float(out) < 0.7e9  # the peak of a process is at least that of the process that began it
    assert used.ru_utime + used.ru_stime < 30  # measured 4
    assert b"interrupted with 0 of 8 chunks done" in err


def test_threads_that_read_a_stored_run_get_its_arrays(tmp_path, monkeypatch):
    """Arrays are dropped while others are read."""
    run = BODY.simulate(t_end=0.2, dt=0.01, paths=3, seed=1, save=sd.Save(store=tmp_path / "run"))
    monkeypatch.setattr(StoredArrays, "most_bytes", 1.0)
    known = {name: np.array(run[name]) for name in run}

    def read(number):
        return [
            np.array_equal(run[name], known[name]) for _ in range(20) for name in (*known,)[:: 1 - 2 * (number % 2)]
        ]

    with ThreadPoolExecutor(4) as pool:
        assert all(all(found) for found in pool.map(read, range(4)))
