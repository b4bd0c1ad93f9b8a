"""The times at which paths first reach a level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from semidirect.core import arguments, errors
from semidirect.statistics.dependence import spread
from semidirect.statistics.reduction import (
    Accumulator,
    PartialStatistic,
    Statistic,
    StatisticRequest,
    StatisticResult,
    refuse_what_is_no_text,
)
from semidirect.statistics.shares import error_of_share

if TYPE_CHECKING:
    from semidirect.quantities import Quantities


@final
@dataclass(frozen=True, eq=False)
class FirstPassage(Statistic):
    """When paths first reach or exceed a level, observed at the times of :class:`~semidirect.Reduce`.

    A passage and return between two of these times is missed. If paths fail or a ``stop=``
    ends them before they pass, there are two results: the ``share`` of all paths, and ``survival``, the estimate of Kaplan and
    Meier, in which such paths are censored. The result is ``run.reductions["first-passage:energy"]``.

    Parameters
    ----------
    name : str
        The quantity.
    level : float
        The level.
    direction : {"up", "down"}
        Whether a path passes if its value is ≥ or ≤ the level.
    component : int, optional
        Which component of a vector.
    """

    kind: ClassVar[str] = "first-passage"
    by_replication: ClassVar[bool] = True
    example: ClassVar[str] = "first-passage:energy,level=1"
    name: str
    level: float
    direction: Literal["up", "down"] = "up"
    component: int | None = None
    label: str = ""

    def __post_init__(self) -> None:
        if not (isinstance(self.direction, str) and self.direction in ("up", "down")):
            raise errors.InputError("direction of a first passage", expected="'up' or 'down'", got=repr(self.direction))
        object.__setattr__(self, "level", arguments.validated_number("level of a first passage", self.level))
        if self.component is not None:
            component = arguments.validated_whole("component of a first passage", self.component, least=0)
            object.__setattr__(self, "component", component)
        refuse_what_is_no_text("label of a first passage", self.label)

    @property
    def key(self) -> str:
        """``first-passage:energy``, or the label."""
        return self.label or f"first-passage:{self.name}"

    def names(self) -> tuple[str, ...]:
        """The quantity."""
        return (self.name,)

    def resolved(self, contents: Quantities) -> FirstPassage:
        """The same statistic, after a check of its name."""
        contents.row_of(self.name, self.component, "the first passage")
        return self

    def accumulator(self, paths: range, times: int, sizes: Mapping[str, int]) -> _Passages:
        """The accumulator of the values."""
        return _Passages(self, times, len(paths))

    def merged(self, a: PartialStatistic, b: PartialStatistic) -> PartialStatistic:
        """The sums of the counts."""
        return {k: a[k] + b[k] for k in a}

    def reduced(self, request: StatisticRequest) -> FirstPassageReduced:
        """Counts and times."""
        return FirstPassageReduced(self, request)


class _Passages(Accumulator):
    def __init__(self, passage: FirstPassage, times: int, paths: int):
        self.passage, self.waiting = passage, np.ones(paths, dtype=bool)
        self.counts = {k: np.zeros(times, dtype=np.int64) for k in ("passed", "lost", "stopped", "seen", "between")}

    def add(self, time: int, values: Mapping[str, np.ndarray], counted: np.ndarray, since_stop: np.ndarray) -> None:
        """Count the waiting paths that pass, failed or were stopped, and the paths at risk.

        A path that was stopped beyond the level has passed: its frozen value is beyond the level.
        """
        of = self.passage
        x = values[of.name][of.component or 0]
        observed = self.waiting & counted & np.isfinite(x)
        passed = observed & ((x >= of.level) if of.direction == "up" else (x <= of.level))
        lost = self.waiting & ~counted
        stopped = self.waiting & (since_stop >= 0) & ~passed
        between = stopped & (since_stop > 0)
        masks = {"passed": passed, "lost": lost, "stopped": stopped, "seen": observed & ~between, "between": between}
        for name, which in masks.items():
            self.counts[name][time] = np.count_nonzero(which)
        self.waiting &= ~(passed | lost | stopped)

    def partial(self) -> PartialStatistic:
        """The counts."""
        return self.counts


@final
@dataclass(frozen=True, eq=False, repr=False)
class FirstPassageReduced(StatisticResult):
    """Counts by time, and two estimates; ``paths = Σ passed + Σ lost + remaining``.

    The estimate of Kaplan and Meier is a product over the times t_k of :class:`~semidirect.Reduce`,

        S(t_k) = Π_{i ≤ k} (1 − d_i/n_i),

    with d_i paths that pass at t_i among the n_i paths ``at_risk``, which had not passed before and are observed at t_i. A
    path that failed after t_{i−1}, up to t_i, was last observed at t_{i−1}, where it is censored: it is one of the n_{i−1},
    not of the n_i. A path that a stop ended at t_i before the level is one of the n_i and leaves then; one that it ended
    between t_{i−1} and t_i counts as half a path in n_i, as in life tables. A path that was stopped beyond the level has passed.

    If failures and stops are independent of the passage, S(t_k) estimates the probability that a path which neither fails
    nor is stopped is not observed beyond the level up to t_k. This holds for any spacing of the times if no stop falls
    between two of them, and otherwise in the limit of close times.
    """

    def _count(self, name: str) -> np.ndarray:
        return self.taken.partial[name]

    @property
    def passed(self) -> np.ndarray:
        """Paths first observed beyond the level at each time, (T,)."""
        return self._count("passed")

    @property
    def lost(self) -> np.ndarray:
        """Paths that failed before they passed, by the time at which the failure was observed, (T,)."""
        return self._count("lost")

    @property
    def stopped(self) -> np.ndarray:
        """Paths that a stop ended before the level, by the time at which the stop was observed, (T,)."""
        return self._count("stopped")

    @property
    def at_risk(self) -> np.ndarray:
        """Paths that had not passed before each time and are observed at it, (T,). Paths that were stopped before the level
        since the previous time count half.
        """
        return self._count("seen") + self._count("between") / 2

    @property
    def remaining(self) -> int:
        """Paths that neither passed nor failed, including those that were stopped."""
        return int(self.taken.paths - self.passed.sum() - self.lost.sum())

    @property
    def share(self) -> np.ndarray:
        """Share of all paths that had not been observed beyond the level by each time, including those that failed or were
        stopped, (T,).
        """
        return 1 - np.cumsum(self.passed) / self.taken.paths

    @property
    def share_error(self) -> np.ndarray:
        """Standard error of the share, (T,): √(s (1 − s)/paths), where s is the share of the paths and of four more, of which two
        have passed (A. Agresti and B. A. Coull, 1998). So it is not 0 where no path has passed yet. Of replications it comes from
        their spread, unless all have the same share.

        Raises
        ------
        InputError
            If all paths got one realisation of the noise.
        """
        self.taken.dependence.refuse_one_noise("the standard error of a share of the paths")
        error: np.ndarray = error_of_share(self.share, float(self.taken.paths))
        return self._of_replications("share", error)

    def _of_replications(self, name: str, plain: np.ndarray) -> np.ndarray:
        """The error from the spread of replications, if there are any and their values differ; else that of independent paths."""
        if not self.taken.replicates:
            return plain
        error = spread(self, lambda one: getattr(one, name))
        return np.where((error == 0) | np.isnan(plain), plain, error)

    @property
    def survival(self) -> np.ndarray:
        """Estimate of Kaplan and Meier of the probability of no passage by each time, failures and stops censored, (T,).

        nan once no path is left that could pass.
        """
        return np.where(self._known, self._product, np.nan)

    @property
    def survival_error(self) -> np.ndarray:
        """Standard error of the survival, (T,); nan where S is 0 or nan. Greenwood's formula, S √(Σ d_i/(n_i (n_i − d_i))), tells
        how many paths without censoring would have this error, and it is that of the share of so many, :attr:`share_error`.

        Raises
        ------
        InputError
            If all paths got one realisation of the noise.
        """
        self.taken.dependence.refuse_one_noise("the standard error of a survival")
        d, n = self.passed, self.at_risk
        terms = np.divide(d, n * (n - d), out=np.zeros(len(d)), where=n > d)
        s = self.survival
        with np.errstate(all="ignore"):
            as_many = np.where(s < 1, (1 - s) / (s * np.cumsum(terms)), n)
            plain = np.where(self._product > 0, error_of_share(s, np.maximum(as_many, 1.0)), np.nan)
        return self._of_replications("survival", plain)

    @property
    def _product(self) -> np.ndarray:
        d, n = self.passed, self.at_risk
        return np.cumprod(np.divide(n - d, n, out=np.ones(len(d)), where=n > 0))

    @property
    def _known(self) -> np.ndarray:
        """The times at which, or after which, paths are at risk, or by which all have passed."""
        return (np.cumsum(self.at_risk[::-1])[::-1] > 0) | (self._product == 0)

    @property
    def mean_time(self) -> float:
        """Mean of the times [s], counted from t = 0, at which paths passed; nan where none did."""
        n = int(self.passed.sum())
        return float(np.sum(self.passed * self.times) / n) if n else float("nan")

    def tables(self) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
        """Counts, shares and their errors, which paths with one noise do not tell."""
        names = ["passed", "lost", "stopped", "at_risk", "share", "share_error", "survival", "survival_error"]
        if self.taken.one_noise:
            names = [name for name in names if not name.endswith("_error")]
        return {k: (("time",), getattr(self, k)) for k in names}

    def units(self) -> dict[str, str]:
        """Shares and probabilities have none."""
        return dict.fromkeys(("share", "share_error", "survival", "survival_error"), "1")
