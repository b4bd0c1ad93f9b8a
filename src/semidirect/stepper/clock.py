"""The clock of an ensemble: how many steps were taken, by which its noise is keyed, and the time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self, final

import numpy as np

from semidirect.specification import schedule

__all__ = ["Clock", "Leg"]

NEAR = 1e-6
"""Of a step: a time that is nearer to a multiple of it counts as this multiple."""


@final
@dataclass(frozen=True)
class Leg:
    """Equal steps from one time to another.

    Attributes
    ----------
    first, last : int
        Numbers of the steps at its ends, by which the noise is keyed.
    dt : float
        Length of a step [s].
    origin : float
        The time [s] of step 0 at this length: step n has the time ``origin + n·dt``.
    """

    first: int
    last: int
    dt: float
    origin: float


@final
@dataclass(frozen=True)
class Clock:
    """The time of an ensemble.

    Where all times are multiples of the step, the number of steps is the multiple. Otherwise an interval is divided into as few
    equal steps as are no longer than the step, and the number counts them.

    Attributes
    ----------
    number : int
        The number of steps so far, counted from t = 0.
    dt : float
        The step [s].
    multiple : int or None
        Which multiple of the step the time is; ``None`` if it is none.
    other : float
        The time [s] where it is no multiple.
    """

    number: int
    dt: float
    multiple: int | None
    other: float = 0.0

    @classmethod
    def at_step(cls, step: int, dt: float) -> Self:
        """The clock at a multiple of the step, which counted no other ones."""
        return cls(step, dt, step)

    @property
    def label(self) -> float:
        """The time [s] as a person writes it."""
        return self.other if self.multiple is None else schedule.label(self.multiple, self.dt)

    @property
    def time(self) -> float:
        """The time [s] as it stands in the equations."""
        return self.other if self.multiple is None else float(self.multiple * self.dt)

    def as_step(self) -> tuple[int, float]:
        """The number of a step and its length [s], of which the present time is this multiple."""
        return (1, self.other) if self.multiple is None else (self.multiple, self.dt)

    def until(self, t: float) -> tuple[Leg, Clock]:
        """The steps to a later time [s], and the clock there."""
        nearest, off = schedule.nearest_steps(np.array([t], dtype=float), self.dt)
        return self._between(float(t)) if off[0] else self.until_multiple(int(nearest[0]))

    def until_multiple(self, multiple: int) -> tuple[Leg, Clock]:
        """The steps to a later multiple of the step."""
        if self.multiple is None:
            return self._between(float(multiple * self.dt), multiple)
        return self._of_length(multiple - self.multiple, multiple)

    def after(self, steps: int) -> tuple[Leg, Clock]:
        """So many whole steps."""
        if self.multiple is None:
            return self._between(self.other + steps * self.dt)
        return self._of_length(steps, self.multiple + steps)

    def _of_length(self, count: int, multiple: int) -> tuple[Leg, Clock]:
        """Whole steps from a multiple of the step to another one."""
        assert self.multiple is not None
        origin = 0.0 if self.number == self.multiple else (self.multiple - self.number) * self.dt
        last = self.number + count
        return Leg(self.number, last, self.dt, origin), Clock(last, self.dt, multiple)

    def _between(self, t: float, multiple: int | None = None) -> tuple[Leg, Clock]:
        """Equal steps to a time in the equations [s], which may be a multiple of the step."""
        span = t - self.time
        count = max(math.ceil(span / self.dt - NEAR), 1)
        length, last = span / count, self.number + count
        end = Clock(last, self.dt, multiple, t if multiple is None else 0.0)
        return Leg(self.number, last, length, self.time - self.number * length), end
