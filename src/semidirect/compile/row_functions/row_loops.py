"""Functions of rows of numbers from a trace: loops over blocks of columns around the bodies of a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from semidirect.compile.lane_code import LaneCode
from semidirect.compile.lanes import LANES
from semidirect.compile.line import load
from semidirect.compile.llvm_printer import Rows
from semidirect.compile.loop_function import LoopFunction, body_calls, on_lanes
from semidirect.compile.tracer import Trace, inputs
from semidirect.compile.variant import WIDEST
from semidirect.instructions import Instruction, InstructionList

__all__ = ["function_of_rows", "of_rows"]


def function_of_rows(function: Callable[[Trace, list[np.ndarray], np.ndarray], Sequence[Any]], rows: Sequence[int],
                     numbers: int = 0) -> LoopFunction:  # fmt: skip
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


def of_rows(program: InstructionList, rows: Sequence[int], numbers: int) -> LoopFunction:
    """The same of a program whose inputs are the arrays ``x0``, ``x1``, … and the numbers ``q``."""
    names, ends = [f"x{k}" for k in range(len(rows))], np.cumsum([0, *rows]).tolist()
    first = dict(zip(names, ends, strict=False))

    def place_of(data: tuple[str, int]) -> Instruction:
        name, index = data
        return Instruction("argument", (), f"q{index}") if name == "q" else load(("row", first[name] + index))

    count = len(program.results)
    code = LaneCode(program, place_of, [("row", ends[-1] + i) for i in range(count)])
    sources = {line.instruction.data for phase in code.phases for body in phase.bodies for line in body.lines}
    head = ", ".join(f"{name}: f8[:, width{k}]" for k, name in enumerate(names))
    widths = ", ".join(f"width{k}: i8" for k in range(len(rows)))
    (calls,) = body_calls(code)
    text = [
        f"def run({head}, q: f8[:], out: f8[:, n], B: f8[:], n: i8, {widths}):",
        f"    prefer_vectors({WIDEST})",
        *(f"    q{i} = q[{i}]" for i in range(numbers)),
        f"    for b in range((n + {LANES - 1}) >> {LANES.bit_length() - 1}):",
        f"        start = {LANES} * b",
        f"        count = n - start if n - start < {LANES} else {LANES}",
        *(line for name, number in zip(names, rows, strict=True) for i in range(number)
          if ("row", first[name] + i) in sources for line in _copied(f"{_row(first[name] + i)} = {name}[{i}, start + j]")),
        *(f"        {line}" for call in calls for line in on_lanes([call])),
        *(line for i in range(count) for line in _copied(f"out[{i}, start + j] = {_row(ends[-1] + i)}")),
    ]  # fmt: skip
    whole = "\n".join(text).replace("LANES", str(LANES)) + "\n"
    cells = Rows("B", ("+j",), LANES, ends[-1] + count)
    places = {"row": Rows("B", ("+j",), LANES), "cell": cells, "piece": cells}
    return LoopFunction(whole, code, places, {"rows": [*rows, code.cells, count]})


def _row(number: int) -> str:
    return f"B[{LANES} * {number} + j]"


def _copied(line: str) -> list[str]:
    """The copy of a row of a block, of which the last may be shorter."""
    return ["        for j in range(count):", f"            {line}"]
