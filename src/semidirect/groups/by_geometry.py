"""The groups of rotations and of motions of Rⁿ, by their geometry and n."""

from __future__ import annotations

from collections.abc import Callable

from semidirect.groups.lie_group import Geometry, LieGroup
from semidirect.groups.se2 import SE2
from semidirect.groups.se3 import SE3
from semidirect.groups.so2 import SO2
from semidirect.groups.so3 import SO3
from semidirect.groups.special_orthogonal import SpecialOrthogonal

__all__ = ["group_of"]

OF_ITS_OWN: dict[tuple[Geometry, int], Callable[[], LieGroup]] = {
    (Geometry.ROTATIONS, 2): SO2, (Geometry.ROTATIONS, 3): SO3, (Geometry.MOTIONS, 2): SE2, (Geometry.MOTIONS, 3): SE3,
}  # fmt: skip
"""The classes of one group."""


def group_of(geometry: Geometry, n: int) -> LieGroup | None:
    """The rotations or the motions of Rⁿ; ``None`` if there is no such group here, as for the motions of R⁴."""
    if (geometry, n) in OF_ITS_OWN:
        return OF_ITS_OWN[geometry, n]()
    return SpecialOrthogonal(n) if geometry is Geometry.ROTATIONS else None
