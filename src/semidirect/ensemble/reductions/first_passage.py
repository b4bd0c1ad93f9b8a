"""When paths first reach a level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, final

import numpy as np

from semidirect.ensemble.reductions.reduction import Accumulator, Partial, Reduced, Reduction, Taken, scalar
from semidirect.errors import InputError

if TYPE_CHECKING:
    from semidirect.ensemble.contents import Contents


@final
@dataclass(frozen=True, eq=False)
class FirstPassage(Reduction):
    """How many paths are found at or beyond a level for the first time, at each of the times of ``reduce_at``.

    What happens between these times is not seen: their spacing is the resolution, and a passage and return within it is
    missed. At ``run.reductions["first-passage:energy"]``.

    Parameters
    ----------
    name : str
        The quantity.
    level : float
        The level.
    direction : {"up", "down"}
        Whether a path passes where its value is ≥ or ≤ the level.
    component : int, optional
        Which component of a vector.
    """

    kind: ClassVar[str] = "first-passage"
    name: str
    level: float
    direction: Literal["up", "down"] = "up"
    component: int | None = None
    label: str = ""

    def __post_init__(self) -> None:
        if self.direction not in ("up", "down"):
            raise InputError("direction of a first passage", expected="'up' or 'down'", got=repr(self.direction))
        if not isinstance(self.level, (int, float, np.integer, np.floating)) or not np.isfinite(self.level):
            raise InputError("level of a first passage", expected="a finite number", got=repr(self.level))
        object.__setattr__(self, "level", float(self.level))

    @property
    def key(self) -> str:
        """``first-passage:energy``, or its label."""
        return self.label or f"first-passage:{self.name}"

    def names(self) -> tuple[str, ...]:
        """The quantity."""
        return (self.name,)

    def resolved(self, contents: Contents) -> FirstPassage:
        """Itself, its name checked."""
        scalar(self.name, self.component, contents, "the first passage")
        return self

    def accumulator(self, paths: range, times: int, sizes: Mapping[str, int]) -> _Passages:
        """What takes the values."""
        return _Passages(self, times, len(paths))

    def merged(self, a: Partial, b: Partial) -> Partial:
        """Counts add up."""
        return {k: a[k] + b[k] for k in a}

    def reduced(self, taken: Taken) -> FirstPassageReduced:
        """Counts and times."""
        return FirstPassageReduced(self, taken)


class _Passages(Accumulator):
    def __init__(self, passage: FirstPassage, times: int, paths: int):
        self.passage, self.waiting = passage, np.ones(paths, dtype=bool)
        self.passed, self.lost = np.zeros(times, dtype=np.int64), np.zeros(times, dtype=np.int64)

    def add(self, time: int, values: Mapping[str, np.ndarray], counted: np.ndarray) -> None:
        """Count those that pass, and those that failed before they did."""
        of = self.passage
        x = values[of.name][of.component or 0]
        reached = self.waiting & counted & ((x >= of.level) if of.direction == "up" else (x <= of.level))
        lost = self.waiting & ~counted
        self.passed[time], self.lost[time] = np.count_nonzero(reached), np.count_nonzero(lost)
        self.waiting &= ~(reached | lost)

    def partial(self) -> Partial:
        """The counts."""
        return {"passed": self.passed, "lost": self.lost}


@final
@dataclass(frozen=True, eq=False, repr=False)
class FirstPassageReduced(Reduced):
    """Counts by time; ``paths = Σ passed + Σ lost + remaining``."""

    @property
    def passed(self) -> np.ndarray:
        """Paths first found beyond the level at each time, (T,)."""
        return self.taken.partial["passed"]

    @property
    def lost(self) -> np.ndarray:
        """Paths that had failed before they passed, by the time at which this was found, (T,)."""
        return self.taken.partial["lost"]

    @property
    def remaining(self) -> int:
        """Paths that never passed, nor failed."""
        return int(self.taken.paths - self.passed.sum() - self.lost.sum())

    @property
    def survival(self) -> np.ndarray:
        """Fraction that has not passed by each time, of the paths that have not failed before passing (T,)."""
        known = self.taken.paths - np.cumsum(self.lost)
        with np.errstate(all="ignore"):
            return (known - np.cumsum(self.passed)) / known

    @property
    def mean_time(self) -> float:
        """Mean of the times [s], counted from t = 0, at which paths passed; nan where none did."""
        n = int(self.passed.sum())
        return float(np.sum(self.passed * self.times) / n) if n else float("nan")

    def tables(self) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
        """Counts and survival."""
        return {k: (("time",), getattr(self, k)) for k in ("passed", "lost", "survival")}
