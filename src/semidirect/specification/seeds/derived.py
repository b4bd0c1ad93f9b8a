"""Seeds that are drawn, and seeds that follow from others."""

from __future__ import annotations

import secrets

import numpy as np

_BITS = 53
"""Of a seed that is drawn; programs that read numbers of JSON as floats read it exactly."""


def drawn_seed() -> int:
    """A seed from the random numbers of the operating system."""
    return secrets.randbits(_BITS)


def derived_seed(seed: int, *key: int) -> int:
    """A seed that follows from another one and a key; those of different keys are independent."""
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0])
