"""Names that are nearly those of something else."""

from __future__ import annotations

from collections.abc import Iterable

SHORT = 5
"""Names of so many letters or fewer have one edit at most: with two, ``shape`` becomes ``space``, and ``group`` ``ground``."""


def edits(a: str, b: str) -> int:
    """How many letters to insert, delete, replace or exchange with their neighbour make one word of another."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[-1] = min(row[-1], older[j - 2] + 1)
    return row[-1]


def letters(name: str) -> str:
    """The letters and digits of a name in one case."""
    return "".join(c for c in name.casefold() if c.isalnum())


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that another one seems to be meant for: two edits at most, or other cases and underscores; else ``None``.

    Plurals are among them. Of short names it is one edit.
    """
    found = []
    for other in known:
        word, meant = letters(name), letters(other)
        most = 1 if len(meant) <= SHORT else 2
        distance = 0 if word == meant else min(edits(word, meant), edits(name.casefold(), other.casefold()))
        if distance <= most:
            found.append((distance, other))
    return min(found)[1] if found else None
