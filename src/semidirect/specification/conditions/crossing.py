"""A crossing of a level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, final

import numpy as np

from semidirect.core import arguments
from semidirect.specification.conditions.condition import Barrier, Condition, validated_component

DIRECTIONS = ("rising", "falling", "both")
MOST_RECORDED = 100


@final
@dataclass(frozen=True)
class Crossing(Condition):
    """Detects crossings of a level; touching the level or starting on it does not count.

    With ``stop=`` the first crossing ends a path; ``Save(crossings=…)`` records crossings while the path continues, as a
    Poincaré section does. Their time and state are computed within the step, to the accuracy of the method if no noise acts on
    the quantity. A path has at most one crossing in a step: an even number of crossings within a step is not seen, except by a
    Brownian bridge that stops a path, see :class:`~semidirect.Stop`.

    Parameters
    ----------
    name : str
        The quantity.
    level : float
        The level.
    direction : {"both", "rising", "falling"}
        Which crossings count.
    component : int, optional
        Which component of a vector.
    most : int
        How many crossings of a path are recorded, the first ones; all are counted.
    keep : sequence of str, optional
        The quantities to record at them; default those that the run saves.
    """

    name: str
    level: float = 0.0
    direction: Literal["both", "rising", "falling"] = "both"
    component: int | None = None
    most: int = MOST_RECORDED
    keep: Sequence[str] | None = None
    every: int = field(default=1, init=False, repr=False, compare=False)
    locate: bool = field(default=True, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", arguments.validated_number("level of a crossing", self.level))
        arguments.validated_name("direction of a crossing", self.direction, DIRECTIONS)
        object.__setattr__(self, "component", validated_component("a crossing", self.component))
        object.__setattr__(self, "most", arguments.validated_whole("most of a crossing", self.most, least=1))
        if self.keep is not None:
            object.__setattr__(self, "keep", tuple(arguments.validated_names("keep of a crossing", self.keep)))

    @property
    def barriers(self) -> tuple[Barrier, ...]:
        """The level from below, from above, or from both sides."""
        signs = {"rising": (1,), "falling": (-1,), "both": (1, -1)}[self.direction]
        return tuple(Barrier(self.level, sign) for sign in signs)

    @property
    def label(self) -> str:
        """Such as ``Gamma3 = 0, rising``."""
        return f"{self.quantity} = {self.level:g}" + ("" if self.direction == "both" else f", {self.direction}")

    def met(self, x: np.ndarray) -> np.ndarray:
        """Nowhere: values at one time are no crossing."""
        return np.zeros(arguments.validated_array("the values of a condition", x).shape, dtype=bool)

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        options = {"component": self.component, "keep": None if self.keep is None else list(self.keep)}
        entry = {"name": self.name, "level": self.level, "direction": self.direction, "most": self.most}
        return entry | {k: v for k, v in options.items() if v is not None}

    def at_half_step(self) -> Self:
        """Itself."""
        return self
