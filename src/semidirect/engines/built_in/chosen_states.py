"""States of an ensemble after a selection, which are copied to where they are needed first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.compile import row_functions
from semidirect.machine import machine_function

if TYPE_CHECKING:
    from semidirect.compile import KernelCall, LatticeCall


@final
class ChosenStates(Mapping[str, np.ndarray]):
    """Arrays ``(paths, d)`` by name, of which each row is one of those of other arrays; they are made when they are asked for.

    Parameters
    ----------
    arrays : dict name → array (paths, d)
        Components first in memory.
    which : int array (paths,)
        The rows.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], which: np.ndarray):
        self._arrays: Mapping[str, np.ndarray] = arrays
        self._which = which
        self._made: dict[str, np.ndarray] = {}
        if isinstance(arrays, ChosenStates) and not arrays._made:
            self._arrays, self._which = arrays._arrays, arrays._which[which]

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._made:
            self._made[name] = _selected(self._arrays[name].T, self._which).T
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def in_lanes(self, name: str, call: KernelCall | LatticeCall) -> np.ndarray:
        """The array as ``(blocks, d, lanes)``, as :meth:`.KernelCall.in_lanes` makes it."""
        if name in self._made:
            return call.in_lanes(self._made[name].T)
        lanes = call.lanes
        rows, blocks = row_functions.apart(self._arrays[name].T), -(-len(self._which) // lanes)
        out = np.empty((blocks, len(rows), lanes))
        _to_lanes(rows, self._which, out, blocks, len(rows), lanes, row_functions.width_of(rows), len(self._which))
        return out


@machine_function(
    X="f8[:, width]", which="i8[:]", out="f8[:, d, lanes]", blocks="i8", d="i8", lanes="i8", width="i8", n="i8"
)
def _to_lanes(X, which, out, blocks, d, lanes, width, n):  # type: ignore[no-untyped-def]
    """Chosen columns of rows in blocks of lanes, the last one repeated."""
    for b in range(blocks):
        for i in range(d):
            for j in range(lanes):
                at = lanes * b + j if lanes * b + j < n else n - 1
                out[b, i, j] = X[i, which[at]]


def _selected(rows: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Columns of rows, taken row by row: many times as fast as all at once."""
    out = np.empty((len(rows), len(which)))
    for row, target in zip(rows, out, strict=True):
        row.take(which, out=target, mode="clip")  # the other modes copy once more
    return out
