r"""
A polygon instead of noise
==========================

The same equations may be driven by any path $W(t)$. Polygons through more and more points of one Brownian path give
motions that tend to the solution of the Stratonovich equation (Wong and Zakai 1965), which is the meaning of $\circ
dW$. Red: the Brownian path.
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

ball = sd.load("rolling-ball", noise=[[0.0, 0.3, 0.0]])
steps, t_end = 4096, 8.0
increments = np.random.default_rng(5).normal(0, np.sqrt(t_end / steps), (steps, 1))
times = np.linspace(0, t_end, steps + 1)
brownian = np.concatenate([[0], np.cumsum(increments[:, 0])])

left, right = plt.figure(figsize=(7, 3.5), layout="constrained").subplots(1, 2)
for corners in (8, 32, 128, 4096):
    coarse = np.interp(times, times[:: steps // corners], brownian[:: steps // corners])
    pieces = np.diff(coarse)[:, None]
    run = ball.simulate(t_end=t_end, dt=t_end / steps, driver=pieces, method="lie-midpoint", save="every:16")
    style = {"color": "tab:red", "linewidth": 1.5, "zorder": 0} if corners == steps else {"linewidth": 0.9}
    left.plot(times, coarse, **style)
    right.plot(run.times, run["Gamma"][0, :, 2], label=f"{corners} corners", **style)
left.set(xlabel="$t$ [s]", ylabel="$W(t)$")
right.set(xlabel="$t$ [s]", ylabel=r"$\Gamma_3$")
right.legend(frameon=False, fontsize=8)
plt.show()
