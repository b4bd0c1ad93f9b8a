"""Multilevel Monte Carlo: means from many coarse paths and few fine ones."""

from semidirect.analysis.multilevel.estimate import multilevel
from semidirect.analysis.multilevel.level import Level
from semidirect.analysis.multilevel.result import Multilevel

__all__ = ["Level", "Multilevel", "multilevel"]
