"""10⁶ paths with moments, which each recipe computes by an executor of its own; ``python million.py run.zarr`` by one process."""

import sys

import semidirect as sd


def simulate(store, **how):
    """The run, or what the store lacks of it."""
    run = sd.load("rigid-body").simulate(
        t_end=1, dt=0.01, paths=10**6, seed=1, reduce=sd.Reduce("moments", at="every:10"),
        save=sd.Save("final", names=["energy"], store=store, resume=True), execution=sd.Execution(**how),
    )  # fmt: skip
    work = run.data.work
    processes = {worker.split(":")[1] for worker in work.chunks}
    print(f"{work.chunks.total()} chunks computed by {len(processes)} processes, {work.lost} tasks lost")


if __name__ == "__main__":
    simulate(sys.argv[1], threads=1)
