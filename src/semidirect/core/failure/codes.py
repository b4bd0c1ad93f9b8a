"""How a path ended, as a number, and the words for it."""

from __future__ import annotations

import math
from collections.abc import Mapping

GOOD, BLOW_UP, NOT_CONVERGED, STOPPED, ROTATION_TOO_LARGE = range(5)
OUT_OF_BOUNDS, NO_CONTRACTION, OUTSIDE_TABLE, GROUND_PULLS = range(5, 9)
LARGEST_TURN = math.pi / 2
"""Half the injectivity radius of SO(3): a larger increment of a geometric method no longer follows the path."""

REASONS: Mapping[int, str] = {
    BLOW_UP: "a value is not finite",
    NOT_CONVERGED: "an implicit step did not converge",
    ROTATION_TOO_LARGE: "a step rotated by more than π/2",
    OUT_OF_BOUNDS: "a value is beyond its bound",
    NO_CONTRACTION: "the fixed-point iteration of an implicit step does not contract: the step is too long",
    OUTSIDE_TABLE: "a table was read outside of its nodes",
    GROUND_PULLS: "the ground would have to pull in an impact",
}
FLAGS = "good not_finite not_converged stopped step_too_large beyond_a_bound no_contraction outside_table ground_pulls"
"""The outcomes in order, one word each, for attributes of data sets."""
MEANING = (
    "0 good, 1 not finite, 2 not converged, 3 stopped, 4 step too large, 5 beyond a bound, 6 no contraction, "
    "7 outside of a table, 8 a ground that pulls"
)
