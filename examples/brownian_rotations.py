r"""
Brownian motion on the rotation group
=====================================

Kinematics needs no Lagrangian: $\mathrm dg = g\sum_i\sigma e_i\circ\mathrm dW^i$ is Brownian motion on $\mathrm{SO}(3)$.
The characters of its representations are eigenfunctions of the Laplacian, so that their means are known:
$E\chi_l(g_t) = (2l+1)\,e^{-l(l+1)\sigma^2t/2}$. The vertical seen from the turning frame is Brownian motion on the sphere.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

sigma = 0.5
up = sd.Advected(sd.VectorRepresentation(sd.SO3()), reference=(0, 0, 1))
walk = sd.Kinematics(sd.SO3(), noise=sigma * np.eye(3), advected={"Gamma": up})
run = walk.simulate(t_end=8, dt=0.05, paths=20_000, seed=5, method="lie-heun", save=sd.Save("every:8", names=["g"]))
one = walk.simulate(t_end=8, dt=0.005, seed=5, method="lie-heun")

# %%
# χ_l is a function of the angle θ of the rotation, sin((l + ½)θ)/sin(θ/2), with 1 + 2 cos θ = tr g.

trace = run["g"][..., [0, 4, 8]].sum(-1)
theta = np.arccos(np.clip((trace - 1) / 2, -1, 1))
sphere, ax = plt.figure(figsize=(7.6, 3.5), layout="constrained").subplots(1, 2)
one.plot.sphere("Gamma", ax=sphere, label="one path")
for order in (1, 2, 3):
    character = 1 + 2 * np.cos(np.arange(1, order + 1)[:, None, None] * theta).sum(0)
    mean, error = character.mean(0), character.std(0) / np.sqrt(run.paths)
    exact = (2 * order + 1) * np.exp(-order * (order + 1) * sigma**2 * run.times / 2)
    print(f"l = {order}: largest deviation {np.max(np.abs(mean - exact)[1:] / error[1:]):.1f} standard errors")
    ax.errorbar(run.times, mean, 2 * error, fmt="o", markersize=3, color=f"C{order}", label=f"$l={order}$")
    ax.plot(run.times, exact, color=f"C{order}", linewidth=1)
ax.set(xlabel="$t$ [s]", ylabel=r"$E\,\chi_l(g_t)$")
ax.legend(frameon=False)
plt.show()
