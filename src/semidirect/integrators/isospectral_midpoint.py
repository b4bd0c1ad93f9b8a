"""The isospectral midpoint rule for matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np

from semidirect.core import errors
from semidirect.integrators.method import WEAK_ONE, Integrator, Step
from semidirect.integrators.tableau import STRATONOVICH_ONE

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE, Retraction

TOLERANCE, ITERATIONS = 4e-15, 100


@final
@dataclass(frozen=True)
class IsospectralMidpoint(Integrator):
    """W = (1 + A) V (1 − A), W⁺ = (1 − A) V (1 + A), A = ½(P(V)Δt + Σ X_k(V)ΔWᵏ): W⁺ is similar to W.

    The rule of Modin and Viviani (Found. Comput. Math. 20, 2020), with noise as in arXiv 2408.16701: the spectrum of W is kept,
    and with it all Casimirs; it is a Poisson map of the algebra. On so(N) it is ``coadjoint-midpoint``. V is found by
    iteration, path by path. For :class:`~semidirect.matrices.MatrixLiePoisson` only.
    """

    name: ClassVar[str] = "isospectral-midpoint"
    strong_order = STRATONOVICH_ONE
    weak_order = WEAK_ONE
    deterministic_order: ClassVar[int] = 2
    implicit: ClassVar[bool] = True
    preserves: ClassVar[str] = "spectrum of W, coadjoint orbits"

    def retraction(self, model: NumericalSDE) -> Retraction:
        """None is used; raises a MethodError for a system that is not one of matrices."""
        if not model.system._has_configuration and not model.structure.shape.matrices:
            raise errors.MethodError(
                "isospectral-midpoint multiplies matrices, and equations that are written out have none",
                hint="Run the matrix system itself, or use implicit-midpoint or heun.",
            )
        if not model.structure.shape.matrices:
            raise errors.MethodError(
                "isospectral-midpoint is for matrix systems, sd.MatrixLiePoisson", got=f"a {type(model.system).__name__}",
                hint="On momenta the same rule is coadjoint-midpoint.",
            )  # fmt: skip
        return "exp"

    def step(self, model: NumericalSDE, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> Step:
        """One step."""
        moved, outcome = model.isospectral(y, t, dt, dW, TOLERANCE, ITERATIONS)  # type: ignore[attr-defined]
        return Step(moved, np.zeros((model.group.dimension, y.shape[1])), outcome)
