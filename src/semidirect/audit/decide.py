"""The verdict on an equation: which reading of it is an identity of what the framework derives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Any, final

import numpy as np
import sympy as sp

from semidirect.audit.claim import Claim, Equation
from semidirect.audit.flips import one_symbol
from semidirect.audit.formula import Formula, Scene
from semidirect.audit.setting import Setting
from semidirect.errors import SemidirectError
from semidirect.invariants.counterexample import ExactNumbers
from semidirect.invariants.degrees import Degrees
from semidirect.invariants.linear_algebra import primes
from semidirect.invariants.residues import PrimeField
from semidirect.invariants.scalars import cramer, eliminate

POINTS, PRIMES, LEAST, TRIES = 24, 2, 8, 8


class Verdict(IntEnum):
    """What can be said of an equation, better first."""

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
    """What was found of one line.

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
    """What was found of an equation."""

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
        known = dict.fromkeys(m for line in self.lines for m in line.claim.setting.models)
        several = [m for m in known if m != "principle"] or list(known)
        return tuple(m for m in several if all(line.holds_for(m) for line in self.lines))

    @property
    def error(self) -> float:
        """A bound of the probability that some identity found is none."""
        return sum(line.error for line in self.lines)


def decide(equation: Equation, *, details: bool = True, seed: int = 0) -> Finding:
    """Test an equation and its corrections.

    Each line is evaluated at random points of fields GF(p), for two primes p near 2³¹, in every column of (dt, dW) and for
    every model. Parameters are drawn as well, so what holds does so for all parameters of the setting.

    Parameters
    ----------
    equation : Equation
    details : bool
        Whether to look for corrections, degrees and states, beside what holds.
    seed : int
        Of the points.
    """
    return Finding(equation, tuple(_decided(claim, details, seed) for claim in equation.claims))


def holds(formula: Formula, setting: Setting, model: str, column: int, seed: int = 0) -> bool:
    """Whether a chain is an identity in one column of one model.

    Raises
    ------
    SemidirectError
        If there are no points to test it at.
    """
    used = 0
    for i, p in zip(range(8 * PRIMES), primes(seed), strict=False):
        scene, field = _scene(setting, model, p, seed + i)
        values = [formula.value(k, scene, column) for k in range(len(formula.members))]
        if np.count_nonzero(field.valid) < LEAST:
            continue
        used += 1
        for other in values[1:]:
            for difference in _differences(values[0], other):
                if not isinstance(difference, int) and np.any(difference.spread()[field.valid]):
                    return False
                if isinstance(difference, int) and difference:
                    return False
        if used == PRIMES:
            return True
    raise SemidirectError("no points to test an equation at", got=str(formula))


def _decided(claim: Claim, details: bool, seed: int) -> LineFinding:
    setting, formula = claim.setting, claim.formula
    found = {
        model: tuple(c for k, c in enumerate(setting.columns) if holds(formula, setting, model, k, seed))
        for model in setting.models
    }
    complete = [m for m, columns in found.items() if columns == setting.columns]
    corrected = {
        model: f
        for model, f in (claim.corrections if details or not complete else {}).items()
        if all(holds(f, setting, model, k, seed) for k in range(len(setting.columns)))
    }
    if not details:
        return LineFinding(claim, found, corrected, 0, None)
    missing = [(m, k) for m in setting.models for k, c in enumerate(setting.columns) if c not in found[m]]
    difference = _difference(formula, setting, *missing[0], seed) if missing else None
    proved = [(formula, m) for m in complete] + [(f, m) for m, f in corrected.items()]
    degree = max((_degree(f, setting, m, k) for f, m in proved for k in range(len(setting.columns))), default=0)
    return LineFinding(claim, found, corrected, degree, difference)


@lru_cache(maxsize=64)
def _scene(setting: Setting, model: str, p: int, seed: int) -> tuple[Scene, PrimeField]:
    field = PrimeField(p, POINTS, np.random.default_rng(seed))
    return setting.scene(model, field, eliminate), field


@lru_cache(maxsize=32)
def _degrees(setting: Setting, model: str) -> tuple[Scene, Degrees]:
    degrees = Degrees()
    return setting.scene(model, degrees, cramer), degrees


def _degree(formula: Formula, setting: Setting, model: str, column: int) -> int:
    scene, degrees = _degrees(setting, model)
    values = [formula.value(k, scene, column) for k in range(len(formula.members))]
    return max(degrees.of(x) for other in values[1:] for x in _differences(values[0], other))


def _differences(a: list[Any], b: list[Any]) -> list[Any]:
    """Component by component; a number stands for all components."""
    n = max(len(a), len(b))
    return [x - y for x, y in zip(a * n if len(a) == 1 else a, b * n if len(b) == 1 else b, strict=False)]


def _difference(formula: Formula, setting: Setting, model: str, column: int, seed: int) -> Difference | None:
    for attempt in range(TRIES):
        numbers = ExactNumbers(seed + attempt, 3 + attempt)
        try:
            scene = setting.scene(model, numbers, eliminate, generic=False)
            values = [formula.value(k, scene, column) for k in range(len(formula.members))]
        except ZeroDivisionError:
            continue
        for member, other in enumerate(values[1:], 1):
            if any(_differs(x) for x in _differences(values[0], other)):
                shown = [_text(v) for v in (values[0], other)]
                return Difference(model, setting.columns[column], member, _described(scene), shown[0], shown[1])
    return None


def _differs(x: Any) -> bool:
    return bool(x if isinstance(x, int) or x.is_Rational else abs(x.evalf(50)) > sp.Float("1e-30"))


def _described(scene: Scene) -> dict[str, str]:
    """State and parameters as text."""
    return {name: ", ".join(_text(np.ravel(np.asarray(x, dtype=object)).tolist())) for name, x in scene.state().items()}


def _text(values: Any) -> tuple[str, ...]:
    return tuple(str(x) for x in values)
