"""Impacts on several constraints at once: as on one constraint with all rows, or an error that says what to do."""

import numpy as np
import pytest
from hybrid_systems import HingedRod, Rod, SmoothRod, landing_rod

import semidirect as sd
from semidirect.errors import InputError

LOAD = (0, 0)


def touching(self, normal=(0, 1)):
    """The row of the velocity of the corner along a normal, with a contact."""
    return sd.CovectorConstraint(
        lambda a: [[self.arm(a)[0] * normal[1] - self.arm(a)[1] * normal[0], *normal]],
        contact=sd.Contact("v", normal=normal, load=LOAD),
    )


class InOne(Rod):
    """Both rows in one constraint."""

    def constraint(self):
        return sd.CovectorConstraint(
            lambda a: [[self.arm(a)[0], 0, 1], [-self.arm(a)[1], 1, 0]],
            contact=sd.Contact("v", normal=(0, 1), load=LOAD),
        )


class Pinned(Rod):
    """A contact, and a row that is none."""

    def constraint(self):
        return {"tip": touching(self), "pin": sd.CovectorConstraint(lambda a: [[-self.arm(a)[1], 1, 0]])}


class Cornered(Rod):
    """Two contacts."""

    def constraint(self):
        return {"tip": touching(self), "wall": touching(self, (1, 0))}


def landed(hybrid):
    """The run of a landing with all velocities."""
    return hybrid.simulate(t_end=0.3, dt=0.01, mode="flight", state={"v": (0.5, -1.0), "omega": 0.3})


@pytest.mark.parametrize(
    "impact",
    [
        sd.Impact(restitution=0.5),
        sd.Impact(restitution=0.5, settling=0.1),
        sd.Impact(restitution=0.5, friction=0.3, sliding="smooth"),
    ],
    ids=["restitution", "settling", "friction"],
)
def test_one_contact_among_several_constraints_is_the_one_that_is_struck(impact):
    more = {"smooth": SmoothRod()} if impact.sliding else {}
    several, one = (landed(landing_rod(kind(), impact, **more)).transitions for kind in (Pinned, InOne))
    assert np.abs(several.impulse - one.impulse).max() < 1e-14  # 0 reached
    assert np.abs(several.loss - one.loss).max() < 1e-14
    assert one.loss[0] > 0.1


@pytest.mark.parametrize(
    "impact",
    [
        sd.Impact(restitution=0.5),
        sd.Impact(settling=0.1),
        sd.Impact(restitution=0.5, friction=0.3, sliding="smooth"),
    ],
    ids=["restitution", "settling", "friction"],
)
def test_several_contacts_are_refused_where_one_impulse_is_needed(impact):
    more = {"smooth": SmoothRod()} if impact.sliding else {}
    with pytest.raises(InputError, match=r"expected one contact.*got 2 in target.*flight → target.*sliding="):
        landed(landing_rod(Cornered(), impact, **more))


def test_a_sliding_mode_says_what_rebounds_from_several_contacts():
    impact = sd.Impact(restitution=0.5, sliding="smooth")
    several, one = (landed(landing_rod(kind(), impact, smooth=SmoothRod())).transitions for kind in (Cornered, InOne))
    assert np.abs(several.impulse - one.impulse).max() < 1e-14
    plain = landed(landing_rod(Cornered())).transitions
    assert np.abs(plain.impulse - landed(landing_rod(InOne())).transitions.impulse).max() < 1e-14


class Sliding(SmoothRod):
    """Slides on the ground, until its middle is above a place."""

    @sd.observable(unit="m")
    def place(self, state):
        return -state.b[0]


def test_a_contact_that_was_there_before_is_not_what_is_struck():
    def run(target):
        switch = sd.Switch("slides", "held", sd.Crossing("place", 0.1, "rising"), sd.Impact(restitution=0.5))
        hybrid = sd.Hybrid({"slides": Sliding(), "held": target}, [switch])
        return hybrid.simulate(t_end=0.3, dt=0.01, mode="slides", state={"v": (0.5, 0), "omega": 0}).transitions

    several, plain = run(Pinned()), run(HingedRod())
    assert np.abs(several.impulse - plain.impulse).max() < 1e-14
    assert several.impulse[0, 1] < -0.1
