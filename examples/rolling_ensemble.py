"""
Two hundred balls from one start
================================

A ball whose centre of mass is off centre rolls without slipping, and noise turns it about its own axis. All paths obey
the rolling constraint exactly; the noise decides where they go.
"""

import matplotlib.pyplot as plt

import semidirect as sd

ball = sd.load("routh-sphere", inertia=(0.5, 0.5, 0.3), offset=0.3, noise=[[0, 0, 0.1]])
start = {"Omega": (0.5, 0.0, 1.0), "Gamma": (0.28, 0.0, -0.96)}
asked = {"t_end": 32, "dt": 0.02, "state": start, "save": sd.Save("every:4", names=["geometric-centre"])}
run = ball.simulate(paths=200, seed=4, **asked)
still = ball.simulate(driver=0, method="dop853", **asked)

ax = run.plot.plane("geometric-centre", realisations=40, deterministic=still)
ax.figure.set_size_inches(6, 4.8)
plt.show()
