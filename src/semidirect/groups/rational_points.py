"""Elements of a group that are rational in numbers that are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core.errors import InputError

if TYPE_CHECKING:
    from semidirect.groups.lie_group import LieGroup


def configuration(group: LieGroup, draw: Callable[[], Any]) -> list[Any]:
    """Stored coordinates of an element s: angles are drawn, the rest is the Cayley map of an algebra vector that is drawn.

    Raises
    ------
    InputError
        If the group has no Cayley map.
    """
    if group.factors:
        return [x for factor in group.factors for x in configuration(factor, draw)]
    if group.circles:
        return [draw() for _ in group.stored_names]
    if not group.quadratic:
        raise InputError(
            f"rational points of {group.name}", expected="a group with a Cayley map", got="none",
            hint="What depends on s or on advected quantities cannot be proved exactly there.",
        )  # fmt: skip
    xi = np.empty(group.dimension, dtype=object)
    xi[:] = [draw() for _ in range(group.dimension)]
    return list(group.store(group.cayley_entries(xi)))
