"""The smallest rotation and motion that carry the vertical of space to a direction of the body."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np

from semidirect.core import arguments, errors, explains_calls
from semidirect.groups.motions.best import smallest_rotations


@explains_calls
def minimal_rotation(gamma: Any) -> np.ndarray:
    """The smallest rotation g with gᵀe₃ = γ/|γ|, shape (3, 3); for γ = −e₃ the half-turn about e₁."""
    try:
        gamma = arguments.numeric(gamma)
    except (TypeError, ValueError):
        gamma = np.zeros(0)
    length = np.linalg.norm(gamma)
    if gamma.shape != (3,):
        raise errors.InputError("a direction", expected="a vector of three numbers", got=f"shape {gamma.shape}")
    if not 0 < length < np.inf:
        raise errors.InputError(
            "a direction", expected="a vector that is not zero", got=str(np.asarray(gamma).tolist())
        )
    return smallest_rotations(arguments.validated_array("a direction", gamma)[:, None])[:, :, 0]


@explains_calls
def minimal_motion(gamma: Any, b: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
    """The motion (g, x) of SE(3), shape (4, 4), by the smallest rotation g with gᵀe₃ = γ/|γ|, and with x = −g b.

    The point b of the body is then where space has its origin.
    """
    s = np.eye(4)
    s[:3, :3] = minimal_rotation(gamma)
    position = arguments.validated_array("a position", b)
    if position.shape != (3,) or not np.isfinite(position).all():
        raise errors.InputError("a position", expected="three finite numbers", got=reprlib.repr(b))
    s[:3, 3] = 0.0 - s[:3, :3] @ position
    return s
