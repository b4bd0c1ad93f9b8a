"""The places of the components of each name in a vector."""

from __future__ import annotations

from collections.abc import Mapping


def layout(dimensions: Mapping[str, int]) -> dict[str, slice]:
    """Consecutive slices for named dimensions."""
    slices, start = {}, 0
    for name, dimension in dimensions.items():
        slices[name] = slice(start, start + dimension)
        start += dimension
    return slices
