"""Constraints by themselves: basis and covectors of one distribution, lifts of noise, and what each leaves out."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.core.blocks import Blocks
from semidirect.testing import definitions, rational_states
from semidirect.testing.laws.exact_points.numbers import constants, plain_array
from semidirect.testing.laws.sizes import budget

SE3 = sd.SE3()
GAMMA = ops.array([Fraction(6, 11), Fraction(-2, 11), Fraction(-9, 11)])


def at(group=SE3, **state):
    return {
        "group": group,
        "xi": Blocks({}),
        "a": Blocks({"Gamma": GAMMA}),
        "t": Fraction(1, 2),
        "z": Blocks({}),
        **state,
    }


def contact(a):
    return 2 * a.Gamma + ops.array([0, 0, 1])


def test_rolling_by_a_basis_and_by_covectors():
    rolling = sd.Rolling(contact, offset=lambda t: [t, 0, 1])
    where = at()
    D, annihilator = rolling.distribution(**where), rolling.annihilator(**where)
    assert np.all(annihilator.covectors.dot(D.basis) == 0)
    assert list(annihilator.covectors.dot(D.offset)) == list(annihilator.values) == [Fraction(1, 2), 0, 1]
    Omega = ops.array([Fraction(1, 3), 2, -1])
    xi = D.basis.dot(Omega) + D.offset
    assert list(xi[:3]) == list(Omega)
    assert list(xi[3:]) == list(ops.cross(Omega, 2 * GAMMA + ops.array([0, 0, 1])) + ops.array([Fraction(1, 2), 0, 1]))
    assert rolling.coordinates(SE3) == {"Omega": 3}
    assert rolling.moving_block(SE3) == "Omega"


def test_rolling_noise_rolls_and_slip_does_not():
    rolling = sd.Rolling(contact, noise=[[1, 2, 3]], slip=lambda a: [a.Gamma, [1, 0, 0]])
    where = at()
    A = rolling.annihilator(**where).covectors
    lifted = rolling.lift(ops.array([1, 2, 3]), **where)
    assert list(A.dot(lifted)) == [0, 0, 0]
    first, second = rolling.extra_fields(**where)
    assert list(A.dot(first)) == list(GAMMA)
    assert list(second) == [0, 0, 0, 1, 0, 0]


def test_rolling_on_other_blocks():
    group = sd.DirectProduct(sd.SO2(), sd.SE3(blocks=("w", "v")))
    rolling = sd.Rolling(contact, angular="w", linear="v")
    B = rolling.distribution(**at(group)).basis
    assert B.shape == (7, 4)
    assert list(B[0]) == [1, 0, 0, 0]
    assert list(B[:, 0]) == [1, 0, 0, 0, 0, 0, 0]
    assert rolling.coordinates(group) == {"omega": 1, "w": 3}


@budget(0.3)
@given(st.data())
def test_graphs_are_one_distribution(data):
    """A B = 0, A c = b and full ranks, for the random constraints that other tests use."""
    definition = data.draw(definitions(constraint=["both"]))
    constraint, state = definition.constraint, data.draw(rational_states(definition))
    where = {"a": constants(state.a), "z": constants(state.z), "t": constants(state.t)}
    if constraint.annihilator(**where) is None:
        assert isinstance(constraint, sd.Unconstrained)
        return
    D, annihilator = constraint.distribution(**where), constraint.annihilator(**where)
    A, B = plain_array(annihilator.covectors), plain_array(D.basis)
    assert np.all(A.dot(B) == 0)
    assert list(A.dot(plain_array(D.offset))) == list(plain_array(annihilator.values))
    n = definition.group.dimension
    assert np.linalg.matrix_rank(A.astype(float)) + np.linalg.matrix_rank(B.astype(float)) == n


def test_distributions_name_their_coordinates():
    basis = [[1, 0], [0, 1], [0, 0]]
    assert sd.DistributionConstraint(basis, ("u", "v")).coordinates(None) == {"u": 1, "v": 1}
    assert sd.DistributionConstraint(basis, {"u": 2}).coordinates(None) == {"u": 2}
    assert sd.Unconstrained().coordinates(SE3) == {"Omega": 3, "Y": 3}
    assert sd.CovectorConstraint([[1] * 6]).coordinates(SE3) == {}


def test_functions_name_what_they_use():
    """Each part may be an array, or a function of those of a, t, z (and ξ, for C) that it needs."""
    constraint = sd.CovectorConstraint(
        lambda a: [[*a.Gamma, 0, 0, 0]], lambda t: [t], lambda xi, z: [[x] for x in [xi.p, z.q, 0, 0, 0, 0]]
    )
    found = constraint.annihilator(**at(xi=Blocks({"p": 5}), z=Blocks({"q": 7})))
    assert found.covectors.tolist() == [[*GAMMA, 0, 0, 0]]
    assert list(found.values) == [Fraction(1, 2)]
    assert found.directions[:2, 0].tolist() == [5, 7]
    tested = sd.DistributionConstraint([[1], [0]], offset=lambda t: [t, 0], test=lambda z: [[z.q], [1]])
    D = tested.distribution(**at(z=Blocks({"q": 7})))
    assert (D.basis.tolist(), list(D.offset), D.test.tolist()) == ([[1], [0]], [Fraction(1, 2), 0], [[7], [1]])


MAKERS = {
    "unconstrained": sd.Unconstrained,
    "rolling": lambda noise: sd.Rolling(contact, noise),
    "covectors": lambda noise: sd.CovectorConstraint([[1] * 6], noise=noise),
    "distribution": lambda noise: sd.DistributionConstraint([[1]] * 6, noise=noise),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=list(MAKERS))
def test_an_array_is_constant_noise(make):
    constraint = make(noise=[[1, 2, 3]])
    assert isinstance(constraint.noise, sd.noise.ConstantNoise)
    assert [list(x) for x in constraint.noise.amplitudes()] == [[1, 2, 3]]
    formal = sd.noise.FormalNoise(lambda a: [a.Gamma])
    assert make(noise=formal).noise is formal


def test_the_base_gives_nothing():
    class Nothing(sd.StochasticConstraint):
        """No distribution at all."""

    nothing = Nothing()
    assert nothing.distribution(**at()) is nothing.annihilator(**at()) is nothing.moving_block(SE3) is None
    assert (nothing.coordinates(SE3), list(nothing.extra_fields(**at())), nothing.noise.formal) == ({}, [], False)
    with pytest.raises(sd.errors.DefinitionError, match="gives no covectors"):
        sd.equations.HamiltonPontryagin().derive(sd.definition.Definition(SE3, lambda xi: 0, nothing))
