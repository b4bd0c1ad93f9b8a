"""Paths that fail or are stopped before the end of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from semidirect.core.errors import FailedPathsWarning
from semidirect.core.failure.codes import GOOD, REASONS, STOPPED
from semidirect.core.messages.callers_line import warn_caller


@dataclass(frozen=True)
class Failure:
    """A path that failed: index, time of its first bad step [s], component of the state or observable, reason."""

    path: int
    time: float
    component: str
    reason: str

    def __str__(self) -> str:
        where = f" in {self.component}" if self.component else ""
        return f"path {self.path}, t = {self.time:g}{where}: {self.reason}"


def failed(status: np.ndarray) -> np.ndarray:
    """The paths that failed; a path that an event stopped has not failed."""
    return (status != GOOD) & (status != STOPPED)


def failures(status: np.ndarray, failed_at: np.ndarray, failed_component: np.ndarray, components: Sequence[str],
             numbers: np.ndarray | None = None) -> list[Failure]:  # fmt: skip
    """The paths that failed; ``numbers`` are the path numbers, if they do not count from 0."""
    return [
        Failure(int(p if numbers is None else numbers[p]), float(failed_at[p]),
                components[failed_component[p]] if failed_component[p] >= 0 else "", REASONS[int(status[p])])
        for p in np.flatnonzero(failed(status))
    ]  # fmt: skip


class Outcome(Protocol):
    """How the paths of a run ended; :class:`~semidirect.results.run.RunData` is a subclass."""

    @property
    def status(self) -> np.ndarray:
        """How each path ended."""

    @property
    def failed_at(self) -> np.ndarray:
        """The time at which each path failed."""

    @property
    def failed_component(self) -> np.ndarray:
        """The component in which each path failed."""

    @property
    def components(self) -> tuple[str, ...]:
        """The names to which the numbers of :attr:`failed_component` refer."""

    @property
    def numbers(self) -> np.ndarray | None:
        """The numbers of these paths."""


def summary(run: Outcome) -> str:
    """How many paths of a run failed, why, and which was the first; empty if none failed."""
    bad = np.flatnonzero(failed(run.status))
    if not len(bad):
        return ""
    first = bad[np.argmin(run.failed_at[bad])]
    one = slice(first, first + 1)
    number = np.array([first]) if run.numbers is None else run.numbers[one]
    (failure,) = failures(run.status[one], run.failed_at[one], run.failed_component[one], run.components, number)
    counts = Counter(run.status[bad].tolist()).most_common()
    causes = "; ".join(REASONS[code] + (f" ({n})" if len(counts) > 1 else "") for code, n in counts)
    where = f" in {failure.component}" if failure.component else ""
    return (
        f"{len(bad)} of {len(run.status)} path{'s' * (len(run.status) != 1)} failed: {causes}; the first is path {failure.path}, "
        f"at t = {failure.time:g}{where}"
    )


def warn_of_failures(run: Outcome) -> None:
    """Warn the caller if paths of a run failed."""
    if run.status.any() and np.any(failed(run.status)):
        warn_caller(
            f"{summary(run)}. run.failures() lists all; statistics leave a path out from its failure on, averages over time "
            "leave it out altogether.",
            FailedPathsWarning,
        )  # fmt: skip
