"""Munthe-Kaas versions of Runge–Kutta methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.core import errors
from semidirect.integrators.chart import Frame
from semidirect.integrators.method import Integrator, Step
from semidirect.integrators.registry import METHODS
from semidirect.integrators.retracted import Retracted, resolved, retraction_from
from semidirect.integrators.rk4 import RK4
from semidirect.integrators.runge_kutta import runge_kutta
from semidirect.integrators.tableau import Tableau

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE, Retraction


@final
@dataclass(frozen=True)
class Lift(Integrator):
    """A Runge–Kutta method in the moving frame: stages add up in X = (v, k, dz), y⁺ = X·y (see :class:`.chart.Frame`).

    ``v̇ = (dτ_v)⁻¹ w`` with the inverse tangent of the retraction, exact for the Cayley map and through order p − 2 for the
    exponential, so the orders are those of the base (Munthe-Kaas 1999; with noise Malham and Wiese 2008,
    arXiv:2111.13143). ``lie-heun`` is not ``lift(heun)``: it averages frame increments, without (dτ_v)⁻¹, and pushes the
    momentum half before and half after the turn; both have the orders of ``heun``.

    Any base that is a tableau: ``lift(heun)``, ``lift(euler-heun)``, ``lift(rk4)``, ``lift(gauss(2))``; ``lift(heun, exp)``
    asks for the exponential.
    """

    name: ClassVar[str] = "lift"
    argument: ClassVar[str] = "base"
    geometric: ClassVar[bool] = True
    preserves: ClassVar[str] = "s ∈ S, orbits of advected quantities, Casimirs of Lie–Poisson systems"

    base: Integrator = field(default_factory=RK4)
    by: Retraction | None = None

    def __post_init__(self) -> None:
        if self.base.tableau is None or self.base.geometric:
            raise errors.MethodError(
                f"{self.base.label} has no version in the moving frame",
                hint=f"Lift a Runge–Kutta method of the state: {', '.join(_bases())}.",
            )

    @classmethod
    def from_argument(cls, text: str, by_name: Callable[[str], Integrator]) -> Lift:
        """``lift(base)`` or ``lift(base, retraction)``."""
        base, comma, by = text.rpartition(",")
        if not comma:
            return cls(by_name(text))
        return cls(by_name(base.strip()), retraction_from(by.strip(), f"lift({base.strip()}, …)"))

    @property
    def tableau(self) -> Tableau:  # type: ignore[override]  # it depends on the base
        """That of the base."""
        assert self.base.tableau is not None
        return self.base.tableau

    @property
    def strong_order(self) -> Mapping[str, float]:  # type: ignore[override]  # it depends on the base
        """Those of the base."""
        return self.base.strong_order

    @property
    def deterministic_order(self) -> int:  # type: ignore[override]  # it depends on the base
        """That of the base."""
        return self.base.deterministic_order

    @property
    def implicit(self) -> bool:  # type: ignore[override]  # it depends on the base
        """As for the base."""
        return self.base.implicit

    @property
    def label(self) -> str:
        """Name with base and retraction."""
        return f"{self.name}({self.base.label}{f', {self.by}' if self.by else ''})"

    def retraction(self, model: NumericalSDE) -> Retraction:
        """The requested retraction, or the default of the group."""
        return resolved(self.by, model)

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        return lifted(self.tableau, model, self.retraction(model), y, t, dt, dW)


@final
@dataclass(frozen=True)
class RKMK4(Retracted):
    """``lift(rk4)``: Runge–Kutta–Munthe-Kaas of order 4, also for s; strong order 1 or ½ with increments ΔW."""

    name: ClassVar[str] = "rkmk4"
    strong_order = RK4.strong_order
    deterministic_order: ClassVar[int] = RK4.deterministic_order
    preserves: ClassVar[str] = Lift.preserves
    tableau: ClassVar[Tableau] = RK4.tableau

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        return lifted(self.tableau, model, self.retraction(model), y, t, dt, dW)


def _bases() -> list[str]:
    """The methods that can be lifted."""
    return [name for name, kind in METHODS.built_in.items() if kind.tableau is not None and not kind.geometric]


def lifted(tableau: Tableau, model: NumericalSDE, retraction: Retraction, y: np.ndarray, t: float, dt: float, dW: np.ndarray
           ) -> Step:  # fmt: skip
    """A step of a tableau in the moving frame; at least the term [v, ·]/2 of (dτ_v)⁻¹ is included."""
    return runge_kutta(tableau, Frame(model, y, retraction, terms=max(1, tableau.order - 2)), t, dt, dW)
