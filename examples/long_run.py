"""
A thousand seconds of one top
=============================

The energy of a top with noise about its axis is conserved along every path. Which method keeps it? One path over 25,000
steps, the same noise for all: explicit methods drift, the variational one oscillates, the implicit midpoint rule
conserves the energy to round-off.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

top = sd.load("lagrange-top", noise=[[0.0, 0.0, 0.1]])
assert top.is_conserved("energy")

ax = plt.figure(figsize=(7, 3.4), layout="constrained").subplots()
for method in ("heun", "lie-heun", "lie-midpoint", "variational", "implicit-midpoint"):
    run = top.simulate(t_end=1000, dt=0.04, seed=1, method=method, save=sd.Save("every:25", names=["energy"]))
    energy = run["energy"][0]
    error = np.maximum(np.abs(energy / energy[0] - 1), 1e-17)
    ax.semilogy(run.times, error, label=method, linewidth=1)
ax.set(xlabel="$t$ [s]", ylabel="relative error of the energy", ylim=(1e-17, 1))
ax.legend(frameon=False, ncols=3)
plt.show()
