"""The arrays of a store, read at first use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, final

import numpy as np

from semidirect.ensemble.store.store import Store
from semidirect.quantities import ArraysByName


@final
class StoredArrays(ArraysByName):
    """The quantities of a section for the paths of some chunks; the last ones read stay in memory."""

    most_bytes: ClassVar[float] = 2e9

    def __init__(self, store: Store, section: str, chunks: Sequence[int]):
        super().__init__(store.manifest.names(section))
        self._store, self._section, self._chunks = store, section, tuple(chunks)

    def find(self, name: str) -> np.ndarray:
        """The array, read from the store."""
        return self._store.array(f"{self._section}/{name}", self._chunks)
