"""The error for a quantity of the system that a run did not save, which says how it is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semidirect.core.errors import NotSavedError, SemidirectError, UnknownNameError
from semidirect.ensemble.quantities import Quantities
from semidirect.model.numerical_sde import numerical_sde

if TYPE_CHECKING:
    from semidirect.ensemble.run import RunData

__all__ = ["unknown_in_run"]

MOST_NAMES = 4
"""Saved quantities that are written out in the remedy."""


def unknown_in_run(run: RunData, name: object, error: UnknownNameError) -> UnknownNameError:
    """The error for a name that a run does not have: ``error``, unless it is a quantity of its system that was not saved."""
    system = run.known_system
    if not isinstance(name, str) or system is None:
        return error
    try:
        model = numerical_sde(system)
        everything = Quantities.of(system, model, None).everything
        if name not in everything:
            return error
        depends = model.structure.needs_configuration(name, everything[name])
    except SemidirectError:  # neither a quantity nor an expression of some
        return error
    if depends and "element" not in run.config:
        hint = "It depends on the configuration: simulate with formulation=sd.Formulation(reconstruct=True)."
        return NotSavedError(name, run.data, hint)
    whole = len(run.data) <= MOST_NAMES
    names = ", ".join(map(repr, [*run.data, name] if whole else [name])) + ", …" * (not whole)
    return NotSavedError(name, run.data, f"Simulate with save=sd.Save(names=[{names}]).")
