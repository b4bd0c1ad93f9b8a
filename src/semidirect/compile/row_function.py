"""Functions of rows of numbers, one column for each path, compiled from a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, final

import numpy as np

from semidirect.compile.kernel import LANES
from semidirect.compile.lane_code import LaneCode
from semidirect.compile.lane_function import LaneFunction, body_calls, loaded, on_lanes
from semidirect.compile.line import load
from semidirect.compile.llvm_printer import Rows
from semidirect.compile.tracer import Trace, inputs
from semidirect.compile.variant import WIDEST
from semidirect.instructions.instruction import Instruction
from semidirect.instructions.instruction_list import InstructionList

__all__ = ["RowFunction", "apart", "of_rows", "row_function", "width_of"]


@final
class RowFunction:
    """A compiled function of arrays ``(rows, n)`` and of numbers that all columns share.

    Parameters
    ----------
    described : str
        As :attr:`.LaneFunction.described` of a :func:`row_function`.
    made : callable
        Returns that function; it is called if it has to be compiled.
    purpose : str
        For what it is compiled; the log says it.
    """

    def __init__(self, described: str, made: Callable[[], LaneFunction], purpose: str):
        self._code, facts = loaded(described, made, purpose)
        self._memory, self._rows = sum(facts["rows"]) * LANES, facts["rows"][-1]

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


def row_function(function: Callable[[Trace, list[np.ndarray], np.ndarray], Sequence[Any]], rows: Sequence[int], numbers: int = 0
                 ) -> LaneFunction:  # fmt: skip
    """The function of rows that a function of scalars gives, which looks up no tables.

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
    arrays = [inputs(trace, f"x{k}", count) for k, count in enumerate(rows)]
    return of_rows(trace.program(function(trace, arrays, inputs(trace, "q", numbers))), rows, numbers)


def of_rows(program: InstructionList, rows: Sequence[int], numbers: int) -> LaneFunction:
    """The same of a program whose inputs are the arrays ``x0``, ``x1``, … and the numbers ``q``."""
    names, ends = [f"x{k}" for k in range(len(rows))], np.cumsum([0, *rows]).tolist()
    first = dict(zip(names, ends, strict=False))

    def place_of(data: tuple[str, int]) -> Instruction:
        name, index = data
        return Instruction("argument", (), f"q{index}") if name == "q" else load(("row", first[name] + index))

    count = len(program.results)
    code = LaneCode(program, place_of, [("row", ends[-1] + i) for i in range(count)])
    read = {line.instruction.data for phase in code.phases for body in phase.bodies for line in body.lines}
    head = ", ".join(f"{name}: f8[:, width{k}]" for k, name in enumerate(names))
    widths = ", ".join(f"width{k}: i8" for k in range(len(rows)))
    (calls,) = body_calls(code)
    text = [
        f"def run({head}, q: f8[:], out: f8[:, n], B: f8[:], n: i8, {widths}):",
        f"    prefer_vectors({WIDEST})",
        *(f"    q{i} = q[{i}]" for i in range(numbers)),
        f"    for b in range((n + {LANES - 1}) >> {LANES.bit_length() - 1}):",
        f"        start = {LANES} * b",
        f"        count = select(n - start < {LANES}, n - start, {LANES})",
        *(line for name, number in zip(names, rows, strict=True) for i in range(number)
          if ("row", first[name] + i) in read for line in _copied(f"{_row(first[name] + i)} = {name}[{i}, start + j]")),
        *(f"        {line}" for call in calls for line in on_lanes([call])),
        *(line for i in range(count) for line in _copied(f"out[{i}, start + j] = {_row(ends[-1] + i)}")),
    ]  # fmt: skip
    whole = "\n".join(text).replace("LANES", str(LANES)) + "\n"
    places = {"row": Rows("B", ("+j",), LANES), "cell": Rows("B", ("+j",), LANES, ends[-1] + count)}
    return LaneFunction(whole, code, places, {"rows": [*rows, code.cells, count]})


def _row(number: int) -> str:
    return f"B[{LANES} * {number} + j]"


def _copied(line: str) -> list[str]:
    """The copy of a row of a block, of which the last may be shorter."""
    return ["        for j in range(count):", f"            {line}"]
