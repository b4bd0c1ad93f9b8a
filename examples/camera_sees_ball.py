"""
A camera sees dots on a ball
============================

A Routh sphere rolls under noise, and a camera above sees six dots on it, those on the upper side only, with an error of 0.05 m.
A particle filter reconstructs the orientation and the angular velocity. Left: dots of the data (crosses), true places (circles)
and those of the mean orientation (lines), at three times. Right: angular velocity, truth (lines) and 90 % intervals given the
data up to each time (bands).
"""

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

ball = sd.load("routh-sphere", noise=0.1 * np.eye(3))
dots = np.concatenate([np.eye(3), -np.eye(3)])
camera = sd.inference.camera(dots, noise=0.05)
truth = ball.simulate(t_end=3, dt=0.01, seed=4, method="lie-heun", save="every:10", state={"Omega": (0.4, 1.2, 1.9)})
data = camera.of(truth, seed=1).isel(time=slice(1, None))


def prior(rng, count):
    """What is known of the angular velocity at the start."""
    return {"Omega": np.array([0.3, 1.0, 2.0]) + 0.3 * rng.standard_normal((count, 3))}


# %%
# Where the data would leave few particles, the filter tempers the likelihood and moves the particles.

update = sd.inference.ParticleUpdate(reach=20)  # the data are sharp: particles are moved over 20 intervals
found = sd.filter(ball, camera, data, dt=0.01, particles=5000, seed=1, state=prior, method="lie-heun", update=update)
mean = found.data["element_mean"].values[:, :3, :3]
true = truth["g"][0, 1:].reshape(-1, 3, 3)
angle = sd.SO3().distance(mean, true)
omega, low, high = truth["Omega"][0, 1:], *np.moveaxis(found.data["Omega_quantile"].values, 1, 0)[[0, 2]]
inside = np.mean((omega >= low) & (omega <= high))
print(f"log-likelihood {found.log_likelihood:.1f}")
print(f"error of the orientation {np.degrees(np.sqrt(np.mean(angle**2))):.1f}° (root mean square)")
print(f"{inside:.0%} of the intervals contain the truth")

left, right = plt.figure(figsize=(9, 4.2), layout="constrained").subplots(1, 2, width_ratios=(1, 1.5))
left.add_patch(plt.Circle((0, 0), 1, color="0.93"))
last = len(data) - 1
for i, colour in zip((last // 6, last // 2, last), ("tab:blue", "tab:orange", "tab:green"), strict=True):
    seen = np.isfinite(data[i, :, 0].values)
    left.plot(*data[i].values[seen].T, "x", color=colour, label=f"t = {found.times[i]:.1f} s")
    left.plot(*(dots @ true[i].T)[seen, :2].T, "o", color=colour, fillstyle="none")
    for place in (dots @ mean[i].T)[seen, :2]:
        left.plot([0, place[0]], [0, place[1]], color=colour, linewidth=1)
left.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]", title="dots from above")
left.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.13), handletextpad=0, columnspacing=1)
for k, colour in enumerate(("tab:blue", "tab:orange", "tab:green")):
    right.fill_between(found.times, low[:, k], high[:, k], color=colour, alpha=0.25, linewidth=0)
    right.plot(truth.times, truth["Omega"][0, :, k], color=colour, linewidth=1, label=rf"$\Omega_{k + 1}$")
right.set(xlabel="$t$ [s]", ylabel="angular velocity [rad/s]", title="truth and 90 % intervals")
right.legend(frameon=False, ncols=3, loc="lower right")
plt.show()
