r"""
Vortices on a sphere
====================

Point vortices of strengths $\Gamma_k$ on the unit sphere carry each other along. Noise that turns all of them alike turns the
motion without noise: $x_k(t) = e^{-\hat\zeta W(t)}\, x_k^0(t)$. Every vortex stays on the sphere, and the energy is that of the
start.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.transform import Rotation

import semidirect as sd

axis = np.array([0.0, 0.15, 0.1])
still = sd.load("point-vortices", strengths=(1.0, 0.8, -0.5, 1.4))
noisy = still.replace(turn=[axis])
increments = np.random.default_rng(3).normal(0, np.sqrt(0.02), (2000, 1))
options = {"t_end": 40, "dt": 0.02, "formulation": sd.Formulation(reconstruct=False)}
runs = {
    "without noise": still.simulate(method="dop853", **options),
    "turned by noise": noisy.simulate(method="coadjoint-midpoint", driver=increments, **options),
}
places = {name: np.array(run["places"][0]).reshape(-1, 4, 3) for name, run in runs.items()}

W = np.interp(runs["turned by noise"].times, 0.02 * np.arange(2001), np.concatenate([[0.0], np.cumsum(increments)]))
turns = Rotation.from_rotvec(-np.outer(W, axis))
exact = np.stack([turns.apply(places["without noise"][:, k]) for k in range(4)], axis=1)
print(f"from the motion without noise, turned: {np.abs(exact - places['turned by noise']).max():.0e}")
print(f"|x_k| moves by {np.ptp(np.linalg.norm(places['turned by noise'], axis=-1)):.0e}")

figure, axes = plt.subplots(1, 2, figsize=(8, 4.2), subplot_kw={"projection": "3d", "computed_zorder": False})
u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 48), np.linspace(0, np.pi, 24))
sphere = np.array([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)])
towards = np.array([np.cos(np.pi / 9) * np.cos(np.pi / 6), np.cos(np.pi / 9) * np.sin(np.pi / 6), np.sin(np.pi / 9)])
for ax, (name, x) in zip(axes, places.items(), strict=True):
    ax.plot_surface(*sphere, color="0.93", shade=False, zorder=0)
    for k, (letter, colour) in enumerate(zip("abcd", ("C0", "C1", "C3", "C2"), strict=True)):
        ax.plot(*x[:, k].T, color=colour, lw=0.6, alpha=0.3, zorder=1)
        for piece in np.split(x[:, k], np.flatnonzero(np.diff(x[:, k] @ towards > 0)) + 1):
            if piece[0] @ towards > 0:  # on the side that is seen
                ax.plot(*piece.T, color=colour, lw=1.2, zorder=2)
        ax.scatter(*x[-1, k], color=colour, s=40, alpha=1 if x[-1, k] @ towards > 0 else 0.3, zorder=3)
        ax.text(*(1.15 * x[-1, k]), letter, color=colour, zorder=3)
    ax.view_init(20, 30)
    ax.set_box_aspect((1, 1, 1), zoom=1.35)
    ax.set_axis_off()
    ax.set_title(name)
figure.tight_layout()
plt.show()
