"""
Noise on a coadjoint orbit
==========================

The angular momentum of a free body stays on a sphere whatever the noise, for transport noise moves along coadjoint
orbits. Without noise it follows the curve on which the energy is constant; with noise it diffuses over the sphere and
$|M|$ does not change.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

body = sd.load("rigid-body", noise=[[0.08, 0.0, 0.0]])
start = {"Omega": (0.2, 1.0, 0.1)}
still = sd.load("rigid-body", noise=()).simulate(t_end=30, dt=0.02, state=start, method="dop853")
run = body.simulate(t_end=60, dt=0.02, seed=3, state=start, method="lie-heun")
size = np.linalg.norm(run["M"][0], axis=1)
print(f"|M| moves by {np.ptp(size) / size[0]:.0e} of itself in {run.data.steps} steps")

ax = run.plot.sphere("M", deterministic=still, label="one path with noise")
ax.figure.set_size_inches(5.5, 4.6)
plt.show()
