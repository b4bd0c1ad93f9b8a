"""A tippe top that falls on the floor, bounces, slides, turns over, and lifts off while it rises.

``python tests/facts/dropped_top.py`` follows it for 4 s; the tests follow its bounces.
"""

import numpy as np
from semidirect_tippe_top import TippeTop

import semidirect as sd
from semidirect import ops

GAMMA = np.array([np.sin(0.3), 0, -np.cos(0.3)])
START = {"Omega": (0, 0, -155.0), "Gamma": GAMMA, "b": (*(-0.05 * GAMMA), 1)}


class Flight(TippeTop):
    """In the air, where nothing presses."""

    def constraint(self):
        return sd.Unconstrained()

    @sd.observable(unit="m")
    def height(self, state):
        return ops.dot(-state.b[:3] - self.contact_vector(state), state.Gamma)

    @sd.observable(unit="N")
    def normal_force(self, state):
        return 0

    @sd.observable(unit="W")
    def friction_power(self, state):
        return 0


def fallen(t_end):
    """The run of the top."""
    lands = sd.Switch("flight", "sliding", sd.Crossing("height", 0, "falling"), sd.Impact(0.5, settling=0.05))
    lifts = sd.Switch("sliding", "flight", sd.Stop("normal-force", below=0))
    top = sd.Hybrid({"flight": Flight(), "sliding": TippeTop()}, [lands, lifts])
    return top.simulate(mode="flight", t_end=t_end, dt=0.04, method="dop853", state=START)


if __name__ == "__main__":
    run = fallen(4)
    for time, mode in zip(run.transitions.time, run.sequence(0)[1:], strict=True):
        print(f"{time:.4f} s: {mode}")
    jellett = run["jellett"][0]
    print(f"largest relative change of Jellett's integral: {np.abs(jellett / jellett[0] - 1).max():.0e}")
