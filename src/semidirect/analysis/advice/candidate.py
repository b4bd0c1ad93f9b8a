"""A method among those that a recommendation compares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from semidirect.analysis.advice.trial import Drift
from semidirect.core import display

__all__ = ["Candidate", "Drift"]


@final
@dataclass(frozen=True, repr=False)
class Candidate(display.Brief):
    """A method, what it declares, and what it does in short runs of a system.

    Attributes
    ----------
    method : str
    keeps : tuple of str
        Quantities that neither the equations nor this method change, beyond rounding.
    keeps_without_noise : tuple of str
        Those of them that the drift alone conserves, without noise.
    change : float
        The largest relative change, in eight steps, of what the equations conserve and the method does not keep, without noise
        where noise changes it; 0 if it keeps all.
    strong, weak : float or None
        Declared orders for the class of the noise.
    deterministic : float
        Declared order without noise.
    evaluations : float
        Evaluations of the fields in a step, counted; nan if the method chooses its steps.
    error : float
        Relative distance after eight steps from steps of half the length on the same noise; nan where that says nothing.
    implicit, geometric : bool
        Whether it solves equations; whether it moves by the group.
    declares : str
        The quantities that it declares to preserve, in words.
    """

    method: str
    keeps: tuple[str, ...]
    keeps_without_noise: tuple[str, ...]
    change: float
    strong: float | None
    weak: float | None
    deterministic: float
    evaluations: float
    error: float
    implicit: bool
    geometric: bool
    declares: str

    def described(self) -> Mapping[str, Any]:
        """In JSON's types."""
        return {
            **vars(self),
            "keeps": list(self.keeps),
            "keeps_without_noise": list(self.keeps_without_noise),
            "evaluations": None if self.evaluations != self.evaluations else self.evaluations,
            "error": None if self.error != self.error else self.error,
        }
