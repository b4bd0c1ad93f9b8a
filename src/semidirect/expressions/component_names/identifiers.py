"""Names as identifiers of Python, and with hyphens."""

from __future__ import annotations


def hyphenated(name: str) -> str:
    """The name of a quantity that a method of this name declares."""
    return name.replace("_", "-")


def identifier(name: str) -> str:
    """A hyphenated name in the form used in expressions and as an attribute of a state."""
    return name.replace("-", "_")
