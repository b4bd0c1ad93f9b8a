"""Philox4x32-10 in NumPy, and the meaning of its counter and key: the reference of the compiled generator.

Random numbers are a function of their place of use, so nothing is stored, shared or split. A call of Philox turns a
counter of four and a key of two 32-bit words into four random words, which give two normals, for the steps
2m and 2m + 1 of one component. A new component or level never changes the others, and no normal is wasted.

====  =====================================================================
key   low word of the seed, high word of the seed
c0    low 32 bits of the pair m = step // 2
c1    low 32 bits of the path
c2    high 32 bits of the path
c3    level (6 bits), component (13 bits), high 13 bits of m, from the top
====  =====================================================================

So a seed and a path have 64 bits, a step 46, a component 13, a level 6, and different (seed, path, pair, component,
level) give different counters or keys. Level 0 holds the increments of the noise, level k ≤ 40 the Brownian bridges
that halve its resolution for the k-th time, 41 and 42 the Fourier coefficients of Lévy areas and their rest, 43 the signs
of weak methods, 44 the time integrals, 45 to 47 the crossings within a step, 48 the random
starts; 49 to 63 are free for other numbers of a step.

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC '11.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["COMPONENT_BITS", "LEVEL_BITS", "STEP_BITS", "address", "philox4x32"]

STEP_BITS, COMPONENT_BITS, LEVEL_BITS = 46, 13, 6

MULTIPLIERS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
WEYL = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
LOW_32, S32 = np.uint64(0xFFFFFFFF), np.uint64(32)


def philox4x32(counter: Any, key: Any, rounds: int = 10) -> np.ndarray:
    """Random words ``(..., 4)``, ``uint32``, of counters ``(..., 4)`` and keys ``(..., 2)``, broadcast."""
    c0, c1, c2, c3 = np.moveaxis(np.asarray(counter, dtype=np.uint64), -1, 0)
    k0, k1 = np.moveaxis(np.asarray(key, dtype=np.uint64), -1, 0)
    for _ in range(rounds):
        p0, p1 = MULTIPLIERS[0] * c0, MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = (p1 >> S32) ^ c1 ^ k0, p1 & LOW_32, (p0 >> S32) ^ c3 ^ k1, p0 & LOW_32
        k0, k1 = (k0 + WEYL[0]) & LOW_32, (k1 + WEYL[1]) & LOW_32
    return np.stack(np.broadcast_arrays(c0, c1, c2, c3), axis=-1).astype(np.uint32)


def address(seed: int, path: int, step: int, component: int, level: int = 0) -> tuple[Sequence[int], Sequence[int]]:
    """Counter (four words) and key (two words) of the call that gives this normal; the even step has the first one."""
    pair, low = step >> 1, 0xFFFFFFFF
    top = level << (32 - LEVEL_BITS) | component << (32 - LEVEL_BITS - COMPONENT_BITS) | pair >> 32
    return (pair & low, path & low, path >> 32, top), (seed & low, seed >> 32)
