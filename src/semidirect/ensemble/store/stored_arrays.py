"""The arrays of a store, read when they are first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from semidirect.core.errors import UnknownNameError
from semidirect.ensemble.store.store import Store

BYTES_HELD = 2e9


class StoredArrays(Mapping[str, np.ndarray]):
    """The quantities of a section, of the paths of some chunks; the last ones read are held."""

    def __init__(self, store: Store, section: str, chunks: Sequence[int]):
        self._store, self._section, self._chunks = store, section, tuple(chunks)
        self._names = store.manifest.names(section)
        self._held: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._names:
            raise UnknownNameError("quantity of the run", name, self._names)
        if name not in self._held:
            array = self._store.array(f"{self._section}/{name}", self._chunks)
            array.setflags(write=False)
            self._held[name] = array
            while len(self._held) > 1 and sum(a.nbytes for a in self._held.values()) > BYTES_HELD:
                del self._held[next(iter(self._held))]
        return self._held[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
