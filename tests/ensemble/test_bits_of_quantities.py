"""A quantity is computed by the same operations whichever others are read, saved or reduced with it."""

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops


class Quartic(sd.System):
    """A body whose kinetic energy has a term of fourth order, so that its state are velocities."""

    group = sd.SO3()
    initial = {"Omega": (0.9, -0.4, 0.6)}
    energy = sd.energy(status="random")

    def lagrangian(self, xi, a):
        square = ops.dot(xi.Omega, xi.Omega)
        return square / 2 + xi.Omega[0] ** 2 / 3 + square**2 / 7

    def constraint(self):
        return sd.Unconstrained(noise=sd.noise.ConstantNoise([[0.1, 0.2, 0.3]]))


SYSTEMS = {"quartic": Quartic(), "routh-sphere": sd.load("routh-sphere"), "rolling-disk": sd.load("rolling-disk")}


@pytest.mark.parametrize("name", SYSTEMS)
def test_quantity_has_the_same_bits_alone_and_among_all(name):
    system = SYSTEMS[name]
    arguments = {"dt": 0.02, "paths": 3, "seed": 1, "execution": sd.Execution(engine="numpy")}
    ensemble = system.ensemble(**arguments).advance(steps=5)
    whole = system.simulate(t_end=0.1, save="every:5", **arguments)
    everything = ensemble.read()
    for quantity in whole:
        alone = system.simulate(t_end=0.1, save=sd.Save("final", names=[quantity]), **arguments)
        for values in (everything[quantity], ensemble.read(quantity), alone[quantity][:, -1]):
            np.testing.assert_array_equal(values, whole[quantity][:, -1])


def test_statistics_of_expressions_change_no_saved_bit():
    arguments = {"t_end": 0.1, "dt": 0.02, "paths": 3, "seed": 1}
    body = SYSTEMS["quartic"]
    plain = body.simulate(**arguments)
    reduced = body.simulate(**arguments, reduce=sd.Moments(["3*energy", "energy*Omega1 + Omega2**2"]))
    for quantity in plain:
        np.testing.assert_array_equal(reduced[quantity], plain[quantity])
