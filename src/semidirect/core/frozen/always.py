"""A function that always returns one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar, final

V = TypeVar("V")


@final
@dataclass(frozen=True, eq=False)
class Always(Generic[V]):
    """A function without arguments that returns a known value."""

    value: V

    def __call__(self) -> V:
        """The value."""
        return self.value
