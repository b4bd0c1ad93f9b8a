"""Checks the arguments of constructors of groups and representations."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import arguments, errors

if TYPE_CHECKING:
    from semidirect.groups.lie_group import LieGroup


A_GROUP = "a Lie group, such as SO3()"


def a_group(value: Any, what: str) -> LieGroup:
    """The group itself; raises :class:`DefinitionError` for anything else, such as a class that is not called."""
    from semidirect.groups.lie_group import LieGroup

    return arguments.validated_instance(what, value, LieGroup, expected=A_GROUP, error=errors.DefinitionError)  # type: ignore[type-abstract]


MOST_DIMENSIONS = 256
"""The largest dimension of a group or a representation; the time to find its structure grows with the cube, here to minutes."""


def a_count(value: Any, what: str, least: int, most: int = MOST_DIMENSIONS) -> int:
    """The whole number itself; raises :class:`DefinitionError` for anything else or if it is out of bounds."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and least <= value <= most:
        return int(value)
    raise errors.DefinitionError(
        what, expected=f"a whole number, at least {least} and at most {most}", got=reprlib.repr(value)
    )


def names_of(value: Any, what: str) -> tuple[str, ...]:
    """The names as a tuple; raises :class:`DefinitionError` for anything but a sequence of strings."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(x, str) for x in value):
        raise errors.DefinitionError(what, expected="a sequence of names", got=reprlib.repr(value))
    return tuple(value)


def first_name(blocks: Any) -> tuple[str, ...]:
    """The name of the first block, for a factor with this block only."""
    return names_of(blocks, "names of blocks")[:1]
