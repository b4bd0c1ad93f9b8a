"""
A spherical robot holds its line
================================

Three rotors drive a ball along the line x₂ = 0. Transport noise pushes it aside; with feedback of the position it comes back,
with feedback of the velocity alone it wanders off.
"""

import sys
from pathlib import Path

import semidirect as sd
from semidirect.analysis import style

output = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("line_follower.png")

figure = style.new_figure(8, 4)
panels = figure.subplots(2, 1, sharex=True, sharey=True)
for ax, steering in zip(panels, (1.0, 0.0), strict=True):
    robot = sd.load("line-follower", steering=steering)
    run = robot.simulate(t_end=16, dt=0.02, paths=20, seed=5, save="every:5", keep=["x"], method="lie-heun")
    for path in run["x"]:
        ax.plot(path[:, 0], path[:, 1], lw=0.8)
    ax.set_title(f"gain of the position {steering:g}/s")
    ax.set_ylabel("$x_2$ [m]")
panels[-1].set_xlabel("$x_1$ [m]")
figure.savefig(output)
