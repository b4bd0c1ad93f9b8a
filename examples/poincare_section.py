r"""
A Poincaré section of a top
===========================

A heavy top whose centre of mass lies on no principal axis, without noise. All paths have the same energy and the same vertical
momentum, which leaves three dimensions; the points at which $\Gamma_2$ rises through 0 lie in two. Regular motions draw
curves, chaotic ones fill areas. The crossings are located within the steps and recorded while the paths run; no path is saved.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

INERTIA, AXIS = np.array([1.0, 0.9, 0.6]), np.array([0.28, 0.0, 0.96])
ENERGY, VERTICAL = 1.6, 0.3

top = sd.load("heavy-top", inertia=INERTIA, axis=AXIS, noise=())


# %%
# With $\Gamma = (\sin\theta, 0, \cos\theta)$ a state is given by $\theta$ and the component $p$ of $M$ along
# $(\cos\theta, 0, -\sin\theta)$: the vertical one is $M\cdot\Gamma$, and the energy leaves $M_2 > 0$.
def frame(theta):
    zero = np.zeros_like(theta)
    return np.stack([np.sin(theta), zero, np.cos(theta)], -1), np.stack([np.cos(theta), zero, -np.sin(theta)], -1)


def states(theta, p):
    gamma, along = frame(theta)
    M = VERTICAL * gamma + p[:, None] * along
    M[:, 1] = np.sqrt(2 * INERTIA[1] * (ENERGY - (M**2 / INERTIA).sum(axis=1) / 2 - gamma @ AXIS))
    return {"Omega": M / INERTIA, "Gamma": gamma}


theta = np.concatenate([np.linspace(-2.8, 2.8, 12), np.linspace(0.8, 2.4, 6)])
p = np.repeat([0.2, 0.9], [12, 6])

section = sd.Crossing("Gamma", 0.0, "rising", component=1, most=400, keep=["Gamma", "M"])
run = top.simulate(
    t_end=800, dt=0.05, state=states(theta, p), paths=len(p), method="rk4", save=sd.Save("final", ["energy"], crossings=section),
    formulation=sd.Formulation(reconstruct=False),
)  # fmt: skip

ax = plt.figure(figsize=(7, 4.6), layout="constrained").subplots()
(found,) = run.crossings
for i in range(run.paths):
    seen = np.isfinite(found.times[i]) & (found["M"][i, :, 1] > 0)
    angle = np.arctan2(found["Gamma"][i, seen, 0], found["Gamma"][i, seen, 2])
    along = (found["M"][i, seen] * frame(angle)[1]).sum(axis=1)
    ax.plot(np.append(theta[i], angle), np.append(p[i], along), ".", markersize=1.6)
ax.set(title=r"crossings of $\Gamma_2 = 0$", xlabel=r"$\theta$ [rad]", ylabel="$p$ [kg m²/s]")
plt.show()
