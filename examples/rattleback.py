"""
The rattleback turns back
=========================

Spun one way it begins to rattle and turns back after some seconds; spun the other way it takes four times as long.
"""

import sys
from pathlib import Path

import numpy as np

import semidirect as sd
from semidirect.analysis import style
from semidirect.integrators.dop853 import DOP853

output = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("rattleback.png")

tilt = np.deg2rad(0.5)
gamma = (np.sin(tilt), np.sin(tilt) * np.cos(tilt), np.cos(tilt) ** 2)
figure = style.new_figure(8, 4)
ax = figure.subplots()
for spin in (5, -5):
    state = {"Omega": (0, 0, spin), "Gamma": gamma}
    run = sd.load("rattleback", noise=()).simulate(
        t_end=14, dt=0.02, method=DOP853(rtol=1e-8, atol=1e-9), state=state, keep=["spin"]
    )
    ax.plot(run.times, run["spin"][0] / spin, label=f"$\\Omega_3(0) = {spin}$ rad/s")
ax.axhline(0, color="0.7", lw=0.8)
ax.set_xlabel("$t$ [s]")
ax.set_ylabel("spin about the vertical, over its start")
ax.legend(frameon=False)
figure.savefig(output)
