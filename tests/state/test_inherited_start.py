"""A system that inherits its recommended state and adds a constraint, alone and as a mode of a hybrid system."""

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError, UnknownNameError


class Flight(sd.System):
    """A ball of radius 0.2 m in the air, with all its velocities recommended."""

    group = sd.SE3()
    advected = {"Gamma": sd.AdvectedFrame(group)["Gamma"], "b": sd.AdvectedFrame(group)["b"]}
    initial = {"Omega": (0, 5, 0), "Y": (1, 0, 0), "Gamma": (0, 0, 1), "b": (0, 0, -0.5, 1)}

    def lagrangian(self, xi, a):
        return 0.008 * ops.dot(xi.Omega, xi.Omega) + ops.dot(xi.Y, xi.Y) / 2 + 9.8 * ops.dot(a.b[:3], a.Gamma)

    @sd.observable(unit="m")
    def height(self, state):
        return -ops.dot(state.b[:3], state.Gamma) - 0.2


class Rolling(Flight):
    """Its coordinates are Ω: Y follows."""

    def constraint(self):
        return sd.Rolling(lambda a: 0.2 * a.Gamma, normal=lambda a: a.Gamma)


class RollingStated(Rolling):
    initial = {name: value for name, value in Flight.initial.items() if name != "Y"}


class OnARail(Flight):
    """Coordinates with other names."""

    def constraint(self):
        return sd.DistributionConstraint([[1, 0], [0, 0], [0, 0], [0, 1], [0, 0], [0, 0]], names=("turn", "slide"))


def hybrid(kind):
    lands = sd.Switch("flight", "ground", sd.Crossing("height", 0, "falling"))
    return sd.Hybrid({"flight": Flight(), "ground": kind()}, [lands])


@pytest.mark.parametrize("start", ["flight", "ground"])
def test_a_mode_that_inherits_its_start_is_as_one_that_states_it(start):
    runs = [hybrid(kind).simulate(mode=start, t_end=0.4, dt=0.02, method="rkmk4") for kind in (Rolling, RollingStated)]
    assert runs[0].sequence(0) == (("flight", "ground") if start == "flight" else ("ground",))
    for name in ("Omega", "Gamma", "b", "height"):
        np.testing.assert_array_equal(runs[0][name], runs[1][name])


def test_so_is_a_system_alone():
    runs = [kind().simulate(t_end=0.1, dt=0.02) for kind in (Rolling, RollingStated)]
    for name in runs[1]:
        np.testing.assert_array_equal(runs[0][name], runs[1][name])


def test_a_mode_is_entered_whatever_its_coordinates_but_a_start_needs_them():
    """Its velocity is the projected one of the flight, not the recommended one."""
    assert hybrid(OnARail).simulate(mode="flight", t_end=0.4, dt=0.02).sequence(0) == ("flight", "ground")
    for start in (lambda: hybrid(OnARail).simulate(mode="ground", t_end=0.4, dt=0.02), OnARail().evaluate):
        with pytest.raises(DefinitionError, match="expected a velocity turn, slide, got Omega, Y, which it inherits"):
            start()
    assert OnARail().evaluate({"turn": 1.0, "slide": 0.0})["state"]["turn"] == 1.0


@pytest.mark.parametrize("name", ["Y", "Omga", "speed"])
def test_a_wrong_name_in_a_state_of_its_own_raises_an_error(name):
    """Also in one that is inherited, if it is no velocity."""
    own = type("Own", (Rolling,), {"initial": {**RollingStated.initial, name: (1, 0, 0)}})
    with pytest.raises(UnknownNameError, match=name):
        own().evaluate()
    if name != "Y":
        base = type("Base", (Flight,), {"initial": {**Flight.initial, name: (1, 0, 0)}})
        inherits = type("Inherits", (base,), {"constraint": Rolling.constraint})
        with pytest.raises(UnknownNameError, match=name):
            inherits().evaluate()
