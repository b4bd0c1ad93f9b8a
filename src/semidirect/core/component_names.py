"""Stored coordinates under the names that users give them."""

from __future__ import annotations

import re


def grouped(names: tuple[str, ...]) -> dict[str, list[int]]:
    """Stored coordinates by stem: ``x1, x2, x3`` → ``x``, ``g1_1, g1_2`` → ``g``; a single one keeps its name."""
    groups: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        groups.setdefault(re.sub(r"\d+(_\d+)?$", "", name) or name, []).append(i)
    return {stem if len(where) > 1 else names[where[0]]: where for stem, where in groups.items()}
