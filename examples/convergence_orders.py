"""
Orders of convergence, measured
===============================

Three noises about the axes of a rigid body do not commute. A method that sees only their increments has strong order ½
then; one that draws Lévy areas has order 1. With a single noise both have order 1. The measured orders are compared
with the declared ones.
"""

import matplotlib.pyplot as plt

import semidirect as sd
from semidirect.analysis import convergence

panels = plt.figure(figsize=(7, 3.5), layout="constrained").subplots(1, 2, sharey=True)
noises = {"one noise": [[0.5, 0.0, 0.0]], "three noises": [[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]}
for ax, (title, noise) in zip(panels, noises.items(), strict=True):
    body = sd.load("rigid-body", noise=noise)
    for method, marker in (("lie-heun", "o"), ("lie-milstein", "s")):
        study = convergence(body, method, t_end=1.0, dt=1 / 8, paths=200)
        curve = study.curves[0]
        print(f"{title}, {method}: order {curve.fit.slope:.2f}, declared {curve.declared:g}, {curve.verdict}")
        ax.loglog(study.steps, curve.errors, marker=marker, label=f"{method}, order {curve.fit.slope:.2f}")
    ax.set(title=f"{title} ({study.noise_class})", xlabel="step [s]")
    ax.legend(frameon=False)
panels[0].set_ylabel("strong error, relative")
plt.show()
