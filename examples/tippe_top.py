"""
The tippe top turns over
========================

A ball with its mass off centre, spun fast with the mass below, slides on the floor until it stands on its head.
Jellett's integral is conserved by every contact force, friction takes energy away, and the multiplier of the contact is
the normal force.
"""

import matplotlib.pyplot as plt

import semidirect as sd

run = sd.load("tippe-top").simulate(t_end=8, dt=0.02, method="dop853")
rows = {
    "$\\Gamma_3$": run["Gamma"][0, :, 2], "$E$ [J]": run["energy"][0],
    "$10^{14}(J/J_0 - 1)$": 1e14 * (run["jellett"][0] / run["jellett"][0, 0] - 1), "$N$ [N]": run["normal-force"][0],
}  # fmt: skip

panels = plt.figure(figsize=(7, 5), layout="constrained").subplots(4, 1, sharex=True)
for ax, (label, values) in zip(panels, rows.items(), strict=True):
    ax.plot(run.times, values, linewidth=1)
    ax.set_ylabel(label)
panels[-1].set_xlabel("$t$ [s]")
plt.show()
