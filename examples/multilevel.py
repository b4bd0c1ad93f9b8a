"""
A mean to a given error
=======================

The cost of the mean of a momentum of a rigid body shaken by noise, against the error asked for: by multilevel Monte Carlo with
one noise (strong order 1) and with three that do not commute (strong order ½), and by plain sampling.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

ERRORS = (2e-2, 1e-2, 5e-3, 2.5e-3)
CASES = {"one noise": ([[0.35, 0.25, 0.2]], "M3"), "three noises": (np.diag([0.5, 0.5, 0.5]), "M1")}

ax = plt.figure(figsize=(7, 3.8), layout="constrained").subplots()
for name, (noise, component) in CASES.items():
    body = sd.load("rigid-body", noise=noise)
    found = [sd.multilevel(body, component, t_end=4, rmse=rmse, dt=0.125, method="lie-heun", seed=1) for rmse in ERRORS]
    print(found[-1])
    (line,) = ax.plot(ERRORS, [f.cost * f.rmse**2 for f in found], "o-", label=f"{name}: multilevel")
    ax.plot(ERRORS, [f.plain_cost * f.rmse**2 for f in found], "s--", color=line.get_color(), label=f"{name}: plain")
ax.set(xscale="log", yscale="log", xlabel="error $\\varepsilon$ [kg m²/s]", ylabel="steps $\\times\\, \\varepsilon^2$")
ax.legend(frameon=False)
plt.show()
