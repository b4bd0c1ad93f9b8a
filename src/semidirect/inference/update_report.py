"""The report of the update of a filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

__all__ = ["UpdateReport"]


@final
@dataclass(frozen=True)
class UpdateReport:
    """The outcome of an update.

    Attributes
    ----------
    log_likelihood : float
        log p(data | data before), estimated.
    effective_size : float
        Effective number of particles that the data left, before any resampling.
    stages : int
        Number of stages of tempering; 0 without it.
    acceptance : float
        Share of the moves that were accepted; nan without moves.
    collapse : str
        Why the particles do not represent the distribution; empty if they do.
    nonlinearity : float
        How far state and data are from jointly normal: the share of the variance of what the update leaves of the state, or of
        its square, that a quadratic function of the data explains; 0 in linear systems, nan where it is not assumed.
    """

    log_likelihood: float
    effective_size: float
    stages: int = 0
    acceptance: float = float("nan")
    collapse: str = ""
    nonlinearity: float = float("nan")
