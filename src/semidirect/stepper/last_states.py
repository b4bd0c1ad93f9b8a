"""The states at the end of an interval, which the next one begins with: statistics and saved values are not among them."""

from __future__ import annotations

from typing import final

import numpy as np

from semidirect.engines import ChunkResult, Record
from semidirect.specification import RunSpec

__all__ = ["Arrival", "LastStates"]


@final
class LastStates(Record):
    """Records the final states in the order of the engine, components first in memory, for the next interval."""

    def _end(self, y: np.ndarray, stored: np.ndarray) -> None:
        self.y, self.stored = y.T, stored.T


@final
class Arrival:
    """The :class:`~semidirect.engines.sink.Sink` that collects the final states of chunks, components first in memory."""

    deliver = None

    def __init__(self, spec: RunSpec):
        self.end: dict[str, np.ndarray] = {}
        self.outcome: tuple[np.ndarray, ...] = ()
        if spec.chunks > 1:  # otherwise the arrays of the chunk are used
            n, sizes = spec.paths, {"y": len(spec.contents.state), "stored": len(spec.model.coordinates)}
            self.end = {k: np.empty((d, n)).T for k, d in sizes.items()}
            self.outcome = np.empty(n, np.int8), np.empty(n), np.empty(n, np.int16)

    def accept(self, number: int, result: ChunkResult | None) -> None:
        """Copy the result of a chunk to its place."""
        if result is None:
            return
        outcome = result.status, result.failed_at, result.failed_component
        if not self.end:
            self.end, self.outcome = {"y": result.y, "stored": result.stored}, outcome
            return
        part = slice(result.paths.start, result.paths.stop)
        self.end["y"][part], self.end["stored"][part] = result.y, result.stored
        for ours, theirs in zip(self.outcome, outcome, strict=True):
            ours[part] = theirs
