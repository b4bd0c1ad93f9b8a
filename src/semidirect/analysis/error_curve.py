"""The errors of one quantity at each step of a study, and the order that they show."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.analysis.method_compatibility import Kind
from semidirect.analysis.order_fit import OrderFit, Verdict
from semidirect.analysis.resampling import effective_paths, resampled, weights
from semidirect.core import display, errors
from semidirect.results import Difference

RESOLVED = 3.0
"""Standard errors that a significant bias must exceed."""
LIMITS = 3.0
"""The two fine solutions may differ by this multiple of their change when the fine steps are halved."""
OF_OTHERS = 1e-11
"""Accuracy of the fine solution of another method, relative to the size."""


@final
@dataclass(frozen=True, repr=False)
class Curve(display.Brief):
    """The errors of one quantity.

    Attributes
    ----------
    name, unit : str
        The quantity; ``state`` is all state variables, each in units of its size.
    size : float
        Its root mean square at the end.
    errors : array (K,)
        Root mean square over the paths (strong), or size of the mean difference (weak), against the method's own fine solution.
    standard_errors : array (K,) or None
        Of the means, for weak errors: chance, not bias.
    fit : OrderFit
        The order that they show.
    declared : float or None
        The order that the method declares.
    verdict : str
        ``met``, ``higher``, ``not met``, ``inconclusive``, ``exact`` (no error but round-off), or ``not declared``.
    independent : array (K,)
        Errors against the fine solution of another method.
    independent_fit : OrderFit
        The order that they show.
    limits : float
        How far the two fine solutions are apart.
    allowed : float
        The difference that halving the fine steps of both explains.
    """

    name: str
    unit: str
    size: float
    errors: np.ndarray
    standard_errors: np.ndarray | None
    fit: OrderFit
    declared: float | None
    verdict: Verdict
    independent: np.ndarray
    independent_fit: OrderFit
    limits: float
    allowed: float

    @property
    def label(self) -> str:
        """The quantity with its unit."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name

    @property
    def right_limit(self) -> bool:
        """Whether the two methods have the same limit, as far as their steps show."""
        return self.limits <= self.allowed

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {
            "unit": self.unit, "size": self.size, "errors": self.errors.tolist(),
            "standard_errors": None if self.standard_errors is None else self.standard_errors.tolist(),
            "order": _described(self.fit), "declared": self.declared, "verdict": self.verdict,
            "independent": {"errors": self.independent.tolist(), "order": _described(self.independent_fit),
                            "distance_of_limits": self.limits, "allowed": self.allowed, "right_limit": self.right_limit},
        }  # fmt: skip

    def needed_paths(self, paths: int) -> int | None:
        """The number of paths that would resolve the smallest weak error, if it falls as declared, or ``None``."""
        if self.standard_errors is None or self.declared is None:
            return None
        resolved = self.errors > RESOLVED * self.standard_errors
        if resolved.all() or not resolved.any():
            return None
        last = int(np.flatnonzero(resolved)[-1])
        target = self.errors[last] * 0.5 ** (self.declared * (len(self.errors) - 1 - last))
        factor = RESOLVED * self.standard_errors[-1] / target
        count = math.ceil(paths * factor**2) if target > 0 else 0
        return count if count > paths else None


def _described(fit: OrderFit) -> dict[str, Any]:
    return {"value": fit.slope, "low": fit.low, "high": fit.high, "used": list(fit.used), "notes": list(fit.notes)}


def curve_of(
    name: str,
    kind: Kind,
    steps: np.ndarray,
    span: float,
    own: list[Difference],
    independent: list[Difference],
    of_other: Difference,
    order: float | None,
    tolerance: float,
    increment_law: str,
) -> Curve:
    """The errors of one quantity from its differences at each step, the finest last, to two fine solutions."""
    levels, size, paths = len(steps), own[-1].size, len(own[0].distances)
    rounding = 16 * np.finfo(float).eps * (size or 1.0) * np.sqrt(span / steps)
    measure = _mean_difference if kind == "weak" else _root_mean_square
    draws = None if kind == "deterministic" else weights(paths, levels if increment_law != "normal" else 1)
    values, standard = zip(*(measure(d) for d in own), strict=True)
    errors = np.array(values[:levels])
    errors_of_means = np.array(standard[:levels]) if kind == "weak" else None
    floor = rounding if errors_of_means is None else np.maximum(rounding, RESOLVED * errors_of_means)
    chance_or_not = "of round-off" if errors_of_means is None else f"of chance, {RESOLVED:g} standard errors"
    rests_on = float("inf") if draws is None else effective_paths(own[:levels], kind)
    fit = OrderFit.of(steps, errors, samples=resampled(own[:levels], kind, draws), rests_on=rests_on, floor=floor,
                    because=chance_or_not)  # fmt: skip
    verdict: Verdict = "exact" if np.all(errors <= rounding) else fit.judged(order, tolerance)
    seconds, chance = zip(*(measure(d) for d in independent), strict=True)
    limits = float(seconds[-1])
    allowed = LIMITS * (float(values[-1]) + measure(of_other)[0]) + OF_OTHERS * (size or 1.0) + RESOLVED * chance[-1]
    against = np.array(seconds[:levels])
    lowest = np.maximum(rounding, 2 * limits)
    if kind == "weak":
        lowest = np.maximum(lowest, RESOLVED * np.array(chance[:levels]))
    second = OrderFit.of(steps, against, samples=resampled(independent[:levels], kind, draws), rests_on=rests_on, floor=lowest,
                       because="at most the difference of the fine solutions, or the statistical error")  # fmt: skip
    return Curve(
        name, own[0].unit, size, errors, errors_of_means, fit, order, verdict, against, second, limits, allowed
    )


def _root_mean_square(d: Difference) -> tuple[float, float]:
    return float(np.sqrt(np.mean(d.distances**2))), 0.0


def _mean_difference(d: Difference) -> tuple[float, float]:
    """|E Δ| and its standard error."""
    if d.change is None:
        raise errors.InputError("a weak error needs numbers", got="points of a group", hint="Ask for observables.")
    n = len(d.change)
    mean = np.linalg.norm(np.mean(d.change, axis=0))
    return float(mean), float(np.sqrt(np.sum(np.var(d.change, axis=0, ddof=1)) / n))
