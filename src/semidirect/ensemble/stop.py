"""An event that stops a path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core.arguments import validated_number, validated_whole
from semidirect.core.errors import InputError
from semidirect.ensemble.reductions.reduction import scalar

if TYPE_CHECKING:
    from semidirect.ensemble.quantities import Quantities


@final
@dataclass(frozen=True)
class Stop:
    """Stops a path when a quantity reaches or exceeds a level: from then on its state is frozen.

    The condition is checked at the start and after every ``every``-th step: the time of the stop is known to ``every·dt``,
    and a shorter excursion is missed. A stopped path has not failed; statistics continue with its frozen state, which is the
    stopped process. Its ``status`` is 3, and ``run.stopped_at`` contains the time.

    Parameters
    ----------
    name : str
        The quantity.
    above, below : float, optional
        The path stops if the value is ≥ ``above`` or ≤ ``below``; at least one of them is required.
    component : int, optional
        Which component of a vector.
    every : int
        Steps between two checks.
    """

    name: str
    above: float | None = None
    below: float | None = None
    component: int | None = None
    every: int = 1

    def __post_init__(self) -> None:
        if self.above is None and self.below is None:
            raise InputError("levels of a stop", expected="above= or below=, finite numbers", got="neither")
        for side in ("above", "below"):
            if getattr(self, side) is not None:
                object.__setattr__(self, side, validated_number(f"{side} of a stop", getattr(self, side)))
        object.__setattr__(self, "every", validated_whole("every of a stop", self.every, least=1))
        if self.component is not None:
            object.__setattr__(self, "component", validated_whole("component of a stop", self.component, least=0))

    def check(self, contents: Quantities) -> None:
        """Raise an UnknownNameError or InputError if the quantity does not exist."""
        scalar(self.name, self.component, contents, "the stop")

    def reached(self, values: np.ndarray) -> np.ndarray:
        """Which paths have reached the level, from the values ``(d, n)``."""
        x = values[self.component or 0]
        out = np.zeros(x.shape, dtype=bool)
        if self.above is not None:
            out |= x >= self.above
        if self.below is not None:
            out |= x <= self.below
        return out

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        given = {"above": self.above, "below": self.below, "component": self.component}
        return {"name": self.name, **{k: v for k, v in given.items() if v is not None}, "every": int(self.every)}
