"""The contract of constraints."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from semidirect import Advected, LieGroup, StochasticConstraint, System
from semidirect.core import errors
from semidirect.testing.contracts.laws import contract, laws_named
from semidirect.testing.laws.subject import Subject


def constraint_contract(constraint: StochasticConstraint, group: LieGroup, advected: Mapping[str, Advected] | None = None
                        ) -> type:  # fmt: skip
    """A pytest class that tests a constraint with its numbers; assign it to a name that starts with ``Test``.

    It is put on a particle of the group with l = ½ Σ (1 + i) ξ_i².

    Parameters
    ----------
    constraint : StochasticConstraint
    group : LieGroup
    advected : dict name → Advected, optional
        The arguments of its functions.

    Returns
    -------
    type
        Tests at exact states on the orbit: B and A have full rank; AB = 0 and Ac = b where there are both, and both forms give
        one motion by both principles; Aξ − b stays zero along all columns; the reaction does no work on admissible velocities.
    """

    def lagrangian(xi: Any) -> Any:
        return sum((1 + i) * x * x for i, x in enumerate(np.asarray(xi))) / 2

    return contract(
        "ConstraintContract", "A constraint and its noise.", Subject.of(particle(group, lagrangian, advected, constraint)),
        laws_named("rank of the constraint", "A form and B form", "solvable", "principles", "energy law", "residual"), share=0.1,
    )  # fmt: skip


def particle(group: LieGroup, lagrangian: Callable[..., Any], advected: Mapping[str, Advected] | None,
             constraint: StochasticConstraint | None = None) -> System:  # fmt: skip
    """A system of these data without parameters; the forms of its constraint are compared by a law, and not when it is made."""
    if advected is not None and not isinstance(advected, Mapping):
        raise errors.InputError("advected", expected="names with their quantities", got=reprlib.repr(advected))
    quantities: Any = {} if advected is None else advected
    namespace: dict[str, Any] = {"group": group, "lagrangian": staticmethod(lagrangian), "advected": quantities}
    if constraint is not None:
        namespace["constraint"] = lambda self: constraint
    kind: type[System] = type("Particle", (System,), {**namespace, "_checked": lambda self: None})
    return kind()
