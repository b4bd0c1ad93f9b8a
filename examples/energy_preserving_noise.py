"""
Two noises, two laws
====================

Transport noise adds to the velocity that carries the momentum: $|M|$ stays and the energy does not. Energy-preserving
noise, stochastic forcing by Lie transport (Holm and Hu 2021), adds to the momentum that the velocity carries: the
energy stays and $|M|$ does not. Forty paths of one body with each, from one state.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd
from semidirect import ops


class Body(sd.System):
    """A free rigid body, with both kinds of noise."""

    inertia: sd.Parameter = sd.inertia((1.0, 2.0, 2.6))
    transport: sd.Parameter = sd.parameter(np.zeros((2, 3)))
    forcing: sd.Parameter = sd.parameter(np.zeros((2, 3)))
    group = sd.SO3()
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (0.9, 0.5, 0.3)}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self):
        return sd.Unconstrained(noise=self.transport)

    def noise_force(self, group, xi, a, t, z):
        return sd.noise.EnergyPreservingNoise(self.forcing)(group, xi, a, t, z)


size = [[0.2, 0.1, 0.0], [0.0, 0.1, 0.2]]
transported, forced = Body(transport=size), Body(forcing=size)
assert transported.is_conserved("dot(M, M)")
assert forced.is_conserved("energy")

ax = plt.figure(figsize=(5.2, 4.2), layout="constrained").subplots()
run = transported.simulate(t_end=10, dt=0.02, paths=40, seed=1, method="lie-midpoint")
momentum = np.linalg.norm(run["M"], axis=-1)
lines = ax.plot(run["energy"].T, momentum.T, color="tab:blue", linewidth=0.6)
lines[0].set_label("transport noise")
print(f"transport noise: |M| moves by {np.max(np.abs(momentum / momentum[0, 0] - 1)):.0e} of itself")

run = forced.simulate(t_end=10, dt=0.02, paths=40, seed=1, method="implicit-midpoint")
energy = run["energy"]
lines = ax.plot(energy.T, np.linalg.norm(run["M"], axis=-1).T, color="tab:orange", linewidth=0.6)
lines[0].set_label("energy-preserving noise")
print(f"energy-preserving noise: the energy moves by {np.max(np.abs(energy / energy[0, 0] - 1)):.0e} of itself")

ax.plot(energy[0, 0], momentum[0, 0], "o", color="black", markersize=4, label="start")
ax.set(xlabel="energy [J]", ylabel="$|M|$ [kg m$^2$/s]")
ax.legend(frameon=False)
plt.show()
