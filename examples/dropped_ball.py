"""
A spinning ball falls on a turntable
====================================

A bouncing ball takes up the motion of the table at each impact, up to the bound of Coulomb's friction. When it is slow it stays
on the table, slides, and rolls on a circle. Each impact projects the velocity by the kinetic metric; the energy that is lost and
the impulse are in the table of transitions.
"""

import matplotlib.pyplot as plt
import numpy as np
from semidirect_turntable_ball import TurntableBall

import semidirect as sd
from semidirect import ops

MU = 0.08


class Flight(TurntableBall):
    """In the air."""

    def constraint(self):
        return sd.Unconstrained()

    @sd.observable(unit="m")
    def height(self, state):
        return -ops.dot(state.b[:3], state.Gamma) - self.radius


class Sliding(TurntableBall):
    """On the table, with Coulomb's friction."""

    def sliding(self, xi, a):
        return xi.Y - ops.cross(xi.Omega, self.contact_vector(a)) - self.ground(a)

    def at_contact(self, force, a):
        return [*ops.cross(force, self.contact_vector(a)), *force]

    def reaction(self, xi, a):  # the normal force and Coulomb's friction
        v = self.sliding(xi, a)
        return ops.transpose(ops.array([self.at_contact(a.Gamma - MU * v / ops.sqrt(ops.dot(v, v) + 1e-8), a)]))

    def constraint(self):
        contact = sd.Contact("Y", normal=lambda a: a.Gamma)
        return sd.CovectorConstraint(lambda a: [self.at_contact(a.Gamma, a)], directions=self.reaction, contact=contact)

    @sd.observable(unit="m/s")
    def slip(self, state):
        v = self.sliding(state, state)
        return ops.sqrt(ops.dot(v, v))


choices = {"noise": (), "radius": 0.1, "inertia": [0.004] * 3, "rate": 3.0}
ball = sd.Hybrid(
    {"flight": Flight(**choices), "sliding": Sliding(**choices), "rolling": TurntableBall(**choices)},
    [
        sd.Switch(
            "flight", "rolling", sd.Crossing("height", 0, "falling"), sd.Impact(0.7, MU, "sliding", settling=0.5)
        ),
        sd.Switch("sliding", "rolling", sd.Stop("slip", below=0.02)),
    ],
)
run = ball.simulate(
    mode="flight", t_end=6, dt=0.02, method="rkmk4",
    state={"Omega": (0, -20, 0), "Y": (0.2, 0, 0), "b": (-0.5, 0, -0.6, 1)},
)  # fmt: skip
hits = run.transitions
print(" → ".join(run.sequence(0)))
print("lost at the impacts [J]:", np.round(hits.loss[hits.source == 0], 3))

left, right = plt.figure(figsize=(7, 3.5), layout="constrained").subplots(1, 2)
for i, mode in enumerate(run.modes):
    x = np.where(run.mode[0][:, None] == i, run["x"][0], np.nan)
    left.plot(x[:, 0], x[:, 1], label=mode)
    right.plot(run.times, x[:, 2])
left.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]")
left.legend(frameon=False, fontsize="small")
right.set(xlabel="$t$ [s]", ylabel="$z$ [m]")
plt.show()
