"""Cutting a long loop over lanes into loops over pieces of its body.

A processor works on the next lanes while it waits for the results of these, but looks only some hundreds of instructions
ahead: of a body as long as two evaluations of the equations it sees one stretch of dependent operations. Pieces are cut
where few values have to be carried over, in rows of lanes. A body of many independent operations stays whole.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from semidirect.compile.line import STORE, WRITES, Line, Place, load
from semidirect.instructions import Instruction

LONGEST, SHORTEST = 240, 40
"""Lines of a piece."""
LENGTH = 20.0
"""A piece of n lines costs (n / LENGTH)², each value carried over a cut 1; chosen by measurement."""

WIDE = 20
"""A body with more lines than this for each line of its longest chain keeps a processor busy by itself: it stays whole.

A body of eight bodies side by side has 46, those of single bodies have 5 to 10.
"""

_LAST = "last"
"""The operation of a line that stands for what follows the last body."""


class Cells(Protocol):
    """Rows of lanes for values that are carried over."""

    def take(self) -> Place:
        """A row that holds nothing that is still read."""

    def give(self, place: Place) -> None:
        """A row back."""


def pieces(lines: Sequence[Line], cells: Cells, results: Sequence[int] = ()) -> list[list[Line]]:
    """The lines of a body as bodies that follow one another over all lanes.

    Parameters
    ----------
    cells : Cells
        Where values are carried over; all are given back.
    results : sequence of int
        Numbers of the values that what follows the last body reads.
    """
    lines = _read([*lines, Line(-1, Instruction(_LAST, tuple(results)))])
    if len(lines) <= 2 * SHORTEST:
        return [lines[:-1]]
    body = _Body(lines)
    if len(lines) > WIDE * body.longest_chain():
        return [lines[:-1]]
    *others, last = body.cut([*body.cuts(), len(body.lines)], cells)
    return [*others, last[:-1]]


def _read(lines: Sequence[Line]) -> list[Line]:
    """The lines without those whose value nobody reads: the compiler would keep what is carried over for them."""
    operand_numbers, live_lines = set[int](), list[Line]()
    for line in reversed(lines):
        if line.number < 0 or line.number in operand_numbers:
            live_lines.append(line)
            operand_numbers.update(line.instruction.operands)
    return live_lines[::-1]


class _Body:
    def __init__(self, lines: Sequence[Line]):
        self.lines = lines
        self.positions = {line.number: k for k, line in enumerate(lines) if line.number >= 0}
        self.uses = [[n for n in dict.fromkeys(line.instruction.operands) if n in self.positions] for line in lines]
        self.again = self._cheap()
        self.last: dict[int, int] = {}
        for k, numbers in enumerate(self.uses):
            self.last |= dict.fromkeys(numbers, k)

    def _cheap(self) -> set[int]:
        """Values that are computed again rather than carried over: those equal in all lanes, and loads of unmodified data."""
        destinations = {line.instruction.data for line in self.lines if line.instruction.operation in WRITES}
        cheap: set[int] = set()
        same: set[int] = set()
        for line, numbers in zip(self.lines, self.uses, strict=True):
            if line.instruction.operation == "load":
                if line.instruction.data not in destinations:
                    cheap.add(line.number)
            elif line.number >= 0 and same.issuperset(numbers):
                same.add(line.number)
        return cheap | same

    def longest_chain(self) -> int:
        """The number of lines of which each needs the one before."""
        depth: list[int] = []
        for names in self.uses:
            depth.append(1 + max((depth[self.positions[name]] for name in names), default=0))
        return max(depth)

    def cuts(self) -> list[int]:
        """Where to cut, so that pieces are not too long and little is carried over."""
        n = len(self.lines)
        living = [0] * (n + 1)
        for number, position in self.positions.items():
            if number not in self.again and number in self.last:
                living[position + 1] += 1
                living[self.last[number] + 1] -= 1
        for k in range(1, n + 1):
            living[k] += living[k - 1]
        best = [(0.0, 0)] + [(math.inf, 0)] * n
        for end in range(SHORTEST, n + 1):
            price = living[end] if end < n else 0
            best[end] = min((best[k][0] + ((end - k) / LENGTH) ** 2 + price, k)
                            for k in range(max(0, end - LONGEST), end - SHORTEST + 1))  # fmt: skip
        ends, end = list[int](), best[n][1]
        while end > 0:
            ends.append(end)
            end = best[end][1]
        return ends[::-1]

    def cut(self, ends: Sequence[int], cells: Cells) -> list[list[Line]]:
        """The pieces that end at these lines, each with loads of values from earlier pieces and stores for later ones."""
        spans = list(pairwise([0, *ends]))
        inputs = [self._brought(start, end) for start, end in spans]
        last_use = {number: k for k, numbers in enumerate(inputs) for number in numbers if number not in self.again}
        homes: dict[int, Place] = {}
        bodies: list[list[Line]] = []
        for k, (start, end) in enumerate(spans):
            loads = [self.lines[self.positions[n]] if n in self.again else Line(n, load(homes[n])) for n in inputs[k]]
            for number in inputs[k]:  # loaded before this piece stores anything: its cell can take another value
                if last_use.get(number) == k:
                    cells.give(homes[number])
            here = [
                number for number, position in self.positions.items() if start <= position < end and number in last_use
            ]
            homes |= {number: cells.take() for number in here}
            stores = [Line(-1, Instruction(STORE, (number,), homes[number])) for number in here]
            bodies.append([*loads, *self.lines[start:end], *stores])
        return bodies

    def _brought(self, start: int, end: int) -> list[int]:
        """The earlier values that lines read, each after those that it is computed from again."""
        inputs: dict[int, None] = {}

        def bring(number: int) -> None:
            if number in inputs or self.positions[number] >= start:
                return
            if number in self.again:
                for other in self.uses[self.positions[number]]:
                    bring(other)
            inputs[number] = None

        for numbers in self.uses[start:end]:
            for number in numbers:
                bring(number)
        return list(inputs)
