"""The contract of reduced Lagrangians."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from semidirect import Advected, LieGroup
from semidirect.core import arguments
from semidirect.testing.contracts.constraint import particle
from semidirect.testing.contracts.laws import contract, laws_named
from semidirect.testing.laws.subject import Subject


def lagrangian_contract(lagrangian: Callable[..., Any], group: LieGroup, advected: Mapping[str, Advected] | None = None, *,
                        positive: bool = True) -> type:  # fmt: skip
    """A pytest class that tests a Lagrangian l(ξ, a[, t]) with its numbers; assign it to a name that starts with ``Test``.

    Parameters
    ----------
    lagrangian : callable(xi, a[, t])
        A :class:`~semidirect.ReducedLagrangian` or a function.
    group : LieGroup
        Whose velocities it is a function of.
    advected : dict name → Advected, optional
        What else.
    positive : bool
        Whether ∂²l/∂ξ² is to be positive definite.

    Returns
    -------
    type
        Tests on the orbit: symbols, exact numbers and floats get the same l and derivatives; both principles give the equations
        of the theorem in exact numbers, and the energy law holds; the Hessian is positive.
    """
    laws = ["derivatives of l", "symbols and numbers", "solvable", "principles", "energy law"]
    laws += ["inertia"] if arguments.validated_flag("positive", positive) else []
    subject = Subject.of(particle(group, lagrangian, advected))
    return contract(
        "LagrangianContract", "A reduced Lagrangian by symbols and numbers.", subject, laws_named(*laws), share=0.2
    )
