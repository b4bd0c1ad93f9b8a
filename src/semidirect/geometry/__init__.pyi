"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .configuration_statistics import ConfigurationStatistics as ConfigurationStatistics
from .configuration_statistics import statistics as statistics
from .factor_statistics import FactorStatistics as FactorStatistics
from .geomstats_adapter import frechet_mean as frechet_mean
from .geomstats_adapter import from_geomstats as from_geomstats
from .geomstats_adapter import to_geomstats as to_geomstats
