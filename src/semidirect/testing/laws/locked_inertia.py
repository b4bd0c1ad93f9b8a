"""The inertia that is left by a constraint, which has to be positive."""

from __future__ import annotations

import numpy as np

from semidirect.testing.laws.exact_points.numbers import plain_array
from semidirect.testing.laws.theorem import Point, Theorem


def locked_inertia(theorem: Theorem, point: Point) -> np.ndarray:
    """BᵀHB, or H on a basis of ker A if there are only covectors; floats."""
    H = theorem.hessian(point)
    distribution = theorem.distribution(point)
    if distribution is not None:
        return plain_array(distribution[0].T @ H @ distribution[0]).astype(float)
    covectors = theorem.annihilator(point)
    assert covectors is not None
    A = plain_array(covectors[0]).astype(float)
    _, singular, rows = np.linalg.svd(A)
    assert np.min(singular) > 1e-9 * np.max(singular), f"the covectors are dependent: singular values {singular}"
    kernel = rows[len(A) :]
    return kernel @ plain_array(H).astype(float) @ kernel.T
