r"""
A relation that some motions keep
=================================

A heavy top whose centre of mass lies on the normal of a circular section of its ellipsoid of inertia keeps $M\cdot\chi = 0$,
if that holds at the start; otherwise $M\cdot\chi$ changes (Hess 1890). A search finds this relation and its
cofactor. On it the centre of mass moves like a spherical pendulum (Zhukovsky 1893), here that of an axisymmetric top which does
not spin, though the body around it tumbles. A top that starts beside the relation leaves it where the cofactor is positive.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

chi = np.array([1.0, 0.0, 1.0]) / np.sqrt(2)
top = sd.load("heavy-top", inertia=(6, 4, 3), axis=chi, mass=1.0, gravity=2.0, noise=[])
found = sd.invariants.find_relations(top, 1, variables="momentum")
print(found)
print(sd.invariants.find_relations(sd.load("heavy-top", inertia=(6, 4.5, 3), axis=chi, noise=[]), 1))

# %%
# One start on the relation and one beside it; the pendulum starts with the same M and Γ, turned so that χ becomes e₃.

inertia, frame = np.array([6.0, 4.0, 3.0]), np.array([[1, 0, -1], [0, np.sqrt(2), 0], [1, 0, 1]]) / np.sqrt(2)
momentum, vertical = np.array([2.0, 6.0, -2.0]), np.array([0.48, 0.6, 0.64])
pendulum = top.replace(inertia=(4, 4, 1), axis=(0, 0, 1))
how = {"t_end": 30, "dt": 0.005, "method": "rkmk4"}


def height(run):
    """Γ·χ, and M·χ."""
    axis = np.asarray(run.system.axis)
    return run["Gamma"][0] @ axis, run["M"][0] @ axis


runs = {
    "on the relation": top.simulate(state={"Omega": momentum / inertia, "Gamma": vertical}, **how),
    "beside it": top.simulate(state={"Omega": (momentum + 1e-3 * chi) / inertia, "Gamma": vertical}, **how),
}
other = pendulum.simulate(state={"Omega": frame @ momentum / (4, 4, 1), "Gamma": frame @ vertical}, **how)
difference = np.abs(height(runs["on the relation"])[0] - height(other)[0]).max()
print(f"largest difference of the heights of top and pendulum: {difference:.0e}")

panels = plt.figure(figsize=(7, 4), layout="constrained").subplots(2, 1, sharex=True)
for name, run in runs.items():
    for ax, values in zip(panels, height(run), strict=True):
        ax.plot(run.times, values, linewidth=1, label=name)
panels[0].plot(other.times[::80], height(other)[0][::80], ".", color="black", markersize=3, label="spherical pendulum")
panels[0].set(ylabel=r"height $\Gamma\cdot\chi$", ylim=(-1.1, 1.6))
panels[0].legend(frameon=False, ncols=3, loc="upper left")
panels[1].set(xlabel="$t$ [s]", ylabel=r"$M\cdot\chi$")
plt.show()
