"""How large an expression may be: bounds of the estimates that :mod:`semidirect.core.expanded_size` makes, without SymPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

CAP: Final = 10**12
"""Estimates stop here: what is larger is as good as endless."""


@final
@dataclass(frozen=True)
class SizeLimits:
    """How large an expression may be.

    Attributes
    ----------
    factors, degree : int
        Of the expression when it is multiplied out.
    operations : int
        Of the expression as it is.
    nesting : int
        How many roots, quotients and functions may stand inside each other.
    angles : bool
        Whether ``atan2`` is known to what is done with it.
    """

    factors: int
    degree: int
    operations: int
    nesting: int
    angles: bool = False


WRITTEN_OUT = SizeLimits(factors=3_000, degree=256, operations=10_000, nesting=6, angles=True)
"""For what is multiplied out, so that an evolution takes some seconds."""
AT_POINTS = SizeLimits(factors=CAP, degree=1_024, operations=10_000, nesting=6)
"""For what is evaluated at points and not multiplied out, so that a proof takes some seconds, whatever its powers."""
