"""Whether increments that are given path by path are those of fewer noises than paths."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["share_noise"]

LOOKED_AT = 64
"""Steps whose increments tell whether their law is discrete."""
FEW_SIZES = 3
"""Sizes of increments up to which they may be those of a discrete law, whose paths agree by chance."""


def share_noise(increments: Any) -> bool:
    """Whether paths share one noise: all, or two of them the same or its negative, as antithetic paths do.

    Increments are ``(steps, k)``, or ``(steps, k, paths)``. Equal paths of a discrete law, such as of random signs, are no sign
    of it: they may be equal by chance.
    """
    samples = np.asarray(increments)
    if samples.ndim != 3:
        return samples.ndim == 2
    sizes = np.abs(samples)
    paths = samples.shape[2]
    if len(np.unique(sizes[:LOOKED_AT])) <= FEW_SIZES:
        return False
    candidates = _repeated(sizes[0, 0])
    if len(candidates) < 2:
        return False
    rows = samples.reshape(-1, paths)[:, candidates].T
    moving = np.argmax(rows != 0, axis=1)
    signs = np.where(rows[np.arange(len(rows)), moving] < 0, -1.0, 1.0)
    return len(np.unique(signs[:, None] * rows + 0.0, axis=0)) < len(rows)  # + 0.0: -0 becomes 0


def _repeated(values: np.ndarray) -> np.ndarray:
    """The indices of the values that occur more than once."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.flatnonzero(counts[inverse] > 1)
