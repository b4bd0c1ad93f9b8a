"""Objects made once for derived equations: a cache that does not keep them alive, and its lock."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar, final
from weakref import WeakKeyDictionary

from semidirect.core import ForkSafeLock
from semidirect.model import DerivedEquations

__all__ = ["OfEquations"]

Made = TypeVar("Made")


@final
class OfEquations(Generic[Made]):
    """Compiled functions, and what belongs to them, by equations and a key; one is made at a time."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[DerivedEquations, dict[Hashable, Made]] = WeakKeyDictionary()
        self.lock = ForkSafeLock()

    def get(self, equations: DerivedEquations, key: Hashable, make: Callable[[], Made]) -> Made:
        """The object of a key, made at its first use; it must not refer to the equations."""
        with self.lock:
            values = self._known.setdefault(equations, {})
            if key not in values:
                values[key] = make()
            return values[key]

    def knows(self, equations: DerivedEquations, key: Hashable) -> bool:
        """Whether it has been made."""
        return key in self._known.get(equations, {})

    def all(self) -> list[Made]:
        """All that has been made."""
        return [value for values in self._known.values() for value in values.values()]
