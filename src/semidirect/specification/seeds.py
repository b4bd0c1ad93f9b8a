"""The seed of a run: a number, the default, or one that is drawn."""

from __future__ import annotations

import secrets
from typing import Any, Final, Literal

import numpy as np

from semidirect.core import errors
from semidirect.state import Final as FinalState

Seed = int | Literal["default"] | None

DEFAULT: Final = "default"
"""The seed of a ``run.final`` that is the state, else 0."""

_BITS = 53
"""Of a seed that is drawn; programs that read numbers of JSON as floats read it exactly."""


def drawn_seed() -> int:
    """A seed from the random numbers of the operating system."""
    return secrets.randbits(_BITS)


def derived_seed(seed: int, *key: int) -> int:
    """A seed that follows from another one and a key; those of different keys are independent."""
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0])


def number_of_seed(seed: Any, state: Any) -> int:
    """The number that a seed stands for, when a run starts from a state.

    Raises
    ------
    InputError
        If it is no seed.
    """
    if seed is None:
        return drawn_seed()
    if isinstance(seed, str) and seed == DEFAULT:
        return state.seed if isinstance(state, FinalState) else 0
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise errors.InputError(
            "seed", expected="a whole number from 0 to 2**64 - 1, or None, which draws one", got=repr(seed)
        )
    return int(seed)
