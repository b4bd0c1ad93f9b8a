"""Where the results of chunks go."""

from __future__ import annotations

from typing import Protocol

from semidirect.ensemble.record import ChunkResult


class Sink(Protocol):
    """Receives the result of each chunk once, in any order, always in the thread that called :func:`execute`."""

    def accept(self, number: int, result: ChunkResult) -> None:
        """Take the result of the chunk with this number."""
