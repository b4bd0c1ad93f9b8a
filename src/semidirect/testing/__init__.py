"""Strategies and contracts for authors of groups, representations and systems. They need the extra ``test``.

A contract returns a pytest class, ``TestMine = system_contract(Mine)``.
"""

# ruff: noqa: E402 - assertions are explained only in modules registered before they are imported
import pytest

pytest.register_assert_rewrite(*(f"{__name__}.{kind}_contract" for kind in ("group", "representation", "system")))

from semidirect.testing.definition_strategies import (
    ExactState,
    changes_of_basis,
    definitions,
    groups,
    polynomials,
    rational_states,
    representations,
)
from semidirect.testing.derivations import Derivations, Difference
from semidirect.testing.derived_columns import DerivedColumns
from semidirect.testing.exact_numbers import Number, derivatives
from semidirect.testing.group_contract import group_contract
from semidirect.testing.group_strategies import algebra_vectors, elements, numbers, rationals, vectors
from semidirect.testing.lives import TwoLives
from semidirect.testing.representation_contract import representation_contract
from semidirect.testing.state_strategies import (
    exact_configuration,
    generic_state,
    inertias,
    moments,
    noise_sets,
    on_orbit,
    orbit_states,
    states,
    unit_vectors,
)
from semidirect.testing.system_contract import system_contract
from semidirect.testing.theorem import Column, Point, Theorem

__all__ = [
    "group_contract", "representation_contract", "system_contract",
    "algebra_vectors", "elements", "numbers", "rationals", "vectors",
    "changes_of_basis", "groups", "representations", "polynomials", "definitions", "rational_states",
    "inertias", "moments", "noise_sets", "unit_vectors", "states", "orbit_states", "on_orbit", "generic_state",
    "exact_configuration",
    "Column", "Derivations", "DerivedColumns", "Difference", "ExactState", "Number", "Point", "Theorem", "TwoLives",
    "derivatives",
]  # fmt: skip
