r"""
A sweep: how fast must a top spin to sleep?
===========================================

A parameter or an initial value may differ from path to path. Here 300 Lagrange tops stand upright, each with its own
spin, and noise shakes them slightly. Upright spin is stable iff $(I_3\omega)^2 > 4mg\ell I_1$, the dashed line: slower
tops fall.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

spins = np.linspace(0.2, 8.0, 300)
top = sd.load("lagrange-top", noise=[[0.002, 0.0, 0.0]])
omega = np.zeros((300, 3))
omega[:, 2] = spins
run = top.simulate(
    t_end=60, dt=0.02, paths=300, seed=3, save=sd.Save("every:5", names=["Gamma"]), method="implicit-midpoint",
    state={"Omega": omega, "Gamma": (0.0, 0.0, 1.0)},
)  # fmt: skip
tilt = np.rad2deg(np.arccos(np.clip(run["Gamma"][..., 2], -1, 1))).max(axis=1)
critical = np.sqrt(4 * top.mass * top.gravity * top.arm * top.inertia[0]) / top.inertia[2]

ax = plt.figure(figsize=(7, 3.4), layout="constrained").subplots()
ax.plot(spins, tilt, ".", markersize=4)
ax.axvline(critical, color="tab:red", linestyle="--", label=f"threshold {critical:g} rad/s")
ax.set(xlabel="spin [rad/s]", ylabel="largest tilt in 60 s [degrees]")
ax.legend(frameon=False)
plt.show()
