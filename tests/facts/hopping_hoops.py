"""An ensemble of hoops that roll on rough ground with noise, slip, hop and land.

``python tests/facts/hopping_hoops.py`` runs 10,000 paths; the tests run some of the same paths.
"""

from hybrid_systems import hopping_hoop

import semidirect as sd

START = {"omega": 8.6, "turn": (-1, 0)}


def hoops(paths, threads=None, t_end=0.9):
    """The run of the first paths."""
    return hopping_hoop(friction=0.8, noise=[2.0]).simulate(
        mode="rolling", t_end=t_end, dt=0.01, paths=paths, seed=11, method="lie-heun", state=START, save="every:10",
        execution=sd.Execution(threads=threads),
    )  # fmt: skip


if __name__ == "__main__":
    from time import perf_counter

    start = perf_counter()
    run = hoops(10_000)
    print(f"{perf_counter() - start:.1f} s; {run}")
    for label, count in run.counts.items():
        print(f"{count:6d}  {label}")
    for sequence, count in run.sequences.most_common(6):
        print(f"{count:6d}  {' → '.join(sequence)}")
