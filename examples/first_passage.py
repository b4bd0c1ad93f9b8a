"""
When does a spinning top fall?
==============================

A top stands upright, spins fast enough to stand, and is shaken. The share of 20,000 tops that have not yet tilted by 60
degrees, for three strengths of noise; no path is saved. The band is two standard errors wide on each side.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

ax = plt.figure(figsize=(7, 3.4), layout="constrained").subplots()
for strength in (0.1, 0.15, 0.2):
    top = sd.load("lagrange-top", noise=[[strength, 0.0, 0.0], [0.0, strength, 0.0]])
    fall = sd.FirstPassage("Gamma", level=np.cos(np.deg2rad(60)), component=2, direction="down")
    run = top.simulate(
        t_end=40, dt=0.02, paths=20_000, seed=1, save="final", reduce=sd.Reduce([fall], at="every:20"), method="lie-heun",
        state={"Omega": (0, 0, 6.0), "Gamma": (0, 0, 1)}, formulation=sd.Formulation(reconstruct=False),
    )  # fmt: skip
    run.plot.survival(label=f"noise {strength:g} rad/√s", ax=ax)
ax.set(title="upright tops", xlabel="$t$ [s]", ylabel="share that has not fallen", ylim=(0, 1.02))
ax.legend(frameon=False)
plt.show()
