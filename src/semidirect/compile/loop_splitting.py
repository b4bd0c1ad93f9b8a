"""Cutting a long loop over lanes into loops over pieces of its body.

A processor works on the next lanes while it waits for the results of these, but looks only some hundreds of instructions
ahead: of a body as long as two evaluations of the equations it sees one stretch of dependent operations. Pieces are cut
where few values have to be carried over, in rows of lanes.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise

LONGEST, SHORTEST = 240, 40
"""Lines of a piece."""
LENGTH = 20.0
"""A piece of n lines costs (n / LENGTH)², each value carried over a cut 1; chosen by measurement."""

NAME = re.compile(r"\b[a-z]\w*\b(?![\[(])")
"""The names that a line reads or binds, without functions and rows."""
_PLACE = re.compile(r"\w+\[[^\]]*\]")
_WANTED = "wanted"


def pieces(lines: Sequence[str], carried: Callable[[str], str], wanted: Sequence[str] = ()) -> list[list[str]]:
    """The lines of a body, each ``name = code`` or ``place = code``, as bodies that follow one another over all lanes.

    Parameters
    ----------
    carried : callable
        Gives the place in which a value of a name is carried over.
    wanted : sequence of str
        Names that what follows the last body reads.
    """
    lines = _read([*lines, f"{_WANTED} = {', '.join(wanted)}"])
    if len(lines) <= 2 * SHORTEST:
        return [lines[:-1]]
    body = _Body(lines)
    *others, last = body.cut([*body.cuts(), len(body.lines)], carried)
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

    def cut(self, ends: Sequence[int], carried: Callable[[str], str]) -> list[list[str]]:
        """The pieces that end at these lines, each with loads of values from earlier pieces and stores for later ones."""
        bodies: list[list[str]] = []
        kept: list[dict[str, str]] = [{} for _ in ends]

        def bring(name: str, start: int, before: dict[str, str]) -> None:
            """Write into ``before`` the load of a name for a piece that begins at ``start``."""
            made = self.made[name]
            if name in before or made >= start:
                return
            if name in self.again:
                for other in self.uses[made]:
                    bring(other, start, before)
                before[name] = self.lines[made]
                return
            home = kept[bisect_right(ends, made)]
            if name not in home:
                home[name] = carried(name)
            before[name] = f"{name} = {home[name]}"

        for start, end in pairwise([0, *ends]):
            before: dict[str, str] = {}
            for names in self.uses[start:end]:
                for name in names:
                    bring(name, start, before)
            bodies.append([*before.values(), *self.lines[start:end]])
        return [[*body, *(f"{place} = {name}" for name, place in home.items())]
                for body, home in zip(bodies, kept, strict=True)]  # fmt: skip
