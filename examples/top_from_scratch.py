r"""
A top from scratch
==================

A heavy top is a class with a group, an advected vector and a Lagrangian; its equations follow. Noise turns the body
about its own first axis. Every path keeps $|\Gamma| = 1$ and $M\cdot\Gamma$, but not the energy.
"""

import matplotlib.pyplot as plt

import semidirect as sd
from semidirect import ops


class Top(sd.System):
    """l = ½Ω·𝕀Ω − wΓ₃, where Γ is the vertical seen from the body."""

    inertia: sd.Parameter = sd.inertia((1.0, 1.0, 0.5))
    weight: sd.Parameter = sd.parameter(1.0, unit="J", symbol="w", doc="m g times the distance from the fixed point")
    noise: sd.Parameter = sd.parameter([[0.2, 0.0, 0.0]], unit="rad/√s", symbol="xi", shape=(None, 3))
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}
    initial = {"Omega": (0.0, 0.3, 5.0), "Gamma": (0.6, 0.0, 0.8)}

    def lagrangian(self, xi, a):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 - self.weight * a.Gamma[2]

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


print(Top().equations())
assert Top().is_conserved("dot(M, Gamma)")

# %%
# One path without noise and three with it: where the axis of the top points, seen from above.

still = Top(noise=()).simulate(t_end=12, dt=0.01, method="dop853")
noisy = Top().simulate(t_end=12, dt=0.01, paths=3, seed=2, method="implicit-midpoint")

axes = plt.figure(figsize=(7, 3.7), layout="constrained").subplots(1, 2, sharex=True, sharey=True)
for ax, run, title in zip(axes, (still, noisy), ("no noise", "three paths with noise"), strict=True):
    for axis in run.element()[..., :, 2]:
        ax.plot(axis[:, 0], axis[:, 1], linewidth=1)
    ax.set(aspect="equal", title=title, xlabel="$x$ of the axis", ylabel="$y$ of the axis")
plt.show()
