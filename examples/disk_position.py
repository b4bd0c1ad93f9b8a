"""
Where a rolling disk is, and the exact law
==========================================

A vertical disk rolls while noise turns it about the vertical. The mean and the variance of its position have closed
forms. Grey: where 4,000 of 100,000 paths are after 10 s. Dots and lines: mean and variance in time, measured and exact.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

spin, turn, amplitude = 1.0, 1.0, 0.3
disk = sd.load("rolling-disk", noise=(0.0, amplitude))
run = disk.simulate(
    t_end=10, dt=0.05, paths=100_000, seed=7, method="heun", save=sd.Save("every:10", names=["x", "y"]),
    state={"omega": spin, "nu": turn},
)  # fmt: skip
z = run["x"] + 1j * run["y"]

# %%
# With a = iν − ξ²/2 and b = 2iν − 2ξ², the law gives E z, E|z|² and E z² exactly.

t = run.times
a, b = 1j * turn - amplitude**2 / 2, 2j * turn - 2 * amplitude**2
mean = spin * (np.exp(a * t) - 1) / a
absolute = 2 * spin**2 * ((np.exp(a * t) - 1 - a * t) / a**2).real
variance = absolute - np.abs(mean) ** 2
error = np.abs(z.mean(axis=0) - mean) / np.sqrt(np.maximum(variance, 1e-12) / run.paths)
print(f"largest deviation of the mean: {error[1:].max():.1f} standard errors")

left, right = plt.figure(figsize=(7, 3.6), layout="constrained").subplots(1, 2)
left.plot(z[:4000, -1].real, z[:4000, -1].imag, ",", color="0.5", zorder=0)
left.plot(z.mean(axis=0).real, z.mean(axis=0).imag, "o", markersize=3.5, color="tab:blue", label="measured mean")
left.plot(mean.real, mean.imag, color="tab:red", linewidth=1, label="exact mean")
left.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]")
left.legend(frameon=False, fontsize=8)
right.plot(t, (np.abs(z - z.mean(axis=0)) ** 2).mean(axis=0), "o", markersize=3.5, color="tab:blue", label="measured")
right.plot(t, variance, color="tab:red", linewidth=1, label="exact")
right.set(xlabel="$t$ [s]", ylabel="variance of the position [m$^2$]")
right.legend(frameon=False, fontsize=8)
plt.show()
