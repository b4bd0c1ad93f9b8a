"""Logarithms of many rotations and motions about a mean one, compiled: rows of numbers, one column for each element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from semidirect.compile import row_functions
from semidirect.core import ops
from semidirect.groups import motions

__all__ = [
    "motion_vectors",
    "motion_vectors_of_each",
    "rotation",
    "rotation_residual",
    "rotation_vectors",
    "rotation_vectors_of_each",
    "shifted_vectors",
]

ATAN = (
    3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01, -1.11111104054623557880e-01,
    9.09088713343650656196e-02, -7.69187620504482999495e-02, 6.66107313738753120669e-02, -5.83357013379057348645e-02,
    4.97687799461593236017e-02, -3.65315727442169155270e-02, 1.62858201153657823623e-02,
)  # fmt: skip
"""(1 − atan(z)/z)/z² for |z| < 7/16, in powers of z² (fdlibm, Sun Microsystems 1993)."""

ASIN_P = (
    1.66666666666666657415e-01, -3.25565818622400915405e-01, 2.01212532134862925881e-01, -4.00555345006794114027e-02,
    7.91534994289814532176e-04, 3.47933107596021167570e-05,
)  # fmt: skip
ASIN_Q = (
    1.0, -2.40339491173441421878, 2.02094576023350569471, -6.88283971605453293030e-01, 7.70381505559019352791e-02,
)  # fmt: skip
"""asin(x)/x = 1 + x² P(x²)/Q(x²) for |x| < 1/2 (fdlibm)."""


def rotation_vectors(middle: np.ndarray, stored: np.ndarray) -> np.ndarray:
    """Rows of the rotation vectors v = log(m⁻¹ g), |v| ≤ π, then θ² = |v|², then (1 − (θ/2) cot(θ/2))/θ² up to order 2 in θ.

    Parameters
    ----------
    middle : array (3, 3)
        The rotation m.
    stored : array (9, n)
        The entries of the rotations g.
    """
    near = _compiled(_near_rotation_vectors, (9,), 9)([stored], middle.ravel())
    return near if near[3].max() < 1 else _compiled(_rotation_vectors, (9,), 9)([stored], middle.ravel())


def rotation_vectors_of_each(middles: np.ndarray, stored: np.ndarray) -> np.ndarray:
    """The rotation vectors log(m⁻¹ g) ``(3, B, n)`` of rotations ``(9, B, n)`` about a rotation of each of B groups of them."""
    rows = [stored.reshape(9, -1), _for_each(middles.reshape(len(middles), 9), stored)]
    near = _compiled(_near_rotation_vectors, (9, 9), 0)(rows)[:4].reshape(4, *stored.shape[1:])
    far = np.flatnonzero(~(near[3].max(axis=1) < 1))
    for b in far:
        near[:3, b] = rotation_vectors(middles[b], stored[:, b])[:3]
    return near[:3]


def rotation_residual(g: Sequence[Any], middle: Sequence[Any]) -> list[Any]:
    """The rotation vector log(m⁻¹ g) of the nine entries of rotations g and m, written with :mod:`semidirect.ops`."""
    entries = np.empty(9, dtype=object), np.empty(9, dtype=object)
    for array, values in zip(entries, (g, middle), strict=True):
        array[:] = list(values)
    return _rotation_vectors(*entries)[:3]


def rotation(vector: np.ndarray) -> np.ndarray:
    """The rotation (3, 3) of one rotation vector."""
    return _compiled(_rotation, (3,), 0)([np.asarray(vector, dtype=float)[:, None]]).reshape(3, 3)


def shifted_vectors(step: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Rows of log(exp(−δ) exp(v)) to first order in δ: v − δ + ½ v×δ − c v×(v×δ), of rows of :func:`rotation_vectors`."""
    return _compiled(_shifted_vectors, (5,), 3)([vectors], step)


def motion_vectors(rotation: np.ndarray, place: np.ndarray, turn: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Rows of the logarithms of motions, seen from a mean motion: their turns, which are given, and translations.

    Parameters
    ----------
    rotation, place : array (k, k) and (k,)
        The mean motion.
    turn, x : array (1 or 3, n) and (k, n)
        The turns of the logarithms, and the places of the motions.
    """
    numbers = [*rotation.ravel(), *place]
    near = _compiled(_near_motion_vectors, (len(turn), len(x)), len(numbers))([turn, x], numbers)
    if near[-1].max() < 1:
        return near[:-1]
    return _compiled(_motion_vectors, (len(turn), len(x)), len(numbers))([turn, x], numbers)


def motion_vectors_of_each(rotations: np.ndarray, places: np.ndarray, turn: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The same rows ``(…, B, n)`` of B groups of motions, each seen from a mean motion of its own."""
    count, shape = len(rotations), x.shape[1:]
    numbers = _for_each(np.concatenate([rotations.reshape(count, -1), places], axis=1), x)
    rows = [turn.reshape(len(turn), -1), x.reshape(len(x), -1), numbers]
    near = _compiled(_near_motion_vectors, tuple(map(len, rows)), 0)(rows).reshape(-1, *shape)
    for b in np.flatnonzero(~(near[-1].max(axis=1) < 1)):
        near[:-1, b] = motion_vectors(rotations[b], places[b], turn[:, b], x[:, b])
    return near[:-1]


def _for_each(numbers: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Numbers ``(B, k)`` of groups as rows ``(k, B·n)``, beside rows ``(…, B, n)``."""
    return np.repeat(numbers.T, rows.shape[2], axis=1)


@cache
def _compiled(function: Callable[..., Sequence[Any]], rows: tuple[int, ...], numbers: int) -> row_functions.RowFunction:
    from semidirect.compile import row_functions

    program = row_functions.function_of_rows(
        lambda _, arrays, shared: function(*arrays, shared) if numbers else function(*arrays), rows, numbers
    )
    return row_functions.RowFunction(program.described, lambda: program, function.__name__.strip("_"))


def _rotation_vectors(g: np.ndarray, middle: np.ndarray) -> list[Any]:
    r = ops.matmul(middle.reshape(3, 3).T, g.reshape(3, 3))
    a, b, c = r[0, 0], r[1, 1], r[2, 2]
    trace = a + b + c
    # S. W. Shepperd, J. Guidance Control 1, 1978: of four multiples of the quaternion, the one with the largest pivot
    x, y, z = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    xy, xz, yz = r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[1, 2] + r[2, 1]
    of_x, of_y, of_z = [x, 1 - trace + 2 * a, xy, xz], [y, xy, 1 - trace + 2 * b, yz], [z, xz, yz, 1 - trace + 2 * c]
    largest = ops.maximum(b, c)
    q = [ops.where(b >= c, v, w) for v, w in zip(of_y, of_z, strict=True)]
    q = [ops.where(a >= largest, v, w) for v, w in zip(of_x, q, strict=True)]
    largest = ops.maximum(a, largest)
    q = [ops.where(trace >= largest, v, w) for v, w in zip([1 + trace, x, y, z], q, strict=True)]
    w, x, y, z = [ops.where(q[0] < 0, -part, part) for part in q]
    length = ops.sqrt(x * x + y * y + z * z)
    # 2 atan2(|v|, w)/|v|, which is 2/w where |v| vanishes or its square does
    factor = ops.where(length < 1e-140, 2 / w, 2 * _angle(length, w) / length)
    v = [factor * x, factor * y, factor * z]
    square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    return [*v, square, square / 720 + 1 / 12]


def _near_rotation_vectors(g: np.ndarray, middle: np.ndarray) -> list[Any]:
    """The same for angles below 1, in less time; if one is larger, its |v|² is 4."""
    r = ops.matmul(middle.reshape(3, 3).T, g.reshape(3, 3))
    trace = r[0, 0] + r[1, 1] + r[2, 2]
    square = 0.75 - 0.25 * trace  # sin²(θ/2)
    p, q = _polynomial(ASIN_P, square), _polynomial(ASIN_Q, square)
    factor = (q + square * p) / (q * ops.sqrt(1 + trace))
    v = [factor * (r[2, 1] - r[1, 2]), factor * (r[0, 2] - r[2, 0]), factor * (r[1, 0] - r[0, 1])]
    square = ops.where(trace > 2.05, v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 4.0)
    return [*v, square, square / 720 + 1 / 12]


def _polynomial(coefficients: Sequence[float], x: Any) -> Any:
    total: Any = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = total * x + coefficient
    return total


def _angle(y: Any, x: Any) -> Any:
    """atan2(y, x) of numbers that are not negative."""
    steep = y > x
    low, high = ops.where(steep, x, y), ops.where(steep, y, x)
    wide = low > high * 0.4142135623730951
    z = ops.where(wide, low - high, low) / ops.where(wide, low + high, high)
    square = z * z
    angle = ops.where(wide, 0.7853981633974483, 0.0) + (z - z * (square * _polynomial(ATAN, square)))
    return ops.where(steep, 1.5707963267948966 - angle, angle)


def _rotation(vector: np.ndarray) -> list[Any]:
    return list(motions.space_exponential(vector).ravel())


def _shifted_vectors(logarithm: np.ndarray, step: np.ndarray) -> list[Any]:
    x, y, z, _, c = logarithm
    a, b, d = step
    across = y * d - z * b, z * a - x * d, x * b - y * a
    twice = y * across[2] - z * across[1], z * across[0] - x * across[2], x * across[1] - y * across[0]
    return [v - by + 0.5 * p - c * q for v, by, p, q in zip((x, y, z), (a, b, d), across, twice, strict=True)]


def _motion_vectors(turn: np.ndarray, x: np.ndarray, numbers: np.ndarray) -> list[Any]:
    return [*turn, *motions.without_screw(turn, _seen_from(x, numbers))]


def _near_motion_vectors(turn: np.ndarray, x: np.ndarray, numbers: np.ndarray) -> list[Any]:
    """The same for angles below 1, in less time; then their squares."""
    return [*turn, *motions.without_screw(turn, _seen_from(x, numbers), motions.cotangent_series), ops.dot(turn, turn)]


def _seen_from(x: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    k = len(x)
    rotation, place = numbers[: k * k].reshape(k, k), numbers[k * k :]
    return ops.matvec(rotation.T, x - place)
