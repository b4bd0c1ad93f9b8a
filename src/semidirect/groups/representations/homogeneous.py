"""Affine motions acting on homogeneous coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import errors
from semidirect.groups.arguments import a_group
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.representations.representation import Representation
from semidirect.groups.representations.vector import matrix_action


@final
class HomogeneousRepresentation(Representation):
    """``[[A, x], [0, 1]] · (v, w) = (A v + w x, w)``: points for weight w = 1, vectors for w = 0; w is constant.

    On SE(3), with reference (0, 0, 0, 1): ``s⁻¹·a₀ = (−gᵀx, 1)``, the spatial origin seen from the body.

    Parameters
    ----------
    group : LieGroup
        With last rows (0, …, 0, 1): SE(2), SE(3), RealSpace(n), Heisenberg, affine matrix groups.
    component_names : N names, by default ``x1`` … and ``w``
    """

    def __init__(self, group: LieGroup, component_names: Sequence[str] | None = None):
        a_group(group, "the group of a representation")
        if np.any(group.basis[:, -1, :]):
            raise errors.DefinitionError(
                f"{group.name} is not a group of affine matrices", expected="last rows (0, …, 0, 1)"
            )
        names = [*(f"x{i + 1}" for i in range(group.size - 1)), "w"] if component_names is None else component_names
        super().__init__(group, group.basis, component_names=names)

    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """``(A v + w x, w)``."""
        return matrix_action(self.group, g, v)
