"""
The tippe top turns over
========================

A ball with its mass off centre, spun fast with the mass below, slides on the floor until it stands on its head. Jellett's
integral is kept by every contact force, the energy is lost to friction, and the multiplier of the contact is the normal force.
"""

import sys
from pathlib import Path

import semidirect as sd
from semidirect.analysis import style
from semidirect.integrators.dop853 import DOP853

output = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("tippe_top.png")

run = sd.load("tippe-top").simulate(t_end=8, dt=0.02, method=DOP853(rtol=1e-9, atol=1e-10))

# %%
# Γ₃ goes from −1 to 1 at about five seconds; the energy falls, Jellett's integral does not move.

figure = style.new_figure(8, 6)
panels = figure.subplots(4, 1, sharex=True)
rows = {
    "$\\Gamma_3$": run["Gamma"][0, :, 2], "$E$ [J]": run["energy"][0],
    "$J/J_0 - 1$": run["jellett"][0] / run["jellett"][0, 0] - 1, "$N$ [N]": run["normal-force"][0],
}  # fmt: skip
for ax, (label, values) in zip(panels, rows.items(), strict=True):
    ax.plot(run.times, values)
    ax.set_ylabel(label)
panels[-1].set_xlabel("$t$ [s]")
figure.savefig(output)
