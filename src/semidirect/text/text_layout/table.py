"""Columns of a table, within a width."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from semidirect.text.text_layout.lines import GAP, _words, text_size, text_width

_NARROW_COLUMN = 12
"""To so many characters a column of text may be narrowed, words and all, so that the columns of a table stay side by side."""


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), indent: int = 0,
          width: int | None = None) -> str:  # fmt: skip
    """Aligned columns under a header, if there is one; those in ``right`` are numbers and flush right, the others
    are text and flush left.

    Where it is too wide for the output, the columns of text are broken into lines; where that is not enough, the columns are
    printed in several tables below each other, each with the first column.
    """
    width = (text_width() if width is None else width) - indent
    lines = [list(line) for line in ((header, *rows) if header else rows)]
    columns = list(range(len(lines[0])))
    natural = [max(text_size(line[i]) for line in lines) for i in columns]
    least = [
        n if i in right else min(n, max(_NARROW_COLUMN, text_size(header[i]) if header else 0))
        for i, n in zip(columns, natural, strict=True)
    ]
    words = [max(text_size(word) for line in lines for word in [*line[i].split(), ""]) for i in columns]
    whole = [min(n, max(word, least[i])) for i, (n, word) in enumerate(zip(natural, words, strict=True))]
    parts = [
        _aligned(lines, part, _shared(natural, whole, least, part, width), right) for part in _groups(least, width)
    ]
    return "\n\n".join("\n".join(" " * indent + line for line in part) for part in parts)


def _groups(least: Sequence[int], width: int) -> list[list[int]]:
    """The columns that stand side by side; the first one begins each group."""
    groups = [[0]]
    for i in range(1, len(least)):
        if _total([least[k] for k in (*groups[-1], i)]) > width and len(groups[-1]) > 1:
            groups.append([0])
        groups[-1].append(i)
    return groups


def _shared(
    natural: Sequence[int], whole: Sequence[int], least: Sequence[int], part: Sequence[int], width: int
) -> list[int]:
    """The widths of some columns: their own, less what is too much, which is taken from the widest, if possible without
    breaking a word.
    """
    widths = [natural[i] for i in part]
    while _total(widths) > width:
        spare = [k for k, i in enumerate(part) if widths[k] > whole[i]]
        spare = spare or [k for k, i in enumerate(part) if widths[k] > least[i]]
        if not spare:
            break
        widths[max(spare, key=lambda k: widths[k])] -= 1
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _aligned(
    lines: Sequence[Sequence[str]], part: Sequence[int], widths: Sequence[int], right: Sequence[int]
) -> list[str]:
    out = []
    for line in lines:
        cells = [_cell(line[i], width) for i, width in zip(part, widths, strict=True)]
        for row in zip_longest(*cells, fillvalue=""):
            padded = [_padded(x, width, i in right) for x, i, width in zip(row, part, widths, strict=True)]
            out.append((" " * GAP).join(padded).rstrip())
    return out


def _cell(text: str, width: int) -> list[str]:
    """The lines of a cell; a word that is too long for it is broken."""
    if text_size(text) <= width:
        return [text]
    return [line[i : i + width] for line in _words(text, width).split("\n") for i in range(0, max(len(line), 1), width)]


def _padded(cell: str, width: int, right: bool) -> str:
    space = " " * (width - text_size(cell))
    return space + cell if right else cell + space
