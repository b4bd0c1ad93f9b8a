"""
Integrals found by a search
===========================

A body in an ideal fluid has an integral that was found by Clebsch in 1871 and exists only for special shapes. A search
over the polynomials of degree two finds it, with the three others, and proves each of them exactly. Along a run without
noise the four are constant. Of the noise, which pushes along one axis, two survive.
"""

import matplotlib.pyplot as plt

import semidirect as sd

body = sd.load("clebsch-body")
found = body.invariants(2)
print(found)
names = ["energy", "impulse-squared", "momentum-impulse", "clebsch"]
print("conserved by the noise too:", [name for name in names if body.is_conserved(name)])

run = body.simulate(t_end=20, dt=0.02, paths=12, seed=1, method="implicit-midpoint", save=sd.Save(names=names))
panels = plt.figure(figsize=(7, 4), layout="constrained").subplots(2, 2, sharex=True)
for ax, name in zip(panels.flat, names, strict=True):
    ax.plot(run.times, (run[name] - run[name][:, :1]).T, linewidth=0.7)
    ax.axhline(0, color="tab:red", linewidth=1.5)
    reach = abs(run[name] - run[name][:, :1]).max()
    ax.set(title=f"{name}", ylim=(-1.2 * max(reach, 0.1), 1.2 * max(reach, 0.1)))
for ax in panels[-1]:
    ax.set_xlabel("$t$ [s]")
panels[0, 0].figure.supylabel("change since the start; red: no noise")
plt.show()
