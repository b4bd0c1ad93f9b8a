r"""
A thousand coupled tops
=======================

Heavy tops in a line, each coupled to the next through their verticals in the body, $V = -k\,\Gamma_i\cdot\Gamma_{i+1}$, under a
noise that is common to all. The equations of a top are derived once, whatever the number of sites. One top starts on its side,
and its motion spreads.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation

import semidirect as sd
from semidirect import ops
from semidirect.lattices import Lattice


class Top(sd.System):
    """A heavy top, its weight below the fixed point."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(sd.SO3()), (0, 0, 1))}
    inertia: sd.Parameter = sd.inertia((1.0, 1.0, 1.5))
    noise: sd.Parameter = sd.parameter(((0.02, 0.0, 0.0),), symbol="sigma", shape=(None, 3))

    def lagrangian(self, xi, a):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 + 0.3 * a.Gamma[2]

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


class Tops(Lattice):
    """Tops in a line."""

    sites, edges, common_noise = 1000, "line", True
    strength: sd.Parameter = sd.parameter(1.0, symbol="k")

    def site(self):
        return Top()

    def coupling(self, left, right):
        return -self.strength * ops.dot(left.Gamma, right.Gamma)


upright = np.tile([0.0, 0.0, 1.0], (1000, 1))
upright[500] = [1.0, 0.0, 0.0]
start = {"Gamma": upright, "Omega": np.tile([0.0, 0.0, 0.5], (1000, 1))}
run = Tops().simulate(
    t_end=120, dt=0.05, seed=1, method="lie-heun", state=start, save=sd.Save("every:10", names=["Gamma", "energy"])
)

# %%
# How far each top is from upright, $1 - \Gamma_3$: waves leave the middle, while the noise moves all tops alike.

figure, (ax, now) = plt.subplots(1, 2, figsize=(7.6, 3.6), layout="constrained", width_ratios=(3, 2))
away = np.log10(np.maximum(1 - run["Gamma"][0, :, :, 2], 1e-8))
top = np.arange(1, 1001)
mesh = ax.pcolormesh(top, run.times, away, cmap="viridis", vmin=-6, vmax=0, shading="nearest", rasterized=True)
figure.colorbar(mesh, ax=ax, label=r"$\log_{10}(1 - \Gamma_3)$")
ax.set(xlabel="top", ylabel="$t$")
line = ax.axhline(0, color="w")
profile = now.plot(top, away[-1], lw=0.8)[0]
now.set(xlabel="top", ylabel=r"$\log_{10}(1 - \Gamma_3)$", ylim=(-8, 0.3))


def draw(frame):
    line.set_ydata([run.times[6 * frame]] * 2)
    profile.set_ydata(away[6 * frame])


moving = FuncAnimation(figure, draw, frames=len(run.times[::6]), interval=120)
plt.show()
print(f"{run['Gamma'].shape[2]} tops; |Γ| changes by {np.abs(np.linalg.norm(run['Gamma'], axis=-1) - 1).max():.0e}")
