r"""
A hundred vortices
==================

A hundred point vortices of strength $\Gamma$ on a sphere, each acting on all others: $p_k = \Gamma x_k$ and
$h = \frac{\Gamma^2}{4\pi}\sum\ln\tfrac12|x_i - x_j|^2$ over all 4950 pairs. They start close to the equator, a sheet that rolls
up. `coadjoint-midpoint` keeps them on the sphere and $\sum p_k$ to rounding.

On the sphere $\tfrac12|x_i - x_j|^2 = 1 - x_i\cdot x_j$, but implicit steps evaluate energies near it. With the scalar product
every vortex would turn about its own axis, which moves none of them and takes ten times as many iterations.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation

import semidirect as sd
from semidirect import ops
from semidirect.lattices import Lattice

COUNT = 100


class Vortex(sd.System):
    """A vortex, which does not move alone."""

    group = sd.SO3()
    momentum_names = {"Omega": "p"}

    def hamiltonian(self, p):
        return 0


class Vortices(Lattice):
    """Vortices, of which each acts on all others."""

    sites: sd.Option[int] = sd.option(COUNT)
    edges = "all"
    strength: sd.Parameter = sd.parameter(0.1, symbol=r"\Gamma")

    def site(self):
        return Vortex()

    def coupling(self, left, right):
        apart = (left.p - right.p) / self.strength
        return self.strength**2 * ops.log(ops.dot(apart, apart) / 2) / (4 * np.pi)

    @sd.observable()
    def momentum(self, state):
        return state.p.sum(axis=1)


turn = 2 * np.pi * np.arange(COUNT) / COUNT
height = 0.06 * np.sin(5 * turn) + 0.02 * np.cos(3 * turn)
ring = np.sqrt(1 - height**2)
start = np.stack([ring * np.cos(turn), ring * np.sin(turn), height], axis=1)
vortices = Vortices()
begin = {"p": vortices.strength * start}
run = vortices.simulate(t_end=16, dt=0.0025, state=begin, method="coadjoint-midpoint", save="every:160")
x = run["p"][0] / vortices.strength
for name in ("energy", "momentum"):
    print(f"{name} changes by {np.abs(run[name] - run[name][:, :1]).max():.0e}")
print(f"|x_k| moves by {np.ptp(np.linalg.norm(x, axis=-1)):.0e}")

# %%
# Seen from a latitude of 35°, from two sides.

tilt = np.radians(35)
figure, axes = plt.subplots(1, 2, figsize=(7.6, 3.9), layout="constrained")
for ax, title in zip(axes, ("from one side", "from the other side"), strict=True):
    ax.add_patch(plt.Circle((0, 0), 1, color="0.94"))
    ax.plot(np.cos(turn), np.sin(turn), color="0.7", lw=1)
    ax.set(title=title, aspect="equal", xlim=(-1.05, 1.05), ylim=(-1.05, 1.05))
    ax.set_axis_off()
    ax.text(0, -1.15, "points on the near side", ha="center")
dots = [ax.plot([], [], "o", ms=4, color="C0")[0] for ax in axes]


def draw(frame):
    for side, dot in zip((1, -1), dots, strict=True):
        across, along, up = side * x[frame, :, 1], side * x[frame, :, 0], x[frame, :, 2]
        seen = along * np.cos(tilt) + up * np.sin(tilt) > 0
        dot.set_data(across[seen], (up * np.cos(tilt) - along * np.sin(tilt))[seen])
    return dots


draw(0)
moving = FuncAnimation(figure, draw, frames=len(x), interval=80)
plt.show()
