"""A recommended state that a system inherits from one with another constraint."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from semidirect.core import errors
from semidirect.definition import SystemDefinition


def require_velocities(
    system: SystemDefinition, foreign: Collection[str], velocities: Mapping[str, int], names: Collection[str]
) -> None:
    """Raise an error if an inherited state recommends a velocity, but not in the coordinates of this constraint.

    Raises
    ------
    DefinitionError
        Else the velocity would be 0 without a word.
    """
    if not foreign:
        return
    missing = [name for name in velocities if name not in names]
    lost = [name for name in system.initial if name in foreign and name not in velocities]
    if missing and lost:
        raise errors.DefinitionError(
            f"the start of {type(system).__name__}", expected=f"a velocity {', '.join(missing)}",
            got=f"{', '.join(lost)}, which it inherits from a system with another constraint",
            hint=f"Give {missing[0]} in the state, or state initial = {{…}} in {type(system).__name__}.",
        )  # fmt: skip
