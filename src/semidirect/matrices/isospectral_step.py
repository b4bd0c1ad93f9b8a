"""The stage of the isospectral midpoint rule, found by iteration path by path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import solvers
from semidirect.matrices.products import adjoint

if TYPE_CHECKING:
    from semidirect.matrices.stated import ArrayModel


def isospectral_step(
    model: ArrayModel, W: np.ndarray, t: Any, dt: Any, dW: np.ndarray, tolerance: float, iterations: int
) -> tuple[np.ndarray, np.ndarray]:
    """W⁺ ``(paths, N, N)`` and the outcome of the iteration on each path, as :func:`.solvers.fixed_point` reports it.

    With V = W + [V, A] + A V A, the step is W⁺ = W + 2 [V, A]. Where this iteration does not converge, as for large increments,
    V = (1 + A)⁻¹ W (1 − A)⁻¹ is tried. Paths that have converged are left alone, so that the numbers
    of a path do not depend on the others. A path whose iteration has not converged ends as it is, and is reported.
    """
    paths, middle = len(W), t + 0.5 * dt
    size = np.max(np.abs(W), axis=(-2, -1), initial=0.0)
    V, outcome = W.copy(), np.zeros(paths, dtype=np.uint8)
    for following in (Part.by_products, Part.by_solves):
        active = np.flatnonzero(outcome & solvers.CONVERGED == 0)
        if not len(active):
            break
        V[active] = W[active]
        expanding, before = np.zeros(paths, dtype=bool), np.full(paths, np.inf)
        for _ in range(iterations):
            if not len(active):
                break
            now = V[active]
            new = following(Part(model, active, middle, dt, dW, paths), W[active], now)
            change = np.max(np.abs(new - now), axis=(-2, -1))
            V[active] = new
            close, finite = change <= tolerance * size[active], np.isfinite(change)
            expanding[active] = np.where(finite & ~close, change >= before[active], expanding[active])
            before[active] = change
            outcome[active[close]] = solvers.CONVERGED
            active = active[finite & ~close]
    outcome |= solvers.CONTRACTING * ((outcome > 0) | ~expanding).astype(np.uint8)
    turn, _ = Part(model, np.arange(paths), middle, dt, dW, paths).products(V)
    return W + 2.0 * turn, outcome


class Part:
    """Some of the paths of a step."""

    def __init__(self, model: ArrayModel, which: np.ndarray, t: Any, dt: Any, dW: np.ndarray, paths: int):
        whole = len(which) == paths
        self.model = model if whole else model.of_some(which)
        self.t, self.dt = (x if whole or not np.ndim(x) else x[which] for x in (t, dt))
        self.dW = dW if whole else dW[:, which]

    def by_products(self, W: np.ndarray, V: np.ndarray) -> np.ndarray:
        """W + [V, A] + A V A."""
        turn, both = self.products(V)
        return W + turn + both

    def by_solves(self, W: np.ndarray, V: np.ndarray) -> np.ndarray:
        """(1 + A)⁻¹ W (1 − A)⁻¹, which converges for large noise as well: only what A changes with V has to be small."""
        A = 0.5 * self.model.generator(V, self.t, self.dt, self.dW)
        one = np.eye(A.shape[-1])
        good = np.asarray(np.isfinite(A).all(axis=(-2, -1)))
        A[~good] = 0.0
        for sign in (1, -1):
            good &= np.linalg.slogdet(one + sign * A)[0] != 0
        A[~good] = 0.0
        left = np.linalg.solve(one + A, W)
        out = np.swapaxes(np.linalg.solve(np.swapaxes(one - A, -1, -2), np.swapaxes(left, -1, -2)), -1, -2)
        out = self.model.algebra.project(out) if self.model.algebra.skew else out
        return np.where(good[:, None, None], out, np.nan)

    def products(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """[V, A] and A V A."""
        A = 0.5 * self.model.generator(V, self.t, self.dt, self.dW)
        left = A @ V
        if self.model.algebra.skew:  # V A = (A V)*, and A V A is skew-Hermitian but for rounding
            both = left @ A
            return adjoint(left) - left, 0.5 * (both - adjoint(both))
        return V @ A - left, left @ A
