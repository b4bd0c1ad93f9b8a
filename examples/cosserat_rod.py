r"""
A Cosserat rod
==============

A rod of 16 rigid cross-sections in SE(3), free in space. An edge between two of them stretches, shears, bends and twists: with
the frames $R_i$ and places $x_i$, the length $l$ and $Q = R_i^T R_{i+1}$, its energy is
$\tfrac{l}{2}(u\cdot C_u u + (v - e_3)\cdot C_v (v - e_3))$ at $u = \mathrm{vee}(Q - Q^T)/2l$ and
$v = (R_i + R_{i+1})^T(x_{i+1} - x_i)/2l$. It is a function of the frames that the sites advect.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation

import semidirect as sd
from semidirect import ops
from semidirect.lattices import Lattice

COUNT, LENGTH, FRAME, E3 = 16, 1 / 16, ("E1", "E2", "Gamma"), np.array([0, 0, 1])


class Section(sd.System):
    """A cross-section of a rod, a rigid body."""

    group = sd.SE3()
    advected = sd.AdvectedFrame()
    inertia: sd.Parameter = sd.inertia((3e-5, 3e-5, 6e-5))

    def lagrangian(self, xi, a):
        return (ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) + LENGTH * ops.dot(xi.Y, xi.Y)) / 2


class Rod(Lattice):
    """Sections in a line."""

    sites = COUNT
    bending: sd.Parameter = sd.parameter((0.01, 0.01, 0.008), symbol="C_u", shape=(3,))
    stretching: sd.Parameter = sd.parameter((10.0, 10.0, 20.0), symbol="C_v", shape=(3,))

    def site(self):
        return Section()

    def coupling(self, left, right):
        Q = sum(ops.outer(left[e], right[e]) for e in FRAME)
        u = ops.array([Q[2][1] - Q[1][2], Q[0][2] - Q[2][0], Q[1][0] - Q[0][1]]) / (2 * LENGTH)
        steps = [ops.dot(left[e], left.b[:3]) - ops.dot(right[e], right.b[:3]) for e in FRAME]  # e.x = -E.b
        v = sum(step * (left[e] + right[e]) for e, step in zip(FRAME, steps, strict=True)) / (2 * LENGTH) - E3
        return LENGTH / 2 * (ops.dot(u, self.bending * u) + ops.dot(v, self.stretching * v))

    @sd.observable()
    def momentum(self, state):
        return np.stack([LENGTH * np.sum(getattr(state, e) * state.Y, axis=(-2, -1)) for e in FRAME], axis=-1)


def places(run):
    """x of all sections, (times, sections, 3)."""
    b = run["b"][0, ..., :3]
    return -np.stack([np.sum(run[e][0] * b, axis=-1) for e in FRAME], axis=-1)


s = (np.arange(COUNT) + 0.5) * LENGTH
straight = {"E1": (1, 0, 0), "E2": (0, 1, 0), "Gamma": (0, 0, 1), "b": np.stack([0 * s, 0 * s, -s, 0 * s + 1], axis=1)}
how = {"dt": 0.004, "method": "rkmk4", "execution": sd.Execution(engine="numpy")}

# %%
# A small wave in the first mode of a free beam, whose frequency is $4.730^2\sqrt{EI/\varrho A}/L^2$.

k = 4.730041
mode = np.cosh(k * s) + np.cos(k * s) - 0.982502 * (np.sinh(k * s) + np.sin(k * s))
small = Rod().simulate(t_end=1, state={**straight, "Y": 1e-3 * np.outer(mode, (1, 0, 0))}, **how)
wave = places(small)[..., 0] @ mode
rate = np.sqrt(-np.sum(np.diff(wave, 2) * wave[1:-1]) / np.sum(wave[1:-1] ** 2)) / how["dt"]
print(f"frequency {rate:.3f}, of a thin beam {k**2 * np.sqrt(0.01):.3f}")

# %%
# A fast turn of one end.

turn = np.outer(np.exp(-((s / 0.2) ** 2)), (0, 6.0, 4.0))
push = np.outer(np.exp(-((s / 0.2) ** 2)), (1.2, 0.6, 0.0))
run = Rod().simulate(t_end=2.4, state={**straight, "Omega": turn, "Y": push}, save="every:15", **how)
for name in ("energy", "momentum"):
    print(f"{name} changes by {np.abs(run[name] - run[name][:, :1]).max():.0e} of {np.abs(run[name]).max():.2g}")
x = places(run)
figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
rod = ax.plot(x[-1, :, 0], x[-1, :, 2], "o-", ms=5)[0]
ax.set(xlabel="$x$", ylabel="$z$", aspect="equal", xlim=(-0.3, x[..., 0].max() + 0.1), ylim=(-0.3, 1.2))


moving = FuncAnimation(figure, lambda frame: [rod.set_data(x[frame, :, 0], x[frame, :, 2])], frames=len(x), interval=80)
plt.show()
