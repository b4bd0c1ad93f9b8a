"""Elements of a group that are rational functions of random numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors, exact

if TYPE_CHECKING:
    from semidirect.groups.lie_group import LieGroup


def configuration(
    group: LieGroup, draw: Callable[[], Any], element: Callable[[LieGroup, np.ndarray], np.ndarray] | None = None
) -> list[Any]:
    """Stored coordinates of an element s: angles are random, the rest is the Cayley map of a random algebra vector.

    ``element``: another map of algebra vectors than Cayley's.

    Raises
    ------
    InputError
        If the group has no Cayley map.
    """
    if group.factors:
        return [x for factor in group.factors for x in configuration(factor, draw, element)]
    if group.circles:
        return [draw() for _ in group.stored_names]
    xi = exact.objects([draw() for _ in range(group.dimension)])
    return list(group.store(cayley(group, xi) if element is None else element(group, xi)))


def cayley(group: LieGroup, xi: np.ndarray) -> np.ndarray:
    """The Cayley map; raises :class:`InputError` for a group without one."""
    if not group.quadratic:
        raise errors.InputError(
            f"rational points of {group.name}", expected="a group with a Cayley map", got="none",
            hint="Statements that depend on s or on advected quantities cannot be proved exactly for this group.",
        )  # fmt: skip
    return group.cayley_entries(xi)
