"""
The paper's first figure
========================

A Routh sphere with noise along its axis of symmetry. Without noise its energy and the integrals of Jellett and Routh
are constant. The paper integrates with an implicit Euler method for the drift (left), which loses energy; a geometric
method on the same noise (right) does not. `semidirect reproduce` draws all four figures of the paper.
"""

import matplotlib.pyplot as plt

import semidirect as sd

ball = sd.load(
    "routh-sphere", coupling="printed", inertia=(0.5, 0.5, 0.3), offset=0.3, gravity=1.0, noise=[[0.0, 0.0, 0.1]]
)
start = {"Omega": (0.5, 0.0, 1.0), "Gamma": (0.28, 0.0, -0.96)}
names = {"energy": "$E$ [J]", "jellett": "$J$ [kg m$^3$/s]", "routh": "$R$ [kg m$^2$/s]"}
settings = {"t_end": 40, "dt": 0.02, "state": start, "save": sd.Save("every:4", names=list(names))}

axes = plt.figure(figsize=(7, 4.6), layout="constrained").subplots(3, 2, sharex=True, sharey="row")
exact = ball.simulate(method="dop853", driver=0, **settings)
for column, method in zip(axes.T, ("sdelab(1)", "lie-midpoint"), strict=True):
    run = ball.simulate(paths=10, seed=1, method=method, **settings)
    for ax, name in zip(column, names, strict=True):
        ax.plot(run.times, run[name].T, color="0.2", linewidth=0.4)
        ax.plot(exact.times, exact[name][0], color="tab:red", linewidth=1.5)
    column[0].set_title(f"{method}" + " (the paper's)" * (method == "sdelab(1)"))
    column[-1].set_xlabel("$t$ [s]")
for ax, label in zip(axes[:, 0], names.values(), strict=True):
    ax.set_ylabel(label)
plt.show()
