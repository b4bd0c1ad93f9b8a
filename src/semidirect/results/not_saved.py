"""The error for a quantity of the system that a run did not save, which says how it is saved."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from semidirect.core import errors
from semidirect.model import NumericalSDE
from semidirect.quantities import Quantities

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["unknown_in_run"]

MOST_NAMES = 4
"""Saved quantities that are written out in the remedy."""


def unknown_in_run(
    name: object,
    error: errors.UnknownNameError,
    system: SystemDefinition | None,
    saved: Collection[str],
    *,
    reconstructed: bool,
) -> errors.UnknownNameError:
    """The error for a name that a run does not have: ``error``, unless it is a quantity of its system that was not saved."""
    if not isinstance(name, str) or system is None:
        return error
    try:
        model = NumericalSDE.of(system)
        everything = Quantities.of(system, model, None).everything
        if name in model.structure.shape.absent:
            return errors.UnknownNameError(error.kind, name, saved, model.structure.shape.absent[name])
        if name not in everything:
            return error
        depends = model.structure.needs_configuration(name, everything[name])
    except errors.SemidirectError:  # neither a quantity nor an expression of some
        return error
    if depends and not reconstructed:
        hint = "It depends on the configuration: simulate with formulation=sd.Formulation(reconstruct=True)."
        return errors.NotSavedError(name, saved, hint)
    whole = len(saved) <= MOST_NAMES
    names = ", ".join(map(repr, [*saved, name] if whole else [name])) + ", …" * (not whole)
    return errors.NotSavedError(name, saved, f"Simulate with save=sd.Save(names=[{names}]).")
