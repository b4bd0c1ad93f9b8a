"""Names that are nearly those of something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

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


def fewest_edits(a: str, b: str) -> int:
    """At least so many :func:`edits`: each changes one letter, wherever it stands. Found in a tenth of the time."""
    letters_a, letters_b = Counter(a), Counter(b)
    return max((letters_a - letters_b).total(), (letters_b - letters_a).total())


def letters(name: str) -> str:
    """The letters and digits of a name in one case."""
    return "".join(c for c in name.casefold() if c.isalnum())


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """The question that names the known name which is most like another one; empty if none is. Dashes in front do not count."""
    names = {one.lstrip("-"): one for one in choices}
    bare = name.lstrip("-")
    near = nearest(bare, names) or nearest_name(bare, names)
    return "" if near is None else f"Did you mean {names[near]!r}?"


def nearest(name: str, choices: Iterable[str]) -> str | None:
    """The known name that is probably meant: at most two edits away, or with other case and underscores; else ``None``.

    Plurals are among them. Of short names it is one edit.
    """
    candidates, word = [], letters(name)
    for other in choices:
        other_word = letters(other)
        most = 0 if len(word) < 2 else 1 if len(other_word) <= SHORT else 2
        pairs = {(word, other_word), (name.casefold(), other.casefold())}
        distances = [0] if word == other_word else [edits(a, b) for a, b in pairs if fewest_edits(a, b) <= most]
        if distances and min(distances) <= most:
            candidates.append((min(distances), other))
    return min(candidates)[1] if candidates else None


def nearest_name(name: object, choices: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """The known name that is most alike, whatever the case of the letters, hyphens, underscores and spaces; ``None`` if none is
    as alike, 1 being the same, and for a single letter. Less strict than :func:`nearest`, for questions.
    """
    import difflib

    if not isinstance(name, str) or len(letters(name)) < 2:
        return None
    names = list(choices)
    near = difflib.get_close_matches(name, names, n=1, cutoff=max(likeness, 0.75))
    plain = {letters(one): one for one in reversed(names)}
    alike = near or difflib.get_close_matches(letters(name), [*plain], n=1, cutoff=likeness)
    return None if not alike else plain.get(alike[0], alike[0])
