"""Gauss–Legendre collocation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.core import errors
from semidirect.integrators.chart import Flat
from semidirect.integrators.method import WEAK_ONE, Integrator, Step
from semidirect.integrators.runge_kutta import runge_kutta
from semidirect.integrators.tableau import STRATONOVICH_ONE, Tableau, gauss_legendre

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE

MOST_STAGES = 6
"""More than the series of (dτ_v)⁻¹ and round-off leave an order to."""


@final
@dataclass(frozen=True)
class Gauss(Integrator):
    """Collocation of the flat equations at s Gauss nodes, order 2s without noise, by fixed-point iteration over all stages.

    Keeps quadratic invariants to round-off, since b_i a_ij + b_j a_ji = b_i b_j (Hairer, Lubich and Wanner, Geometric
    Numerical Integration, IV.2.1), with noise too. s moves by the exponential of v, whose stages obey v̇ = (dexp_v)⁻¹ w and
    are collocated with those of y, so that it has order 2s too. ``gauss(1)`` is ``implicit-midpoint``.
    """

    name: ClassVar[str] = "gauss"
    argument: ClassVar[str] = "s"
    strong_order = STRATONOVICH_ONE
    weak_order = WEAK_ONE
    implicit: ClassVar[bool] = True
    preserves: ClassVar[str] = "quadratic invariants, bilinear constraints"

    stages: int = 2

    def __post_init__(self) -> None:
        if isinstance(self.stages, bool) or not isinstance(self.stages, int) or not 1 <= self.stages <= MOST_STAGES:
            raise errors.InputError(
                "gauss(s)", expected=f"a number of stages from 1 to {MOST_STAGES}", got=repr(self.stages)
            )

    @classmethod
    def from_argument(cls, text: str, by_name: Callable[[str], Integrator]) -> Gauss:
        """``gauss(3)``."""
        if not text.isdecimal():
            raise errors.InputError("gauss(s)", expected=f"a number of stages from 1 to {MOST_STAGES}", got=repr(text))
        return cls(int(text))

    @property
    def tableau(self) -> Tableau:  # type: ignore[override]  # it depends on s
        """The coefficients."""
        return gauss_legendre(self.stages)

    @property
    def deterministic_order(self) -> int:  # type: ignore[override]  # it depends on s
        """2s."""
        return 2 * self.stages

    @property
    def label(self) -> str:
        """Name with s."""
        return f"{self.name}({self.stages})"

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        return runge_kutta(self.tableau, Flat(model, y, "exp", terms=2 * self.stages - 2), t, dt, dW)
