"""Functions of rows of numbers, one column for each path, compiled from a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.compile.lanes import LANES
from semidirect.compile.load_function import loaded

if TYPE_CHECKING:
    from semidirect.compile.loop_function import LoopFunction

__all__ = ["RowFunction", "apart", "width_of"]


@final
class RowFunction:
    """A compiled function of arrays ``(rows, n)`` and of numbers that all columns share.

    Parameters
    ----------
    described : str
        As :attr:`.LoopFunction.described` of a :func:`~.function_of_rows.function_of_rows`.
    made : callable
        Returns that function; it is called if it has to be compiled.
    purpose : str
        For what it is compiled; the log says it.
    """

    def __init__(self, description: str, make: Callable[[], LoopFunction], purpose: str):
        self._code, facts = loaded(description, make, purpose)
        self._memory, self._rows = sum(facts["rows"]) * LANES, facts["rows"][-1]

    def __call__(self, arrays: Sequence[np.ndarray], numbers: Iterable[float] = ()) -> np.ndarray:
        """The results ``(rows, n)`` of arrays of doubles ``(rows, n)``, each with the number of rows that was declared."""
        n = arrays[0].shape[1]
        arrays = [apart(a) for a in arrays]
        out = np.empty((self._rows, n))
        scalars = np.array([*numbers, 0.0], dtype=float)
        self._code(*arrays, scalars, out, np.zeros(self._memory), n,
                   *map(width_of, arrays))  # fmt: skip
        return out


def apart(rows: np.ndarray) -> np.ndarray:
    """Rows of doubles, each contiguous in memory; the same array if they are."""
    return rows if rows.strides[1] == rows.itemsize else np.ascontiguousarray(rows)


def width_of(rows: np.ndarray) -> int:
    """By how many numbers such rows are apart."""
    return rows.strides[0] // rows.itemsize
