"""
A spherical robot holds its line
================================

Three rotors drive a ball along the line $y = 0$. Transport noise pushes it aside; with feedback of the position it
comes back, with feedback of the velocity alone it wanders off.
"""

import matplotlib.pyplot as plt

import semidirect as sd

panels = plt.figure(figsize=(7, 3.6), layout="constrained").subplots(2, 1, sharex=True, sharey=True)
for ax, steering in zip(panels, (1.0, 0.0), strict=True):
    robot = sd.load("line-follower", steering=steering)
    run = robot.simulate(t_end=16, dt=0.02, paths=20, seed=5, save=sd.Save("every:5", names=["x"]), method="lie-heun")
    ax.plot(run["x"][..., 0].T, run["x"][..., 1].T, linewidth=0.7)
    ax.set(title=f"gain of the position {steering:g}/s", ylabel="$y$ [m]")
panels[-1].set_xlabel("$x$ [m]")
plt.show()
