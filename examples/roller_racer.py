"""
A roller racer
==============

A child swings the handlebar of a toy that has no pedals, and it rolls off. Each axle forbids one direction; both
constraints together turn the swinging into an advance, which grows stroke by stroke. With noise every ride is another one.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

ride = {"torque": 0.5, "frequency": 4.0, "stiffness": 2.0, "damping": 0.1}
start = {"u": 0.0, "nu": 0.0, "alpha": 0.0}
still = sd.load("roller-racer", noise=(), **ride).simulate(t_end=16, dt=0.01, state=start, method="dop853")
noisy = sd.load("roller-racer", noise=(0.03,), **ride).simulate(
    t_end=16, dt=0.01, paths=24, seed=2, state=start, save=sd.Save("every:10", names=["x", "y"])
)
print(f"it gets {np.hypot(still['x'][0, -1], still['y'][0, -1]):.1f} m away in 16 s")
push = np.abs([still[f"{name}-multiplier"][0] for name in ("seat", "handlebar")]).max(axis=1)
print(f"sideways forces of the axles: at most {push[0]:.2f} N behind and {push[1]:.2f} N in front")

left, right = plt.figure(figsize=(8, 3.2), layout="constrained").subplots(1, 2)
left.plot(noisy["x"].T, noisy["y"].T, color="0.6", linewidth=0.5)
left.plot(still["x"][0], still["y"][0], color="tab:red", linewidth=1.5)
left.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]")
right.plot(still.times, still["alpha"][0], label=r"handlebar $\alpha$ [rad]")
right.plot(still.times, still["u"][0], color="tab:red", label="$v_1$ [m/s]")
right.set(xlabel="$t$ [s]")
right.legend(frameon=False)
plt.show()
