"""Linear algebra modulo powers of a prime: ranks of many matrices at once, and systems with one solution."""

from __future__ import annotations

import numpy as np


def ranks(matrices: np.ndarray, p: int) -> np.ndarray:
    """The rank modulo a prime p < 2¹⁵ of each of many matrices ``(count, rows, columns)``."""
    work = np.array(matrices % p, dtype=np.int32)
    count, height, width = work.shape
    inverses = np.array([0, *(pow(x, -1, p) for x in range(1, p))], dtype=np.int32)
    rank = np.zeros(count, dtype=np.int64)
    for column in range(width):
        usable = (work[:, :, column] != 0) & (np.arange(height) >= rank[:, None])
        at = np.flatnonzero(usable.any(axis=1))
        if not len(at):
            continue
        first, top = usable[at].argmax(axis=1), rank[at]
        pivot = work[at, first, column:]
        work[at, first, column:] = work[at, top, column:]
        work[at, top, column:] = pivot
        factors = work[at, :, column] * inverses[pivot[:, 0]][:, None] % p
        factors[np.arange(height) <= top[:, None]] = 0
        rest = work[at, :, column:] - factors[:, :, None] * pivot[:, None, :]
        rest -= rest // p * p  # the quotient by one number vectorises, the remainder does not
        work[at, :, column:] = rest
        rank[at] += 1
    return rank


def unique_solution(matrix: np.ndarray, rhs: np.ndarray, modulus: int, p: int) -> np.ndarray | None:
    """The x with matrix · x = rhs modulo a power of p, ``None`` if there is none or if it is not unique modulo p."""
    work = np.concatenate([matrix, rhs[:, None]], axis=1).astype(object) % modulus
    width = matrix.shape[1]
    for column in range(width):
        units = [i for i in range(column, len(work)) if work[i, column] % p]
        if not units:
            return None
        work[[column, units[0]]] = work[[units[0], column]]
        row = work[column] * pow(int(work[column, column]), -1, modulus) % modulus
        work = (work - work[:, [column]] * row) % modulus
        work[column] = row
    return None if np.any(work[width:, width]) else work[:width, width]
