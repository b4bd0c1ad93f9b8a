r"""
A spin wave
===========

A ring of classical spins with exchange $J$ carries a wave. At any angle from the axis the wave
$S_n = (\sin\theta\cos(kn - \omega t), \sin\theta\sin(kn - \omega t), \cos\theta)$ is exact, with
$\omega = 2J\cos\theta\,(1 - \cos k) + B$. A random field turns all spins alike and leaves the shape of the wave.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

count, angle, k = 8, 0.9, 2 * np.pi / 8
n = np.arange(count)
start = np.stack([np.sin(angle) * np.cos(k * n), np.sin(angle) * np.sin(k * n), np.full(count, np.cos(angle))], axis=1)
chain = sd.load("spin-chain", coupling=[1.0] * count, ring=True, field=(0.0, 0.0, 0.5), easy_axis=0.0)
letters = "abcdefgh"
options = {
    "t_end": 12,
    "dt": 0.02,
    "method": "coadjoint-midpoint",
    "state": {f"S_{x}": s for x, s in zip(letters, start, strict=True)},
}
still = chain.simulate(**{**options, "method": "dop853"})
noisy = chain.replace(noise=[(0.0, 0.0, 0.5)]).simulate(seed=2, **options)
omega = 2 * np.cos(angle) * (1 - np.cos(k)) + 0.5
found = np.unwrap(np.angle(still["S_a"][0] @ [1, 1j, 0]))
print(f"rate {-found[-1] / 12:.6f}, exact {omega:.6f}")

figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), sharey=True)
for ax, run, title in zip(axes, (still, noisy), ("without noise", "with a random field along the axis"), strict=True):
    wave = np.stack([run[f"S_{x}"][0, :, 0] for x in letters])
    ax.pcolormesh(run.times, n, wave, cmap="RdBu", vmin=-1, vmax=1, shading="nearest")
    ax.set(title=title, xlabel="t")
axes[0].set_ylabel("spin")
figure.tight_layout()
plt.show()
