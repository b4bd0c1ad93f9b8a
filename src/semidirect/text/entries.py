"""Lists that are written as text."""

from __future__ import annotations

__all__ = ["split_at_commas"]


def split_at_commas(text: str) -> list[str]:
    """The entries of a list whose entries may be expressions: commas within brackets do not part them; without empty ones."""
    entries, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth <= 0:
            entries.append("")
        else:
            entries[-1] += sign
    return [entry.strip() for entry in entries if entry.strip()]
