"""How many paths stand side by side in a block of a kernel."""

from __future__ import annotations

__all__ = ["FEWEST_ITERATED", "FEWEST_LANES", "LANES", "WORKING_SET", "lanes_for"]

LANES = 64
"""Paths in a block at most."""
FEWEST_LANES = 8
"""In a block of a system however large: a vector of the widest processors holds so many numbers."""
FEWEST_ITERATED = 16
"""The same where a step iterates until all lanes have converged: the compiler makes no vectors of such loops over 8 lanes,
and a step of the Routh sphere by ``implicit-midpoint`` takes 3 to 4 times as long.
"""
WORKING_SET = 2**15
"""Bytes that the rows of a block may take, so that they stay in the cache that a processor reads at once: 32 kB or more."""


def lanes_for(rows: int) -> int:
    """The number of lanes with this many rows that fit into the processor's cache: a power of two from 8 to 64."""
    lanes = LANES
    while lanes > FEWEST_LANES and 8 * rows * lanes > WORKING_SET:
        lanes //= 2
    return lanes
