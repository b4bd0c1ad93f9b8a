"""The coadjoint representation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import exact, ops
from semidirect.groups import matrices, motions
from semidirect.groups.arguments import a_group
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.representations.representation import Representation
from semidirect.groups.representations.vector import matrix_action


@final
class CoadjointRepresentation(Representation):
    """``g · μ = Ad*_{g⁻¹} μ`` on the dual of the algebra, ``ρ(ξ) μ = −ad*_ξ μ``: momenta expressed in space.

    Parameters
    ----------
    group : LieGroup
    component_names : n names, optional
    """

    def __init__(self, group: LieGroup, component_names: Sequence[str] | None = None):
        a_group(group, "the group of a representation")
        rho = np.zeros((group.dimension,) * 3, dtype=object)
        for i, j, k, value in group.brackets:
            rho[i, j, k] = -value
        super().__init__(group, rho, component_names=component_names)

    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """``⟨g·μ, e_j⟩ = ⟨μ, vee(g⁻¹ e_j g)⟩``, as ``tr(Mᵀ g⁻¹ e_j g)`` with M = Σ μ_k dual_k; for rotations of space ``g μ``."""
        basis = self.group.basis
        if basis.shape == motions.SPACE.shape and (basis == motions.SPACE).all():
            return matrix_action(self.group, g, v)
        group, g, mu = self.group, ops.array(g), ops.array(v)
        structure, n = group.structure, group.size
        covector: list[list[Any]] = [[0] * n for _ in range(n)]
        support = np.zeros((n, n), dtype=int)
        for k, a, b, value in structure.dual:
            term = exact.times(value, mu[k])
            if not exact.is_zero(term):
                covector[a][b] = term if exact.is_zero(covector[a][b]) else covector[a][b] + term
                support[a, b] = 2
        m = ops.matrix(covector)
        back = group.inverse_entries(g)
        left = matrices.pattern_product(structure.pattern.T, ops.transpose(back), support, m)
        full = 2 * ((structure.pattern.T != 0).astype(int) @ support != 0)
        both = exact.exact_beside(matrices.pattern_product(full, left, structure.pattern.T, ops.transpose(g)), g)
        rows: list[Any] = [0] * group.dimension
        for j, a, b, value in structure.terms:
            term = exact.times(value, both[a, b])
            rows[j] = term if exact.is_zero(rows[j]) else rows[j] + term
        return exact.assemble(rows, g[0], mu)

    def move_entries(self, xi: Any, mu: Any, retraction: str) -> np.ndarray:
        """``Ad*_{τ(ξ)} μ``, which stays on the coadjoint orbit: on so(3) |μ| does not wander by rounding, see :func:`.turned`."""
        return _moved(self.group, ops.array(xi), ops.array(mu), retraction)


def _moved(group: LieGroup, xi: np.ndarray, mu: np.ndarray, retraction: str) -> np.ndarray:
    """Factor by factor."""
    if group.factors:
        parts, start = [], 0
        for f in group.factors:
            part = slice(start, start := start + f.dimension)
            parts.append(_moved(f, xi[part], mu[part], retraction))
        return np.concatenate(parts)
    if np.array_equal(group.basis, motions.SPACE):
        return motions.turned(-xi, mu, retraction)
    return CoadjointRepresentation(group).act_entries(group.retract_entries(-xi, retraction), mu)
