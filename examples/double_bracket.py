r"""
Dissipation on the momentum sphere
==================================

Friction shrinks the momentum of a free body. Double bracket dissipation turns it instead: $|M|$ stays and the energy
falls, until the body spins about the axis of its largest moment of inertia (Bloch, Krishnaprasad, Marsden and Ratiu
1996). With isotropic noise of a matching size the energy comes to an equilibrium, in which $M$ has the density
$e^{-\beta E}$ on the sphere (Arnaudon, De Castro and Holm 2018).
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd
from semidirect import ops


class Body(sd.System):
    """A rigid body, dM = M × (Ω + θ M × Ω) dt + Σ M × σe_i∘dW^i."""

    inertia: sd.Parameter = sd.inertia((1.0, 1.6, 2.2))
    theta: sd.Parameter = sd.parameter(0.4, nonnegative=True)
    sigma: sd.Parameter = sd.parameter(0.5)
    group = sd.SO3()
    momentum_names = {"Omega": "M"}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self):
        return sd.Unconstrained(noise=self.sigma * ops.identity(3))

    def dissipation(self):
        return sd.DoubleBracket(self.theta)


start, inertia = {"Omega": (1.0, 0.1, 0.1)}, (1.0, 1.6, 2.2)
falls = Body().simulate(t_end=30, dt=0.02, state=start, driver=0, method="rkmk4")
size = np.linalg.norm(falls["M"][0], axis=1)
print(f"without noise |M| moves by {np.ptp(size) / size[0]:.0e} of itself in {falls.data.steps} steps")

# %%
# The mean energy of 20,000 paths with noise, and that of Gibbs' density, by quadrature over the sphere.

run = Body().simulate(
    t_end=8, dt=0.1, paths=20_000, seed=2, state=start, method="lie-heun", save="final",
    reduce=sd.Reduce("moments", at="every:2"),
)  # fmt: skip
beta = 2 * 0.4 / 0.5**2
(z, weight), angle = np.polynomial.legendre.leggauss(80), np.linspace(0, 2 * np.pi, 160, endpoint=False)
z, weight = z[:, None], weight[:, None]
squares = (1 - z * z) * np.cos(angle) ** 2, (1 - z * z) * np.sin(angle) ** 2, z * z
energy = size[0] ** 2 * sum(x / i for x, i in zip(squares, inertia, strict=True)) / 2
density = weight * np.exp(-beta * energy)
exact = (density * energy).sum() / density.sum()

sphere, ax = plt.figure(figsize=(7.6, 3.5), layout="constrained").subplots(1, 2)
falls.plot.sphere("M", ax=sphere, label="no noise")
moments = run.reductions["moments"]
ax.plot(falls.times[:401], falls["energy"][0, :401], color="0.5", label="no noise")
ax.plot(moments.times, moments.mean["energy"], label="mean of 20,000 paths")
ax.axhline(exact, color="tab:red", linewidth=1, linestyle="--", label="Gibbs")
ax.set(xlabel="$t$ [s]", ylabel="energy [J]", ylim=(None, 0.58))
ax.legend(frameon=False, loc="upper right")
plt.show()
