"""Sines and cosines with the same bits on every machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from semidirect.core.elementary.powers import P1, P2, P3, P4

ANGLE_ACCURATE = 2.0**20 * 1.5707963267948966
"""Up to here (1.6e6) sin and cos are within 1 ulp."""

ANGLE_LIMIT = 2.0**45
"""Up to here (3.5e13) sin and cos are exact for a number within one unit in the last place of x; beyond, nan."""

FEW = 24
"""Up to so many numbers are computed one by one, with the same bits."""

# 2/pi, and pi/2 = P1 + P2 + P3 + P4 in parts of 33, 33, 33 and 53 bits: n P1, n P2, n P3 are exact for |n| < 2^20.
TWO_OVER_PI = 0.6366197723675814

SIN = (
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
    2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
)  # fmt: skip
COS = (
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
    -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
)  # fmt: skip


def sin(x: Any) -> Any:
    """The sine, within 1 ulp up to :data:`ANGLE_ACCURATE`; ``sin(-0.0)`` is ``-0.0``, infinities and nan give nan."""
    x = np.asarray(x, dtype=np.float64)
    if 0 < x.size <= FEW and (few := _of_each(_sin_of_one, x)) is not None:
        return few
    x = _bounded_angle(x)
    with np.errstate(invalid="ignore", under="ignore"):
        quadrant, y, tail = _reduce(x)
        value = np.where(_is_odd(quadrant), _cos_kernel(y, tail), _sin_kernel(y, tail))
        value = np.where(x == 0, x, np.where(quadrant >= 2, -value, value))
    return value - (x - x)


def cos(x: Any) -> Any:
    """The cosine, within 1 ulp up to :data:`ANGLE_ACCURATE`; infinities and nan give nan."""
    x = np.asarray(x, dtype=np.float64)
    if 0 < x.size <= FEW and (few := _of_each(_cos_of_one, x)) is not None:
        return few
    x = _bounded_angle(x)
    with np.errstate(invalid="ignore", under="ignore"):
        quadrant, y, tail = _reduce(x)
        value = np.where(_is_odd(quadrant), _sin_kernel(y, tail), _cos_kernel(y, tail))
        value = np.where((quadrant == 1) | (quadrant == 2), -value, value)
    return value - (x - x)


def _of_each(function: Callable[[float], float], x: np.ndarray) -> Any:
    """A function of each of a few numbers, which takes less time than calls of NumPy; ``None`` if one is beyond the limit."""
    values = x.ravel().tolist()
    if not all(-ANGLE_LIMIT <= v <= ANGLE_LIMIT for v in values):
        return None
    results = np.array([function(v) for v in values]).reshape(x.shape)
    return results if x.ndim else results[()]


def _sin_of_one(x: float) -> float:
    quadrant, y, tail = _reduce_one(x)
    value = _cos_kernel(y, tail) if quadrant & 1 else _sin_kernel(y, tail)
    return x if x == 0 else float(-value if quadrant >= 2 else value)


def _cos_of_one(x: float) -> float:
    quadrant, y, tail = _reduce_one(x)
    value = _sin_kernel(y, tail) if quadrant & 1 else _cos_kernel(y, tail)
    return float(-value if quadrant in (1, 2) else value)


def _reduce_one(x: float) -> tuple[int, float, float]:
    """As :func:`_reduce`, by the same operations."""
    whole = round(x * TWO_OVER_PI)
    n = float(whole)
    first, error_1 = _subtract(x - n * P1, n * P2)
    second, error_2 = _subtract(first, n * P3)
    rest = (error_1 + error_2) - n * P4
    y = second + rest
    return whole & 3, y, (second - y) + rest


def _bounded_angle(x: np.ndarray) -> np.ndarray:
    """The argument; beyond the limit it is replaced by infinity."""
    return np.where(np.abs(x) <= ANGLE_LIMIT, x, np.where(x == x, np.inf, x))


def _reduce(x: np.ndarray) -> tuple[Any, Any, Any]:
    """The quadrant (0, 1, 2 or 3, a float) and y + tail = x − n π/2 with n the nearest integer, |y| ≤ π/4."""
    n = np.rint(x * TWO_OVER_PI)
    first, error_1 = _subtract(x - n * P1, n * P2)
    second, error_2 = _subtract(first, n * P3)
    rest = (error_1 + error_2) - n * P4
    y = second + rest
    return n - 4.0 * np.floor(0.25 * n), y, (second - y) + rest


def _subtract(a: Any, b: Any) -> tuple[Any, Any]:
    """a − b, rounded, and its exact error (Knuth)."""
    difference = a - b
    back = difference - a
    return difference, (a - (difference - back)) - (b + back)


def _is_odd(quadrant: Any) -> Any:
    return (quadrant == 1) | (quadrant == 3)


def _sin_kernel(y: Any, tail: Any) -> Any:
    z = y * y
    v = z * y
    r = SIN[1] + z * (SIN[2] + z * (SIN[3] + z * (SIN[4] + z * SIN[5])))
    return y - ((z * (0.5 * tail - v * r) - tail) - v * SIN[0])


def _cos_kernel(y: Any, tail: Any) -> Any:
    z = y * y
    r = z * (COS[0] + z * (COS[1] + z * (COS[2] + z * (COS[3] + z * (COS[4] + z * COS[5])))))
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + (z * r - y * tail))
