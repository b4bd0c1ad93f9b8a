"""The number that the seed of a run stands for."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np

from semidirect.core import errors
from semidirect.specification.seeds.derived import drawn_seed
from semidirect.state import Final as FinalState

Seed = int | Literal["default"] | None

DEFAULT: Final = "default"
"""The seed of a ``run.final`` that is the state, else 0."""


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
