"""
A bicycle in a side wind
========================

Nobody holds the handlebar of this bicycle, and gusts push it from the side. At 5 m/s the front wheel turns to the side to
which the frame leans, and this catches every fall. At 4 m/s it weaves, wider and wider, and the load on the front wheel
changes with it.
"""

import matplotlib.pyplot as plt
import numpy as np
from semidirect_whipple_bicycle import WhippleBicycle

import semidirect as sd

bicycle = WhippleBicycle(wind=(3.0,))
save = sd.Save("every:10", names=["x", "sine-of-lean", "front-normal-force"])
figure = plt.figure(figsize=(8, 3.2), layout="constrained")
left, right = figure.subplots(1, 2)
for speed, colour in ((4.0, "tab:red"), (5.0, "tab:blue")):
    run = bicycle.simulate(state=bicycle.riding(speed), t_end=6, dt=0.01, paths=12, seed=2, method="heun", save=save)
    lean, load = np.degrees(np.arcsin(run["sine-of-lean"])), run["front-normal-force"]
    print(
        f"{speed:.0f} m/s: lean up to {np.abs(lean).max():.1f}°, load in front {load.min():.0f} to {load.max():.0f} N"
    )
    tracks = left.plot(run["x"][..., 0].T, run["x"][..., 1].T, color=colour, linewidth=0.7)
    tracks[0].set_label(f"{speed:.0f} m/s")
    right.plot(run.times, lean.T, color=colour, linewidth=0.7)
left.set(xlabel="$x$ [m]", ylabel="$y$ [m]")
left.legend(frameon=False)
right.set(xlabel="$t$ [s]", ylabel="lean [°]")
plt.show()
