"""The adjoint representation."""

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
class AdjointRepresentation(Representation):
    """``g · η = Ad_g η`` on the algebra, ``ρ(ξ) η = [ξ, η]``.

    Parameters
    ----------
    group : LieGroup
    component_names : n names, optional
    """

    def __init__(self, group: LieGroup, component_names: Sequence[str] | None = None):
        a_group(group, "the group of a representation")
        rho = np.zeros((group.dimension,) * 3, dtype=object)
        for i, j, k, value in group.brackets:
            rho[i, k, j] = value
        super().__init__(group, rho, component_names=component_names)

    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """``vee(g hat(η) g⁻¹)``."""
        group, g = self.group, ops.array(g)
        structure = group.structure
        product = matrices.pattern_product(structure.pattern, g, structure.algebra_pattern, group.hat_entries(v))
        conjugate = matrices.pattern_product(
            structure.product_pattern, product, structure.pattern, group.inverse_entries(g)
        )
        return group.vee_entries(exact.exact_beside(conjugate, g))
