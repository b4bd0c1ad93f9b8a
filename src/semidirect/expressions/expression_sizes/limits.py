"""How large an expression may be: bounds on the estimates of its size, without SymPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

CAP: Final = 10**12
"""Estimates stop here: anything larger counts as infinite."""


@final
@dataclass(frozen=True)
class SizeLimits:
    """How large an expression may be.

    Attributes
    ----------
    factors, degree : int
        Of the expanded expression.
    operations : int
        Of the unexpanded expression.
    nesting : int
        How many roots, quotients and functions may stand inside each other.
    angles : bool
        Whether ``atan2`` is allowed.
    """

    factors: int
    degree: int
    operations: int
    nesting: int
    angles: bool = False


WRITTEN_OUT = SizeLimits(factors=3_000, degree=256, operations=10_000, nesting=6, angles=True)
"""For expressions that are expanded, so that an evolution takes some seconds."""
AT_POINTS = SizeLimits(factors=CAP, degree=1_024, operations=10_000, nesting=6)
"""For expressions that are evaluated at points and not expanded, so that a proof takes some seconds for any powers."""
