"""The conditions of each status, and whether a run satisfies them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import ClassVar, final

import numpy as np

from semidirect.analysis.monitor.watched import EPSILON, Watched

FEWEST_TIMES = 8
TINY = float(np.finfo(float).tiny)
ERRORS = 4.0
"""Standard errors by which a mean may differ."""
RESOLVED = 0.1
"""If doubling the intervals changes the measured variation by more than this, besides statistical errors, they are too long."""


class Outcome(Enum):
    """How a run compares with a declared status.

    ``MET``; ``METHOD``: the equations agree with it, the method only to its order; ``BETTER``: stricter than declared;
    ``VIOLATED``; ``OPEN``: this run cannot decide.
    """

    MET = "met"
    METHOD = "met by the model"
    BETTER = "better"
    VIOLATED = "violated"
    OPEN = "open"


@final
@dataclass(frozen=True)
class Judgement:
    """An outcome, the reason in words, and the figures it rests on."""

    outcome: Outcome
    reason: str
    figures: Mapping[str, float]


class Expectation(ABC):
    """The promise of one status; a subclass judges.

    Attributes
    ----------
    status : str
    by_values : bool
        Whether it judges by the values alone, so that too large a step may be the cause.
    asks_equations : bool
        Whether it needs the coefficients of the quantity.
    """

    status: ClassVar[str]
    by_values: ClassVar[bool] = False
    asks_equations: ClassVar[bool] = True

    @abstractmethod
    def judge(self, q: Watched) -> Judgement:
        """Whether the conditions hold."""


@final
class Exact(Expectation):
    """DQ·f = DQ·g_i = 0: the exact solution conserves Q on each path.

    The equations are tested by :func:`semidirect.invariants.proofs`, the method by comparing max |Q − Q(0)| with a bound on
    rounding. A conserved quantity that drifts beyond it drifts by the method, and half the step makes the drift smaller.
    """

    status = "exact"

    def judge(self, q: Watched) -> Judgement:
        """Model by proof, method by measurement."""
        return _conserved(q, Outcome.METHOD)


@final
class Drifts(Expectation):
    """As ``exact``, but the method preserves it only to its order."""

    status = "drifts"

    def judge(self, q: Watched) -> Judgement:
        """Model by proof, method by half the step."""
        return _conserved(q, Outcome.MET)


def _conserved(q: Watched, drifting: Outcome) -> Judgement:
    worst = float(np.max(q.deviation))
    figures = {"largest change": worst, "bound of rounding": q.roundoff}
    proof = q.proof()
    refuted = None if proof is None else next((v for v in proof.verdicts if v.holds is False), None)
    if refuted is not None:
        return Judgement(Outcome.VIOLATED, f"the equations change it: {refuted}", figures)
    proved = proof is not None and proof.holds
    verdict = "proved for the equations" if proved else "not decided for the equations"
    if worst <= q.roundoff:
        return Judgement(Outcome.MET, f"kept to rounding, {verdict}", figures)
    order = q.measured_order
    if order is None:
        return Judgement(drifting if proved else Outcome.OPEN, f"{verdict}; the method drifts", figures)
    figures |= {"measured order": order, "declared order": q.order}
    # A drift of the method falls with the step, a drift of the model does not. Few paths determine an order roughly.
    least = (0.25 if proved else 0.5) * (q.order if np.isfinite(q.order) else 0.5)
    if order < least:
        return Judgement(Outcome.VIOLATED, f"{verdict}, but the drift does not fall with the step", figures)
    return Judgement(drifting, f"{verdict}; the method drifts, less at half the step", figures)


@final
class Bounded(Expectation):
    """Q stays in a band over the run: no persistent slope, no growing spread. A run must be longer than the slowest oscillation.

    The straight line through Q − Q(0) over time may rise by at most twice the rms of what is left of it, path by path in the
    median; and the rms of Q − Q(0) in the second half of the run is at most 1.5 times that of the first (a random walk has
    √3 ≈ 1.7, a line √7 ≈ 2.6, a band 1).
    """

    status = "bounded"
    by_values = True
    slope: ClassVar[float] = 2.0
    growth: ClassVar[float] = 1.5

    def judge(self, q: Watched) -> Judgement:
        """Slope and growth of the components, the worst of them."""
        n = len(q.times)
        if n < FEWEST_TIMES:
            return Judgement(Outcome.OPEN, f"needs {FEWEST_TIMES} times or more", {"times": float(n)})
        x = q.times - q.times.mean()
        slope = np.einsum("t,ntd->nd", x, q.values) / np.sum(x**2)
        line = q.values.mean(axis=1)[:, None] + slope[:, None] * x[:, None]
        rest = np.sqrt(np.mean((q.values - line) ** 2, axis=1))
        movement = np.abs(slope) * float(np.ptp(q.times))
        quiet = movement <= q.roundoff
        steep = float(np.max(np.median(np.where(quiet, 0.0, movement / np.where(rest > 0, rest, TINY)), axis=0)))
        change = (q.values - q.values[:, :1]) ** 2
        first, second = (float(np.sqrt(np.mean(part))) for part in (change[:, : n // 2], change[:, n // 2 :]))
        growth = second / first if first > q.roundoff else 1.0 if second <= q.roundoff else float("inf")
        figures = {"rise of the line over rms of the rest": steep, "growth of the spread": growth}
        if steep > self.slope or growth > self.growth:
            return Judgement(Outcome.VIOLATED, "it keeps growing", figures)
        if float(np.max(q.deviation)) <= q.roundoff:
            return Judgement(Outcome.BETTER, "it does not change at all", figures)
        return Judgement(Outcome.MET, "no slope and no growth", figures)


@final
class Dissipated(Expectation):
    """Q never increases: DQ·f ≤ 0 and DQ·g_i = 0 at each state of the run, and no value exceeds an earlier one."""

    status = "dissipated"

    def judge(self, q: Watched) -> Judgement:
        """Tests the equations at the states of the run, then the method."""
        rate, noise = float(np.max(q.drift)), float(np.max(np.abs(q.noise), initial=0.0))
        rise = float(np.max(q.values - np.minimum.accumulate(q.values, axis=1)))
        figures = {"largest rate": rate, "largest noise": noise, "largest rise": rise, "bound of rounding": q.roundoff}
        if q.moved_by_noise and not q.still_by_proof:
            return Judgement(Outcome.VIOLATED, "noise moves it", figures)
        if rate > q.coefficient_rounding:
            return Judgement(Outcome.VIOLATED, "the equations increase it somewhere", figures)
        if rise > q.roundoff:
            return Judgement(Outcome.METHOD, "the equations never increase it, the method does", figures)
        if float(np.max(q.deviation)) <= q.roundoff:
            return Judgement(Outcome.BETTER, "it does not change at all", figures)
        return Judgement(Outcome.MET, "never increases", figures)


@final
class Positive(Expectation):
    """Q > 0 at all times of all paths: otherwise the model is not valid, for example because a contact would have to pull."""

    status = "positive"
    asks_equations = False

    def judge(self, q: Watched) -> Judgement:
        """Tests the smallest value and names its place."""
        _, time, _ = np.unravel_index(int(np.argmin(q.values)), q.values.shape)
        figures = {
            "smallest": float(np.min(q.values)),
            "at t": float(q.times[time]),
            "largest": float(np.max(q.values)),
        }
        if np.all(q.values > 0):
            return Judgement(Outcome.MET, "positive everywhere", figures)
        reason = f"not positive on {np.count_nonzero(np.any(q.values <= 0, axis=(1, 2)))} of {len(q.values)} good paths"
        return Judgement(Outcome.VIOLATED, f"{reason}: the model is not valid there", figures)


@final
class Random(Expectation):
    """Q has the noise coefficients DQ·g_i: Σ(ΔQ)² is ∫ Σ_i (DQ·g_i)² dt, the quadratic variation.

    Over one interval Δ, ΔQ less the Itô drift's share is a martingale's increment with the mean square Σ_i (DQ·g_i)² Δ, up to
    higher powers of Δ; the sum over paths and intervals has the variance Σ 2(Σ_i (DQ·g_i)² Δ)²; if all paths
    have one noise, at most that of intervals, each with the sum over the paths. The error of finite intervals
    is estimated from intervals twice as long.
    """

    status = "random"
    by_values = True

    def judge(self, q: Watched) -> Judgement:
        """Compares the quadratic variation of the worst component with that of the coefficients."""
        if not len(q.noise):
            return Judgement(Outcome.MET, "there is no noise", {})
        if not q.moved_by_noise:
            constant = float(np.max(q.deviation)) <= q.roundoff
            words = "no noise reaches it" + (", and it does not change" if constant else "")
            return Judgement(Outcome.BETTER, words, {"largest noise": float(np.max(np.abs(q.noise)))})
        if not q.brownian:
            return Judgement(Outcome.OPEN, "the path that drives the run is not Brownian", {})
        if len(q.times) < FEWEST_TIMES:
            return Judgement(Outcome.OPEN, f"needs {FEWEST_TIMES} times or more", {"times": float(len(q.times))})
        compared = [self._compared(q, j) for j in range(q.values.shape[-1])]
        ratio, bias, error = max(compared, key=lambda r: abs(r[0] - 1) / (r[1] + r[2]))
        allowed = ERRORS * error + 2 * bias
        figures = {"measured over exact": ratio, "standard error": error, "allowed": allowed}
        if bias > RESOLVED * ratio:
            return Judgement(Outcome.OPEN, "it changes too much between the saved times", figures)
        if abs(ratio - 1) > allowed:
            return Judgement(Outcome.VIOLATED, "its quadratic variation does not match its noise", figures)
        return Judgement(Outcome.MET, "its quadratic variation matches its noise", figures)

    def _compared(self, q: Watched, j: int) -> tuple[float, float, float]:
        """Measured over exact; how that changes with intervals twice as long, beyond chance; the standard error of the first.

        The change is 2Σ ΔQ ΔQ' over pairs of neighbours, of the same standard error.
        """
        ratio, error = self._ratio(q, j, 1)
        return ratio, max(abs(self._ratio(q, j, 2)[0] - ratio) - 2 * error, 0.0), error

    def _ratio(self, q: Watched, j: int, every: int) -> tuple[float, float]:
        values, dt = q.values[:, ::every, j], np.diff(q.times[::every])
        drift = q.ito[:, ::every, j]
        squares = (np.diff(values, axis=1) - 0.5 * (drift[:, 1:] + drift[:, :-1]) * dt) ** 2
        noise = np.sum(q.noise[:, :, ::every, j] ** 2, axis=0)[:, :-1] * dt
        exact = float(np.sum(noise))
        if exact == 0:
            return 1.0, EPSILON
        apart = noise.sum(axis=0) if q.one_noise else noise  # then squares of the paths have one sign: errors add up
        return float(np.sum(squares)) / exact, float(np.sqrt(2 * np.sum(apart**2))) / exact


EXPECTATIONS: Mapping[str, Expectation] = MappingProxyType(
    {e.status: e for e in (Exact(), Drifts(), Bounded(), Dissipated(), Positive(), Random())}
)
