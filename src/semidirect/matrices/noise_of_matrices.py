"""The class of the noise of a matrix system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semidirect.model import NoiseClass

if TYPE_CHECKING:
    from semidirect.matrices.matrix_algebra import MatrixAlgebra
    from semidirect.matrices.matrix_functions import MatrixFunctions

NEGLIGIBLE = 1e-13
"""Largest entry of a commutator that is rounding, relative to both factors."""
STATES, SEED = 3, 11


def noise_of_matrices(functions: MatrixFunctions, algebra: MatrixAlgebra) -> NoiseClass:
    """The class of the fields [W, X_k]. Those of elements X_k of the algebra commute where the X_k do, up to what commutes with
    all; functions of W are not looked into.
    """
    fields = functions.fields
    W = algebra.draw(np.random.default_rng(SEED), STATES)
    with np.errstate(all="ignore"):
        values = [algebra.bracket(W, np.broadcast_to(functions.field(k, W, 0.0), W.shape)) for k in range(len(fields))]
    moved = [v for v in values if np.max(np.abs(v)) > NEGLIGIBLE]
    if not moved:
        name, reason = "none", "there is no noise" if not fields else "all noise fields vanish"
    elif len(moved) == 1 or _multiples(moved):
        name, reason = "single", "one noise field, or multiples of one"
    elif any(callable(x) for x in fields):
        name, reason = "general", "fields that are functions of W are not looked into"
    else:
        pairs = [(i, j) for i in range(len(fields)) for j in range(i)]
        left = next((pair for pair in pairs if _moves(algebra, fields[pair[0]], fields[pair[1]], W)), None)
        name = "commutative" if left is None else "general"
        reason = "[X_i, X_j] = 0 for all pairs" if left is None else f"[X_{left[1] + 1}, X_{left[0] + 1}] is not 0"
    return NoiseClass(name, reason, name, reason, False)  # type: ignore[arg-type]


def _multiples(values: list[np.ndarray]) -> bool:
    flat = np.array([v.reshape(-1) for v in values])
    singular = np.linalg.svd(flat, compute_uv=False)
    return bool(singular[1] <= NEGLIGIBLE * singular[0])


def _moves(algebra: MatrixAlgebra, A: np.ndarray, B: np.ndarray, W: np.ndarray) -> bool:
    """Whether [W, [A, B]] is not 0."""
    both = algebra.bracket(W, np.broadcast_to(algebra.bracket(A, B), W.shape))
    return bool(np.max(np.abs(both)) > NEGLIGIBLE * np.max(np.abs(A)) * np.max(np.abs(B)) * len(A) ** 2)
