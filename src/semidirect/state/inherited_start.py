"""A recommended state that a system inherits from one with another constraint."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from semidirect.core import errors
from semidirect.definition import Definition, SystemDefinition


def velocities_of_base(system: SystemDefinition, definition: Definition) -> set[str]:
    """Names of velocities and momenta that an inherited recommended state may have although a constraint takes them away.

    Such a state belongs to a base class, and the constraint to a class that descends from it.
    """
    kind = type(system)
    owners = [
        next(i for i, base in enumerate(kind.__mro__) if name in vars(base)) for name in ("constraint", "initial")
    ]
    if owners[0] >= owners[1]:
        return set()
    return {name for block in definition.group.blocks for name in (block, definition.momentum_name(block))}


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
