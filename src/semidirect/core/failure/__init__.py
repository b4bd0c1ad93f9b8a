"""Paths that fail or are stopped before the end of a run."""

from semidirect.core.failure.codes import (
    BLOW_UP,
    FLAGS,
    GOOD,
    GROUND_PULLS,
    LARGEST_TURN,
    MEANING,
    NO_CONTRACTION,
    NOT_CONVERGED,
    OUT_OF_BOUNDS,
    OUTSIDE_TABLE,
    REASONS,
    ROTATION_TOO_LARGE,
    STOPPED,
)
from semidirect.core.failure.failures import Failure, Outcome, failed, failures, summary, warn_of_failures

__all__ = [
    "BLOW_UP",
    "FLAGS",
    "Failure",
    "GOOD",
    "GROUND_PULLS",
    "LARGEST_TURN",
    "MEANING",
    "NOT_CONVERGED",
    "NO_CONTRACTION",
    "OUTSIDE_TABLE",
    "OUT_OF_BOUNDS",
    "Outcome",
    "REASONS",
    "ROTATION_TOO_LARGE",
    "STOPPED",
    "failed",
    "failures",
    "summary",
    "warn_of_failures",
]
