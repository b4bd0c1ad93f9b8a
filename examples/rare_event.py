"""
A rare event, by selection
==========================

How likely does a shaken top, which stands upright at first, lean by more than an angle θ after three seconds? Four thousand
paths see no probability below 1/4000. If the same number of paths is selected every 0.15 s by weights that grow with the angle,
they see probabilities of $10^{-10}$. The weights are known, so the estimate has no bias (Del Moral and Garnier, Annals of
Applied Probability 15, 2005).
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

PATHS, T_END, EVERY, STEEPNESS = 4000, 3.0, 15, 40.0

top = sd.load("lagrange-top", noise=[[0.05, 0.0, 0.0], [0.0, 0.05, 0.0]])
start = {"Omega": (0, 0, 6.0), "Gamma": (0, 0, 1)}
levels = np.deg2rad(np.linspace(0, 40, 41))


def ensemble(paths, seed):
    return top.ensemble(
        dt=0.01, paths=paths, seed=seed, state=start, method="lie-heun", formulation=sd.Formulation(reconstruct=False)
    )


def angles(paths):
    return np.arccos(np.clip(paths.read("Gamma")[:, 2], -1, 1))


def tail(angle, weight):
    return np.array([np.mean(weight * (angle > level)) for level in levels])


# %%
# A path that has the angle θ, and had θ′ at the selection before, has the weight exp(α(θ − θ′)). The product of the weights along
# a path is exp(αθ), since θ is 0 at the start: so each path counts exp(−αθ) times the product of all mean weights at the end.
def selected(seed, steepness=STEEPNESS):
    paths, rng, scale = ensemble(PATHS, seed), np.random.default_rng(seed), 1.0
    before = angles(paths)
    while paths.t < T_END - 0.01 * EVERY / 2:
        angle = angles(paths.advance(steps=EVERY))
        weight = np.exp(steepness * (angle - before))
        scale *= weight.mean()
        ranks = (np.arange(paths.paths) + rng.random()) / paths.paths
        chosen = np.searchsorted(np.cumsum(weight / weight.sum()), ranks * (1 - 1e-12))
        paths.select(chosen)
        before = angle[chosen]
    return tail(before, scale * np.exp(-steepness * before))


estimates = np.array([selected(seed) for seed in range(20)])
plain = tail(angles(ensemble(PATHS, 100).advance(t=T_END)), 1.0)
many = tail(angles(ensemble(1_000_000, 101).advance(t=T_END)), 1.0)

mean, error = estimates.mean(axis=0), estimates.std(axis=0, ddof=1) / np.sqrt(len(estimates))
for degrees in (10, 20, 30):
    print(f"P(θ > {degrees}°) = {mean[degrees]:.2e} ± {error[degrees]:.1e}; of 10⁶ plain paths {many[degrees]:.1e}")

ax = plt.figure(figsize=(7, 3.6), layout="constrained").subplots()
degrees = np.rad2deg(levels)
ax.semilogy(degrees, mean, label="20 × 4,000 paths, selected")
ax.fill_between(degrees, np.maximum(mean - 2 * error, mean / 10), mean + 2 * error, alpha=0.25)
ax.semilogy(degrees, np.where(many > 0, many, np.nan), "k--", label="1,000,000 paths")
ax.semilogy(degrees, np.where(plain > 0, plain, np.nan), ".", ms=5, label="4,000 paths")
ax.set(xlabel="angle θ [°]", ylabel="P(the top leans by more than θ)", title="a shaken top after 3 s")
ax.legend(frameon=False)
plt.show()
