"""
A ball on a turntable
=====================

A homogeneous ball that rolls on a turning table does not fly off: it runs on a circle at 2/7 of the table's rate,
wherever the circle is. Its energy is not conserved, the moving energy is. Noise about an axis of the body moves the
centre of the circle.
"""

import matplotlib.pyplot as plt

import semidirect as sd

choices = {"inertia": [0.4] * 3, "mass": 1.0, "radius": 1.0, "rate": 1.9}
still = sd.load("turntable-ball", noise=(), **choices).simulate(t_end=25, dt=0.02, method="dop853")
noisy = sd.load("turntable-ball", noise=[[0.1, 0.0, 0.0]], **choices).simulate(
    t_end=25, dt=0.02, paths=8, seed=2, method="lie-midpoint", save="every:2"
)
assert sd.load("turntable-ball", **choices).is_conserved("moving-energy", along="drift")

left, right = plt.figure(figsize=(7, 3.5), layout="constrained").subplots(1, 2)
left.plot(noisy["x"][..., 0].T, noisy["x"][..., 1].T, linewidth=0.5)
left.plot(still["x"][0, :, 0], still["x"][0, :, 1], color="tab:red", linewidth=2)
left.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]", title="red: no noise")
right.plot(still.times, still["energy"][0], label="energy")
right.plot(still.times, still["moving-energy"][0], label="moving energy")
right.set(xlabel="$t$ [s]", ylabel="energy [J]", title="no noise", ylim=(0, None))
right.legend(frameon=False, loc="lower right")
plt.show()
