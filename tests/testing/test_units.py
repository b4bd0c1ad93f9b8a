"""Units that are stated agree with the equations, or the check names what does not."""

import pytest
from semidirect_heavy_top import HeavyTop
from semidirect_suslov import Suslov

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError
from semidirect.definition.labels import units_of
from semidirect.testing.laws.subject import Subject
from semidirect.testing.laws.units import agree


class WrongObservable(HeavyTop):
    @sd.observable(unit="kg m/s")
    def lean(self, state):
        """It is M·χ, in kg m²/s."""
        return ops.dot(ops.inertia(self.inertia, state.Omega), self.axis)


class WrongParameter(HeavyTop):
    gravity = sd.parameter(1.0, unit="m/s", symbol="g")


class WrongVelocity(Suslov):
    units = {"w1": "m/s", "w2": "rad/s"}


class NotStated(HeavyTop):
    stiffness = sd.parameter(1.0, symbol="q")


class Unknown(HeavyTop):
    units = {"Omga": "rad/s"}


class Contradiction(HeavyTop):
    units = {"Omega": "m/s"}


@pytest.mark.parametrize(
    "name", ["heavy-top", "chaplygin-sleigh", "rolling-ball", "kirchhoff-body", "rolling-disk", "suslov"]
)
def test_units_of_the_library_agree(name):
    assert agree(Subject.of(sd.load(name))).status == "ok"


@pytest.mark.parametrize(
    ("system", "text"), [(WrongObservable, "lean is stated in kg m/s"), (WrongParameter, ""), (WrongVelocity, "")]
)
def test_a_wrong_unit_is_found(system, text):
    found = agree(Subject.of(system()))
    assert found.status == "failed"
    assert text in found.figure


def test_units_that_are_not_stated_are_named():
    found = agree(Subject.of(NotStated()))
    assert found.status == "not applicable"
    assert "stiffness" in found.figure


@pytest.mark.parametrize("system", [Unknown, Contradiction])
def test_units_of_nothing_and_against_the_group_are_refused(system):
    with pytest.raises(DefinitionError):
        units_of(system())
