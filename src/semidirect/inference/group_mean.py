"""Means on a group: the Fréchet mean of rotations and motions, and the exponential barycentre of other groups."""

from __future__ import annotations

import numpy as np

from semidirect.core import ops
from semidirect.groups import Geometry, LieGroup
from semidirect.inference.logarithm_rows import (
    motion_vectors,
    motion_vectors_of_each,
    rotation,
    rotation_vectors,
    rotation_vectors_of_each,
    shifted_vectors,
)
from semidirect.inference.weights import mean, second_moments, turns

__all__ = ["centred", "deviations", "deviations_of_each", "elements"]

TOLERANCE = 1e-12
"""Length of the last step of an iteration that converges linearly."""
NEWTON = 1e-6
"""The same of Newton's iteration: the error of the mean is the square of it."""
MOST_ITERATIONS = 100


def centred(group: LieGroup, stored: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean (N, N) of elements with stored coordinates ``(r, paths)`` and weights of the sum 1, and the deviations from it
    as :func:`deviations` gives them; both nan if the iteration does not converge.

    Of rotations the mean minimises Σ w_i d(g, g_i)², the squared angles. Of motions it has the mean rotation and the mean
    position, which minimises the same sum of the left-invariant metric. On products it is the mean in each factor. On other
    groups it is the exponential barycentre, Σ w_i log(g⁻¹g_i) = 0, which does not depend on a metric. Of rotations and motions
    :func:`~semidirect.geometry.geomstats_adapter.frechet_mean` is the same mean, by geomstats, which is slower.
    """
    if not len(stored):  # the configuration is not reconstructed, or there is none
        return group.identity, np.zeros((group.dimension, len(weights)))
    if group.factors:
        parts = [centred(factor, rows, weights) for factor, rows in _by_factor(group, stored)]
        return _blocks([middle for middle, _ in parts]), np.concatenate([away for _, away in parts])
    if _of_angles(group):
        middles, turns = zip(*(_circular(row, weights) for row in stored), strict=True)
        return _blocks([np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in middles]), np.array(turns)
    if group.geometry is Geometry.MOTIONS:
        turning, k = _rotations_of(group)
        middle, turn = centred(turning, stored[:k], weights)
        place = mean(stored[k:], weights)
        return _motion(middle, place), motion_vectors(middle, place, turn, stored[k:])
    if group.rotation_vector:
        return _of_rotations(stored, weights)
    return _barycentre(group, group.element(stored), weights)


def elements(group: LieGroup, stored: np.ndarray) -> np.ndarray:
    """The means ``(n, N, N)`` of each element alone, of stored coordinates ``(r, n)``: on the group, whatever its error."""
    count = stored.shape[1]
    if group.factors:
        return _blocks_of_each([elements(factor, rows) for factor, rows in _by_factor(group, stored)])
    if _of_angles(group):
        cos, sin = np.cos(stored), np.sin(stored)
        turned = np.array([[cos, -sin], [sin, cos]])  # (2, 2, factors, n)
        return _blocks_of_each([np.moveaxis(turned[:, :, i], -1, 0) for i in range(len(stored))])
    if group.geometry is Geometry.MOTIONS:
        turning, k = _rotations_of(group)
        out = np.zeros((count, group.size, group.size))
        out[:, :-1, :-1], out[:, :-1, -1], out[:, -1, -1] = elements(turning, stored[:k]), stored[k:].T, 1.0
        return out
    return np.array([centred(group, np.ascontiguousarray(stored[:, i : i + 1]), np.ones(1))[0] for i in range(count)])


def deviations_of_each(group: LieGroup, middles: np.ndarray, stored: np.ndarray) -> np.ndarray:
    """:func:`deviations` ``(dimension, B, n)`` of elements ``(r, B, n)`` from B elements ``(B, N, N)``, n from each."""
    if len(middles) == 1:
        return deviations(group, middles[0], stored[:, 0])[:, None]
    if group.factors:
        out, row = [], 0
        for factor, rows in _by_factor(group, stored):
            part = slice(row, row + factor.size)
            out.append(deviations_of_each(factor, middles[:, part, part], rows))
            row += factor.size
        return np.concatenate(out)
    if _of_angles(group):
        return _wrapped(stored - np.asarray(group.store(np.moveaxis(middles, 0, -1)))[:, :, None])
    if group.geometry is Geometry.MOTIONS:
        turning, k = _rotations_of(group)
        turned, places = middles[:, :-1, :-1], middles[:, :-1, -1]
        return motion_vectors_of_each(turned, places, deviations_of_each(turning, turned, stored[:k]), stored[k:])
    if group.rotation_vector:
        return rotation_vectors_of_each(middles, stored)
    return np.stack([deviations(group, middle, stored[:, b]) for b, middle in enumerate(middles)], axis=1)


def deviations(group: LieGroup, middle: np.ndarray, stored: np.ndarray) -> np.ndarray:
    """Exponential coordinates ``log(m⁻¹ g_i)`` ``(n, paths)`` of elements with stored coordinates ``(r, paths)``."""
    if not len(stored):
        return np.zeros((group.dimension, stored.shape[1]))
    if group.factors:
        out, row = [], 0
        for factor, rows in _by_factor(group, stored):
            part = slice(row, row + factor.size)
            out.append(deviations(factor, middle[part, part], rows))
            row += factor.size
        return np.concatenate(out)
    if _of_angles(group):
        return _wrapped(stored - group.store(middle)[:, None])
    if group.geometry is Geometry.MOTIONS:
        turning, k = _rotations_of(group)
        rotation, place = middle[:-1, :-1], middle[:-1, -1]
        turn = deviations(turning, rotation, stored[:k])
        return motion_vectors(rotation, place, turn, stored[k:])
    if group.rotation_vector:
        return rotation_vectors(middle, stored)[:3]
    return _logarithms(group, middle, group.element(stored))


def _by_factor(group: LieGroup, stored: np.ndarray) -> list[tuple[LieGroup, np.ndarray]]:
    """The factors of a product with their coordinates."""
    out, at = [], 0
    for factor in group.factors:
        out.append((factor, stored[at : at + len(factor.stored_names)]))
        at += len(factor.stored_names)
    return out


def _of_angles(group: LieGroup) -> bool:
    """Whether all stored coordinates are angles, which are then exponential coordinates too."""
    return len(group.circles) == group.dimension == len(group.stored_names)


def _rotations_of(group: LieGroup) -> tuple[LieGroup, int]:
    """The rotations of a group of motions, and the number of their coordinates, which come first."""
    turning = group.factor(next(iter(group.blocks)))
    return turning, len(turning.stored_names)


def _blocks(parts: list[np.ndarray]) -> np.ndarray:
    """The matrix with these blocks on its diagonal."""
    size, row = sum(map(len, parts)), 0
    out = np.zeros((size, size))
    for part in parts:
        out[row : row + len(part), row : row + len(part)] = part
        row += len(part)
    return out


def _blocks_of_each(parts: list[np.ndarray]) -> np.ndarray:
    """The matrices ``(n, …)`` with these blocks ``(n, k, k)`` on their diagonals."""
    size, row = sum(part.shape[1] for part in parts), 0
    out = np.zeros((len(parts[0]), size, size))
    for part in parts:
        end = row + part.shape[1]
        out[:, row:end, row:end] = part
        row = end
    return out


def _motion(rotation: np.ndarray, place: np.ndarray) -> np.ndarray:
    out = np.eye(len(rotation) + 1)
    out[:-1, :-1], out[:-1, -1] = rotation, place
    return out


def _combined(factors: np.ndarray, rows: list[np.ndarray]) -> np.ndarray:
    """Σ factors_i rows_i, in this order."""
    first, *rest = zip(factors.tolist(), rows, strict=True)
    total = first[0] * first[1]
    for factor, row in rest:
        total += factor * row
    return total


def _wrapped(angle: np.ndarray) -> np.ndarray:
    """Angles in [−π, π]."""
    return np.asarray(angle - 2 * np.pi * np.rint(angle / (2 * np.pi)))


def _circular(angles: np.ndarray, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """The mean of angles ``(paths,)``, and their deviations from it."""
    middle = float(angles[np.argmax(weights)])
    away, step, largest = turns(angles, weights, middle)
    if largest > np.pi / 2:  # else all are in one half of the circle, and there is one minimum
        middle = float(np.arctan2(np.add.reduce(weights * np.sin(angles)), np.add.reduce(weights * np.cos(angles))))
        away, step, largest = turns(angles, weights, middle)
    for _ in range(MOST_ITERATIONS):
        middle, differences = middle + step, away - step
        if largest + abs(step) <= np.pi or np.abs(differences).max() <= np.pi:
            return middle, differences
        away, step, largest = turns(angles, weights, middle)
    return np.nan, np.full_like(angles, np.nan)


def _of_rotations(stored: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of rotations of space, from the rotation nearest to the mean matrix: by Newton's iteration where no angle exceeds
    1, else by the steps Σ w_i log(m⁻¹g_i).
    """
    middle = _nearest_rotation(mean(stored, weights).reshape(3, 3))
    for _ in range(MOST_ITERATIONS):
        logarithms = rotation_vectors(middle, stored)
        away, square, c = logarithms[:3], logarithms[3], logarithms[4]
        step, near = mean(away, weights), bool(square.max() < 1)
        if near:
            # log(exp(−δ) exp(v)) = v − δ + ½ v×δ − c v×(v×δ) + O(δ²), c = (1 − (θ/2) cot(θ/2))/θ² = 1/12 + θ²/720 + …
            moments = second_moments(away, weights * c)
            slope = np.eye(3) * (1 - np.trace(moments)) + moments - 0.5 * ops.hat(step)
            step = np.linalg.solve(slope, step)
        middle = middle @ rotation(step)
        if np.max(np.abs(step)) < (NEWTON if near else TOLERANCE):
            return middle, shifted_vectors(step, logarithms) if near else rotation_vectors(middle, stored)[:3]
    return np.full((3, 3), np.nan), np.full((3, stored.shape[1]), np.nan)


def _nearest_rotation(matrix: np.ndarray) -> np.ndarray:
    """The rotation nearest to the mean matrix of rotations."""
    u, _, v = np.linalg.svd(matrix)
    u[:, -1] *= np.sign(np.linalg.det(u @ v))
    return np.asarray(u @ v)


def _barycentre(group: LieGroup, g: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean by the steps Σ w_i log(m⁻¹g_i)."""
    turning = group.geometry is Geometry.ROTATIONS
    n = len(g)
    middle = (
        _nearest_rotation(mean(g.reshape(n * n, -1), weights).reshape(n, n))
        if turning
        else g[:, :, int(np.argmax(weights))]
    )
    for _ in range(MOST_ITERATIONS):
        step = mean(_logarithms(group, middle, g), weights)
        middle = middle @ group.exp(step)
        if np.max(np.abs(step)) < TOLERANCE:
            return middle, _logarithms(group, middle, g)
    return np.full_like(middle, np.nan), np.full((group.dimension, g.shape[2]), np.nan)


def _logarithms(group: LieGroup, middle: np.ndarray, g: np.ndarray) -> np.ndarray:
    """``log(m⁻¹ g_i)`` ``(n, paths)`` of elements ``(N, N, paths)``."""
    back = middle.T if group.geometry is Geometry.ROTATIONS else group.inverse(middle)
    relative = np.empty(g.shape)
    for i, row in enumerate(back):
        for j in range(group.size):
            relative[i, j] = _combined(row, list(g[:, j]))
    return np.asarray(group.logarithms(np.moveaxis(relative, -1, 0)).T)
