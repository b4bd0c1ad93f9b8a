"""Constraints: distributions of velocities and their noise."""

from semidirect.constraints.covectors import CovectorConstraint
from semidirect.constraints.distribution import DistributionConstraint
from semidirect.constraints.rolling import Rolling
from semidirect.constraints.stochastic_constraint import Annihilator, Distribution, StochasticConstraint
from semidirect.constraints.unconstrained import Unconstrained

__all__ = [
    "Annihilator", "CovectorConstraint", "Distribution", "DistributionConstraint", "Rolling", "StochasticConstraint",
    "Unconstrained",
]  # fmt: skip
