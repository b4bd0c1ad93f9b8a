"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .covariance import Covariance as Covariance
from .extremes import Extremes as Extremes
from .first_passage import FirstPassage as FirstPassage
from .histogram import Histogram as Histogram
from .moments import Moments as Moments
from .of_quantities import OfQuantities as OfQuantities
from .reduction import Accumulator as Accumulator
from .reduction import Statistic as Statistic
from .reduction import StatisticRequest as StatisticRequest
from .reduction import StatisticResult as StatisticResult
from .time_average import TimeAverage as TimeAverage
from .time_average import TimeAveraged as TimeAveraged

"""For other packages."""

from . import batch_means as batch_means
from . import choice as choice
from .dependence import Dependence as Dependence
from .reduction import PartialStatistic as PartialStatistic
from .replications.replicated import replicated as replicated
