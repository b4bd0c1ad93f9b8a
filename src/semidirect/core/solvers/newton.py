"""Newton's method for the equations x = f(x) of implicit steps, where fixed-point iteration converges too slowly."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.core.solvers.linear import solve_pivoted

STEPS = 20
DIFFERENCE = 2.0**-26
LOOSER = 16
"""The last correction may be this many times the tolerance of the iteration: slow contraction amplifies round-off."""


def newton(function: Any, start: np.ndarray, scale: Any, which: np.ndarray, tolerance: float
           ) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Solve x = function(x) on some paths of a batch; the derivative by differences, the linear systems path by path.

    Parameters
    ----------
    function, start, scale, tolerance
        As in :func:`semidirect.core.solvers.iteration.fixed_point`.
    which : bool array (paths,)
        The paths to solve for; the others stay as they are.

    Returns
    -------
    x : array (n, paths)
    converged : bool array (paths,)
        Which of them have converged.
    """
    x, n = start, len(start)
    active, converged = which.copy(), np.zeros_like(which)
    for _ in range(STEPS):
        image = function(x)
        step = DIFFERENCE * np.broadcast_to(scale, x.shape[1:])
        matrix: list[list[Any]] = [[None] * n for _ in range(n)]
        for j in range(n):
            neighbour = x.copy()
            neighbour[j] = x[j] + step
            slope = (function(neighbour) - image) / (neighbour[j] - x[j])
            for i in range(n):
                matrix[i][j] = (1.0 if i == j else 0.0) - slope[i]
        with np.errstate(all="ignore"):  # a singular matrix leaves its path unchanged
            correction = np.stack(solve_pivoted(matrix, list(image - x)))
        change = np.max(np.abs(correction), axis=0)
        active &= np.isfinite(change)
        x = np.where(active, x + correction, x)
        small_change = active & (change <= LOOSER * tolerance * scale)
        converged |= small_change
        active &= ~small_change
        if not active.any():
            break
    return x, converged
