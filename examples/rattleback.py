"""
The rattleback turns back
=========================

Spun one way it begins to rattle and turns back after some seconds; spun the other way it takes four times as long. The
equations have no friction: the reversal comes from the axes of inertia, which are rotated relative to the axes of the surface.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

tilt = np.deg2rad(0.5)
gamma = (np.sin(tilt), np.sin(tilt) * np.cos(tilt), np.cos(tilt) ** 2)

ax = plt.figure(figsize=(7, 3.4), layout="constrained").subplots()
for spin in (5, -5):
    run = sd.load("rattleback", noise=()).simulate(
        t_end=14, dt=0.02, method="dop853", state={"Omega": (0, 0, spin), "Gamma": gamma}, save=sd.Save(names=["spin"])
    )
    ax.plot(run.times, run["spin"][0] / spin, label=f"$\\Omega_3(0) = {spin}$ rad/s")
ax.axhline(0, color="0.7", linewidth=0.8)
ax.set(xlabel="$t$ [s]", ylabel="spin about the vertical, over its start")
ax.legend(frameon=False)
plt.show()
