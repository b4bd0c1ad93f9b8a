"""Hypothesis strategies and pytest contracts for authors of groups, representations, systems and integrators.

A contract returns a pytest class, ``TestMine = system_contract(Mine)``. Contracts and strategies need the extra ``test``; the
rest (:class:`Theorem`, :class:`Derivations`, :class:`SymbolicNumericConsistency`, exact states) does not, and ``semidirect
check`` runs on it.
Names are imported when first used.
"""

from __future__ import annotations

import sys

from semidirect.core.lazy_names import lazy_names

_PLACES = {
    "testing.contracts.group": ("group_contract",),
    "testing.contracts.representation": ("representation_contract",),
    "testing.contracts.lagrangian": ("lagrangian_contract",),
    "testing.contracts.constraint": ("constraint_contract",),
    "testing.contracts.system": ("system_contract",),
    "testing.contracts.integrator": ("integrator_contract",),
    "testing.group_strategies": ("algebra_vectors", "elements", "numbers", "rationals", "vectors"),
    "testing.symmetry_strategies": ("changes_of_basis", "groups", "representations"),
    "testing.polynomial_strategies": ("polynomials",),
    "testing.definition_strategies": ("definitions", "rational_states"),
    "testing.state_strategies": ("inertias", "moments", "noise_sets", "unit_vectors", "states", "orbit_states"),
    "laws.exact_state": ("ExactState", "on_orbit", "generic_state", "random_state", "exact_configuration"),
    "laws.float_states": ("float_state",),
    "laws.exact_numbers": ("Number", "derivatives"),
    "laws.theorem": ("Column", "Point", "Theorem"),
    "laws.derived_columns": ("DerivedColumns",),
    "laws.derivations": ("Derivations", "Difference"),
    "laws.symbolic_numeric_consistency": ("SymbolicNumericConsistency",),
    "laws.laws": ("contact_rates", "has_contact", "locked_inertia"),
    "laws.system_variants": ("structures", "variants"),
    "testing.parameter_strategies": ("parameter_values", "systems"),
    "testing.dynamics": ("assert_equivariant", "assert_measure", "assert_orbit", "assert_reversible", "assert_spatial_momentum"),
    "testing.noise_problems": ("problems",),
    "testing.verification": ("DriftSlope", "drift_slope"),
    "testing.plugin_fixture": ("installed_systems",),
}  # fmt: skip
_WHERE = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [*_WHERE]

if "pytest" in sys.modules:  # it explains assertions only in modules that it knew of before they were imported
    sys.modules["pytest"].register_assert_rewrite(f"{__name__}.contracts")

__getattr__, __dir__ = lazy_names(__name__, {f"semidirect.{module}": names for module, names in _PLACES.items()})
