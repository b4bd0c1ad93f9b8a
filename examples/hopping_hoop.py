"""
The hoop that hops
==================

A hoop with a mass on its rim rolls fast. While the mass rises the ground presses less and less: first friction no longer
suffices and the hoop slips, then it leaves the ground, flies as a free rigid body, and lands. Which of this happens depends on
the noise of the ground.
"""

import matplotlib.pyplot as plt

import semidirect as sd
from semidirect import ops

GROUP = sd.DirectProduct(sd.SO2(blocks=("omega",), coordinates=("phi",)), sd.RealSpace(2, coordinates=("x", "y")))
MU = 0.8


class Rolling(sd.System):
    """A hoop and a point on it, 1 kg each: turn = (cos φ, −sin φ), φ from the top, and b is the origin."""

    noise = sd.parameter((), symbol="sigma", shape=(None,))
    group = GROUP
    advected = {
        "turn": sd.Advected(sd.Pullback(sd.VectorRepresentation(GROUP.factor("omega")), GROUP, "omega"), (1, 0)),
        "b": sd.Advected(sd.Pullback(sd.HomogeneousRepresentation(GROUP.factor("v")), GROUP, "v"), (0, 0, 1)),
    }
    initial = {"omega": 8.6, "turn": (-1, 0), "b": (0, -1, 1)}

    def lagrangian(self, xi, a):
        point = xi.v + xi.omega * ops.array([a.turn[0], a.turn[1]])
        kinetic = (ops.dot(xi.v, xi.v) + xi.omega**2 + ops.dot(point, point)) / 2
        return kinetic - 9.81 * (a.turn[0] - 2 * a.b[1])

    def noise_force(self):
        return [[sigma, 0, 0] for sigma in self.noise]

    def constraint(self):
        return sd.DistributionConstraint([[1], [1], [0]], names=("omega",), contact=sd.Contact("v", normal=(0, 1)))


class Flight(Rolling):
    """In the air."""

    def constraint(self):
        return sd.Unconstrained()

    @sd.observable(unit="m")
    def height(self, state):
        return -state.b[1] - 1


class Slipping(Rolling):
    """On the ground, where friction does not suffice for rolling."""

    side = sd.parameter(-1.0, symbol="k")

    def constraint(self):  # friction −k μN on a contact that slips to the side k
        push = MU * self.side
        contact = sd.Contact("v", normal=(0, 1))
        return sd.CovectorConstraint([[0, 0, 1]], directions=[[push], [-push], [1]], contact=contact)

    @sd.observable(unit="m/s")
    def slip(self, state):
        return state.v[0] - state.omega


hoop = sd.Hybrid(
    {"rolling": Rolling(noise=[2.0]), "backward": Slipping(), "forward": Slipping(side=1.0), "flight": Flight()},
    [
        sd.Switch("rolling", "backward", sd.Stop(f"contact_force1 - {MU}*normal_force", above=0)),
        sd.Switch("rolling", "forward", sd.Stop(f"-contact_force1 - {MU}*normal_force", above=0)),
        sd.Switch("backward", "rolling", sd.Crossing("slip", 0, "rising")),
        sd.Switch("forward", "rolling", sd.Crossing("slip", 0, "falling")),
        sd.Switch("backward", "flight", sd.Stop("normal-force", below=0)),
        sd.Switch("forward", "flight", sd.Stop("normal-force", below=0)),
        sd.Switch("flight", "rolling", sd.Crossing("height", 0, "falling")),
    ],
)
run = hoop.simulate(mode="rolling", t_end=0.9, dt=0.01, paths=40, seed=5, method="lie-heun")
print("\n".join(f"{n:3d} paths: {' → '.join(modes)}" for modes, n in run.sequences.most_common(3)))

upper, lower = plt.figure(figsize=(7, 4.5), layout="constrained").subplots(2, 1, sharex=True)
upper.plot(run.times, run["y"].T - 1, color="tab:blue", linewidth=0.5)
upper.set(ylabel="height [m]")
for i, mode in enumerate(run.modes):
    lower.plot(run.times, (run.mode == i).sum(axis=0), label=mode)
lower.set(xlabel="$t$ [s]", ylabel="paths")
lower.legend(frameon=False)
plt.show()
