"""Plan a large ensemble from rates that are measured here: core hours, tasks, files, traffic.

    python examples/plan_ensemble.py --paths 1e9 --cores 1000 --steps 1000

The run keeps the final states and the moments of all observables at ten times. ``docs/large_runs.md`` discusses the numbers.
"""

import argparse
import math
import pickle
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import semidirect as sd
from semidirect.engines import stepping
from semidirect.ensemble import Delivery, Store, as_stored, fixed, manifest, specify, values_of

TASKS = 500


@dataclass(frozen=True)
class Rates:
    """The measured rates: path-steps/s of a core, bytes/s into a store, seconds that a task costs the leading process."""

    path_steps: float
    written: float
    task: float


def seconds(work, repetitions=3):
    """The least time of some repetitions [s]."""
    times = []
    for _ in range(repetitions):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


class Nowhere:
    """A sink that keeps nothing."""

    deliver = None

    def accept(self, number, result):
        """Drop a result."""


def nothing(spec, number, stopped):
    """A chunk that takes no time."""


def measured(spec, sample):
    """Rates with chunks of some paths of the run: of steps by one thread, of files, of tasks of another process."""
    short = replace(spec, paths=sample, chunk_paths=sample)
    result = stepping.run_chunk(short, range(sample))  # compiles
    computing = seconds(lambda: stepping.run_chunk(short, range(sample)))
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "run.zarr", manifest(short), fixed(short))
        writing = seconds(lambda: store.write(0, values_of(result)))
        size = sum(f.stat().st_size for f in store.path.rglob("c.*"))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        stepping.execute(short, Nowhere(), [0], executor=pool, job=nothing)
        tasks = seconds(lambda: stepping.execute(short, Nowhere(), [0] * TASKS, executor=pool, job=nothing))
    return Rates(sample * spec.steps / computing, size / writing, tasks / TASKS)


def spec_of(system, paths, steps, dt):
    """The run: final states, and moments at ten times."""
    every = max(1, steps // 10)
    return specify(system, t_end=steps * dt, dt=dt, paths=paths, save=sd.Save("final", names=[]),
                   execution=sd.Execution(engine="compiled"),
                   reduce=sd.Reduce(sd.Moments(list(system.observables())), at=f"every:{every}"))  # fmt: skip


def plan(spec, rates, cores):
    """The numbers of a run, as lines."""
    layout = manifest(spec)
    chunk = spec.chunk_paths * spec.steps / rates.path_steps
    task = max(1, round(stepping.TASK_SECONDS / chunk))
    tasks = -(-spec.chunks // task)
    total = spec.paths * spec.steps / rates.path_steps
    arrays = [a for a in layout.layout.values() if a.size]
    size = sum(a.size for a in arrays) * spec.chunks
    partials = sum(8 * math.prod(kind.whole) for kind in layout.partials.values()) * spec.chunks
    files = (len(layout.layout) + 1) * spec.chunks
    sent = len(
        pickle.dumps(stepping.Task("0" * 32, spec, stepping.chunk_of, Delivery(Path("/run.zarr"), "0" * 64), (0,)))
    )
    wall = total / cores + task * chunk
    return [
        ("computing, one core", f"{rates.path_steps:.2g} path-steps/s"),
        ("all of it", f"{total / 3600:.3g} core hours; {total / cores:.3g} s on {cores} cores"),
        ("chunks", f"{spec.chunks} of {spec.chunk_paths} paths, {chunk:.2g} s each"),
        ("tasks", f"{tasks} of {task} chunk{'s' * (task > 1)}, {task * chunk:.2g} s each; {tasks / cores:.3g} a core"),
        ("idle at the end", f"at most {task * chunk:.2g} s a core, {100 * task * chunk / wall:.2g} % of the run"),
        ("leading process", f"{1e3 * rates.task:.2g} ms a task, {tasks * rates.task:.3g} s in all: "
                            f"{100 * tasks * rates.task / wall:.2g} % of its time"),
        ("sent to workers", f"{sent / 1e3:.3g} kB a task, {sent * tasks / 1e6:.3g} MB in all"),
        ("store", f"{size / 1e9:.3g} GB of paths, {partials / 1e9:.2g} GB of statistics before compression"),
        ("files", f"{files}, of {size / (len(arrays) * spec.chunks) / 1e6:.2g} MB; {spec.chunks} in a folder"),
        ("written", f"{size / wall / 1e9:.2g} GB/s by all, {size / wall / cores / 1e6:.2g} MB/s by a core, which can "
                    f"{rates.written / 1e6:.3g} MB/s here"),
        ("if the leading process wrote all", f"{size / rates.written:.3g} s"),
    ]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", default="rigid-body")
    parser.add_argument("--paths", type=lambda text: int(float(text)), default=10**9)
    parser.add_argument("--steps", type=lambda text: int(float(text)), default=1000)
    parser.add_argument("--dt", type=float, default=0.01)
    parser.add_argument("--cores", type=int, default=1000)
    parser.add_argument("--sample", type=int, default=8192, help="paths that are run here to measure (default: 8192)")
    args = parser.parse_args()
    system = sd.load(args.system)
    spec = as_stored(spec_of(system, args.paths, args.steps, args.dt))
    rates = measured(spec, args.sample)
    print(f"{args.system}, {spec.method.label}: {args.paths:g} paths of {args.steps} steps on {args.cores} cores")
    for name, value in plan(spec, rates, args.cores):
        print(f"{name:>34}  {value}")


if __name__ == "__main__":
    main()
