"""Lines of LaTeX broken to the text width of an article."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from semidirect.pages.glyph_widths import NOTHING, Box, boxes, width

TEXT_WIDTH = 33.5
"""Of an article at 10 pt, in em: 345 pt, less 10 pt."""
WIDEST_LEFT = 8.0
"""Of a left side that stands in the column of its own; a wider one is put before its right side."""
INDENT = 1.0
_AGAIN = r"&\quad "
_PREFIX = re.compile(r"\\mathrm\{[dD]\}.*|\\mathbb\{I\}|\\(delta|partial|sin|cos|tan|exp|log|max|min)(\^.*)?")
"""What stays with the letter behind it."""

_OPERATORS = ("times", "cdot", "circ", "quad", "partial", "delta", "diamond", "int")
_NO_FACTOR = "".join(rf"(?<!\\{word})" for word in _OPERATORS)
_WORD = r"\\mathrm\{(?:[A-Za-z]|\\_){2,}\}"
_MARKS = r"(?:[_^](?:\{[^{}]*\}|\w))*"
_FACTOR = rf"[A-Za-z0-9(]|\\(?!(?:{'|'.join(_OPERATORS)}|right)\b|mathrm\{{d\}})[A-Za-z]"


def aligned(lines: Sequence[str]) -> str:
    """An ``align*`` environment of equations ``left &= right``, those that are too wide broken at their signs."""
    parts = [_spaced(line).partition("&") for line in lines]
    lefts = [width(left) for left, _, _ in parts]
    column = max((x for x in lefts if x <= WIDEST_LEFT), default=0.0)
    rows: list[str] = []
    for (left, _, right), wide in zip(parts, lefts, strict=True):
        if wide > WIDEST_LEFT:
            rows += _broken("", f"{left}{right}", TEXT_WIDTH - column)
        else:
            rows += _broken(left, right, TEXT_WIDTH - column)
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"


def _spaced(line: str) -> str:
    """An equation with a thin space between a factor and a word, as in ``m speed``, which are set without one."""
    line = re.sub(rf"{_NO_FACTOR}(?<=[\w)}}]) (?={_WORD})", r"\,", line)
    return re.sub(rf"({_WORD}{_MARKS}) (?={_FACTOR})", r"\1\,", line)


def _broken(left: str, right: str, most: float) -> list[str]:
    """One equation in as many rows as it needs."""
    if width(right) <= most:
        return [f"{left}&{right}"]
    rest = boxes(right, most / 2)
    rows: list[str] = []
    while True:
        at = _break(rest, most - INDENT * bool(rows))
        rows.append(f"{_AGAIN if rows else f'{left}&'}{_joined(rest[:at])}")
        if at == len(rest):
            return rows
        stretched = _open(rest[:at])
        if stretched:
            rows[-1] += r" \right." * stretched
        rest = [*[Box(r"\left.", NOTHING, "open", stretched=True)] * stretched, *rest[at:]]


def _open(parts: Sequence[Box]) -> int:
    r"""How many brackets of ``\\left`` are open after some parts."""
    return sum((box.kind == "open") - (box.kind == "close") for box in parts if box.stretched)


def _break(parts: Sequence[Box], most: float) -> int:
    """Where a row ends: where everything fits at its end, else before the outermost sign that leaves it half full."""
    total, depth, stretched = 0.0, 0, 0
    places: list[tuple[float, float, int]] = []
    for i, box in enumerate(parts):
        if i and (cost := _cost(parts[i - 1], box)) is not None:
            closed = total + NOTHING * stretched
            if closed <= most or not places:
                places.append((depth + cost, closed, i))
        if total > most and places:  # no later place fits
            break
        total += box.width
        level = (box.kind == "open") - (box.kind == "close")
        depth += level
        stretched += level * box.stretched
    if total <= most or not places:
        return len(parts)
    full = [x for x in places if x[1] >= most / 2] or places
    least = min(cost for cost, _, _ in full)
    return max(i for cost, _, i in full if cost == least)


def _cost(before: Box, box: Box) -> float | None:
    """How little a place is suited for a break; ``None`` where there is none."""
    if before.kind == "comma":
        return 0.5
    if box.kind == "binary":
        return {"+": 0.0, "-": 0.0, r"\times": 2.0}.get(box.tex)
    if before.kind in ("ordinary", "close") and box.kind in ("ordinary", "open") and not _PREFIX.fullmatch(before.tex):
        return 4.0
    return None


def _joined(parts: Sequence[Box]) -> str:
    """The LaTeX of some parts, spaces around signs and between names."""
    out = ""
    for before, box in pairwise((Box("", 0, "open"), *parts)):
        tight = (
            before.kind == "open"
            or box.kind in ("close", "comma")
            or before.tex == r"\,"
            or _PREFIX.fullmatch(before.tex)
        )
        apart = re.search(r"\\[A-Za-z]+$", before.tex) and box.tex[0].isalnum()
        out += box.tex if tight and not apart else f" {box.tex}"
    return out
