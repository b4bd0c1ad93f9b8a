"""Points on the orbit of advected quantities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core.errors import InputError
from semidirect.core.exact import objects
from semidirect.groups.rational_points import configuration

if TYPE_CHECKING:
    from semidirect.groups.lie_group import LieGroup
    from semidirect.representations.advected import Advected


def orbit_point(advected: Mapping[str, Advected], element: np.ndarray) -> np.ndarray:
    """Advected quantities s⁻¹a₀, one after the other, of an element s with entries of any kind."""
    return objects([x for q in advected.values() for x in q.at_entries(element)])


def random_orbit_point(group: LieGroup, advected: Mapping[str, Advected], draw: Callable[[], Any]) -> np.ndarray:
    """Advected quantities of a random s.

    They are rational in the random numbers, except for angles, which have a sine, and groups without a Cayley map.
    """
    if not advected:
        return np.zeros(0)
    try:
        element = group.element(objects(configuration(group, draw)))
    except (InputError, ZeroDivisionError):
        element = group.exp(np.array([float(draw()) for _ in range(group.dimension)]))
    return orbit_point(advected, element)
