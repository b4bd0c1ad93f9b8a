"""Rotations that take given vectors to given vectors, for many paths at once and in closed form."""

from __future__ import annotations

import numpy as np


def smallest_rotations(gamma: np.ndarray) -> np.ndarray:
    """The smallest rotations g with gᵀe₃ = γ/|γ| of vectors that are not zero (3, n), shape (3, 3, n); for γ = −e₃ the
    half-turn about e₁.
    """
    x, y, z = gamma / np.sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1] + gamma[2] * gamma[2])
    below = z < 0
    # below: (x, y, z) = half-turn of (x, −y, −z), so no 1 + z in a denominator near the pole
    w = np.where(below, (x * x + y * y) / np.where(below, 1 - z, 1.0), 1 + z)
    pole = w == 0
    w = np.where(pole, 1.0, w)
    first = [np.where(pole, 1.0, 1 - x * x / w), -x * y / w, -x]
    second = [-x * y / w, np.where(pole, -1.0, 1 - y * y / w), -y]
    return np.array([first, second, [x, y, z]])


def best_rotations(references: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The rotations g whose gᵀrᵢ are nearest to the values, in the sum of squares.

    Where the references rᵢ are all on one line many rotations are as near; the smallest is taken.

    Parameters
    ----------
    references : array (k, 3)
    values : array (k, 3, n)

    Returns
    -------
    array (3, 3, n)
    """
    lengths = np.sqrt(np.sum(references * references, axis=1))
    longest = int(np.argmax(lengths))
    if lengths[longest] == 0:
        return np.repeat(np.eye(3)[:, :, None], values.shape[2], axis=2)
    axis = references[longest] / lengths[longest]
    across = references - np.outer(references @ axis, axis)
    if np.max(np.abs(across)) > 1e-12 * lengths[longest]:
        return _by_singular_values(references, values)
    along = np.zeros(values.shape[1:])
    for weight, value in zip(references @ axis, values, strict=True):
        along = along + weight * value
    nowhere = ~np.any(along, axis=0)
    along[:, nowhere] = axis[:, None]
    if tuple(axis) == (0, 0, 1):
        return smallest_rotations(along)
    turn = smallest_rotations(axis[:, None])[:, :, 0]
    return np.einsum("ji,jkn,kl->iln", turn, smallest_rotations(turn @ along), turn)


def _by_singular_values(references: np.ndarray, values: np.ndarray) -> np.ndarray:
    u, _, v = np.linalg.svd(np.einsum("ki,kjn->nij", references, values))
    u[:, :, 2] *= np.linalg.det(u @ v)[:, None]
    return np.moveaxis(u @ v, 0, -1)
