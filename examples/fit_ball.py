"""
Offset and noise of a ball from a film
======================================

A Routh sphere rolls under noise about its axis, and a camera sees six dots on it. The offset of the centre of mass and the
amplitude of the noise are estimated from three films, by the likelihood of an ensemble Kalman filter. Bars are 95 % intervals,
lines the true values.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

TRUE = {"offset": 0.3, "noise1_3": 0.1}
ball = sd.load("routh-sphere", offset=TRUE["offset"], noise=[[0, 0, TRUE["noise1_3"]]])
camera = sd.inference.camera(np.concatenate([np.eye(3), -np.eye(3)]), noise=0.05, transparent=True)
guess = ball.replace(offset=0.31, noise=[[0, 0, 0.11]])
options = {"dt": 0.1, "method": "lie-heun", "state": {"Omega": (0.4, 1.0, 2.0)}}
found = []
for seed in range(3):
    truth = ball.simulate(t_end=5, save="every:5", seed=seed, **options)
    film = camera.of(truth, seed=seed).isel(time=slice(1, None))
    found.append(sd.fit(guess, camera, film, ["offset", "noise"], update="ensemble-kalman", particles=100, replicates=1,
                        bounds={"offset": (0.1, 0.5), "noise": (0.01, 0.4)}, **options))  # fmt: skip
    print(f"film {seed + 1}: {found[-1]!r}")

axes = plt.figure(figsize=(7, 3), layout="constrained").subplots(1, 2)
for i, (ax, name, label) in enumerate(zip(axes, TRUE, (r"offset $\ell$ [m]", r"noise $\xi_3$ [rad/√s]"), strict=True)):
    ax.axvline(TRUE[name], color="0.6", linewidth=1)
    middle = np.array([one.estimate[i] for one in found])
    ends = np.abs(np.array([one.interval[i] for one in found]).T - middle)
    ax.errorbar(middle, range(1, 4), xerr=ends, fmt="o", markersize=4, capsize=3)
    ax.set(xlabel=label, yticks=range(1, 4), ylim=(0.5, 3.5))
axes[0].set(ylabel="film")
plt.show()
