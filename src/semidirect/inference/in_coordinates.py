"""The system that a filter runs: a lattice that is written out, where an update needs coordinates of its states."""

from __future__ import annotations

from typing import Any

from semidirect.definition import a_system, in_scalars, start_in_scalars
from semidirect.inference.update import Update

__all__ = ["in_coordinates"]


def in_coordinates(system: Any, state: Any, update: Update, *, smooth: bool = False) -> tuple[Any, Any]:
    """A system and its start, or list of starts, as an update needs them."""
    if not a_system(system)._states_arrays:
        return system, state
    statement = system._stated_by_arrays()
    if (update.coordinates == "none" and not smooth) or not statement.has_scalars:
        return system, state
    if update.coordinates == "sums" and statement.linear:
        return system, state
    several = isinstance(state, (list, tuple))
    states = [start_in_scalars(system, one) for one in state] if several else start_in_scalars(system, state)
    return in_scalars(system), states
