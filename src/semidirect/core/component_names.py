"""Names of quantities and of stored coordinates."""

from __future__ import annotations

import re
from functools import lru_cache


def grouped(names: tuple[str, ...]) -> dict[str, list[int]]:
    """Groups of stored coordinates by stem: ``x1, x2, x3`` → ``x``, ``g1_1, g1_2`` → ``g``; a single one keeps its name."""
    return {name: list(where) for name, where in _grouped(names)}


def hyphenated(name: str) -> str:
    """The name of a quantity that a method of this name declares."""
    return name.replace("_", "-")


def identifier(name: str) -> str:
    """A hyphenated name in the form used in expressions and as an attribute of a state."""
    return name.replace("-", "_")


@lru_cache(maxsize=256)
def _grouped(names: tuple[str, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    groups: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        groups.setdefault(re.sub(r"\d+(_\d+)?$", "", name) or name, []).append(i)
    return tuple((stem if len(where) > 1 else names[where[0]], tuple(where)) for stem, where in groups.items())
