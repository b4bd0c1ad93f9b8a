"""An event that stops a path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self, final

import numpy as np

from semidirect.core import arguments, errors
from semidirect.specification.conditions.condition import Barrier, Condition, validated_component


@final
@dataclass(frozen=True)
class Stop(Condition):
    """Stops a path when a quantity reaches or exceeds a level: from then on its state is frozen.

    The condition is checked at the start and after every ``every``-th step. Without ``locate``, the time of the stop is known
    to ``every·dt``, and a shorter excursion is missed. With ``locate``, the time and the state at which the quantity reaches the
    level are computed within the step: to the accuracy of the method if no noise acts on the quantity, and otherwise by Brownian
    bridges, which also find excursions within a step. A stopped path has not failed; statistics continue with its frozen state,
    which is the stopped process. Its ``status`` is 3; ``run.stopped`` contains time, condition and state.

    Parameters
    ----------
    name : str
        The quantity.
    above, below : float, optional
        The path stops if the value is ≥ ``above`` or ≤ ``below``; at least one of them is required.
    component : int, optional
        Which component of a vector.
    every : int
        Steps between two checks; 1 with ``locate``.
    locate : bool
        Whether the time and the state of the stop are computed within the step.
    """

    name: str
    above: float | None = None
    below: float | None = None
    component: int | None = None
    every: int = 1
    locate: bool = False

    def __post_init__(self) -> None:
        if self.above is None and self.below is None:
            raise errors.InputError("levels of a stop", expected="above= or below=, finite numbers", got="neither")
        for side in ("above", "below"):
            if getattr(self, side) is not None:
                object.__setattr__(self, side, arguments.validated_number(f"{side} of a stop", getattr(self, side)))
        object.__setattr__(self, "every", arguments.validated_whole("every of a stop", self.every, least=1))
        object.__setattr__(self, "locate", arguments.validated_flag("locate of a stop", self.locate))
        if self.locate and self.every != 1:
            raise errors.InputError("every of a stop that is located", expected="1", got=str(self.every))
        object.__setattr__(self, "component", validated_component("a stop", self.component))

    @property
    def barriers(self) -> tuple[Barrier, ...]:
        """``above`` from below, ``below`` from above."""
        sides = (self.above, 1), (self.below, -1)
        return tuple(Barrier(level, sign) for level, sign in sides if level is not None)

    @property
    def label(self) -> str:
        """Such as ``energy ≥ 2``."""
        sides = (("≥", self.above), ("≤", self.below))
        return " or ".join(f"{self.quantity} {sign} {level:g}" for sign, level in sides if level is not None)

    def met(self, x: np.ndarray) -> np.ndarray:
        """The values that have reached a level."""
        x = arguments.validated_array("the values of a condition", x)
        out = np.zeros(x.shape, dtype=bool)
        for barrier in self.barriers:
            out |= barrier.sign * x >= barrier.sign * barrier.level
        return out

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        options = {"above": self.above, "below": self.below, "component": self.component}
        entry = {"name": self.name, **{k: v for k, v in options.items() if v is not None}, "every": int(self.every)}
        return entry | ({"locate": True} if self.locate else {})

    def at_half_step(self) -> Self:
        """Twice as many steps from one check to the next, unless it is located."""
        return self if self.locate else replace(self, every=2 * self.every)
