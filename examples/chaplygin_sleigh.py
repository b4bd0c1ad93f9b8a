r"""
A sleigh with a blade
=====================

Chaplygin's sleigh turns its energy of rotation into motion ahead: $v = V\tanh\kappa t$. This is a motion without
friction that ends in a straight line, which no Hamiltonian system does. Noise that turns the sleigh bends every path.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

sleigh = sd.load("chaplygin-sleigh")
m, I, a, V = float(sleigh.mass), float(sleigh.inertia), float(sleigh.ahead), 1.0
kappa, start = m * a * V / (I + m * a**2), {"omega": V * np.sqrt(m / (I + m * a**2)), "speed": 0.0}
still = sd.load("chaplygin-sleigh", noise=()).simulate(t_end=12, dt=0.02, state=start, method="dop853")
noisy = sleigh.simulate(t_end=12, dt=0.02, paths=40, seed=2, state=start, method="lie-midpoint")

left, right = plt.figure(figsize=(7, 3.4), layout="constrained").subplots(1, 2)
left.plot(noisy["x"].T, noisy["y"].T, color="0.3", linewidth=0.4)
left.plot(still["x"][0], still["y"][0], color="tab:red", linewidth=1.8)
left.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]", title="paths; red: no noise")
right.plot(noisy.times, noisy["speed"].T, color="0.3", linewidth=0.4)
right.plot(still.times, V * np.tanh(kappa * still.times), color="tab:red", linewidth=1.8)
right.set(xlabel="$t$ [s]", ylabel="speed ahead [m/s]", title=r"red: $V\,\tanh\,\kappa t$")
plt.show()
