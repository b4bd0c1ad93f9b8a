"""Names that are nearly those of something else."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

SHORT = 5
"""Names of so many letters or fewer have one edit at most: with two, ``shape`` becomes ``space``, and ``group`` ``ground``."""


def edits(a: str, b: str) -> int:
    """How many letters to insert, delete, replace or exchange with their neighbour make one word of another."""
    far, last = len(a) + len(b), dict[str, int]()
    rows = [
        [far] * (len(b) + 2),
        [far, *range(len(b) + 1)],
    ]  # an exchange may have other letters between, hence all rows
    for i, x in enumerate(a, 1):
        row, match = [far, i], 0
        for j, y in enumerate(b, 1):
            exchanged = rows[last.get(y, 0)][match] + (i - last.get(y, 0) - 1) + 1 + (j - match - 1)
            row.append(min(rows[-1][j] + (x != y), row[-1] + 1, rows[-1][j + 1] + 1, exchanged))
            if x == y:
                match = j
        rows.append(row)
        last[x] = i
    return rows[-1][-1]


def letters(name: str) -> str:
    """The letters and digits of a name in one case."""
    return "".join(c for c in name.casefold() if c.isalnum())


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The question that names the known name which is most like another one; empty if none is. Dashes in front do not count."""
    names = {one.lstrip("-"): one for one in known}
    bare = name.lstrip("-")
    near = nearest(bare, names) or next(iter(get_close_matches(bare, names, n=1)), None)
    return "" if near is None else f"Did you mean {names[near]!r}?"


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
