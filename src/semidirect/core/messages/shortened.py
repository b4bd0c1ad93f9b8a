"""Texts in the length in which messages quote them."""

from __future__ import annotations

LONGEST = 80
"""Characters of a text that is quoted whole."""


def shortened(text: str) -> str:
    """The text, or its beginning and three dots."""
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def quoted(text: str) -> str:
    """The shortened text in quotes."""
    return repr(shortened(text))


def printable(text: str) -> str:
    """A text of others for a terminal: control characters as escapes, except for ends of lines."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode("ascii") for c in text)
