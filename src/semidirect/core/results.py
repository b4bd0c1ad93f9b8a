"""Results about an object that live as long as it: a cache in the object itself.

A table of the process with a class as key would keep the class alive, and a table with weak keys would too, since equations and
runs refer to the class that they belong to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, final

__all__ = ["Results"]

_NAME = "_semidirect_results"
T = TypeVar("T")


@final
class Results(dict[Any, Any]):
    """Results by the keys of those who computed them. They are no part of their object: a copy and a pickle of it has none."""

    @classmethod
    def of(cls, owner: Any) -> Results:
        """Those of an object that has a ``__dict__``, frozen or not: a class has its own, not those of its bases."""
        if _NAME not in vars(owner):
            if isinstance(owner, type):
                setattr(owner, _NAME, cls())
            else:
                vars(owner).setdefault(_NAME, cls())
        results: Results = vars(owner)[_NAME]
        return results

    def __reduce__(self) -> tuple[Any, ...]:
        return Results, ()

    def known(self, key: Any, make: Callable[[], T]) -> T:
        """The result under a key, made at first use."""
        if key not in self:
            self[key] = make()
        result: T = self[key]
        return result
