"""A matrix group acting on the space of its matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import exact, ops
from semidirect.groups import matrices
from semidirect.groups.arguments import a_group
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.representations.representation import Representation


@final
class VectorRepresentation(Representation):
    """``g · v = g v`` on R^N: rotations of vectors for SO(2), SO(3), SO(n); ``ρ(ξ) = hat(ξ)``.

    On SO(3): ``ρ(Ω) v = Ω × v`` and ``κ ◇ v = κ × v``. For groups of affine matrices this is the action on homogeneous
    coordinates, :class:`HomogeneousRepresentation`.

    Parameters
    ----------
    group : LieGroup
    component_names : N names, optional
    """

    def __init__(self, group: LieGroup, component_names: Sequence[str] | None = None):
        a_group(group, "the group of a representation")
        super().__init__(group, group.basis, component_names=component_names)

    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """``g v``."""
        return matrix_action(self.group, g, v)


def matrix_action(group: LieGroup, g: Any, v: Any) -> np.ndarray:
    """``g v`` component-first, skipping the structural entries of ``g`` and the structural zeros of ``v``."""
    g, v = ops.array(g), ops.array(v)
    there = [(b, x) for b, x in enumerate(v) if not exact.is_zero(x)]
    rows = []
    for pattern, entries in zip(group.structure.pattern.tolist(), g, strict=True):
        total: Any = 0
        for b, x in there:
            if pattern[b] == matrices.ZERO:
                continue
            term = x if pattern[b] == matrices.ONE else entries[b] * x
            total = term if exact.is_zero(total) else total + term
        rows.append(total)
    return exact.assemble(rows, g[0], v)
