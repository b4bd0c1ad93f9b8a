"""The division of the paths of a run into chunks, the same for the run and for its store."""

from __future__ import annotations

from typing import final


class Chunked:
    """Base of objects with ``paths`` paths in chunks of ``chunk_paths``; the last chunk may be shorter."""

    paths: int
    chunk_paths: int

    @property
    @final
    def chunks(self) -> int:
        """The number of chunks."""
        return -(-self.paths // self.chunk_paths)

    @final
    def chunk(self, number: int) -> range:
        """The paths of a chunk."""
        first = number * self.chunk_paths
        return range(first, min(first + self.chunk_paths, self.paths))
