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
still = sd.load("rigid-body", noise=()).simulate(t_end=30, dt=0.02, state=start, method="dop853")["M"][0]
run = body.simulate(t_end=60, dt=0.02, seed=3, state=start, method="lie-heun")
noisy = run["M"][0]
size = np.linalg.norm(noisy, axis=1)
print(f"|M| moves by {np.ptp(size) / size[0]:.0e} of itself in {run.steps} steps")

figure = plt.figure(figsize=(6, 4.6), layout="constrained")
ax = figure.add_subplot(projection="3d")
u, v = np.mgrid[0 : 2 * np.pi : 40j, 0 : np.pi : 20j]
ax.plot_wireframe(*size[0] * np.array([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)]), color="0.75", lw=0.4)
ax.plot(*noisy.T, linewidth=0.6, label="one path")
ax.plot(*still.T, color="tab:red", linewidth=2, label="no noise")
ax.set(box_aspect=(1, 1, 1))
ax.set_axis_off()
ax.view_init(15, 25)
ax.legend(frameon=False)
plt.show()
