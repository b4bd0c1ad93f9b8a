r"""
A rolling ball inside diffrax
=============================

The drift and the diffusion of the exported ball are functions `(t, y, args)` as
[diffrax](https://docs.kidger.site/diffrax/) takes them, so its solvers, its Brownian paths and its ways to
differentiate are available. Its Heun method gives the paths of the library if both have the same noise. It needs the
packages of the extra `export`.
"""

import diffrax
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

T, DT, STEPS = 6.0, 0.01, 600
system = sd.load("rolling-ball", noise=[[0.0, 0.0, 0.4]])
ball = system.export("jax").load()
times, size = jnp.linspace(0, T, STEPS + 1), len(ball.STATE)


def path(key):
    """The Brownian path of a key at the times, and the ball that diffrax moves along it."""
    brownian = diffrax.VirtualBrownianTree(0, T, tol=DT / 4, shape=(ball.NOISES,), key=key)
    w = jax.vmap(brownian.evaluate)(times)
    terms = diffrax.MultiTerm(
        diffrax.ODETerm(ball.drift), diffrax.ControlTerm(ball.diffusion, diffrax.LinearInterpolation(times, w))
    )
    motion = diffrax.diffeqsolve(
        terms, diffrax.Heun(), 0, T, None, ball.start(), ball.defaults(),
        stepsize_controller=diffrax.StepTo(times), saveat=diffrax.SaveAt(ts=times),
    )  # fmt: skip
    return w, motion.ys


noise, motions = jax.jit(jax.vmap(path))(jax.random.split(jax.random.key(1), 12))

# %%
# The first path in the library, with the increments of that Brownian path.

run = system.simulate(t_end=T, dt=DT, driver=np.diff(noise[0], axis=0), method="heun")
vertical = ball.STATE.index("Gamma3")
difference = np.abs(run["Gamma"][0] - motions[0, :, vertical - 2 : vertical + 1]).max()

ax = plt.figure(figsize=(6.4, 3.6), layout="constrained").subplots()
ax.plot(times, motions[1:, :, vertical].T, color="0.6", linewidth=0.6)
ax.plot(times, motions[0, :, vertical], color="tab:red", linewidth=2.5, label="diffrax")
ax.plot(run.times, run["Gamma"][0, :, 2], "k--", linewidth=1, label="library, same noise")
ax.set(xlabel="$t$ [s]", ylabel=r"$\Gamma_3$", title="twelve balls moved by diffrax")
ax.legend(frameon=False)
plt.show()
print(f"diffrax and the library differ by {difference:.0e} after {STEPS} steps")
