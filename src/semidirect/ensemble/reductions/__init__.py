"""Statistics taken while paths run, so that memory does not grow with their number."""

from semidirect.ensemble.reductions.covariance import Covariance
from semidirect.ensemble.reductions.extremes import Extremes
from semidirect.ensemble.reductions.first_passage import FirstPassage
from semidirect.ensemble.reductions.histogram import Histogram
from semidirect.ensemble.reductions.moments import Moments
from semidirect.ensemble.reductions.of_quantities import OfQuantities
from semidirect.ensemble.reductions.reduction import Accumulator, Statistic, StatisticRequest, StatisticResult
from semidirect.ensemble.reductions.time_average import TimeAverage, TimeAveraged

__all__ = [
    "Accumulator", "Covariance", "Extremes", "FirstPassage", "Histogram", "Moments", "OfQuantities", "Statistic",
    "StatisticRequest", "StatisticResult", "TimeAverage", "TimeAveraged",
]  # fmt: skip
