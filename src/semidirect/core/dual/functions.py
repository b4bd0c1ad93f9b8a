"""Functions of numbers and dual numbers alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from semidirect.core import ops
from semidirect.core.exact import objects


def rows(entries: Sequence[Any]) -> np.ndarray:
    """Numbers of several components: an array ``(n, …)`` of floats, or a vector of scalars that are not arrays."""
    if any(isinstance(x, ops.Scalar) for x in entries):
        return objects(entries)
    return ops.stack(entries)


def largest(entries: np.ndarray) -> Any:
    """The largest size of the components."""
    size = ops.absolute(entries[0])
    for row in entries[1:]:
        size = ops.maximum(size, ops.absolute(row))
    return size
