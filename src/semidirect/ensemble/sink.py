"""Where the results of chunks go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from semidirect.ensemble.record import ChunkResult


class Sink(Protocol):
    """Receives the result of each chunk once, in any order, always in the thread that called :func:`execute`."""

    @property
    def deliver(self) -> Callable[[int, ChunkResult], ChunkResult | None] | None:
        """What a worker of an executor does with a result before it returns it; sent there with each task.

        It gives what is to be accepted, or ``None`` if it has seen to all.
        """

    def accept(self, number: int, result: ChunkResult | None) -> None:
        """Take the result of the chunk with this number."""
