"""Rotations of the plane and of space: the formulas shared by SO(2), SE(2), the torus, SO(3) and SE(3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.core import exact, ops
from semidirect.groups.matrices.functions import TINY, half_angle

PLANE = np.array([[0, -1], [1, 0]])
"""The generator of rotations of the plane."""

SPACE = np.array(
    [[[0, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 0, 1], [0, 0, 0], [-1, 0, 0]], [[0, -1, 0], [1, 0, 0], [0, 0, 0]]]
)
"""The generators of rotations of space: ``SPACE[j] v = e_j × v``."""


def plane_rotation(angle: Any) -> np.ndarray:
    """The rotation (2, 2, ...) by an angle."""
    c, s = ops.cos(angle), ops.sin(angle)
    return ops.matrix([[c, -s], [s, c]])


def plane_cayley(angle: Any) -> np.ndarray:
    """The Cayley map of the plane (2, 2, ...), the rotation by 2 atan(angle/2)."""
    h = exact.times(exact.HALF, angle)
    k = 1 / (1 + h * h)
    c, s = (1 - h * h) * k, 2 * h * k
    return ops.matrix([[c, -s], [s, c]])


def space_rotation(omega: Any, a: Any, w: Any) -> list[list[Any]]:
    """The entries of the rotation of the unit quaternion (w, a ω)."""
    x, y, z = (a * omega[i] for i in range(3))
    xx, yy, zz, xy, xz, yz, wx, wy, wz = x * x, y * y, z * z, x * y, x * z, y * z, w * x, w * y, w * z
    return [
        [1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)],
        [2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)],
        [2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)],
    ]


def space_exponential(omega: Any) -> np.ndarray:
    """exp(hat ω) (3, 3, ...), by the quaternion of half the angle."""
    omega = ops.array(omega)
    return ops.matrix(space_rotation(omega, *half_angle(ops.dot(omega, omega))))


def space_cayley(omega: Any) -> np.ndarray:
    """cay(hat ω) (3, 3, ...): the rotation of the quaternion (1, ω/2)/√(1 + ω²/4), without the root."""
    return ops.matrix(space_cayley_of_half(*cayley_half(ops.array(omega))))


def cayley_half(omega: np.ndarray) -> tuple[np.ndarray, Any]:
    """h = ω/2 and 1/(1 + h²), of which the Cayley map of space is made."""
    h = ops.stack([exact.times(exact.HALF, omega[i]) for i in range(3)])
    return h, 1 / (1 + ops.dot(h, h))


def space_cayley_of_half(h: np.ndarray, k: Any) -> list[list[Any]]:
    """The entries of cay(hat ω), of :func:`cayley_half`."""
    x, y, z = (h[i] for i in range(3))
    xx, yy, zz, xy, xz, yz, c = x * x, y * y, z * z, x * y, x * z, y * z, 2 * k
    return [
        [1 - c * (yy + zz), c * (xy - z), c * (xz + y)],
        [c * (xy + z), 1 - c * (xx + zz), c * (yz - x)],
        [c * (xz - y), c * (yz + x), 1 - c * (xx + yy)],
    ]


def turned(omega: Any, x: Any, retraction: str) -> np.ndarray:
    """τ(ω) x (3, ...), by the exponential or the Cayley map, where |x| is kept over any number of turns.

    x changes by (τ(ω) − 1) x, so that a turn rounds once. The roundings of many turns would still let |x| wander, by 2e-14 in
    100,000 of them. So each turn takes |x|² to the nearest number of 48 bits (Veltkamp's splitting, by 2⁵ + 1), which is always
    the same number: the rounding of a turn, unless it is by some radians, is below half of the spacing. |x| moves by 2e-15 of
    itself at most, once.
    """
    omega, x = ops.array(omega), ops.array(x)
    axis, w = _quaternion(omega, retraction)
    c = 2 / (w * w + ops.dot(axis, axis))
    once = ops.cross(axis, x)
    twice = ops.cross(axis, once)
    square = ops.dot(x, x)
    split = 33 * square
    longer = (split - (split - square) - square) / (2 * square + TINY)
    return ops.stack([x[i] + (c * (w * once[i] + twice[i]) + longer * x[i]) for i in range(3)])


def _quaternion(omega: np.ndarray, retraction: str) -> tuple[np.ndarray, Any]:
    """The vector and the scalar of a quaternion of τ(ω), of any length."""
    if retraction == "exp":
        a, w = half_angle(ops.dot(omega, omega))
        return ops.stack([a * omega[i] for i in range(3)]), w
    return ops.stack([exact.times(exact.HALF, omega[i]) for i in range(3)]), 1


def space_logarithm(rotation: np.ndarray) -> np.ndarray:
    """ω (m, 3), |ω| ≤ π, of rotations (m, 3, 3).

    The un-normalised quaternion with the largest pivot (S. W. Shepperd, J. Guidance Control 1, 1978) and atan2: no
    cancellation at 0 or at π.
    """
    r = np.moveaxis(rotation, 0, -1)
    a, b, c = r[0, 0], r[1, 1], r[2, 2]
    trace = a + b + c
    q = np.empty((4, len(rotation)))
    q[0], q[1], q[2], q[3] = 1 + trace, r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    large = np.flatnonzero(trace < np.maximum(np.maximum(a, b), c))
    if len(large):
        q[:, large] = _pivoted(r[:, :, large], q[:, large])
    length = np.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    tiny = np.flatnonzero(length < 1e-140)  # whose squares may underflow
    length[tiny] = np.hypot(np.hypot(q[1, tiny], q[2, tiny]), q[3, tiny])
    angle = 2 * np.arctan2(length, q[0])
    length[tiny[length[tiny] == 0]] = 1.0
    return np.asarray((angle / length * q[1:]).T)


def _pivoted(r: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The quaternions (4, m) of rotations (3, 3, m) of more than a third of a turn, whose largest component is one of the vector.

    Row p of the table is the quaternion times four times its component p. The scalars are not negative.
    """
    trace, diagonal = q[0] - 1, np.array([r[i, i] for i in range(3)])
    table = np.empty((3, 4, r.shape[2]))
    table[:, 0] = q[1:]
    for i in range(3):
        for j in range(3):
            table[i, 1 + j] = r[i, j] + r[j, i] if i != j else 1 - trace + 2 * diagonal[i]
    quaternions = table[np.argmax(diagonal, axis=0), :, np.arange(r.shape[2])].T
    return np.where(quaternions[0] < 0, -quaternions, quaternions)


def rotation_angle(g: np.ndarray, h: np.ndarray) -> np.ndarray:
    """The angle in [0, π] of g⁻¹h, (...,) of rotations (..., 2, 2) or (..., 3, 3).

    Below a sixth of a turn it is 2 asin(|g − h|/√8) with the Frobenius norm, which keeps relative accuracy at 0, as the trace
    does not; above, that of the logarithm by the largest pivot, which loses nothing at π, as the arc sine does.
    """
    g, h = np.broadcast_arrays(np.asarray(g, dtype=float), np.asarray(h, dtype=float))
    half_sine = np.linalg.norm(g - h, axis=(-2, -1)) / np.sqrt(8)
    small = half_sine < 0.5
    angle = np.asarray(2 * np.arcsin(np.where(small, half_sine, 0.0)))
    if np.all(small):
        return angle
    relative = np.swapaxes(g[~small], -1, -2) @ h[~small]
    if g.shape[-1] == 2:
        angle[~small] = np.abs(np.arctan2(relative[:, 1, 0] - relative[:, 0, 1], relative[:, 0, 0] + relative[:, 1, 1]))
    else:
        angle[~small] = np.linalg.norm(space_logarithm(relative), axis=-1)
    return angle


def orthogonality(rotation: np.ndarray) -> np.ndarray:
    """max |RᵀR − 1| (m,) of (m, n, n), and at least 1 where the determinant is negative."""
    n = rotation.shape[-1]
    residual = np.max(np.abs(np.swapaxes(rotation, -1, -2) @ rotation - np.eye(n)), axis=(-2, -1))
    return np.where(np.linalg.det(rotation) < 0, np.maximum(residual, 1.0), residual)


def haar_rotations(rng: np.random.Generator, count: int, n: int) -> np.ndarray:
    """Haar-distributed rotations (count, n, n): QR of Gaussian matrices with the sign fix (Mezzadri, Notices AMS 54, 2007)."""
    q, r = np.linalg.qr(rng.standard_normal((count, n, n)))
    q = q * np.where(np.diagonal(r, axis1=-2, axis2=-1) < 0, -1.0, 1.0)[:, None, :]
    q[np.linalg.det(q) < 0, :, 0] *= -1
    return q
