"""Functions of rows of numbers, one column for each path, compiled from a trace."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, final

import numpy as np

from semidirect.compile.kernel import EVERY_LANE, LANES, WIDEST, library, vocabulary
from semidirect.compile.loop_splitting import pieces
from semidirect.compile.tracer import Trace, inputs

__all__ = ["RowFunction", "apart", "source", "width_of"]


@final
class RowFunction:
    """A compiled function of arrays ``(rows, n)`` and of numbers that all columns share.

    Parameters
    ----------
    text : str
        As :func:`source` writes it.
    purpose : str
        For what it is compiled; the log says it.
    """

    def __init__(self, text: str, purpose: str):
        from semidirect.core.cache.machine_code import compiled

        counts = [int(number) for number in text.partition("\n")[0].partition(": ")[2].split(", ")]
        self._code = compiled(text, "run", vocabulary(), library=library(), purpose=purpose)
        self._memory, self._rows = sum(counts) * LANES, counts[-1]

    def __call__(self, arrays: Sequence[np.ndarray], numbers: Iterable[float] = ()) -> np.ndarray:
        """The results ``(rows, n)`` of arrays of doubles ``(rows, n)``, each with the number of rows that was declared."""
        n = arrays[0].shape[1]
        arrays = [apart(a) for a in arrays]
        out = np.empty((self._rows, n))
        given = np.array([*numbers, 0.0], dtype=float)
        self._code(*arrays, given, out, np.zeros(self._memory), n,
                   *map(width_of, arrays))  # fmt: skip
        return out


def apart(rows: np.ndarray) -> np.ndarray:
    """Rows of doubles, each contiguous in memory; the same array if they are."""
    return rows if rows.strides[1] == rows.itemsize else np.ascontiguousarray(rows)


def width_of(rows: np.ndarray) -> int:
    """By how many numbers such rows are apart."""
    return rows.strides[0] // rows.itemsize


def source(function: Callable[[Trace, list[np.ndarray], np.ndarray], Sequence[Any]], rows: Sequence[int], numbers: int = 0
           ) -> str:  # fmt: skip
    """The text of a function, which looks up no tables.

    Parameters
    ----------
    function : callable
        Gives the rows of the results from the trace, the rows of each array, and the numbers.
    rows : sequence of int
        How many rows each array has.
    numbers : int
        How many numbers all columns share.
    """
    trace = Trace()
    ends = np.cumsum([0, *rows]).tolist()
    given = [
        np.array([trace.input(_place(first + i)) for i in range(count)], dtype=object)
        for first, count in zip(ends, rows, strict=False)
    ]
    results = [trace.use(value) for value in function(trace, given, inputs(trace, "q{}", numbers))]
    (phase,) = trace.phases
    lines = [*phase.lines, *(f"{_place(ends[-1] + i)} = {value}" for i, value in enumerate(results))]
    bodies, read = pieces(lines, trace), {line.partition(" = ")[2] for line in lines}
    counts = [*rows, len(trace.cells), len(results)]
    cells, out = ends[-1] + len(results), ends[-1]
    arrays = [f"x{k}" for k in range(len(rows))]
    head = ", ".join(f"{name}: f8[:, width{k}]" for k, name in enumerate(arrays))
    widths = ", ".join(f"width{k}: i8" for k in range(len(rows)))
    text = [
        f"# rows: {', '.join(map(str, counts))}",
        f"def run({head}, q: f8[:], out: f8[:, n], B: f8[:], n: i8, {widths}):",
        f"    prefer_vectors({WIDEST})",
        *(f"    q{i} = q[{i}]" for i in range(numbers)),
        f"    for b in range((n + {LANES - 1}) >> {LANES.bit_length() - 1}):",
        f"        start = {LANES} * b",
        f"        count = select(n - start < {LANES}, n - start, {LANES})",
        *(line for name, first, count in zip(arrays, ends, rows, strict=False) for i in range(count)
          if _place(first + i) in read for line in _copied(f"{_place(first + i)} = {name}[{i}, start + j]")),
        *(f"        {line}" for body in bodies for line in (EVERY_LANE, *(f"    {part}" for part in body))),
        *(line for i in range(len(results)) for line in _copied(f"out[{i}, start + j] = {_place(out + i)}")),
    ]  # fmt: skip
    whole = "\n".join(text) + "\n"
    whole = re.sub(r"cell\[(\d+), j\]", lambda k: _place(cells + int(k[1])), whole)
    whole = re.sub(r"row\[(\d+), j\]", lambda k: f"B[{LANES * int(k[1])} + j]", whole)
    return whole.replace("LANES", str(LANES))


def _place(row: int) -> str:
    return f"row[{row}, j]"


def _copied(line: str) -> list[str]:
    """The copy of a row of a block, of which the last may be shorter."""
    return ["        for j in range(count):", f"            {line}"]
