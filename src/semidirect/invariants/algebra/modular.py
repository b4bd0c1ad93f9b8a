"""Linear algebra modulo powers of a prime: ranks of many matrices at once, and systems with one solution."""

from __future__ import annotations

import numpy as np

BLOCK = 64
"""Matrices that are reduced together, few enough for the cache."""


def ranks(matrices: np.ndarray, p: int) -> np.ndarray:
    """The rank modulo a prime p < 2¹⁵ of each of many matrices ``(count, rows, columns)``."""
    inverses = np.array([0, *(pow(x, -1, p) for x in range(1, p))], dtype=np.int32)
    blocks = [matrices[i : i + BLOCK] for i in range(0, len(matrices), BLOCK)]
    return np.concatenate([np.zeros(0, dtype=np.int64), *(_ranks(block, p, inverses) for block in blocks)])


def _ranks(matrices: np.ndarray, p: int, inverses: np.ndarray) -> np.ndarray:
    """Of one block; entries are reduced modulo p only where they are used, and all of them before they could overflow."""
    work = np.array(matrices % p, dtype=np.int32)
    each, rank = np.arange(len(work)), np.zeros(len(work), dtype=np.int64)
    steps = (2**31 - p) // p**2
    for column in range(work.shape[2]):
        head, rest = work[:, :, column] % p, work[:, :, column + 1 :]
        first = (head != 0).argmax(axis=1)
        pivot, scale = rest[each, first] % p, inverses[head[each, first]]
        rest -= (head * scale[:, None] % p)[:, :, None] * pivot[:, None, :]  # the row of the pivot becomes 0 too
        rank += scale != 0
        if (column + 1) % steps == 0:
            rest %= p
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
