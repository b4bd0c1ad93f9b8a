"""Rows of components ``(d, paths or 1)``: one column for each path, or one for all paths."""

from __future__ import annotations

import numpy as np

from semidirect.core import errors


def path_count(parts: list[np.ndarray]) -> int:
    """The common number of paths of several parts; 1 if each is the same for all paths.

    Raises
    ------
    InputError
        If their numbers of paths differ.
    """
    paths = max(p.shape[1] for p in parts)
    for p in parts:
        if p.shape[1] not in (1, paths):
            raise errors.InputError(
                "per-path values have different numbers of paths",
                expected="one number",
                got=f"{p.shape[1]} and {paths}",
            )
    return paths


def joined(parts: list[np.ndarray]) -> np.ndarray:
    """The parts, one below the other, ``(Σ d, paths or 1)``; without parts, no rows."""
    if not parts:
        return np.zeros((0, 1))
    paths = path_count(parts)
    return np.concatenate([np.broadcast_to(p, (len(p), paths)) for p in parts])
