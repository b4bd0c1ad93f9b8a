"""The findings for an equation, and the verdict that follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import final

from semidirect_holm_putkaradze.audit.claim import Claim, Equation
from semidirect_holm_putkaradze.audit.flips import one_symbol
from semidirect_holm_putkaradze.audit.formula import Formula

LEAST = 8
"""Points of a field at which an identity must have been tested."""


class Verdict(IntEnum):
    """The possible verdicts on an equation, better ones first."""

    HOLDS = 0
    ONE_MODEL = 1
    TYPO = 2
    WRONG = 3

    def __str__(self) -> str:
        return ("holds", "holds for one model", "typo", "wrong")[self]


@final
@dataclass(frozen=True)
class Difference:
    """A state at which two members of a chain differ.

    Attributes
    ----------
    model, column : str
        Of which model, and whether in the coefficient of dt or of a dW.
    member : int
        Which member differs from the first, counted from 0.
    state : dict name → text
        Exact rational numbers: state and parameters.
    derived, printed : tuple of str
        The first member there, and the other.
    """

    model: str
    column: str
    member: int
    state: Mapping[str, str]
    derived: tuple[str, ...]
    printed: tuple[str, ...]


@final
@dataclass(frozen=True)
class LineFinding:
    """The finding for one line.

    Attributes
    ----------
    claim : Claim
    holds : dict model → tuple of str
        The columns in which the line is an identity.
    corrected : dict model → Formula
        The corrections that were proved.
    degree : int
        A bound of the degree of what vanishes, 0 where nothing does.
    difference : Difference or None
        Where it fails.
    """

    claim: Claim
    holds: Mapping[str, tuple[str, ...]]
    corrected: Mapping[str, Formula]
    degree: int
    difference: Difference | None

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The models for which it holds as printed."""
        setting = self.claim.setting
        return tuple(m for m in setting.models if self.holds[m] == setting.columns)

    def holds_for(self, model: str) -> bool:
        """Whether it holds as printed for a model, or for the principle where it is of no model."""
        return (model if model in self.claim.setting.models else "principle") in self.models

    @property
    def verdict(self) -> Verdict:
        """Of this line."""
        if self.models:
            return Verdict.HOLDS if len(self.models) == len(self.claim.setting.models) else Verdict.ONE_MODEL
        slips = [one_symbol(self.claim.formula, f) for f in self.corrected.values()]
        return Verdict.TYPO if any(slips) else Verdict.WRONG

    @property
    def error(self) -> float:
        """A bound of the probability that an identity found here is none (Schwartz 1980, Zippel 1979)."""
        return float((self.degree / 2.0**30) ** LEAST) if self.degree else 0.0


@final
@dataclass(frozen=True)
class Finding:
    """The findings for an equation."""

    equation: Equation
    lines: tuple[LineFinding, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of its lines; lines that hold for different models only make it wrong."""
        worst = max(line.verdict for line in self.lines)
        return Verdict.WRONG if worst is Verdict.ONE_MODEL and not self.models else worst

    @property
    def models(self) -> tuple[str, ...]:
        """The models for which all lines hold as printed; a line of the general theory is the same for each."""
        models = dict.fromkeys(m for line in self.lines for m in line.claim.setting.models)
        several = [m for m in models if m != "principle"] or list(models)
        return tuple(m for m in several if all(line.holds_for(m) for line in self.lines))

    @property
    def error(self) -> float:
        """A bound of the probability that some identity found is none."""
        return sum(line.error for line in self.lines)
