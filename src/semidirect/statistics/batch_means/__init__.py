"""Averages over time with their errors, from the means of batches of consecutive observations and from paths."""

from semidirect.statistics.batch_means.batches import LONG_BATCH, MANY_PATHS, Batches, validated_batches
from semidirect.statistics.batch_means.means import (
    FEWEST,
    FEWEST_TO_COMPARE,
    NEGLIGIBLE,
    ROUNDING,
    UNSETTLED,
    BatchMeans,
    BatchSums,
    counted,
)

__all__ = [
    "BatchMeans",
    "BatchSums",
    "Batches",
    "FEWEST",
    "FEWEST_TO_COMPARE",
    "LONG_BATCH",
    "MANY_PATHS",
    "NEGLIGIBLE",
    "ROUNDING",
    "UNSETTLED",
    "counted",
    "validated_batches",
]
