"""Sums of products of deviations from the means, as the error of a covariance needs them, and those of the union of two sets."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["PARTS", "PARTS_OF_ERRORS", "covariance_errors", "joined", "joined_nodes", "leaves"]

Sums = tuple[np.ndarray, ...]
PARTS = ("count", "mean", "products")
PARTS_OF_ERRORS = ("thirds", "fourths")
"""Σ d_i² d_j and Σ d_i² d_j², d = x − mean, which stores by earlier versions lack."""


def leaves(n: np.ndarray, x: np.ndarray) -> Sums:
    """Each path as a set of its own: n is ``(n,)``, x ``(r, n)``; sets along the last axis."""
    none = np.zeros((1, len(x), *x.shape))
    return n[None], x[None], none, none, none


def joined(a: Sums, b: Sums) -> Sums:
    """n, mean, Σ d dᵀ, and Σ d_i² d_j and Σ d_i² d_j² if both have them, of two sets: arrays (T or 1, n), (T, r, n) and
    (T, r, r, n), sets along the last axis.
    """
    n_a, mean_a, products_a, *more_a = a
    n_b, mean_b, products_b, *more_b = b
    n = n_a + n_b
    difference = mean_b - mean_a
    part = difference * (n_b / np.maximum(n, 1.0))[:, None]
    weight = (n_a * (n_b / np.maximum(n, 1.0)))[:, None, None]
    between = np.where(weight > 0, weight * (difference[:, :, None] * difference[:, None]), 0.0)  # exactly symmetric
    lower_moments = n, mean_a + part, products_a + products_b + between
    if not (more_a and more_b):
        return lower_moments
    back = difference * (n_a / np.maximum(n, 1.0))[:, None]
    thirds_a, fourths_a = _moved(n_a, products_a, more_a[0], more_a[1], -part)
    thirds_b, fourths_b = _moved(n_b, products_b, more_b[0], more_b[1], back)
    return (*lower_moments, thirds_a + thirds_b, fourths_a + fourths_b)


def _moved(n: np.ndarray, products: np.ndarray, thirds: np.ndarray, fourths: np.ndarray, by: np.ndarray) -> Sums:
    """Σ (d_i + p_i)² (d_j + p_j) and Σ (d_i + p_i)² (d_j + p_j)² with Σ d = 0; an empty set has none."""
    p = np.where(n[:, None] > 0, by, 0.0)
    rows, columns, count = p[:, :, None], p[:, None], n[:, None, None]
    squares = np.diagonal(products, axis1=1, axis2=2).swapaxes(1, 2)[:, :, None]  # Σ d_i²
    third = thirds + (columns * squares + 2 * rows * products) + count * (rows * rows * columns)
    one = 2 * columns * thirds + columns * columns * squares
    both = rows * columns
    fourth = fourths + (one + one.swapaxes(1, 2)) + both * (4 * products + count * both)  # exactly symmetric
    return third, fourth


def joined_nodes(a: Sums, b: Sums) -> Sums:
    """:func:`joined` of two single sets."""
    one = joined(tuple(x[..., None] for x in a), tuple(x[..., None] for x in b))
    return tuple(x[..., 0] for x in one)


def covariance_errors(n: Any, products: np.ndarray, fourths: np.ndarray) -> np.ndarray:
    """The standard errors of the covariances of n independent draws of any law, from their own moments.

    The variance of s_ij is (μ − σ_ij²)/n + (σ_ii σ_jj + σ_ij²)/(n (n − 1)), where μ = E d_i² d_j².
    """
    n = np.asarray(n, dtype=float)[:, None, None]
    with np.errstate(all="ignore"):
        matrix = products / (n - 1)
        scale = np.diagonal(matrix, axis1=1, axis2=2)
        own = scale[:, :, None] * scale[:, None]
        variance = (fourths / n - matrix**2) / n + (own + matrix**2) / (n * (n - 1))
        return np.where(n > 1, np.sqrt(np.maximum(variance, 0.0)), np.nan)
