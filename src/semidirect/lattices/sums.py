"""Sums over the sites of a lattice, as text."""

from __future__ import annotations


def sums_of(text: str) -> list[str]:
    """The summands: of ``"sum(M) + sum(dot(S, S))"`` the texts ``M`` and ``dot(S, S)``; none for another text."""
    rest, out = text.strip(), list[str]()
    while rest.startswith("sum("):
        depth, end = 0, -1
        for place, letter in enumerate(rest):
            depth += (letter == "(") - (letter == ")")
            if letter == ")" and depth == 0:
                end = place
                break
        if end < 0:
            return []
        out.append(rest[4:end])
        rest = rest[end + 1 :].strip()
        if not rest:
            return out
        if not rest.startswith("+"):
            return []
        rest = rest[1:].strip()
    return []
