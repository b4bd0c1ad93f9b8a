"""The rates of the linearised drift at the start of a run: how fast, and how stiff."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import display
from semidirect.state import linearise

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["Rates", "rates_at_start"]

STIFF = 30.0
"""Decay this many times as fast as all else is stiff: explicit methods take their steps for its sake."""
STEPS_PER_RATE = 16
"""Steps in the time 1/rate of the fastest motion."""
SLOWEST = 1.0
"""Rate that is taken where the linearised drift has none [1/s]."""
SMALL = 1e-9


@final
@dataclass(frozen=True, repr=False)
class Rates(display.Brief):
    r"""Eigenvalues λ of the Jacobian of the drift at the start, in the velocity variables.

    Attributes
    ----------
    oscillation : float
        The largest \|Im λ\| [rad/s].
    decay : float
        The largest −Re λ, 0 if nothing decays [1/s].
    growth : float
        The largest Re λ, 0 if nothing grows [1/s].
    others : float
        The largest \|λ\| among those that are not of the fast decay [1/s].
    """

    oscillation: float
    decay: float
    growth: float
    others: float

    @property
    def fastest(self) -> float:
        """The largest of all rates [1/s]; 1 if all vanish."""
        return max(self.oscillation, self.decay, self.growth) or SLOWEST

    @property
    def stiff(self) -> bool:
        """Whether something decays much faster than everything else moves."""
        return self.decay > STIFF * max(self.others, SLOWEST)

    @property
    def step(self) -> float:
        """A step that resolves the fastest rate, of two digits [s]."""
        return float(f"{1 / (STEPS_PER_RATE * self.fastest):.1e}")

    def __str__(self) -> str:
        parts = [
            ("oscillation", self.oscillation, "rad/s"),
            ("decay", self.decay, "1/s"),
            ("growth", self.growth, "1/s"),
        ]
        words = ", ".join(f"{name} {rate:.3g} {unit}" for name, rate, unit in parts if rate > 0) or "none"
        return f"{words}; {'stiff' if self.stiff else 'not stiff'}"


def rates_at_start(system: SystemDefinition, state: Mapping[str, Any] | None = None, t: float | None = None) -> Rates:
    """The rates at a state, by default the recommended one."""
    eigenvalues = np.linalg.eigvals(linearise(system, state, t)["drift"])
    largest = float(np.max(np.abs(eigenvalues), initial=0.0))
    eigenvalues = np.where(np.abs(eigenvalues.real) > SMALL * largest, eigenvalues.real, 0) + 1j * eigenvalues.imag
    decay = float(np.max(-eigenvalues.real, initial=0.0))
    others = eigenvalues[-eigenvalues.real < decay / STIFF] if decay else eigenvalues
    return Rates(
        float(np.max(np.abs(eigenvalues.imag), initial=0.0)), decay, float(np.max(eigenvalues.real, initial=0.0)),
        float(np.max(np.abs(others), initial=0.0)),
    )  # fmt: skip
