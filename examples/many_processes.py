"""
One run on several processes
============================

The paths of a run are computed in chunks, by any executor of `concurrent.futures`: here two processes, elsewhere a
cluster of Dask (see the page on many machines). The result is the same to the last bit for any number of workers. Nothing
but statistics is saved: the histogram of Γ₃ of a top after 2, 4 and 8 s.
"""

from concurrent.futures import ProcessPoolExecutor

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd


def main() -> None:
    top = sd.load("lagrange-top", noise=[[0.3, 0.0, 0.0]])
    asked = {
        "t_end": 8, "dt": 0.02, "paths": 20_000, "seed": 1, "save": "final",
        "reduce": sd.Reduce([sd.Histogram("Gamma", -1, 1, bins=80)], at=[2, 4, 8]),
    }  # fmt: skip
    with ProcessPoolExecutor(2) as pool:
        run = top.simulate(execution=sd.Execution(executor=pool), **asked)
    alone = top.simulate(**asked)
    (found,), (same,) = run.reductions.values(), alone.reductions.values()
    assert np.array_equal(found.counts, same.counts)
    assert np.array_equal(run.final["Gamma"], alone.final["Gamma"])

    ax = plt.figure(figsize=(7, 3.4), layout="constrained").subplots()
    for time, counts in zip(found.times, found.counts[:, 2], strict=True):
        ax.stairs(counts, found.edges, label=f"t = {time:g} s", linewidth=1.3)
    ax.set(xlabel=r"$\Gamma_3$, the cosine of the tilt", ylabel=f"paths in each bin, of {run.paths:,}")
    ax.legend(frameon=False)
    plt.show()


if __name__ == "__main__":
    main()
