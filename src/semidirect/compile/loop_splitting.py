"""Cutting a long loop over lanes into loops over pieces of its body.

A processor works on the next lanes while it waits for the results of these, but looks only some hundreds of instructions
ahead: of a body as long as two evaluations of the equations it sees one stretch of dependent operations. Pieces are cut
where few values have to be carried over, in rows of lanes. A body of many independent operations stays whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

LONGEST, SHORTEST = 240, 40
"""Lines of a piece."""
LENGTH = 20.0
"""A piece of n lines costs (n / LENGTH)², each value carried over a cut 1; chosen by measurement."""

WIDE = 20
"""A body with more lines than this for each line of its longest chain keeps a processor busy by itself: it stays whole.

A body of eight bodies side by side has 46, those of single bodies have 5 to 10.
"""

NAME = re.compile(r"\b[a-z]\w*\b(?![\[(])")
"""The names that a line reads or binds, without functions and rows."""
_PLACE = re.compile(r"\w+\[[^\]]*\]")
_WANTED = "wanted"


class Cells(Protocol):
    """Rows of lanes for values that are carried over."""

    def take(self) -> str:
        """A row that holds nothing that is still read."""

    def give(self, place: str) -> None:
        """A row back."""


def pieces(lines: Sequence[str], cells: Cells, wanted: Sequence[str] = ()) -> list[list[str]]:
    """The lines of a body, each ``name = code`` or ``place = code``, as bodies that follow one another over all lanes.

    Parameters
    ----------
    cells : Cells
        Where values are carried over; all are given back.
    wanted : sequence of str
        Names that what follows the last body reads.
    """
    lines = _read([*lines, f"{_WANTED} = {', '.join(wanted)}"])
    if len(lines) <= 2 * SHORTEST:
        return [lines[:-1]]
    body = _Body(lines)
    if len(lines) > WIDE * body.longest_chain():
        return [lines[:-1]]
    *others, last = body.cut([*body.cuts(), len(body.lines)], cells)
    return [*others, last[:-1]]


def _read(lines: Sequence[str]) -> list[str]:
    """The lines without those that bind what nobody reads: the compiler would keep what is carried over for them."""
    read, kept = {_WANTED}, list[str]()
    for line in reversed(lines):
        left, right = line.split(" = ", 1)
        if "[" in left or left in read:
            kept.append(line)
            read |= set(NAME.findall(right))
    return kept[::-1]


class _Body:
    def __init__(self, lines: Sequence[str]):
        self.lines = lines
        split = [line.split(" = ", 1) for line in lines]
        self.made = {left: k for k, (left, _) in enumerate(split) if "[" not in left}
        self.uses = [[n for n in dict.fromkeys(NAME.findall(right)) if n in self.made] for _, right in split]
        self.again = self._cheap(split)
        self.last: dict[str, int] = {}
        for k, names in enumerate(self.uses):
            self.last |= dict.fromkeys(names, k)

    def _cheap(self, split: Sequence[list[str]]) -> set[str]:
        """Values that are computed again rather than carried over: those equal in all lanes, and loads of unmodified data."""
        written = {left for left, _ in split if "[" in left}
        cheap: set[str] = set()
        same: set[str] = set()
        for (left, right), names in zip(split, self.uses, strict=True):
            if "[" not in right and same.issuperset(names) and "[" not in left:
                same.add(left)
            if _PLACE.fullmatch(right) and right not in written:
                cheap.add(left)
        return cheap | same

    def longest_chain(self) -> int:
        """The number of lines of which each needs the one before."""
        depth: list[int] = []
        for names in self.uses:
            depth.append(1 + max((depth[self.made[name]] for name in names), default=0))
        return max(depth)

    def cuts(self) -> list[int]:
        """Where to cut, so that pieces are not too long and little is carried over."""
        n = len(self.lines)
        living = [0] * (n + 1)
        for name, made in self.made.items():
            if name not in self.again and name in self.last:
                living[made + 1] += 1
                living[self.last[name] + 1] -= 1
        for k in range(1, n + 1):
            living[k] += living[k - 1]
        best = [(0.0, 0)] + [(math.inf, 0)] * n
        for end in range(SHORTEST, n + 1):
            price = living[end] if end < n else 0
            best[end] = min((best[k][0] + ((end - k) / LENGTH) ** 2 + price, k)
                            for k in range(max(0, end - LONGEST), end - SHORTEST + 1))  # fmt: skip
        found, end = [], best[n][1]
        while end > 0:
            found.append(end)
            end = best[end][1]
        return found[::-1]

    def cut(self, ends: Sequence[int], cells: Cells) -> list[list[str]]:
        """The pieces that end at these lines, each with loads of values from earlier pieces and stores for later ones."""
        spans = list(pairwise([0, *ends]))
        brought = [self._brought(start, end) for start, end in spans]
        read = {name: k for k, names in enumerate(brought) for name in names if name not in self.again}
        homes: dict[str, str] = {}
        bodies: list[list[str]] = []
        for k, (start, end) in enumerate(spans):
            loads = [self.lines[self.made[n]] if n in self.again else f"{n} = {homes[n]}" for n in brought[k]]
            for name in brought[k]:  # loaded before this piece stores anything: its cell can take another value
                if read.get(name) == k:
                    cells.give(homes[name])
            here = [name for name, made in self.made.items() if start <= made < end and name in read]
            homes |= {name: cells.take() for name in here}
            bodies.append([*loads, *self.lines[start:end], *(f"{homes[name]} = {name}" for name in here)])
        return bodies

    def _brought(self, start: int, end: int) -> list[str]:
        """The earlier values that lines read, each after those that it is computed from again."""
        found: dict[str, None] = {}

        def bring(name: str) -> None:
            if name in found or self.made[name] >= start:
                return
            if name in self.again:
                for other in self.uses[self.made[name]]:
                    bring(other)
            found[name] = None

        for names in self.uses[start:end]:
            for name in names:
                bring(name)
        return list(found)
