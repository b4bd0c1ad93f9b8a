"""The body frame and the origin as advected quantities."""

from __future__ import annotations

from collections.abc import Sequence

from semidirect.core import explains_calls
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.representations.advected import Advected
from semidirect.groups.representations.homogeneous import HomogeneousRepresentation
from semidirect.groups.representations.pullback import Pullback
from semidirect.groups.representations.vector import VectorRepresentation
from semidirect.groups.se3 import SE3
from semidirect.groups.so3 import SO3


@explains_calls
def AdvectedFrame(group: LieGroup | None = None, rotation: str = "Omega",
                  motion: Sequence[str] = ("Omega", "Y")) -> dict[str, Advected]:  # fmt: skip
    """Quantities advected by rigid motions: ``E1 = gᵀe₁``, ``E2 = gᵀe₂``, ``Gamma = gᵀe₃`` (3,) and ``b = (−gᵀx, 1)`` (4,) [m].

    Every function of s in SE(3) is a function of them. ``group`` is SE(3) or a product with it; ``rotation`` and ``motion``
    are the names of its blocks.
    """
    group = SE3() if group is None else group
    turn = Pullback(VectorRepresentation(SO3()), group, rotation)
    move = Pullback(HomogeneousRepresentation(SE3()), group, motion)
    return {
        "E1": Advected(turn, (1, 0, 0), unit="1"), "E2": Advected(turn, (0, 1, 0), unit="1"),
        "Gamma": Advected(turn, (0, 0, 1), unit="1"), "b": Advected(move, (0, 0, 0, 1), unit="m"),
    }  # fmt: skip
