"""Threads, processes, Dask: the same bytes whoever computes, and a worker that dies costs its tasks only."""

import multiprocessing
import os
import pickle
import signal
import time
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from threading import Thread

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import WorkerError
from semidirect.engines import stepping
from semidirect.engines.stepping import Task
from semidirect.engines.stepping import tasks as execute
from semidirect.ensemble import specify
from semidirect.specification import RunSpec

CHUNK = 64
BALL = sd.load("rolling-ball")
CALL = {
    "t_end": 2.5,
    "dt": 0.05,
    "paths": 1000,
    "method": "heun",
    "reduce": "moments",
}
EVERY = "every:25"
CHUNKS = 16
START = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
"""Forks of a process that has imported the package are workers sooner; `spawn`, which all systems have, is tried once."""


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setattr(RunSpec, "usual_chunk", lambda *given: CHUNK)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The files of the run by one thread."""
    path = tmp_path_factory.mktemp("whole") / "run.zarr"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunSpec, "usual_chunk", lambda *given: CHUNK)
        BALL.simulate(**CALL, save=sd.Save(EVERY, store=path), execution=sd.Execution(engine="numpy", threads=1))
    return tree(path)


def tree(path):
    return {str(f.relative_to(path)): f.read_bytes() for f in path.rglob("*") if f.is_file()}


def processes(start=START, count=2):
    context = multiprocessing.get_context(start)
    if start == "forkserver":
        context.set_forkserver_preload(["semidirect.ensemble.simulation", "distributed"])
    return ProcessPoolExecutor(count, mp_context=context)


def workers(run):
    """Processes that computed chunks."""
    return {int(name.split(":")[1]) for name in run.data.work.chunks}


def killer(target, pids):
    """Kills one of some processes when a few chunks are done."""

    def work():
        marks = target / "record" / "checksums"
        while not marks.exists() or sum(1 for _ in marks.glob("c.*.0.0")) < 3:
            time.sleep(0.005)
        os.kill(next(iter(pids())), signal.SIGKILL)

    thread = Thread(target=work)
    thread.start()
    return thread


def test_threads_of_an_executor(tmp_path, whole):
    with ThreadPoolExecutor(2) as pool:
        run = BALL.simulate(
            **CALL,
            save=sd.Save(EVERY, store=tmp_path / "run.zarr"),
            execution=sd.Execution(engine="numpy", executor=pool),
        )
    assert len(run.data.work.chunks) == 2  # both threads
    assert tree(tmp_path / "run.zarr") == whole


def test_processes(tmp_path, whole):
    with processes("spawn") as pool:
        run = BALL.simulate(
            **CALL,
            save=sd.Save(EVERY, store=tmp_path / "run.zarr"),
            execution=sd.Execution(engine="numpy", executor=pool),
        )
        in_memory = BALL.simulate(**CALL, save=EVERY, execution=sd.Execution(engine="numpy", executor=pool))
    assert len(workers(run)) == 2
    assert os.getpid() not in workers(run)
    assert run.data.work.chunks.total() == CHUNKS
    assert tree(tmp_path / "run.zarr") == whole
    assert len(workers(in_memory)) == 2
    for name in run:
        assert run[name].tobytes() == in_memory[name].tobytes()
    assert (
        run.reductions["moments"].mean["energy"].tobytes() == in_memory.reductions["moments"].mean["energy"].tobytes()
    )


def test_a_worker_that_does_not_see_the_store(tmp_path, whole, monkeypatch):
    """Its results come back, and are written here."""
    from semidirect.ensemble.store import running

    delivered = []

    def elsewhere(self, number, result):
        delivered.append(number)
        return result

    monkeypatch.setattr(running.Delivery, "__call__", elsewhere)
    with ThreadPoolExecutor(2) as pool:
        BALL.simulate(
            **CALL,
            save=sd.Save(EVERY, store=tmp_path / "run.zarr"),
            execution=sd.Execution(engine="numpy", executor=pool),
        )
    assert sorted(delivered) == list(range(CHUNKS))
    assert tree(tmp_path / "run.zarr") == whole


def test_a_pool_that_breaks_is_replaced(tmp_path, whole):
    """A killed process breaks its pool; a function makes another one, and what was done is not done again."""
    pools = []

    def make():
        pools.append(processes())
        return pools[-1]

    thread = killer(tmp_path / "run.zarr", lambda: pools[0]._processes)
    run = BALL.simulate(
        **CALL, save=sd.Save(EVERY, store=tmp_path / "run.zarr"), execution=sd.Execution(engine="numpy", executor=make)
    )
    thread.join()
    assert len(pools) == 2
    assert run.data.work.lost >= 1
    assert len(workers(run)) >= 3
    assert CHUNKS <= run.data.work.chunks.total() <= CHUNKS + 2
    assert tree(tmp_path / "run.zarr") == whole


class DiesWriting(ThreadPoolExecutor):
    """Its worker dies in the middle of a file of each chunk."""

    def submit(self, function, *given, **more):
        def dies():
            for name in ("data/energy/c.1.0.7-8.partial", "record/checksums/c.1.0.0.7-8.partial"):
                (function.deliver.path / name).write_bytes(b"half")
            raise BrokenExecutor

        return super().submit(dies)


def test_a_worker_that_dies_in_the_middle_of_a_file(tmp_path, whole):
    """Half a file is no part of the run that others finish."""
    pools = iter([DiesWriting(1), ThreadPoolExecutor(1)])
    run = BALL.simulate(
        **CALL,
        save=sd.Save(EVERY, store=tmp_path / "run.zarr"),
        execution=sd.Execution(engine="numpy", executor=lambda: next(pools)),
    )
    assert run.data.work.lost == CHUNKS
    assert tree(tmp_path / "run.zarr") == whole


def test_a_pool_that_cannot_be_replaced(tmp_path, whole):
    with processes() as pool:
        thread = killer(tmp_path / "run.zarr", lambda: pool._processes)
        with pytest.raises(
            WorkerError, match=r"lost its workers and cannot continue.*a function that makes an executor.*resume"
        ):
            BALL.simulate(
                **CALL,
                save=sd.Save(EVERY, store=tmp_path / "run.zarr"),
                execution=sd.Execution(engine="numpy", executor=pool),
            )
        thread.join()
    done = sd.Run.load(tmp_path / "run.zarr", partial=True).paths
    assert 3 * CHUNK <= done < 1000
    run = BALL.simulate(**CALL, save=sd.Save(EVERY, store=tmp_path / "run.zarr", resume=True))
    assert run.data.work.chunks.total() == CHUNKS - -(-done // CHUNK)
    assert tree(tmp_path / "run.zarr") == whole


def ends_its_process(*given):
    os._exit(1)


def test_repeatedly_broken_pools_raise_a_worker_error(monkeypatch):
    monkeypatch.setattr(execute, "chunk_of", ends_its_process)
    with pytest.raises(WorkerError, match=r"lost its workers 3 times without finishing a chunk"):
        BALL.simulate(**CALL, save=EVERY, execution=sd.Execution(engine="numpy", executor=lambda: processes(count=1)))


def test_an_error_of_a_worker_passes_through(tmp_path):
    with processes(count=1) as pool, pytest.raises(sd.errors.SimulationError):
        BALL.simulate(
            **CALL,
            checks=sd.Checks(bounds={"energy": 1e-9}, on_failure="raise"),
            execution=sd.Execution(engine="numpy", executor=pool),
            save=sd.Save(EVERY, store=tmp_path / "run.zarr"),
        )


# -- executors that say in their own words that a worker was lost ---------------------------------------------------


class KilledWorker(Exception):
    """What a scheduler says of a task whose workers died."""


class Loses(ThreadPoolExecutor):
    """It loses the first tasks, and remembers the outcome of a task as schedulers do, by what it is."""

    def __init__(self, losses, how):
        super().__init__(1)
        self.losses, self.how, self.outcomes, self.sizes = losses, how, {}, []

    def submit(self, task):
        self.sizes.append(len(task.numbers))
        key = task.numbers, task.attempt
        if key not in self.outcomes and self.losses:
            self.losses -= 1
            self.outcomes[key] = Future()
            self.how(self.outcomes[key])
        elif key not in self.outcomes:
            self.outcomes[key] = super().submit(task)
        return self.outcomes[key]


def cancelled(future):
    """As of a client that lost its scheduler."""
    future.cancel()
    future.set_running_or_notify_cancel()


LOSSES = {"its own error": lambda future: future.set_exception(KilledWorker("worker 7 died")), "cancelled": cancelled}


@pytest.mark.parametrize("how", LOSSES)
def test_a_task_that_is_lost_is_submitted_again(tmp_path, whole, how):
    with Loses(3, LOSSES[how]) as pool:
        own = sd.Execution(engine="numpy", executor=pool)
        run = BALL.simulate(**CALL, save=sd.Save(EVERY, store=tmp_path / "run.zarr"), execution=own)
    assert run.data.work.lost == 3
    assert run.data.work.chunks.total() == CHUNKS
    assert tree(tmp_path / "run.zarr") == whole


def test_tasks_that_are_always_lost(tmp_path):
    """Three times, and by three executors where a function makes them."""
    pools = []

    def make():
        pools.append(Loses(10**6, LOSSES["its own error"]))
        return pools[-1]

    with (
        make() as pool,
        pytest.raises(WorkerError, match=r"cannot continue: got KilledWorker: worker 7 died\..*memory"),
    ):
        BALL.simulate(**CALL, execution=sd.Execution(engine="numpy", executor=pool))
    assert pool.losses > 10**6 - 100
    with pytest.raises(WorkerError, match=r"lost its workers 3 times .*worker 7 died"):
        BALL.simulate(**CALL, execution=sd.Execution(engine="numpy", executor=make))
    assert len(pools) == 4


def test_an_executor_that_takes_no_tasks(tmp_path, whole):
    """Its connection was closed, say; one that a function makes is replaced."""
    pools = [ThreadPoolExecutor(1), ThreadPoolExecutor(1)]
    pools[1].shutdown()
    with pytest.raises(
        WorkerError, match=r"cannot continue: got RuntimeError: cannot schedule new futures after shutdown"
    ):
        BALL.simulate(**CALL, execution=sd.Execution(engine="numpy", executor=pools[1]))
    own = sd.Execution(engine="numpy", executor=pools.pop)
    BALL.simulate(**CALL, save=sd.Save(EVERY, store=tmp_path / "run.zarr"), execution=own)
    assert tree(tmp_path / "run.zarr") == whole


class CannotBeSent(Exception):
    """An exception that pickle cannot send."""

    def __init__(self, text):
        super().__init__(text, lambda: None)

    def __str__(self):
        return self.args[0]


def raises(kind, *given):
    raise kind(*given)


def through_pickle(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [((KeyError, "mass"), KeyError, "mass"), ((AttributeError, "no pickle here"), AttributeError, "no pickle here"),
     ((CannotBeSent, "a b"), WorkerError, "a chunk failed in a worker: got CannotBeSent: a b"),
     ((BrokenExecutor, "a pool of the user"), BrokenExecutor, "a pool of the user")],
)  # fmt: skip
def test_an_error_of_a_chunk_is_no_loss_of_a_worker(monkeypatch, error, kind, says):
    """It is raised as it is, with its traceback in the worker, after the results of the chunks before it."""
    accepted = []

    class Sink:
        deliver = None

        def accept(self, number, result):
            accepted.append(number)

    def job(spec, number, stopped):
        return number if number < 2 else raises(*error)

    spec = specify(BALL, **CALL)
    finished = through_pickle(Task("key", spec, job, None, (0, 1, 2, 3))())
    with pytest.raises(kind, match=says) as caught:
        execute._accept(Sink(), stepping.Work(), finished)
    assert accepted == [0, 1]
    assert "in raises\n    raise kind(*given)" in str(caught.value.__cause__)
    with Loses(0, None) as pool, pytest.raises(error[0], match=error[1]):  # threads share the exception itself
        execute.execute(spec, Sink(), executor=pool, job=job)
    assert len(pool.sizes) == CHUNKS


def test_few_tasks_with_much_in_them_are_queued(monkeypatch):
    """Each has the parameters of all paths: of 10⁶ masses in each, 4096 tasks would be 32 GB."""
    call = {k: v for k, v in CALL.items() if k != "reduce"}
    heavy = specify(BALL.replace(mass=sd.PerPath(np.linspace(1, 2, 1000))), **call)
    assert execute._most_queued(specify(BALL, **call)) == execute.QUEUED_ANYWHERE
    assert execute._most_queued(heavy) == execute.QUEUED_ANYWHERE
    monkeypatch.setattr(execute, "QUEUED_BYTES", 10**6)
    assert 120 < execute._most_queued(heavy) < 125  # of 8 kB each, and the state at the start
    monkeypatch.setattr(execute, "QUEUED_BYTES", 10**5)
    assert execute._most_queued(heavy) == execute.FEWEST_QUEUED


class Unpicklable(ThreadPoolExecutor):
    """What a pool of processes says of a class that no module holds."""

    def submit(self, function, *given, **more):
        return super().submit(pickle.dumps, lambda: None)


def test_unpicklable_tasks_raise_worker_errors():
    with Unpicklable(1) as pool, pytest.raises(WorkerError, match="at the top of a module that the workers can import"):
        sd.load("heavy-top").simulate(
            t_end=0.1, dt=0.05, paths=100, execution=sd.Execution(engine="numpy", executor=pool)
        )


def test_tasks_grow_to_seconds():
    """Chunks of milliseconds are given out together once it is known what they take."""
    with ThreadPoolExecutor(1) as pool:
        run = BALL.simulate(t_end=0.1, dt=0.05, paths=64 * 400, method="heun", save=sd.Save("final", names=[]),
                            execution=sd.Execution(engine="numpy", executor=pool))  # fmt: skip
        assert run.data.work.tasks == 400
    todo, work = execute.deque(range(100_000)), stepping.Work(execute.Counter({"a": 10}), seconds=1.0, tasks=10)
    sizes = []

    def submit(pool, chunks):
        sizes.append(len(chunks))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        execute._collect(None, todo, None, submit, 4096, work, 2.0)
    assert sizes == [20]
    assert list(todo) == list(range(100_000))


@pytest.fixture(scope="module")
def dask():
    """Two workers, processes of their own."""
    import dask.config
    import distributed

    with (
        dask.config.set(
            {"distributed.worker.multiprocessing-method": START, "distributed.scheduler.allowed-failures": 0}
        ),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_dask(tmp_path, whole, dask):
    run = BALL.simulate(
        **CALL,
        save=sd.Save(EVERY, store=tmp_path / "run.zarr"),
        execution=sd.Execution(engine="numpy", executor=dask.get_executor()),
    )
    assert len(workers(run)) == 2
    assert os.getpid() not in workers(run)
    assert tree(tmp_path / "run.zarr") == whole


def test_dask_with_a_worker_killed(tmp_path, whole, dask):
    victims = dask.run(os.getpid)
    thread = killer(tmp_path / "run.zarr", victims.values)
    run = BALL.simulate(
        **CALL,
        save=sd.Save(EVERY, store=tmp_path / "run.zarr"),
        execution=sd.Execution(engine="numpy", executor=dask.get_executor()),
    )
    thread.join()
    assert len(workers(run)) >= 2
    assert set(workers(run)) & set(victims.values())
    assert tree(tmp_path / "run.zarr") == whole
    np.testing.assert_array_equal(run.data.status, 0)
