"""The stage of the isospectral midpoint rule, found by iteration path by path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from semidirect.core import solvers
from semidirect.matrices.products import adjoint

if TYPE_CHECKING:
    from semidirect.matrices.stated import ArrayModel


PROBE, SLOW = 1, 0.05
"""After so many iterations more, a path whose changes shrink more slowly than by this factor keeps its generator."""


def isospectral_step(
    model: ArrayModel, W: np.ndarray, t: Any, dt: Any, dW: np.ndarray, tolerance: float, iterations: int
) -> tuple[np.ndarray, np.ndarray]:
    """W⁺ ``(paths, N, N)`` and the outcome of the iteration on each path, as :func:`.solvers.fixed_point` reports it.

    With V = W + [V, A] + A V A, the step is W⁺ = W + 2 [V, A]. Where this iteration is slow, since A is not small, the generator
    A₀ at the present V is kept, and only A − A₀ is iterated; where that does not converge, V = (1 + A)⁻¹ W (1 − A)⁻¹ is
    tried. Paths that have converged are left alone, so that the numbers of a path do not depend on the others. A path whose
    iteration has not converged ends as it is, and is reported.
    """
    paths, middle = len(W), t + 0.5 * dt
    stage = _Stage(W, tolerance)

    def part(which: np.ndarray) -> Part:
        return Part(model, which, middle, dt, dW, paths)

    stage.iterate(lambda which, V: part(which).by_products(W[which], V), iterations, probe=PROBE)
    if len(stage.open):
        stage.begin(np.where(np.isfinite(stage.V).all(axis=(-2, -1), keepdims=True), stage.V, W))
        slow = stage.open
        base = part(slow).base(W[slow], stage.V[slow])

        def around_base(which: np.ndarray, V: np.ndarray) -> np.ndarray:
            at = np.searchsorted(slow, which)
            return part(which).around(Base(*(x[at] for x in base)), V)

        stage.iterate(around_base, iterations)
    if len(stage.open):
        stage.begin(W)
        stage.iterate(lambda which, V: part(which).by_solves(W[which], V), iterations)
    turn, _ = part(np.arange(paths)).products(stage.V)
    return W + 2.0 * turn, stage.outcome | solvers.CONTRACTING * ((stage.outcome > 0) | ~stage.expanding).astype(
        np.uint8
    )


class _Stage:
    """The points V of all paths, and which of them are not found yet."""

    def __init__(self, W: np.ndarray, tolerance: float):
        self.V, self.outcome = W.copy(), np.zeros(len(W), dtype=np.uint8)
        self.limit = tolerance * np.max(np.abs(W), axis=(-2, -1), initial=0.0)
        self.expanding = np.zeros(len(W), dtype=bool)

    @property
    def open(self) -> np.ndarray:
        """The numbers of the paths whose points are not found."""
        return np.flatnonzero(self.outcome & solvers.CONVERGED == 0)

    def begin(self, V: np.ndarray) -> None:
        """Iterate from these points where none is found."""
        self.V[self.open], self.expanding = V[self.open], np.zeros(len(V), dtype=bool)

    def iterate(self, following: Any, iterations: int, *, probe: int | None = None) -> None:
        """Iterate V ← following(paths, V); after the number ``probe`` leave paths whose changes shrink slowly."""
        active, before = self.open, np.full(len(self.V), np.inf)
        for n in range(iterations):
            if not len(active):
                return
            now = self.V[active]
            new = following(active, now)
            change = np.max(np.abs(new - now), axis=(-2, -1))
            self.V[active] = new
            close, more = change <= self.limit[active], np.isfinite(change)
            self.expanding[active] = np.where(more & ~close, change >= before[active], self.expanding[active])
            if n == probe:
                more &= change <= SLOW * before[active]
            before[active] = change
            self.outcome[active[close]] = solvers.CONVERGED
            active = active[more & ~close]


class Base(NamedTuple):
    """A generator A₀ that stays the same: (1 + A₀)⁻¹, (1 − A₀)⁻¹ and (1 + A₀)⁻¹ W (1 − A₀)⁻¹."""

    A: np.ndarray
    left: np.ndarray
    right: np.ndarray
    point: np.ndarray


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

    def base(self, W: np.ndarray, V: np.ndarray) -> Base:
        """The generator at V; nan where it has no inverse."""
        A, good = self._regular(V)
        one = np.eye(A.shape[-1])
        left = np.linalg.inv(one + A)
        right = adjoint(left) if self.model.algebra.skew else np.linalg.inv(one - A)
        return Base(A, left, right, np.where(good[:, None, None], left @ W @ right, np.nan))

    def around(self, base: Base, V: np.ndarray) -> np.ndarray:
        """V₀ + V E − D V + D V E with D = (1 + A₀)⁻¹ (A − A₀) and E = (A − A₀)(1 − A₀)⁻¹, which is small where A − A₀ is."""
        A = 0.5 * self.model.generator(V, self.t, self.dt, self.dW) - base.A
        D = base.left @ A
        left = D @ V
        if self.model.algebra.skew:  # E = −D*, and V E = (D V)*
            both = left @ adjoint(D)
            return base.point + adjoint(left) - left - 0.5 * (both - adjoint(both))
        E = A @ base.right
        return base.point + V @ E - left + left @ E

    def by_solves(self, W: np.ndarray, V: np.ndarray) -> np.ndarray:
        """(1 + A)⁻¹ W (1 − A)⁻¹, which converges for large noise as well: only what A changes with V has to be small."""
        A, good = self._regular(V)
        one = np.eye(A.shape[-1])
        left = np.linalg.solve(one + A, W)
        out = np.swapaxes(np.linalg.solve(np.swapaxes(one - A, -1, -2), np.swapaxes(left, -1, -2)), -1, -2)
        out = self.model.algebra.project(out) if self.model.algebra.skew else out
        return np.where(good[:, None, None], out, np.nan)

    def _regular(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A, and whether 1 + A and 1 − A have inverses; 0 where they have none."""
        A = 0.5 * self.model.generator(V, self.t, self.dt, self.dW)
        one = np.eye(A.shape[-1])
        good = np.asarray(np.isfinite(A).all(axis=(-2, -1)))
        A[~good] = 0.0
        if not self.model.algebra.skew:  # of which 1 + A and 1 − A always have inverses
            for sign in (1, -1):
                good &= np.linalg.slogdet(one + sign * A)[0] != 0
        A[~good] = 0.0
        return A, good

    def products(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """[V, A] and A V A."""
        A = 0.5 * self.model.generator(V, self.t, self.dt, self.dW)
        left = A @ V
        if self.model.algebra.skew:  # V A = (A V)*, and A V A is skew-Hermitian but for rounding
            both = left @ A
            return adjoint(left) - left, 0.5 * (both - adjoint(both))
        return V @ A - left, left @ A
