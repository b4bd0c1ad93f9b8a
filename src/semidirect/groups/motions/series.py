"""The logarithm of motions of the plane and of space: velocities that lead to a turn and a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from semidirect.core import ops

# 2 ζ(2k)/(2π)^(2k) for k = 1, …, 11: B_2k/(2k)! without signs
SERIES = (
    1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000, 1 / 74724249600,
    3617 / 10670622842880000, 43867 / 5109094217170944000, 174611 / 802857662698291200000,
    77683 / 14101100039391805440000,
)  # fmt: skip


def without_screw(turn: np.ndarray, x: np.ndarray, rest: Callable[[Any], Any] | None = None) -> np.ndarray:
    """The velocity v of which exp(turn, v) is the motion with this turn to the place x.

    In the plane v = α x − (ν/2) J x with α = (ν/2) cot(ν/2), in space v = x − Ω×x/2 + d Ω×(Ω×x) with d = (1 − (θ/2) cot(θ/2))/θ².

    Parameters
    ----------
    turn : array (1, ...) or (3, ...)
        The angle in [−π, π], or the rotation vector, of a length up to π.
    x : array (2, ...) or (3, ...)
        The place.
    rest : callable, optional
        What takes the place of :func:`cotangent_rest`.
    """
    rest = rest or cotangent_rest
    if len(turn) == 1:
        (nu,), (x1, x2) = turn, x
        half, square = 0.5 * nu, nu * nu
        alpha = 1 - square * rest(square)
        return np.array([alpha * x1 + half * x2, alpha * x2 - half * x1])
    once = _cross(turn, x)
    twice = _cross(turn, once)
    d = rest(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])
    return np.array([row - 0.5 * p + d * q for row, p, q in zip(x, once, twice, strict=True)])


def cotangent_rest(square: Any) -> Any:
    """``(1 − (θ/2) cot(θ/2))/θ²`` of θ²: its series ``Σ 2 ζ(2k) θ^(2k−2)/(2π)^(2k)`` below θ = 1, the quotient above."""
    if isinstance(square, ops.Scalar):
        return _traced_rest(square)
    wide = square >= 1
    low = np.where(wide, 0.0, square) if wide.any() else square
    total = cotangent_series(low)
    if low is square:
        return np.asarray(total)
    high = square[wide]
    half = 0.5 * np.sqrt(high)
    total[wide] = (1 - half / np.tan(half)) / high
    return total


def _traced_rest(square: Any) -> Any:
    """The same for a scalar of a trace: both, of which one is selected."""
    half, inside = 0.5 * ops.sqrt(square), square < 1
    quotient = (1 - half * ops.cos(half) / ops.sin(half)) / square
    return ops.where(inside, cotangent_series(ops.where(inside, square, 0.0)), quotient)


def cotangent_series(square: Any) -> Any:
    """The series of :func:`cotangent_rest`, for θ² below 1."""
    total = SERIES[-1] * square + SERIES[-2]
    for coefficient in SERIES[-3::-1]:
        total = total * square + coefficient
    return total


def _cross(a: Iterable[np.ndarray], b: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    (x, y, z), (u, v, w) = a, b
    return y * w - z * v, z * u - x * w, x * v - y * u
