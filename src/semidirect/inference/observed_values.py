"""The data of an observation: observed values, their noise, and which of them can be seen."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from semidirect.core.arguments import validated_number
from semidirect.core.display import Brief
from semidirect.core.errors import InputError
from semidirect.inference.noise import ObservationNoise, noise_of

__all__ = ["ObservedValues"]


@dataclass(frozen=True, eq=False, repr=False)
class ObservedValues(Brief):
    """Values that depend on the state, observed with noise; users make an :class:`~semidirect.Observation`.

    Attributes are those of an observation.
    """

    values: str | Sequence[str] | Callable[[Any], Any]
    noise: ObservationNoise
    seen: Callable[[Any], Any] | None = None
    lost: float = 0.0
    name: str = "observation"

    def __init__(self, values: str | Sequence[str] | Callable[[Any], Any], *, noise: Any,
                 seen: Callable[[Any], Any] | None = None, lost: float = 0.0, name: str = "observation"):  # fmt: skip
        listed: Any = tuple(values) if isinstance(values, (list, tuple)) else values
        texts = [listed] if isinstance(listed, str) else listed
        if not (
            callable(listed) or (isinstance(texts, (list, tuple)) and texts and all(isinstance(x, str) for x in texts))
        ):
            raise InputError("observed values", expected="names, expressions or a function of the state",
                             got=reprlib.repr(values))  # fmt: skip
        if not (seen is None or callable(seen)):
            raise InputError("seen", expected="a function of the state", got=reprlib.repr(seen))
        chance = validated_number("lost", lost, expected="a probability below 1")
        if not 0 <= chance < 1:
            raise InputError("lost", expected="a probability below 1", got=f"{chance:g}")
        if not isinstance(name, str):
            raise InputError("name of an observation", expected="text", got=reprlib.repr(name))
        given = {"values": listed, "noise": noise_of(noise), "seen": seen, "lost": chance, "name": name}
        for field, value in given.items():
            object.__setattr__(self, field, value)

    @property
    def may_miss(self) -> bool:
        """Whether marks may be missing in data."""
        return self.seen is not None or self.lost > 0
