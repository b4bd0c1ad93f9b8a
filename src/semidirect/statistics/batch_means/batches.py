"""How a time is divided into batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import arguments, errors

MANY_PATHS = 20
"""From this number of paths on the errors are those between paths, which need no assumption on correlations in time."""
LONG_BATCH = 10
"""Batches of so many autocorrelation times are independent enough: errors from them are too small by about 5 %."""


@final
@dataclass(frozen=True)
class Batches:
    """How observations at equal intervals are grouped: those of the burn-in are left out, the rest forms equal batches.

    Attributes
    ----------
    skipped : int
        Observations before the first batch.
    length : int
        Observations in a batch.
    count : int
        Batches.
    """

    skipped: int
    length: int
    count: int

    @classmethod
    def of(cls, observations: int, burn_in: float, batches: int) -> Batches:
        """The groups of so many observations, of which at least the share ``burn_in`` is left out.

        There are at least as many batches as asked for, if there are as many observations, and fewer than twice as many, so that
        few observations besides the burn-in are left out.
        """
        rest = observations - int(np.ceil(burn_in * observations - 1e-9))
        length = max(rest // batches, 1)
        count = rest // length
        return cls(observations - length * count, length, count)


def validated_batches(what: str, burn_in: Any, batches: Any) -> tuple[float, int]:
    """Share of the burn-in, from 0 to below 1, and number of batches, at least 2."""
    share = arguments.validated_number(
        f"burn_in of {what}", burn_in, expected="a share of the times, from 0 to below 1"
    )
    if not 0 <= share < 1:
        raise errors.InputError(
            f"burn_in of {what}", expected="a share of the times, from 0 to below 1", got=repr(burn_in)
        )
    return share, arguments.validated_whole(f"batches of {what}", batches, least=2)
