"""The paper's method: strong Stratonovich Euler–Heun of SDELab, implicit in the drift."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.core import errors, solvers
from semidirect.integrators.method import WEAK_ONE, Integrator, Step, flat, scale

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE


@final
@dataclass(frozen=True)
class SDELab(Integrator):
    """Ŷ = Y + gΔW; Y⁺ = Y + [(1−α) f(Y) + α f(Y⁺)]Δt + ½[g(Y) + g(Ŷ)]ΔW (Gilsing and Shardlow 2007).

    α = 1 is fully implicit in the words of the paper: the drift is implicit, the noise is not. It damps; α = ½, the
    trapezoidal rule for the drift, does not to first order.
    """

    name: ClassVar[str] = "sdelab"
    argument: ClassVar[str] = "alpha"
    strong_order = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0, "general": 0.5})
    implicit: ClassVar[bool] = True

    alpha: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise errors.InputError("sdelab(alpha)", expected="alpha between 0 and 1", got=str(self.alpha))

    @classmethod
    def from_argument(cls, text: str, by_name: Callable[[str], Integrator]) -> SDELab:
        """``sdelab(0.5)``."""
        try:
            alpha = float(text)
        except ValueError:
            raise errors.InputError("sdelab(alpha)", expected="a number", got=repr(text)) from None
        return cls(alpha)

    @property
    def deterministic_order(self) -> int:  # type: ignore[override]  # it depends on alpha
        """2 for α = ½, else 1."""
        return 2 if self.alpha == 0.5 else 1

    @property
    def weak_order(self) -> Mapping[str, float]:  # type: ignore[override]  # it depends on alpha
        """1; for additive noise 2 with α = ½."""
        return MappingProxyType({**WEAK_ONE, "additive": 2.0}) if self.alpha == 0.5 else WEAK_ONE

    @property
    def label(self) -> str:
        """Name with α."""
        return f"sdelab({float(self.alpha)!r})".replace(".0)", ")")

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step, Y⁺ by fixed-point iteration."""
        f = model.field(y, t, dt, 0 * dW)
        g1 = model.field(y, t, 0.0, dW)
        g2 = model.field(flat(model, y, g1), t + dt, 0.0, dW)
        explicit = (1 - self.alpha) * f + 0.5 * (g1 + g2)

        def iteration(f_next: np.ndarray) -> np.ndarray:
            return model.field(flat(model, y, explicit + self.alpha * f_next), t + dt, dt, 0 * dW)

        f_next, converged = solvers.fixed_point(iteration, f, scale(y))
        k = explicit + self.alpha * f_next
        return Step(flat(model, y, k), k[model.dimension :], converged)
