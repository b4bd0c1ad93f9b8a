"""Lines that fit into a width."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import TextIO

PIPE = 120
"""Columns of tables where the output is no terminal, so that what a program reads does not depend on where it was called."""

NARROWEST = 40
"""Columns below which nothing can be laid out: a terminal that is narrower breaks the lines itself."""

WHOLE = 1_000_000
"""Columns of a file, and of equations and messages in a pipe: no line is broken."""

CONTINUED, GAP = 4, 2
"""Columns by which the rest of a broken line is indented, and those between columns of a table."""

_IN_BRACKETS, _INSIDE_A_TERM = 12, 8
"""How many columns may stay empty at the end of a line to break one pair of brackets further out, or between terms."""


def text_width(stream: TextIO | None = None, piped: int = PIPE) -> int:
    """Columns of an output, by default of stdout: ``COLUMNS`` where it is set, those of the terminal, else ``piped``."""
    stream = sys.stdout if stream is None else stream
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and len(columns) < 6 and int(columns) > 0:
        return max(int(columns), NARROWEST)
    try:
        return max(os.get_terminal_size(stream.fileno()).columns or 80, NARROWEST) if stream.isatty() else piped
    except (AttributeError, OSError, ValueError):  # no stream, or none of the system's
        return piped


def wrapped(text: str, width: int | None = None) -> str:
    """The text with its long lines broken at spaces: between terms or after a comma, outside of brackets, where that is near.

    A word that is longer than the line, such as a path, stays whole, so that it can be copied.
    """
    width = text_width() if width is None else width
    return "\n".join(part for line in text.split("\n") for part in _broken(line, width))


def filled(text: str, width: int | None = None) -> str:
    """Paragraphs filled anew where a line of theirs is too long; lists and what is indented keep their lines."""
    width = text_width() if width is None else width
    paragraphs = []
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        plain = not any(re.match(r"\s|[-*+|>] |\d+[.)] ", line) for line in lines)
        if plain and any(text_size(line) > width for line in lines):
            paragraph = _words(" ".join(lines), width)
        paragraphs.append(wrapped(paragraph, width))
    return "\n\n".join(paragraphs)


def text_size(text: str) -> int:
    """How many columns a text takes."""
    return sum(not unicodedata.combining(c) for c in text)


def _words(text: str, width: int) -> str:
    """The words of a text in lines that are as full as they can be."""
    lines = [""]
    for word in text.split():
        if lines[-1] and text_size(lines[-1]) + 1 + text_size(word) > width:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


def _broken(line: str, width: int) -> Iterator[str]:
    """A line in parts that fit, the further ones indented."""
    indent = " " * (min(len(line) - len(line.lstrip()), width // 4) + CONTINUED)
    while text_size(line) > width:
        place = _break(line, width)
        if place is None:
            break
        yield line[:place].rstrip()
        line = indent + line[place:].lstrip()
    yield line


def _break(line: str, width: int) -> int | None:
    """The space at which a line is best broken: the last that fits, unless one shortly before it is between terms."""
    start = len(line) - len(line.lstrip())
    best, cost, depth, size = None, 0, 0, 0
    for i, letter in enumerate(line):
        if letter == " " and i > start and line[i - 1] != " ":
            if size > width and best is not None:
                break
            between = line[i - 1] in ",;.:" or re.match(r" +[-+−] ", line[i:])
            now = _IN_BRACKETS * depth + (0 if between else _INSIDE_A_TERM) + (width - size)
            if size > width or best is None or now <= cost:
                best, cost = i, now
        depth = max(depth + (letter in "([{") - (letter in ")]}"), 0)
        size += not unicodedata.combining(letter)
    return best
