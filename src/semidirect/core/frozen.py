"""Read-only mappings, and frozen objects that are rebuilt from their fields when they are copied or sent to another process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar, final

import numpy as np

K = TypeVar("K")
V = TypeVar("V")


@final
class FrozenMapping(Mapping[K, V]):
    """A read-only copy of a mapping. It can be pickled, which a ``MappingProxyType`` cannot."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[K, V]):
        self._items = dict(items)

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __reduce__(self) -> tuple[Any, ...]:
        return frozen_again, (self._items, read_only(self._items))

    def __repr__(self) -> str:
        return repr(self._items)


@final
@dataclass(frozen=True, eq=False)
class Always(Generic[V]):
    """A function without arguments that returns a known value."""

    value: V

    def __call__(self) -> V:
        """The value."""
        return self.value


class Rebuilt:
    """Base of frozen dataclasses that are rebuilt from their fields when they are copied, pickled or sent to a worker.

    The conditions that the constructor ensures hold for the copy too. Read-only arrays, which pickle would make writable, stay
    read-only. Values cached on the object are not copied.
    """

    def carried(self) -> dict[str, Any]:
        """The fields, in a form that can be pickled."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init}  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        values = self.carried()
        return rebuilt, (type(self), values, read_only(values))


def rebuilt(kind: Callable[..., Any], values: Mapping[str, Any], closed: Sequence[str]) -> Any:
    """An object of the class with these fields, from its pickle."""
    close(values, closed)
    return kind(**values)


def frozen_again(items: Mapping[Any, Any], closed: Sequence[Any]) -> FrozenMapping[Any, Any]:
    """A frozen mapping from its pickle."""
    close(items, closed)
    return FrozenMapping(items)


def read_only(values: Mapping[Any, Any]) -> list[Any]:
    """The names of the arrays that cannot be written to."""
    return [k for k, v in values.items() if isinstance(v, np.ndarray) and not v.flags.writeable]


def close(values: Mapping[Any, Any], names: Sequence[Any]) -> None:
    """Make these arrays read-only."""
    for name in names:
        values[name].setflags(write=False)
