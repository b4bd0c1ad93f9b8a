"""Read-only arrays by name, each computed or read at its first use."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping
from typing import ClassVar

import numpy as np

from semidirect.core import errors


class ArraysByName(Mapping[str, np.ndarray]):
    """Quantities of a run, name → array; a subclass provides them."""

    #: beyond this many bytes the oldest arrays are dropped, and provided again when they are needed
    most_bytes: ClassVar[float] = np.inf

    def __init__(self, names: Collection[str]):
        self._names = names
        self._found: dict[str, np.ndarray] = {}

    @abstractmethod
    def find(self, name: str) -> np.ndarray:
        """A writable array."""

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self:
            raise errors.UnknownNameError("quantity of the run", name, tuple(self._names))
        value = self._found.get(name)
        if value is not None:
            return value
        array = self.find(name)
        array.setflags(write=False)
        array = self._found.setdefault(name, array)  # if two threads need it at once, both get the same array
        recent = dict(self._found)  # which other threads do not change
        while len(recent) > 1 and sum(a.nbytes for a in recent.values()) > self.most_bytes:
            del recent[next(iter(recent))]
        if len(recent) < len(self._found):
            self._found = recent
        return array

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
