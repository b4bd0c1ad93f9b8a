"""Read-only mappings that can be pickled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, final

from semidirect.core.frozen.always import V
from semidirect.core.frozen.rebuilt import close, read_only

K = TypeVar("K")


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


def frozen_again(items: Mapping[Any, Any], closed: Sequence[Any]) -> FrozenMapping[Any, Any]:
    """A frozen mapping from its pickle."""
    close(items, closed)
    return FrozenMapping(items)
