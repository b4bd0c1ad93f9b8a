"""Rows of components ``(d, paths or 1)``: one column a path, or one for all."""

from __future__ import annotations

import numpy as np

from semidirect.core.errors import InputError


def path_count(parts: list[np.ndarray]) -> int:
    """Number of paths that parts are of together; 1 where each is the same for all.

    Raises
    ------
    InputError
        If they are of different numbers of paths.
    """
    paths = max(p.shape[1] for p in parts)
    for p in parts:
        if p.shape[1] not in (1, paths):
            raise InputError("per-path values have different numbers of paths", got=f"{p.shape[1]} and {paths}")
    return paths


def joined(parts: list[np.ndarray]) -> np.ndarray:
    """Parts below each other, ``(Σ d, paths or 1)``."""
    paths = path_count(parts)
    return np.concatenate([np.broadcast_to(p, (len(p), paths)) for p in parts])
