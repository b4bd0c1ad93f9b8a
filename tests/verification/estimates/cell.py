"""One cell of the table of coverage: an estimate on a problem, and the counts of its repetitions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from scipy.special import bdtr

import semidirect as sd

NORMAL = 1.959964
"""Standard errors of a 95 % interval."""
ROUNDING = 1e-9


@final
@dataclass(frozen=True)
class Outcome:
    """One repetition: whether the truth lies in the interval, whether the library warned, the error in stated standard errors.

    ``of_asked`` is the error in units of the root mean square error that was asked for, where one is; ``refused`` says that the
    library states no error, with the reason.
    """

    covered: bool
    warned: bool
    ratio: float
    of_asked: float = 0.0
    refused: bool = False


@final
@dataclass(frozen=True)
class Cell:
    """An estimate on a problem.

    Attributes
    ----------
    estimate, problem : str
        As the table calls them; together they are the key.
    truth : str
        How the truth is known.
    outcomes : callable
        The outcomes of some seeds, in their order; they depend on the seeds only.
    trait : str
        ``rare``, ``skewed``, ``correlated`` where it is so.
    healthy : bool
        Whether nothing is wrong, so that few repetitions may warn or be refused.
    block : int
        Repetitions between two writings of the record.
    """

    estimate: str
    problem: str
    truth: str
    outcomes: Callable[[range], Iterable[Outcome]]
    trait: str = ""
    healthy: bool = True
    block: int = 50

    @property
    def key(self) -> str:
        """Its key in the record."""
        return f"{self.estimate}/{self.problem}"


@final
@dataclass(frozen=True)
class Tally:
    """The counts of a cell: repetitions, those with a warning, those that cover without one and with one.

    ``squares`` is the sum of the squared errors in stated standard errors, of the repetitions without a warning;
    ``asked_squares`` that in units of the error asked for, of all. ``refused`` are among those with a warning.
    """

    repetitions: int = 0
    warned: int = 0
    covered: int = 0
    warned_covered: int = 0
    squares: float = 0.0
    asked_squares: float = 0.0
    refused: int = 0

    def with_outcomes(self, outcomes: Iterable[Outcome]) -> Tally:
        """The counts with more repetitions."""
        t = self
        for o in outcomes:
            t = replace(
                t, repetitions=t.repetitions + 1, warned=t.warned + o.warned, covered=t.covered + (o.covered and not o.warned),
                refused=t.refused + o.refused, asked_squares=t.asked_squares + float(o.of_asked) ** 2,
                warned_covered=t.warned_covered + (o.covered and o.warned),
                squares=t.squares + (0.0 if o.warned or not np.isfinite(o.ratio) else float(o.ratio) ** 2),
            )  # fmt: skip
        return t

    @property
    def silent(self) -> int:
        """Repetitions without a warning."""
        return self.repetitions - self.warned

    @property
    def ratio(self) -> float:
        """The root mean square of the error in stated standard errors."""
        return float(np.sqrt(self.squares / self.silent)) if self.silent else float("nan")

    @property
    def asked_ratio(self) -> float:
        """The root mean square error over the one asked for; 0 where none is."""
        return float(np.sqrt(self.asked_squares / self.repetitions)) if self.repetitions else 0.0

    def too_low(self, least: float, significance: float) -> bool:
        """Whether the coverage without a warning is significantly below a bound."""
        return self.silent > 0 and bool(bdtr(self.covered, self.silent, least) < significance)

    def __str__(self) -> str:
        silent = f"{self.covered} of {self.silent} covered, error/stated {self.ratio:.2f}"
        asked = f", error/asked {self.asked_ratio:.2f}" if self.asked_squares else ""
        return f"{silent}{asked}; {self.warned_covered} of {self.warned} warned, {self.refused} refused"


def refused(seeds: range, ask: Callable[[int], Any]) -> Iterator[Outcome]:
    """Outcomes of an estimate that is to be refused since paths share one noise."""
    for seed in seeds:
        try:
            ask(seed)
        except sd.errors.InputError as error:
            if "noise" not in str(error):
                raise
            yield Outcome(False, True, float("nan"), refused=True)
        else:
            yield Outcome(False, False, float("inf"))


def of_error(value: float, error: float, truth: float, warned: bool, asked: float = np.inf) -> Outcome:
    """The outcome of an estimate with a standard error, and with the one asked for; differences of rounding are none."""
    off = max(abs(float(value) - float(truth)) - ROUNDING * abs(float(truth)), 0.0)
    ratio = off / float(error) if error > 0 else 0.0 if off == 0 else np.inf
    return Outcome(bool(ratio <= NORMAL), warned, float(ratio), off / asked)


def of_interval(low: float, high: float, truth: float, warned: bool) -> Outcome:
    """The outcome of an estimate with a 95 % interval."""
    half = (high - low) / 2
    ratio = NORMAL * abs(truth - (low + high) / 2) / half if 0 < half < np.inf else 0.0 if half > 0 else np.inf
    return Outcome(bool(low <= truth <= high), warned, float(ratio))


@contextmanager
def listened() -> Iterator[list[str]]:
    """The texts of the warnings that the library gives meanwhile."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield texts
        texts += [str(w.message) for w in caught if w.category.__module__.startswith(sd.__name__)]
