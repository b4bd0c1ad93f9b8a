"""Fixed-point iteration on batches and on tracer scalars, with Newton's method if it converges slowly."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.core.ops import Scalar
from semidirect.core.solvers.newton import newton

CONVERGED, CONTRACTING = 1, 2
"""Bits of the outcome of :func:`fixed_point` for a path; ``&`` combines the outcomes of several solves in one step."""


def fixed_point(
    function: Any, start: np.ndarray, scale: Any, *, tolerance: float = 4e-15, iterations: int = 100, after: int = 0
) -> Any:
    """Iterate x ← function(x) on a batch, each path until it has converged; a converged path is frozen.

    If the iteration contracts but has not converged, Newton's method continues from its last value.

    Parameters
    ----------
    function : callable
        Maps ``(n, paths)`` to ``(n, paths)``, path by path.
    start : array (n, paths)
        Start.
    scale : array (paths,), or callable
        A path has converged when no component changes by more than ``tolerance * scale``; a function gets the new x.
    after : int
        Further iterations of a path after its convergence.

    Returns
    -------
    x : array (n, paths)
    outcome : uint8 array (paths,)
        ``CONVERGED | CONTRACTING``; without ``CONVERGED`` if neither iteration nor Newton's method found the point, without
        ``CONTRACTING`` if the last iteration changed the point as much as the one before, or more: a solution, if there is
        one, may then not be the one that continues the previous step.
    """
    if start.dtype == object:
        recorder = next(x for x in (scale, *start) if isinstance(x, Scalar))
        return recorder.fixed_point(function, start, scale, tolerance, iterations, after)
    return fixed_point_of_numbers(function, start, scale, tolerance, iterations, after)


def fixed_point_of_numbers(
    function: Any, start: np.ndarray, scale: Any, tolerance: float, iterations: int, after: int
) -> Any:
    """The same of an array of floats."""
    x = start
    # iterations left after convergence, 0 if a path is finished, −1 if it was given up
    left = np.full(x.shape[1:], after + 1)
    expanding = np.zeros(x.shape[1:], dtype=bool)
    before: Any = np.inf
    for _ in range(iterations + after):
        active = left > 0
        if not active.any():
            break
        new = function(x)
        change, size = np.max(np.abs(new - x), axis=0), scale(new) if callable(scale) else scale
        x = np.where(active, new, x)
        finite, close = np.isfinite(change), (left <= after) | (change <= tolerance * size)
        expanding = np.where(active & finite & ~close, change >= before, expanding)
        before = change
        left = np.where(active, np.where(finite, left - close, -1), left)
    converged = left == 0
    slow = (left > 0) & ~expanding
    if slow.any():
        x, by_newton = newton(function, x, scale(x) if callable(scale) else scale, slow, tolerance)
        for _ in range(after):
            x = np.where(by_newton, function(x), x)
        converged |= by_newton
    return x, CONVERGED * converged.astype(np.uint8) | CONTRACTING * (converged | ~expanding).astype(np.uint8)
