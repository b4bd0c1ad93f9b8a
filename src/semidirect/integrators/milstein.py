"""Milstein's method in its Stratonovich form, with and without Lévy areas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.core import errors
from semidirect.integrators.method import WEAK_ONE, Integrator, Step, flat
from semidirect.random import iterated_integrals

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE

_COMMUTING = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0})


@final
@dataclass(frozen=True)
class Milstein(Integrator):
    """Y⁺ = Y + fΔt + Σ g_iΔW^i + Σ_ij (Dg_j)[g_i] J_ij, J_ij = ∫∫ ∘dW^i ∘dW^j = ½ ΔW^iΔW^j + A_ij (dW^i first).

    The derivatives are those of the derived equations. Without areas A the sum is ½ D(gΔW)[gΔW], which is complete if the noise
    fields commute; otherwise the method raises an error. ``milstein(areas)`` draws the Lévy areas, which multiply the
    brackets, Σ_{i<j} A_ij [g_i, g_j], and is of strong order 1 for any noise; s moves by the brackets on the group.

    Kloeden and Platen, Numerical Solution of Stochastic Differential Equations (1992), section 10.3.
    """

    name: ClassVar[str] = "milstein"
    argument: ClassVar[str] = "areas"
    weak_order = WEAK_ONE
    deterministic_order: ClassVar[int] = 1

    areas: bool = False

    @classmethod
    def from_argument(cls, text: str, by_name: Callable[[str], Integrator]) -> Milstein:
        """``milstein(areas)``."""
        if text.strip() != "areas":
            raise errors.InputError("milstein(areas)", expected="areas, or no argument", got=repr(text))
        return cls(areas=True)

    @property
    def strong_order(self) -> Mapping[str, float]:  # type: ignore[override]  # it depends on areas
        """1, for general noise with areas only."""
        return MappingProxyType({**_COMMUTING, "general": 1.0}) if self.areas else _COMMUTING

    @property
    def integrals(self) -> iterated_integrals.LevyAreas | None:
        """Areas, if they were requested."""
        return iterated_integrals.LevyAreas() if self.areas else None

    @property
    def label(self) -> str:
        """Name with its argument."""
        return "milstein(areas)" if self.areas else "milstein"

    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step."""
        m = model.wieners
        k = model.taylor(y, t, dt, dW[:m], dW[m:])
        return Step(flat(model, y, k), k[model.dimension :])
