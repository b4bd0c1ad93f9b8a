"""A mapping that is computed when it is first read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, final


@final
class LazyMapping(Mapping[str, Any]):
    """The mapping that a function returns; the function is called at the first read."""

    def __init__(self, make: Callable[[], Mapping[str, Any]]):
        self._make = make

    @cached_property
    def _made(self) -> Mapping[str, Any]:
        return self._make()

    def __getitem__(self, name: str) -> Any:
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def __repr__(self) -> str:
        return repr(self._made)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self._made),)
