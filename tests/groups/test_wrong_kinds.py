"""What constructors of groups and representations, and the test kit, are given by mistake is refused in our words."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import find, settings

import semidirect as sd
from semidirect import testing
from semidirect.core.errors import DefinitionError, InputError, SemidirectError
from semidirect.expressions.component_names import grouped

SO3, VECTOR = sd.SO3(), sd.VectorRepresentation(sd.SO3())
OF_GROUPS = {
    "DirectProduct": lambda g: sd.DirectProduct(sd.SO2(), g),
    "SemidirectProduct": lambda g: sd.representations.SemidirectProduct(g, VECTOR),
    "VectorRepresentation": sd.VectorRepresentation, "HomogeneousRepresentation": sd.HomogeneousRepresentation,
    "AdjointRepresentation": sd.representations.AdjointRepresentation,
    "CoadjointRepresentation": sd.representations.CoadjointRepresentation,
    "TrivialRepresentation": lambda g: sd.representations.TrivialRepresentation(g, 2),
    "Pullback": lambda g: sd.Pullback(VECTOR, g, "Omega"),
    "group_contract": testing.group_contract, "elements": testing.elements, "algebra_vectors": testing.algebra_vectors,
}  # fmt: skip
OF_REPRESENTATIONS = {
    "SemidirectProduct": lambda r: sd.representations.SemidirectProduct(SO3, r),
    "Pullback": lambda r: sd.Pullback(r, sd.SE3(), "Omega"),
    "DualRepresentation": sd.representations.DualRepresentation, "SymmetricSquare": sd.representations.SymmetricSquare,
    "DirectSum": lambda r: sd.representations.DirectSum(VECTOR, r),
    "Subrepresentation": lambda r: sd.representations.Subrepresentation(r, [0]),
    "Advected": lambda r: sd.Advected(r, (0, 0, 1)), "representation_contract": testing.representation_contract,
}  # fmt: skip


@pytest.mark.parametrize("value", [sd.SO3, None, 3, "SO3", VECTOR], ids=repr)
@pytest.mark.parametrize("name", OF_GROUPS)
def test_invalid_groups_raise_errors(name, value):
    with pytest.raises(DefinitionError, match="expected a Lie group, such as SO3") as caught:
        OF_GROUPS[name](value)
    assert caught.value.hint == ("Write SO3()." if value is sd.SO3 else "")


@pytest.mark.parametrize("value", [sd.VectorRepresentation, None, 3, SO3], ids=repr)
@pytest.mark.parametrize("name", OF_REPRESENTATIONS)
def test_invalid_representations_raise_errors(name, value):
    with pytest.raises(DefinitionError, match="expected a representation of"):
        OF_REPRESENTATIONS[name](value)


@pytest.mark.parametrize("value", [0, -1, 2.0, "3", None, True, [1]], ids=repr)
@pytest.mark.parametrize(
    "make", [sd.groups.Torus, sd.RealSpace, sd.groups.SO, lambda d: sd.representations.TrivialRepresentation(SO3, d)]
)
def test_invalid_dimensions_raise_errors(make, value):
    with pytest.raises(DefinitionError, match="expected a whole number, at least"):
        make(value)


@pytest.mark.parametrize(
    "basis",
    [None, "abc", [], [1, 2], [[[1, 2], [3]]], [[[0, 1j], [0, 0]]], [[[None, 1], [0, 0]]], [[[True, False], [False, True]]]],
)  # fmt: skip
def test_invalid_bases_raise_errors(basis):
    with pytest.raises(DefinitionError, match="is not a list of square matrices"):
        sd.groups.MatrixGroup(basis)
    exact = sd.groups.MatrixGroup([[[0, Fraction(1, 2)], [0, 0]]])
    assert exact.dimension == 1


@pytest.mark.parametrize("names", [0, "xi", ("a", "b"), ()])
def test_invalid_names_of_blocks_raise_errors(names):
    with pytest.raises(DefinitionError, match="Heisenberg cannot take these block names"):
        sd.groups.Heisenberg(names)


@pytest.mark.parametrize("value", ["a", None, [1j, 0, 0], [None, 0, 0], {"x": 1}], ids=repr)
def test_invalid_numbers_raise_errors(value):
    for act in (SO3.exp, SO3.hat, SO3.log):
        with pytest.raises(InputError, match="is not numeric: expected real numbers"):
            act(value)


# -- the test kit ------------------------------------------------------------------------------------------------------

TOP = sd.plugins.load("heavy-top")
OF_CLASSES = {"system_contract": testing.system_contract, "systems": lambda x: find(testing.systems(x), lambda s: True)}
OF_SYSTEMS = {
    "states": testing.states, "assert_spatial_momentum": testing.assert_spatial_momentum,
    "assert_equivariant": testing.assert_equivariant, "assert_measure": testing.assert_measure,
    "assert_orbit": testing.assert_orbit, "assert_reversible": lambda s: testing.assert_reversible(s, {}),
}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "hint"),
    [(TOP(), "Give its class, HeavyTop"), ("heavy-top", r"Give sd\.plugins\.load\('heavy-top'\)"), (None, ""), (int, "")],
    ids=["made", "name", "None", "int"],
)  # fmt: skip
@pytest.mark.parametrize("name", OF_CLASSES)
def test_invalid_classes_of_systems_raise_errors(name, value, hint):
    with pytest.raises(InputError, match=f"{name}: expected a System subclass or a Preset.*{hint}"):
        OF_CLASSES[name](value)


@pytest.mark.parametrize(
    ("value", "hint"), [(TOP, r"Write HeavyTop\(\)"), ("heavy-top", r"Write sd\.load\('heavy-top'\)"), (None, "")],
    ids=["class", "name", "None"],
)  # fmt: skip
@pytest.mark.parametrize("name", OF_SYSTEMS)
def test_invalid_systems_raise_errors(name, value, hint):
    with pytest.raises(InputError, match=rf"{name}: expected a system, made.*{hint}"):
        OF_SYSTEMS[name](value)


KIT = {
    "regimes": (lambda: testing.elements(SO3, ("near",)), "unknown regime 'near'"),
    "a parameter's value": (lambda: testing.parameter_values(1.0), "expected a parameter"),
    "a system's definition": (lambda: find(testing.orbit_states(TOP()), lambda s: True), "expected a definition"),
    "a reversal": (lambda: testing.assert_reversible(TOP(), 3), "a reversal: expected names"),
    "a sign": (lambda: testing.assert_reversible(TOP(), {"Omega": "a"}), "a reversal of 'Omega': expected a sign"),
    "a drift of one time": (
        lambda: testing.drift_slope(TOP().simulate(t_end=0.1, dt=0.1, save="final"), "energy"), "two saved times or more",
    ),
    "advected as a list": (lambda: testing.lagrangian_contract(lambda xi: 0, SO3, [1]), "advected: expected names"),
}  # fmt: skip


@pytest.mark.parametrize("name", KIT)
def test_invalid_arguments_of_the_kit_raise_errors(name):
    make, message = KIT[name]
    with pytest.raises(SemidirectError, match=message):
        make()


def even(value):
    if value % 2:
        raise InputError("", expected="an even number")


def test_values_of_a_parameter_are_those_that_its_own_check_takes():
    parameter = sd.parameter(4, check=even)
    assert find(testing.parameter_values(parameter), lambda v: True) == 4
    with pytest.raises(Exception, match="No examples found"):
        find(
            testing.parameter_values(parameter), lambda v: v % 2 != 0, settings=settings(max_examples=50, database=None)
        )


def test_inertias_shrink_to_the_simplest():
    np.testing.assert_array_equal(find(testing.inertias(), lambda tensor: True), [2, 2, 2])
    np.testing.assert_array_equal(find(testing.inertias(), lambda tensor: tensor.ndim == 2), 2 * np.eye(3))


def test_entries_of_large_matrices_have_names_of_their_own():
    names = sd.groups.SO(11).stored_names
    assert len(set(names)) == 121
    assert names[:2] == ("g1_1", "g1_2")
    assert list(grouped(names)) == ["g"]
    assert sd.groups.SO(9).stored_names[-1] == "g99"


@pytest.mark.parametrize("tol", ["1e-9", None, [1, 2], {}, np.nan, np.inf], ids=repr)
@pytest.mark.parametrize("function", [SO3.log, SO3.validate, SO3.contains], ids=lambda f: f.__name__)
def test_invalid_tolerances_raise_errors(function, tol):
    with pytest.raises(InputError, match="tol: expected a finite number"):
        function(np.eye(3), tol)
