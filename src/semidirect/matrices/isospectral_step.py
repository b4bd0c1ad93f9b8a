"""The stage of the isospectral midpoint rule, found by iteration path by path."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from semidirect.core import solvers
from semidirect.matrices.products import adjoint

if TYPE_CHECKING:
    from semidirect.matrices.matrix_algebra import MatrixAlgebra
    from semidirect.matrices.stated import ArrayModel


LARGE = 0.007
"""Root mean square of the singular values of A above which its generator is kept: by products each change of V is about three
times as much of the one before."""
PROBE, SLOW = 1, 0.05
"""After so many iterations more, a path whose changes shrink more slowly than by this factor keeps its generator, too."""
SAFETY = 2.0
"""What the error that is expected from the ratio of two changes is multiplied by."""


def isospectral_step(
    model: ArrayModel, W: np.ndarray, t: Any, dt: Any, dW: np.ndarray, tolerance: float, iterations: int
) -> tuple[np.ndarray, np.ndarray]:
    """W⁺ ``(paths, N, N)`` and the outcome of the iteration on each path, as :func:`.solvers.fixed_point` reports it.

    With V = W + [V, A] + A V A, the step is W⁺ = W + 2 [V, A]. Where A is not small, so that this iteration is slow, a generator
    A₀ is kept, and only A − A₀ is iterated; where that does not converge, V = (1 + A)⁻¹ W (1 − A)⁻¹ is tried. Paths that have
    converged are left alone, so that the numbers of a path do not depend on the others. A path whose iteration has not converged
    ends as it is, and is reported.
    """
    generators = Generators(model, t + 0.5 * dt, dt, dW, len(W))
    stage = _Stage(generators, W, tolerance)
    slow = ~(np.linalg.norm(stage.A, axis=(-2, -1)) <= LARGE * np.sqrt(W.shape[-1]))

    def by_products(which: np.ndarray, V: np.ndarray, A: np.ndarray) -> np.ndarray:
        turn, both = products(V, A, model.algebra.skew)
        return W[which] + turn + both

    stage.iterate(by_products, iterations, stage.open[~slow], probe=PROBE)
    quick = np.flatnonzero(stage.outcome)
    if len(quick):
        stage.A[quick] = generators(quick, stage.V[quick])
    if len(slow_paths := stage.open):
        base = Base.of(stage.A[slow_paths], W[slow_paths], model.algebra.skew)
        stage.begin(base.point)

        def around_base(which: np.ndarray, V: np.ndarray, A: np.ndarray) -> np.ndarray:
            some = base if len(which) == len(slow_paths) else base.some(np.searchsorted(slow_paths, which))
            return some.around(V, A, model.algebra.skew)

        stage.iterate(around_base, iterations, stage.open, linear=True)
    if len(stage.open):
        stage.begin(W[stage.open])
        stage.iterate(lambda which, V, A: by_solves(W[which], A, model.algebra), iterations, stage.open)
    return W - 2.0 * model.algebra.bracket(stage.A, stage.V), stage.reported


class Generators:
    """A = ½(P Δt + Σ X_k ΔWᵏ) in the middle of a step; what does not change with V is summed once."""

    def __init__(self, model: ArrayModel, t: Any, dt: Any, dW: np.ndarray, paths: int):
        self.model, self.t, self.dt, self.dW, self.paths = model, t, dt, dW, paths
        self.constant = model.constant_noise(dW, paths)

    def __call__(self, which: np.ndarray, V: np.ndarray) -> np.ndarray:
        """A ``(len(which), N, N)`` of some paths at their points."""
        if len(which) == self.paths:
            return 0.5 * self.model.generator(V, self.t, self.dt, self.dW, self.constant)
        t, dt = (x[which] if np.ndim(x) else x for x in (self.t, self.dt))
        constant = None if self.constant is None else self.constant[which]
        return 0.5 * self.model.of_some(which).generator(V, t, dt, self.dW[:, which], constant)


class _Stage:
    """The points V of all paths and the generators A that they were found with, and which of them are not found yet."""

    def __init__(self, generators: Generators, W: np.ndarray, tolerance: float):
        self.generators = generators
        self.V, self.outcome = W.copy(), np.zeros(len(W), dtype=np.uint8)
        self.A = generators(np.arange(len(W)), W)
        self.fresh = np.ones(len(W), dtype=bool)  # A is that at V
        self.limit = tolerance * np.max(np.abs(W), axis=(-2, -1), initial=0.0)
        self.expanding = np.zeros(len(W), dtype=bool)

    @property
    def open(self) -> np.ndarray:
        """The numbers of the paths whose points are not found."""
        return np.flatnonzero(self.outcome & solvers.CONVERGED == 0)

    @property
    def reported(self) -> np.ndarray:
        """The outcome of each path."""
        return self.outcome | solvers.CONTRACTING * ((self.outcome > 0) | ~self.expanding).astype(np.uint8)

    def begin(self, V: np.ndarray) -> None:
        """Iterate from these points where none is found."""
        self.V[self.open], self.fresh[self.open] = V, False
        self.expanding = np.zeros(len(self.V), dtype=bool)

    def iterate(
        self,
        following: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray],
        iterations: int,
        active: np.ndarray,
        *,
        probe: int | None = None,
        linear: bool = False,
    ) -> None:
        """Iterate V ← following(paths, V, A(V)); after the number ``probe`` leave paths whose changes shrink slowly.

        ``linear``: changes shrink by a factor that stays about the same, and a path is found where the next would be small.
        """
        before = np.full(len(self.V), np.inf)
        for n in range(iterations):
            if not len(active):
                return
            some = slice(None) if len(active) == len(self.V) else active  # arrays of all paths are not copied
            now = self.V[some]
            if not self.fresh[active].all():
                self.A[some] = self.generators(active, now)
            new = following(active, now, self.A[some])
            change = np.max(np.abs(new - now), axis=(-2, -1))
            self.V[some], self.fresh[active] = new, False
            close, more = change <= self.limit[active], np.isfinite(change)
            if linear and n:
                close |= SAFETY * change * change <= self.limit[active] * before[active]
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

    @classmethod
    def of(cls, A: np.ndarray, W: np.ndarray, skew: bool) -> Base:
        """That of A; nan where it has no inverse."""
        A, good = regular(A, skew)
        one = np.eye(A.shape[-1])
        left = np.linalg.inv(one + A)
        right = adjoint(left) if skew else np.linalg.inv(one - A)
        return cls(A, left, right, unless_bad(left @ W @ right, good))

    def some(self, which: np.ndarray) -> Base:
        """That of some paths."""
        return Base(*(x[which] for x in self))

    def around(self, V: np.ndarray, A: np.ndarray, skew: bool) -> np.ndarray:
        """V₀ + V E − D V + D V E with D = (1 + A₀)⁻¹ (A − A₀) and E = (A − A₀)(1 − A₀)⁻¹, which is small where A − A₀ is."""
        change = A - self.A
        D = self.left @ change
        left = D @ V
        if skew:  # E = −D*, and V E = (D V)*
            left += 0.5 * (left @ adjoint(D))
            return self.point + (adjoint(left) - left)
        E = change @ self.right
        return self.point + V @ E - left + left @ E


def by_solves(W: np.ndarray, A: np.ndarray, algebra: MatrixAlgebra) -> np.ndarray:
    """(1 + A)⁻¹ W (1 − A)⁻¹, which converges for large noise as well: only what A changes with V has to be small."""
    A, good = regular(A, algebra.skew)
    one = np.eye(A.shape[-1])
    left = np.linalg.solve(one + A, W)
    out = np.swapaxes(np.linalg.solve(np.swapaxes(one - A, -1, -2), np.swapaxes(left, -1, -2)), -1, -2)
    out = algebra.project(out) if algebra.skew else out
    return unless_bad(out, good)


def unless_bad(values: np.ndarray, good: np.ndarray, other: float = np.nan) -> np.ndarray:
    """Matrices, with another number where they are not good."""
    return values if good.all() else np.where(good[:, None, None], values, other)


def regular(A: np.ndarray, skew: bool) -> tuple[np.ndarray, np.ndarray]:
    """A with 0 where 1 + A or 1 − A has no inverse, and where both have one."""
    one = np.eye(A.shape[-1])
    good = np.asarray(np.isfinite(A).all(axis=(-2, -1)))
    A = unless_bad(A, good, 0.0)
    if not skew:  # of which 1 + A and 1 − A always have inverses
        for sign in (1, -1):
            good &= np.linalg.slogdet(one + sign * A)[0] != 0
    return unless_bad(A, good, 0.0), good


def products(V: np.ndarray, A: np.ndarray, skew: bool) -> tuple[np.ndarray, np.ndarray]:
    """[V, A] and A V A."""
    left = A @ V
    if skew:  # V A = (A V)*, and A V A is skew-Hermitian but for rounding
        both = left @ A
        return adjoint(left) - left, 0.5 * (both - adjoint(both))
    return V @ A - left, left @ A
