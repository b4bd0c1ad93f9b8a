"""How the paths of a run are cut into chunks, for the run and for its store alike."""

from __future__ import annotations

from typing import final


class Chunked:
    """Something with ``paths`` paths in chunks of ``chunk_paths``, the last one shorter where they do not divide."""

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
