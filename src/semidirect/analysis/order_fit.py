"""The order of a method from its errors at dyadic steps, with the range in which it holds and an interval of confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, final

import numpy as np

from semidirect.core import display

__all__ = ["FEWEST", "OrderFit", "Verdict"]

Verdict = Literal["met", "higher", "not met", "inconclusive", "exact", "not declared"]

MOST_LEVELS = 40
"""Halvings of a step beyond which not even the noise is defined."""
FEWEST = 5
"""Smallest number of dyadic steps for an order."""
CONFIDENCE = 0.95
BENT = 0.25
"""A local order of the largest steps that differs this much from the others is not yet asymptotic."""
FLAT = 0.3
"""A local order of the smallest steps below this gains nothing: no method has an order below ½."""
BEFORE = 0.75
"""A step before a plateau belongs to it if its local order is below this fraction of the others."""
PLENTY = 30.0
"""Resampled ensembles of as many paths scatter as they should; normal errors of 100 paths rest on a third of them."""
DOMINATED = 5.0
"""Of errors that rest on fewer paths, no interval is reliable."""
WIDE = 0.25
"""Half-width of a confidence interval above which the result is inconclusive."""


@final
@dataclass(frozen=True, repr=False)
class OrderFit(display.Brief):
    """log₂ of the error against log₂ of the step, by least squares.

    Attributes
    ----------
    slope : float
        The measured order; nan if fewer than two steps are left.
    low, high : float
        Its interval of confidence, 95 %: from errors of resampled paths if they are given, else Student's t over the steps.
    last : float
        The local order between the two smallest of these steps, which shows the trend.
    used : tuple of bool
        The steps that it uses.
    notes : tuple of str
        The steps left out, and why.
    """

    FEWEST: ClassVar[int] = FEWEST

    slope: float
    low: float
    high: float
    last: float
    used: tuple[bool, ...]
    notes: tuple[str, ...]

    @property
    def steps(self) -> int:
        """The number of steps that it uses."""
        return sum(self.used)

    @property
    def half_width(self) -> float:
        """Half of the interval [−]."""
        return 0.5 * (self.high - self.low)

    def text(self) -> str:
        """The order and its interval, ``2.00 [1.97, 2.03]``; a dash where none was measured."""
        return "-" if self.slope != self.slope else f"{self.slope:.2f} [{self.low:.2f}, {self.high:.2f}]"

    def judged(self, order: float | None, tolerance: float) -> Verdict:
        """Whether the measured order is the declared one, from both sides.

        ``met`` within the tolerance; ``higher`` or ``not met`` where the whole interval of confidence lies beyond it, and so does
        the order of the two smallest steps; ``inconclusive`` where neither holds, the interval is wide, or it rests on
        fewer than five steps.
        """
        if order is None:
            return "not declared"
        if self.steps < FEWEST or not np.isfinite(self.slope) or self.half_width > WIDE:
            return "inconclusive"
        if abs(self.slope - order) <= tolerance:
            return "met"
        if min(self.low, self.last) > order + tolerance:
            return "higher"
        return "not met" if max(self.high, self.last) < order - tolerance else "inconclusive"

    @classmethod
    def of(cls, steps: Sequence[float] | np.ndarray, errors: Sequence[float] | np.ndarray, *, samples: np.ndarray | None = None,
                  rests_on: float = np.inf, floor: float | Sequence[float] | np.ndarray = 0.0,
                  because: str = "of round-off") -> OrderFit:  # fmt: skip
        """The order that errors at dyadic steps show.

        Left out, and said in the notes: errors at or below the floor, which round-off or chance decides; the smallest steps where
        the error no longer falls (a plateau); and the largest ones that are not yet asymptotic, as long as five others remain.

        Parameters
        ----------
        steps : sequence of float, (K,)
            Largest first, each half of the one before.
        errors : sequence of float, (K,)
            Not negative.
        samples : array (B, K), optional
            Errors of resampled ensembles.
        rests_on : float
            On how many independent units the resampled ensembles rest. Resampling them finds too small a scatter where they are
            few, so intervals are longer in the ratio of Student's law with half as many degrees of freedom to the normal law
            (compared with geometric Brownian motions).
        floor : float or sequence (K,)
            Errors that say nothing.
        because : str
            The origin of the floor, for the note.
        """
        h, e = np.asarray(steps, dtype=float), np.asarray(errors, dtype=float)
        least = np.broadcast_to(np.asarray(floor, dtype=float), e.shape)
        notes = []
        # errors at the level of round-off or of sampling say nothing of the order
        in_fit = np.isfinite(e) & (e > 0) & (e > least)
        if not in_fit.all():
            lost = int(np.count_nonzero(~in_fit))
            largest_lost = np.max(e[~in_fit], initial=0.0, where=np.isfinite(e[~in_fit]))
            notes.append(f"{_steps(lost)} left out: errors of {largest_lost:.1e} or less are {because}")
        # the smallest steps first: a plateau there would hide that the largest ones are not asymptotic
        in_fit, smallest = _without_plateau(h, e, in_fit)
        if smallest:
            last = e[np.flatnonzero(in_fit)[-1]] if in_fit.any() else float("nan")
            notes.append(
                f"plateau: below an error of {last:.1e} the {_steps(smallest)} of the smallest size gain nothing"
            )
        in_fit, largest = _asymptotic(h, e, in_fit)
        if largest:
            notes.append(f"{_steps(largest)} of the largest size left out: not yet asymptotic")
        count = int(np.count_nonzero(in_fit))
        if count < 2:
            nan = float("nan")
            return cls(nan, nan, nan, nan, tuple(map(bool, in_fit)), tuple(notes))
        # the slope is that of all steps; local orders show whether it stands for all of them
        local = _local(h[in_fit], e[in_fit])
        slope = _slope(h[in_fit], e[in_fit])
        if count > 2 and abs(local[0] - local[-1]) > BENT:
            notes.append(
                f"bent: the order changes from {local[0]:.2f} at the largest steps to {local[-1]:.2f} at the smallest"
            )
        if count < FEWEST:
            notes.append(f"only {_steps(count)} left, fewer than {FEWEST}")
        if samples is not None and rests_on < DOMINATED:
            notes.append(
                f"{rests_on:.1f} of the paths decide, as if there were no others: the interval is uncertain, take more paths"
            )
        # the interval is that of resampled paths, where there are any
        low, high = _interval(h[in_fit], e[in_fit], slope, None if samples is None else samples[:, in_fit], rests_on)
        return cls(slope, low, high, float(local[-1]), tuple(map(bool, in_fit)), tuple(notes))


def _without_plateau(h: np.ndarray, e: np.ndarray, in_fit: np.ndarray) -> tuple[np.ndarray, int]:
    """Drop the smallest steps that gain nothing, then the steps of the transition."""
    in_fit, dropped = in_fit.copy(), 0
    while np.count_nonzero(in_fit) > 2:
        where = np.flatnonzero(in_fit)
        before, last = where[:-1], where[-2:]
        order = _local(h[last], e[last])[0]
        if order >= (BEFORE * _slope(h[before], e[before]) if dropped else FLAT):
            break
        in_fit[where[-1]] = False
        dropped += 1
    return in_fit, dropped


def _asymptotic(h: np.ndarray, e: np.ndarray, in_fit: np.ndarray) -> tuple[np.ndarray, int]:
    """Drop the largest steps whose local order differs from the others, while five remain."""
    in_fit, dropped = in_fit.copy(), 0
    while np.count_nonzero(in_fit) > FEWEST:
        where = np.flatnonzero(in_fit)
        if abs(_local(h[where[:2]], e[where[:2]])[0] - _slope(h[where[1:]], e[where[1:]])) <= BENT:
            break
        in_fit[where[0]] = False
        dropped += 1
    return in_fit, dropped


def _slope(h: np.ndarray, e: np.ndarray) -> float:
    return float(np.polyfit(np.log2(h), np.log2(e), 1)[0])


def _local(h: np.ndarray, e: np.ndarray) -> np.ndarray:
    """The order from each step to the next, (K − 1,)."""
    return np.diff(np.log2(e)) / np.diff(np.log2(h))


def _interval(
    h: np.ndarray, e: np.ndarray, slope: float, samples: np.ndarray | None, rests_on: float
) -> tuple[float, float]:
    from scipy.special import ndtri, stdtrit

    x = np.log2(h) - np.mean(np.log2(h))
    if samples is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = np.log2(samples) @ x / np.sum(x * x)
        slopes = slopes[np.isfinite(slopes)]
        if len(slopes) < 2:
            return float("nan"), float("nan")
        tail = 50 * (1 - CONFIDENCE)
        low, high = float(np.percentile(slopes, tail)), float(np.percentile(slopes, 100 - tail))
        if rests_on >= PLENTY:
            return low, high
        beyond = 0.5 + CONFIDENCE / 2
        longer = float(stdtrit(max(rests_on / 2, 1.0), beyond) / ndtri(beyond))
        return slope - longer * (slope - low), slope + longer * (high - slope)
    if len(h) < 3:
        return -np.inf, np.inf
    rest = np.log2(e) - np.mean(np.log2(e)) - slope * x
    spread = np.sqrt(np.sum(rest * rest) / (len(h) - 2) / np.sum(x * x))
    half = float(stdtrit(len(h) - 2, 0.5 + CONFIDENCE / 2) * spread)
    return slope - half, slope + half


def _steps(count: int) -> str:
    return f"{count} step{'s' * (count != 1)}"
