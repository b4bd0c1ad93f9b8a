"""
Derivatives of an ensemble
==========================

A Routh sphere under noise: the derivative of the mean of Γ₃, the vertical component of its axis, by the offset of the centre of
mass, and the derivative of each path by its angular velocity at the start. Both come along with the paths. Differences of two
ensembles with other noise and other offsets give the first one, too, with an error that is thirty times as large.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

PATHS, STEP = 400, 0.02


def roll(offset, seed, by=()):
    """Paths of a sphere with an offset of its centre of mass."""
    sphere = sd.load("routh-sphere", offset=offset, noise=[[0.1, 0.0, 0.3]])
    return sphere.simulate(t_end=12, dt=0.01, paths=PATHS, seed=seed, save="every:10",
                           formulation=sd.Formulation(sensitivity=by))  # fmt: skip


# %%
# One run has the derivatives with respect to the offset and to the angular velocity at the start.
run = roll(0.3, 1, by=["offset", "Omega"])
by_offset = run.sensitivity("Gamma3", "offset")
mean, error = by_offset.mean[:, 0], by_offset.standard_error[:, 0]

# %%
# Differences of two ensembles, whose standard errors add up.
above, below = (roll(0.3 + step, seed)["Gamma"][:, :, 2] for step, seed in ((STEP, 2), (-STEP, 3)))
quotient = (above.mean(axis=0) - below.mean(axis=0)) / (2 * STEP)
its_error = np.sqrt((above.var(axis=0) + below.var(axis=0)) / PATHS) / (2 * STEP)

# %%
# The size of the derivative of the axis by the angular velocity at the start, path by path.
growth = np.linalg.norm(run.sensitivity("Gamma", "Omega").values, axis=(2, 3))

print(f"d E[Gamma3] / d offset at t = {run.times[-1]:g} s: {mean[-1]:+.3f} ± {error[-1]:.3f}")
print(f"by two ensembles of {PATHS} paths:      {quotient[-1]:+.3f} ± {its_error[-1]:.3f}")
print(f"growth of a change of Omega by t = {run.times[-1]:g} s: {np.median(growth[:, -1]):.2f}, the median path")

left, right = plt.figure(figsize=(7.2, 3.3), layout="constrained").subplots(1, 2)
left.errorbar(run.times[::5], quotient[::5], 2 * its_error[::5], fmt=".", color="0.6", label="two ensembles")
left.fill_between(run.times, mean - 2 * error, mean + 2 * error, alpha=0.4)
left.plot(run.times, mean, label="along with the paths")
left.set(xlabel="t [s]", ylabel="$\\partial\\, \\mathrm{E}\\,\\Gamma_3 / \\partial \\ell$ [1/m]")
left.legend(frameon=False, loc="upper left")
right.plot(run.times, growth[:60].T, color="0.8", lw=0.6)
right.plot(run.times, np.median(growth, axis=0), label="median")
right.set(xlabel="t [s]", ylabel="$|\\partial \\Gamma / \\partial \\Omega(0)|$ [s]")
right.legend(frameon=False)
plt.show()
