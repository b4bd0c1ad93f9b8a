r"""
A plan that parks a sleigh
==========================

A sleigh on a blade does not move sideways, yet it can be parked beside the place where it stands: by turning, and by
moving ahead and back. IPOPT in CasADi finds the torque and the thrust of least effort $\int(\tau^2 + F^2)\,dt$, near
a first guess, from the exported steps of the system and their derivatives. Then the plan is run here under noise. It
needs the packages of the extra `export`.
"""

import casadi
import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

Sleigh = type(sd.load("chaplygin-sleigh"))


class Driven(Sleigh):
    """The sleigh with a torque and a thrust along the blade."""

    torque: sd.Parameter = sd.parameter(0.0, unit="N m", symbol="tau")
    thrust: sd.Parameter = sd.parameter(0.0, unit="N", symbol="F")

    def force(self):
        return [self.torque, self.thrust, 0]


# %%
# Exported steps have the parameters as arguments, so that a torque and a thrust of each interval are unknowns of the
# problem, beside the states at its ends.

DT, STEPS, INTERVALS = 0.02, 5, 60
PLACE = (0.0, 0.0, 1.5)  # phi, x, y
still = Driven(noise=())
sleigh = still.export("casadi", method="lie-heun").load()
y, u, q = casadi.SX.sym("y", 5), casadi.SX.sym("u", 2), casadi.SX(sleigh.defaults())
q[sleigh.PARAMETERS.index("tau")], q[sleigh.PARAMETERS.index("F")] = u[0], u[1]
end = y
for _ in range(STEPS):
    end = sleigh.step(0, end, q, DT, [])
interval = casadi.Function("interval", [y, u], [end]).map(INTERVALS)

problem = casadi.Opti()
states, controls = problem.variable(5, INTERVALS + 1), problem.variable(2, INTERVALS)
problem.minimize(casadi.sumsqr(controls) * STEPS * DT)
problem.subject_to(states[:, 1:] == interval(states[:, :-1], controls))
problem.subject_to(states[:, 0] == 0)
problem.subject_to(states[:, -1] == [0, 0, *PLACE])
time = np.linspace(0, 1, INTERVALS + 1)
problem.set_initial(states[2, :], np.sin(2 * np.pi * time))
problem.set_initial(states[3, :], np.sin(np.pi * time))
problem.set_initial(states[4, :], PLACE[2] * time)
problem.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes", "tol": 1e-10})
solution = problem.solve()
plan = solution.value(controls).T

# %%
# The same controls in the library, one path without noise and forty with noise: each interval replaces them.


def places(system, paths):
    """Coordinates (phi, x, y) at the ends of the intervals."""
    ensemble = system.ensemble(dt=DT, paths=paths, seed=3, method="lie-heun", state={"omega": 0.0, "speed": 0.0})
    ways = [np.zeros((paths, 3))]
    for torque, thrust in plan:
        ensemble.replace(torque=torque, thrust=thrust)
        ensemble.advance(steps=STEPS)
        ways.append(np.stack([ensemble[name] for name in ("phi", "x", "y")], axis=1))
    return np.array(ways)


met, noisy = places(still, 1), places(Driven(noise=((0.03, 0.0, 0.0), (0.0, 0.02, 0.0))), 40)
missed = np.abs(met[-1, 0] - PLACE).max()
assert missed < 1e-6

left, right = plt.figure(figsize=(7.4, 3.6), layout="constrained").subplots(1, 2)
left.plot(noisy[..., 1], noisy[..., 2], color="0.5", linewidth=0.4)
left.plot(met[:, 0, 1], met[:, 0, 2], color="tab:red", linewidth=1.8)
left.plot([0, PLACE[1]], [0, PLACE[2]], "ko", markersize=4)
left.set(aspect="equal", xlim=(-0.7, 0.7), xlabel="$x$ [m]", ylabel="$y$ [m]", title="the plan (red), and under noise")
t = np.arange(INTERVALS + 1) * STEPS * DT
right.stairs(plan[:, 0], t, label=r"torque $\tau$ [N m]")
right.stairs(plan[:, 1], t, label="thrust $F$ [N]")
right.set(xlabel="$t$ [s]")
right.legend(frameon=False)
plt.show()
print(f"effort {solution.value(problem.f):.4f}; without noise the plan misses its end by {missed:.0e}")
print(f"under noise the distance from it is {np.hypot(*(noisy[-1, :, 1:] - PLACE[1:]).T).mean():.2f} m in the mean")
