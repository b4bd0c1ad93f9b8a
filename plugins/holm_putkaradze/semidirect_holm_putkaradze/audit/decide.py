"""The verdict on an equation: which reading of it is an identity of what the framework derives."""

from __future__ import annotations

import secrets
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from semidirect.core import errors
from semidirect.invariants import Degrees, PrimeField, primes
from semidirect_holm_putkaradze.audit.claim import Claim, Equation
from semidirect_holm_putkaradze.audit.exact_numbers import ExactNumbers
from semidirect_holm_putkaradze.audit.finding import LEAST, Difference, Finding, LineFinding
from semidirect_holm_putkaradze.audit.formula import Formula, Scene
from semidirect_holm_putkaradze.audit.setting import Setting

POINTS, PRIMES, TRIES = 24, 2, 8


def decide(equation: Equation, *, details: bool = True, seed: int | None = None) -> Finding:
    """Test an equation and its corrections.

    Each line is evaluated at random points of fields GF(p), for two primes p near 2³¹, in every column of (dt, dW) and for
    every model. Parameters are drawn as well, so what holds does so for all parameters of the setting.

    Parameters
    ----------
    equation : Equation
    details : bool
        Whether to look for corrections, degrees and states, beside what holds.
    seed : int, optional
        Of the primes and the points, which are drawn anew each time without it.
    """
    seed = secrets.randbits(48) if seed is None else seed
    return Finding(equation, tuple(_decided(claim, details, seed) for claim in equation.claims))


def holds(formula: Formula, setting: Setting, model: str, column: int, seed: int = 0) -> bool:
    """Whether a chain is an identity in one column of one model.

    Raises
    ------
    SemidirectError
        If there are no points to test it at.
    """
    count = 0
    for i, p in zip(range(8 * PRIMES), primes(seed), strict=False):
        scene, field = _scene(setting, model, p, seed + i)
        values = [formula.value(k, scene, column) for k in range(len(formula.members))]
        if np.count_nonzero(field.valid) < LEAST:
            continue
        count += 1
        for other in values[1:]:
            for difference in _differences(values[0], other):
                if not isinstance(difference, int) and np.any(difference.spread()[field.valid]):
                    return False
                if isinstance(difference, int) and difference:
                    return False
        if count == PRIMES:
            return True
    raise errors.SemidirectError(
        "no points to test an equation at", got=str(formula), hint="State the scene so that the formula has a value."
    )


def _decided(claim: Claim, details: bool, seed: int) -> LineFinding:
    setting, formula = claim.setting, claim.formula
    columns_of = {
        model: tuple(c for k, c in enumerate(setting.columns) if holds(formula, setting, model, k, seed))
        for model in setting.models
    }
    complete = [m for m, columns in columns_of.items() if columns == setting.columns]
    corrected = {
        model: f
        for model, f in (claim.corrections if details or not complete else {}).items()
        if all(holds(f, setting, model, k, seed) for k in range(len(setting.columns)))
    }
    if not details:
        return LineFinding(claim, columns_of, corrected, 0, None)
    missing = [(m, k) for m in setting.models for k, c in enumerate(setting.columns) if c not in columns_of[m]]
    difference = _difference(formula, setting, *missing[0]) if missing else None
    proved = [(formula, m) for m in complete] + [(f, m) for m, f in corrected.items()]
    degree = max((_degree(f, setting, m, k) for f, m in proved for k in range(len(setting.columns))), default=0)
    return LineFinding(claim, columns_of, corrected, degree, difference)


@lru_cache(maxsize=64)
def _scene(setting: Setting, model: str, p: int, seed: int) -> tuple[Scene, PrimeField]:
    field = PrimeField(p, POINTS, np.random.default_rng(seed))
    return setting.scene(model, field), field


@lru_cache(maxsize=32)
def _degrees(setting: Setting, model: str) -> tuple[Scene, Degrees]:
    degrees = Degrees()
    return setting.scene(model, degrees), degrees


def _degree(formula: Formula, setting: Setting, model: str, column: int) -> int:
    scene, degrees = _degrees(setting, model)
    values = [formula.value(k, scene, column) for k in range(len(formula.members))]
    return max(degrees.of(x) for other in values[1:] for x in _differences(values[0], other))


def _differences(a: list[Any], b: list[Any]) -> list[Any]:
    """Component by component; a number stands for all components."""
    n = max(len(a), len(b))
    return [x - y for x, y in zip(a * n if len(a) == 1 else a, b * n if len(b) == 1 else b, strict=False)]


def _difference(formula: Formula, setting: Setting, model: str, column: int) -> Difference | None:
    for attempt in range(TRIES):
        numbers = ExactNumbers(attempt, 3 + attempt)
        try:
            scene = setting.scene(model, numbers, generic=False)
            values = [formula.value(k, scene, column) for k in range(len(formula.members))]
        except ZeroDivisionError:
            continue
        for member, other in enumerate(values[1:], 1):
            if any(_differs(x) for x in _differences(values[0], other)):
                texts = [_text(v) for v in (values[0], other)]
                return Difference(model, setting.columns[column], member, _described(scene), texts[0], texts[1])
    return None


def _differs(x: Any) -> bool:
    return bool(x if isinstance(x, int) or x.is_Rational else abs(x.evalf(50)) > sp.Float("1e-30"))


def _described(scene: Scene) -> dict[str, str]:
    """State and parameters as text."""
    return {name: ", ".join(_text(np.ravel(np.asarray(x, dtype=object)).tolist())) for name, x in scene.state().items()}


def _text(values: Any) -> tuple[str, ...]:
    return tuple(str(x) for x in values)
