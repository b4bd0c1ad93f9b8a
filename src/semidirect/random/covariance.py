"""Correlated noises: the Cholesky factor of a covariance, in straight-line arithmetic of fixed order."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import numpy as np

from semidirect.core import arguments, errors

__all__ = ["factor", "hashable", "mixed"]

SINGULAR = 1e-13
"""A pivot below this fraction of its diagonal entry counts as 0: the noise is a combination of the previous ones."""


def hashable(covariance: Any) -> Any:
    """A matrix as a tuple of rows; anything else as it is, to be checked when the number of noises is known."""
    if isinstance(covariance, (list, np.ndarray)):
        with suppress(TypeError, ValueError):
            return tuple(map(tuple, np.asarray(covariance, dtype=float).tolist()))
    return covariance


def factor(covariance: Any, components: int) -> np.ndarray:
    """The lower triangular L with L Lᵀ = C, shape (m, m), for a symmetric positive semidefinite C.

    The result does not depend on a library, not even in the last bit: only ``+ - * /`` and square roots, in a fixed order.

    Raises
    ------
    InputError
        If C is not positive semidefinite.
    """
    c = _validated(covariance, components)
    rows = [[0.0] * components for _ in range(components)]
    for i in range(components):
        for j in range(i + 1):
            rest = float(c[i, j])
            for k in range(j):
                rest -= rows[i][k] * rows[j][k]
            if i == j:
                rows[i][i] = math.sqrt(rest) if rest > SINGULAR * float(c[i, i]) else 0.0
            else:
                rows[i][j] = rest / rows[j][j] if rows[j][j] > 0 else 0.0
    lower = np.array(rows).reshape(components, components)
    spread = np.sqrt(np.outer(np.diag(c), np.diag(c)))
    if not np.all(np.abs(lower @ lower.T - c) <= 1e-9 * spread):
        least = float(np.linalg.eigvalsh(c)[0])
        raise errors.InputError(
            "the covariance of the noises", expected="a positive semidefinite matrix",
            got=f"{c.tolist()} with eigenvalue {least:.3g}",
        )  # fmt: skip
    return lower


def mixed(lower: np.ndarray, z: np.ndarray) -> np.ndarray:
    """L z over the axis of components, the last but one, in the order that kernels use: L_i0 z_0 + L_i1 z_1 + … + L_ii z_i."""
    out = np.empty_like(z)
    for i, row in enumerate(lower):
        total = row[0] * z[..., 0, :]
        for j in range(1, i + 1):
            total = total + row[j] * z[..., j, :]
        out[..., i, :] = total
    return out


def _validated(covariance: Any, components: int) -> np.ndarray:
    shape = f"a symmetric matrix of numbers, {components} by {components}, one row for each noise"
    try:
        c = arguments.numeric(covariance)
    except (TypeError, ValueError):
        raise errors.InputError("the covariance of the noises", expected=shape, got=repr(covariance)) from None
    if c.shape != (components, components):
        hint = "" if components else "There is no noise to replace: leave covariance= out."
        raise errors.InputError("the covariance of the noises", expected=shape, got=f"shape {c.shape}", hint=hint)
    if not np.all(np.isfinite(c)):
        raise errors.InputError("the covariance of the noises", expected="finite numbers", got=str(c.tolist()))
    largest = float(np.max(np.abs(c), initial=0.0))
    if np.any(np.abs(c - c.T) > 1e-12 * largest):
        raise errors.InputError("the covariance of the noises", expected=shape, got=str(c.tolist()))
    if np.any(np.diag(c) < 0):
        raise errors.InputError("the covariance of the noises", expected="nonnegative variances", got=str(c.tolist()))
    return c
