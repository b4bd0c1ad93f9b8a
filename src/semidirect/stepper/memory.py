"""Memory that the process keeps for the next array."""

from __future__ import annotations

from functools import cache

import numpy as np

__all__ = ["keep_memory"]

LARGEST = 2**21
"""Numbers of an array, 16 MB."""


@cache
def keep_memory() -> None:
    """Let the C library keep the memory of arrays that are freed, where it would return it to the system: up to 32 MB.

    An array of a megabyte that is made anew in each step of a loop costs ten times as much to make as to fill: the system
    clears its pages. The library of Linux keeps pieces up to the size of the largest that was ever freed, so that it is enough to
    free one, which nobody has touched.
    """
    np.empty(LARGEST)
