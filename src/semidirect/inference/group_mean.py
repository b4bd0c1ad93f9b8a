"""Means on a group: the Fréchet mean of rotations and motions, and the exponential barycentre of other groups."""

from __future__ import annotations

import numpy as np

from semidirect.groups.lie_group import Geometry, LieGroup

__all__ = ["deviations", "mean_element"]

TOLERANCE = 1e-8
"""Length of the last step of the iteration; the error of the mean is far smaller, as the iteration contracts."""
MOST_ITERATIONS = 100


def mean_element(group: LieGroup, g: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean (N, N) of elements ``(N, N, paths)`` with weights of the sum 1; nan if the iteration does not converge.

    Of rotations it minimises Σ w_i d(g, g_i)², the squared angles. Of motions it has the mean rotation and the mean position,
    which minimises the same sum of the left-invariant metric. On products it is the mean in each factor. On other groups it is
    the exponential barycentre, Σ w_i log(g⁻¹g_i) = 0, which does not depend on a metric. Of rotations and motions
    :func:`~semidirect.groups.geomstats_adapter.frechet_mean` is the same mean, by geomstats, which is slower.
    """
    if group.factors:
        out, row = np.eye(group.size), 0
        for factor in group.factors:
            part = slice(row, row + factor.size)
            out[part, part] = mean_element(factor, g[part, part], weights)
            row += factor.size
        return out
    if group.geometry is Geometry.MOTIONS:
        n, out = group.size - 1, np.eye(group.size)
        out[:n, :n] = mean_element(group.factor(next(iter(group.blocks))), g[:n, :n], weights)
        out[:n, n] = np.einsum("p,ip->i", weights, g[:n, n])
        return out
    mean = g[:, :, int(np.argmax(weights))]
    if group.geometry is Geometry.ROTATIONS:
        u, _, v = np.linalg.svd(np.einsum("p,ijp->ij", weights, g))
        u[:, -1] *= np.sign(np.linalg.det(u @ v))
        mean = u @ v
    for _ in range(MOST_ITERATIONS):
        step = np.einsum("p,pj->j", weights, deviations(group, mean, g))
        mean = mean @ group.exp(step)
        if np.max(np.abs(step)) < TOLERANCE:
            return mean
    return np.full_like(mean, np.nan)


def deviations(group: LieGroup, mean: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Exponential coordinates ``log(mean⁻¹ g_i)`` ``(paths, n)`` of elements ``(N, N, paths)``."""
    back = group.inverse(mean)
    relative = sum(back[:, j, None, None] * g[j] for j in range(group.size))
    return np.asarray(group.logarithms(np.moveaxis(relative, -1, 0)))
