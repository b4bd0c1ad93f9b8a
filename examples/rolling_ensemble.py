"""
Two hundred balls from one start
================================

A ball whose centre of mass is off centre rolls without slipping, and noise turns it about its own axis. All paths obey
the rolling constraint exactly; the noise decides where they go. Red: the motion without noise. Blue: the mean.
"""

import matplotlib.pyplot as plt

import semidirect as sd

ball = sd.load("routh-sphere", inertia=(0.5, 0.5, 0.3), offset=0.3, noise=[[0, 0, 0.1]])
start = {"Omega": (0.5, 0.0, 1.0), "Gamma": (0.28, 0.0, -0.96)}
asked = {"t_end": 32, "dt": 0.02, "state": start, "save": "every:4", "keep": ["geometric-centre"]}
centres = ball.simulate(paths=200, seed=4, **asked)["geometric-centre"]
still = ball.simulate(driver=0, method="dop853", **asked)["geometric-centre"][0]

ax = plt.figure(figsize=(6, 4.6), layout="constrained").subplots()
ax.plot(centres[:60, :, 0].T, centres[:60, :, 1].T, color="0.55", linewidth=0.35)
ax.plot(*centres.mean(axis=0)[:, :2].T, color="tab:blue", linewidth=2, label="mean of 200 paths")
ax.plot(*still[:, :2].T, color="tab:red", linewidth=2, label="no noise")
ax.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]")
ax.legend(frameon=False)
plt.show()
