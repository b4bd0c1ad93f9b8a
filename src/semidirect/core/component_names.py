"""Stored coordinates under the names that users give them."""

from __future__ import annotations

import re
from functools import lru_cache


def grouped(names: tuple[str, ...]) -> dict[str, list[int]]:
    """Stored coordinates by stem: ``x1, x2, x3`` → ``x``, ``g1_1, g1_2`` → ``g``; a single one keeps its name."""
    return {name: list(where) for name, where in _grouped(names)}


@lru_cache(maxsize=256)
def _grouped(names: tuple[str, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    groups: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        groups.setdefault(re.sub(r"\d+(_\d+)?$", "", name) or name, []).append(i)
    return tuple((stem if len(where) > 1 else names[where[0]], tuple(where)) for stem, where in groups.items())
