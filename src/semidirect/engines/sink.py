"""The abstract receiver of the results of chunks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from semidirect.engines.record import ChunkResult


class Sink(Protocol):
    """Receives the result of each chunk once, in any order, always in the thread that called :func:`execute`."""

    @property
    def deliver(self) -> Callable[[int, ChunkResult], ChunkResult | None] | None:
        """The function that a worker of an executor applies to a result before it returns it; sent with each task.

        It returns the result to accept, or ``None`` if the worker has stored it already.
        """

    def accept(self, number: int, result: ChunkResult | None) -> None:
        """Take the result of the chunk with this number."""
