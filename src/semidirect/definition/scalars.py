"""The system whose equations are written out in scalars, for what reads expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from semidirect.definition.system_argument import a_system
from semidirect.definition.system_definition import SystemDefinition


def in_scalars(system: Any) -> SystemDefinition:
    """The system itself, or what a lattice of few sites is written out as.

    Raises
    ------
    DefinitionError
        For a system of functions of arrays that is not written out.
    """
    one = a_system(system)
    return one._stated_by_arrays().written_out() if one._states_arrays else one


def start_in_scalars(system: Any, state: Any) -> Any:
    """A start of a system, given or drawn, by the names of :func:`in_scalars`."""
    one = a_system(system)
    if not one._states_arrays or state is None:
        return state
    statement = one._stated_by_arrays()
    if callable(state):
        draw: Callable[..., Mapping[str, Any]] = state
        return lambda rng, count: statement.start_written_out(draw(rng, count))
    return statement.start_written_out(state)
