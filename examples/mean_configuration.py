r"""
Mean, spread and principal geodesics of rotations
=================================================

Rotations cannot be averaged entry by entry: the mean of an ensemble is the rotation with the least sum of squared angles to
all of it. `sd.geometry.statistics` finds it, and the geodesics through it along which the ensemble spreads most. Here a
body is turned about its three axes by noise of amplitudes 0.3, 0.15 and 0.05, so that at early times the deviations along
the principal geodesics are $\sigma_k\sqrt t$.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

sigma = np.array([0.3, 0.15, 0.05])
walk = sd.Kinematics(sd.SO3(), noise=np.diag(sigma))
run = walk.simulate(t_end=2, dt=0.02, paths=2000, seed=3, method="lie-heun")

# %%
# At the end: each dot is a rotation, by its exponential coordinates about the mean.

left, right = plt.figure(figsize=(9.2, 4.2), layout="constrained").subplots(1, 2)
sd.geometry.statistics(run).plot(ax=left)

# %%
# Deviations along the principal geodesics against time, and their law for small times.

times = np.linspace(0.05, 1, 10) * run.times[-1]
found = [sd.geometry.statistics(run, time)["g"] for time in times]
for k in range(3):
    right.plot(times, [one.deviations[k] for one in found], "o", markersize=4, color=f"C{k}", label=f"geodesic {k + 1}")
    right.plot(times, sigma[k] * np.sqrt(times), color=f"C{k}", linewidth=1)
right.set(xlabel="$t$ [s]", ylabel="standard deviation [rad]", ylim=(0, None))
right.legend(frameon=False)
early = found[0]
print(f"after {times[0]:g} s: deviations", " ".join(f"{d:.4f}" for d in early.deviations))
print("sigma sqrt(t):             ", " ".join(f"{s * np.sqrt(times[0]):.4f}" for s in sigma))
print("axis of the first geodesic:", " ".join(f"{x:.3f}" for x in early.directions[0]))
plt.show()
