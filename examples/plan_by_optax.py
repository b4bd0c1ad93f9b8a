r"""
A gradient of an ensemble mean drives optax
===========================================

A sleigh with a blade is driven by a torque and a thrust, sums of four sines each, whose amplitudes are parameters.
JAX differentiates the mean cost of 64 paths by all of them at once, and Adam of optax changes them, with new noise in
every update: the mean square distance from a place at the end, and the effort. It needs the packages of the extra
`export`.
"""

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import optax

import semidirect as sd
from semidirect import ops

T, DT, STEPS, PATHS, UPDATES, PLACE = 4.0, 0.02, 200, 64, 150, np.array([2.0, 1.0])
Sleigh = type(sd.load("chaplygin-sleigh"))


class Driven(Sleigh):
    """The sleigh with a torque and a thrust that depend on time."""

    torque: sd.Parameter = sd.parameter((0.0, 0.0, 0.0, 0.0), unit="N m", symbol="tau", shape=(4,))
    thrust: sd.Parameter = sd.parameter((0.3, 0.0, 0.0, 0.0), unit="N", symbol="F", shape=(4,))

    def force(self, t):
        sines = ops.array([ops.sin((k + 1) * np.pi / T * t) for k in range(4)])
        return [ops.dot(self.torque, sines), ops.dot(self.thrust, sines), 0]


system = Driven(noise=((0.1, 0.0, 0.0), (0.0, 0.1, 0.0)))
sleigh = system.export("jax", method="heun").load()
driven = np.array([name.startswith(("tau", "F")) for name in sleigh.PARAMETERS])
place = [(*sleigh.STATE, *sleigh.CONFIGURATION).index(name) for name in ("x", "y")]

# %%
# The mean cost of an ensemble as a function of the amplitudes; the noise of the paths is an argument.

rest, q, times = sleigh.start().at[:2].set(0.0), sleigh.defaults(), DT * jnp.arange(STEPS)


def end(args, noise):
    """The end of a path from rest."""
    return jax.lax.scan(lambda y, given: (sleigh.step(given[0], y, args, DT, given[1]), None), rest, (times, noise))[0]


@jax.jit
@jax.value_and_grad
def mean_cost(amplitudes, noise):
    ends = jax.vmap(end, (None, 0))(q.at[driven].set(amplitudes), noise)
    return jnp.mean(jnp.sum((ends[:, place] - PLACE) ** 2, axis=1)) + 0.02 * jnp.sum(amplitudes**2)


rng, amplitudes, costs = np.random.default_rng(1), q[driven], []
adam = optax.adam(0.03)
state = adam.init(amplitudes)
for _ in range(UPDATES):
    cost, gradient = mean_cost(amplitudes, rng.normal(0, np.sqrt(DT), (PATHS, STEPS, sleigh.NOISES)))
    change, state = adam.update(gradient, state)
    amplitudes = optax.apply_updates(amplitudes, change)
    costs.append(float(cost))

# %%
# The library with these amplitudes, and noise of its own.

torque, thrust = np.split(np.asarray(amplitudes), 2)
how = {"t_end": T, "dt": DT, "paths": 500, "seed": 5, "method": "heun", "state": {"omega": 0.0, "speed": 0.0}}
before = system.simulate(**how)
after = Driven(noise=system.noise, torque=torque, thrust=thrust).simulate(**how)

left, right = plt.figure(figsize=(7.4, 3.4), layout="constrained").subplots(1, 2)
for run, colour in ((before, "0.7"), (after, "tab:blue")):
    left.plot(run["x"][:40].T, run["y"][:40].T, color=colour, linewidth=0.5)
left.plot(*PLACE, "r+", markersize=10)
left.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]", title="before (grey) and after")
right.plot(costs, color="tab:blue")
right.set(xlabel="update", ylabel="mean cost", yscale="log")
plt.show()
for word, run in (("before", before), ("after", after)):
    distance = np.hypot(run["x"][:, -1] - PLACE[0], run["y"][:, -1] - PLACE[1])
    print(f"{word}: root mean square distance {np.sqrt(np.mean(distance**2)):.2f} m")
