r"""
Euler's disc
============

A coin that whirls about its resting centre of mass precesses at $\Omega_p^2\sin\alpha = 4g/r$, the faster the flatter
it lies (left: runs at thirty inclinations, and the formula). Noise about a diameter of the coin lets the inclination
wander (right).
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

disc = sd.load("euler-disc", noise=())
angles = np.deg2rad(np.linspace(5, 85, 30))
rate = np.sqrt(4 * disc.gravity / disc.radius / np.sin(angles))
gamma = np.stack([np.sin(angles), np.zeros(30), np.cos(angles)], axis=1)
omega = np.stack([rate * np.sin(angles), np.zeros(30), np.zeros(30)], axis=1)
run = disc.simulate(t_end=0.05, dt=0.001, paths=30, state={"Omega": omega, "Gamma": gamma}, method="rkmk4")
axle = run.rotation("g").as_matrix()[..., :, 2]  # in space, where it precesses
phase = np.unwrap(np.arctan2(axle[..., 1], axle[..., 0]), axis=1)
measured = np.abs(phase[:, -1] - phase[:, 0]) / run.times[-1]

noisy = sd.load("euler-disc", noise=[[0.3, 0.0, 0.0]]).simulate(
    t_end=1, dt=0.001, paths=20, seed=1, save=sd.Save("every:4", names=["Gamma"]), method="rkmk4"
)

left, right = plt.figure(figsize=(7, 3.4), layout="constrained").subplots(1, 2)
left.plot(np.rad2deg(angles), rate, color="tab:red", linewidth=1, label=r"$\sqrt{4g/(r\sin\alpha)}$")
left.plot(np.rad2deg(angles), measured, "o", markersize=3.5, label="measured")
left.set(xlabel="inclination [degrees]", ylabel="precession [rad/s]")
left.legend(frameon=False)
right.plot(noisy.times, np.rad2deg(np.arccos(noisy["Gamma"][..., 2])).T, linewidth=0.6)
right.set(xlabel="$t$ [s]", ylabel="inclination [degrees]")
plt.show()
