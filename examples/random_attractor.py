r"""
A law that is stationary, and one noise from many starts
========================================================

A free body with double bracket dissipation and isotropic noise. Left: where its momentum points after a transient, of many paths
with noises of their own; the lines are levels of the density $e^{-\beta E}$, which is proved stationary. Right: 40,000 paths that
start anywhere on the sphere and get *one* noise. They gather on a random set. One Lyapunov exponent is 0, across the spheres
$|M|$ = const; the largest one is positive, so this set is not a point, and paths that start close by separate.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd
from semidirect import ops


class Body(sd.System):
    """A rigid body, dM = M × (Ω + θ M × Ω) dt + Σ M × σe_i∘dW^i."""

    inertia: sd.Parameter = sd.inertia((1.0, 1.6, 2.2))
    theta: sd.Parameter = sd.parameter(0.1, nonnegative=True)
    sigma: sd.Parameter = sd.parameter(0.3)
    group = sd.SO3()
    momentum_names = {"Omega": "M"}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self):
        return sd.Unconstrained(noise=self.sigma * ops.identity(3))

    def dissipation(self):
        return sd.DoubleBracket(self.theta)


body, SIZE = Body(), 2.0
reduced = sd.Formulation(reconstruct=False)
axes = plt.figure(figsize=(7.4, 3.1), layout="constrained").subplots(1, 2)

run = body.simulate(
    t_end=100, dt=0.05, paths=2000, seed=1, state={"M": (0, 0, SIZE)}, method="lie-heun", formulation=reduced,
    save=sd.Save("every:20", ["M"]),
)  # fmt: skip
run.plot.sphere_histogram("M", since=run.times[-1] / 2, bins=20, ax=axes[0])
found = sd.invariants.gibbs_density(body)
print(f"beta = {float(found.beta):g}, stationary: {found.stationary}")
around, up = np.meshgrid(np.linspace(-180, 180, 181), np.linspace(-1, 1, 91))
M = SIZE * np.stack([np.sqrt(1 - up**2) * f(np.deg2rad(around)) for f in (np.cos, np.sin)] + [up])
energy = np.einsum("i...,i->...", M**2, 1 / np.array([1.0, 1.6, 2.2])) / 2
density = np.exp(-float(found.beta) * energy)
axes[0].contour(around, up, density / density.mean(), levels=[0.25, 0.5, 1, 2, 4], colors="white", linewidths=0.8)
axes[0].set_title("noises of their own")

# %%
# All paths get the noise of path 0, whatever their start. The exponents add up to the mean of the divergence, which is derived.

rng = np.random.default_rng(1)
starts = rng.standard_normal((40_000, 3))
starts *= SIZE / np.linalg.norm(starts, axis=1, keepdims=True)
together = body.ensemble(
    dt=0.05,
    paths=len(starts),
    seed=2,
    state={"M": starts},
    driver=sd.Wiener(path=0),
    method="lie-heun",
    formulation=reduced,
).advance(t=100)
end = together.read("M")
axes[1].plot(np.degrees(np.arctan2(end[:, 1], end[:, 0])), end[:, 2] / SIZE, ",", color="tab:blue")
axes[1].set(xlim=(-180, 180), ylim=(-1, 1), xticks=range(-180, 181, 90), yticks=[], xlabel="azimuth about $M_{3}$ [°]",
            title="one noise, 40,000 starts")  # fmt: skip
spectrum = sd.lyapunov(body, t_end=400, dt=0.05, paths=64, seed=3, state={"M": (0, 0, SIZE)}, method="lie-heun")
print(spectrum)
plt.show()
