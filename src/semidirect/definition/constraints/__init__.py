"""Constraints: distributions of velocities and their noise."""

from semidirect.definition.constraints.contact import Contact
from semidirect.definition.constraints.covectors import CovectorConstraint
from semidirect.definition.constraints.distribution import DistributionConstraint
from semidirect.definition.constraints.prescribed_velocity import PrescribedVelocity
from semidirect.definition.constraints.rolling import Rolling
from semidirect.definition.constraints.stochastic_constraint import Annihilator, Distribution, StochasticConstraint
from semidirect.definition.constraints.unconstrained import Unconstrained

__all__ = [
    "Annihilator", "Contact", "CovectorConstraint", "Distribution", "DistributionConstraint", "PrescribedVelocity", "Rolling",
    "StochasticConstraint", "Unconstrained",
]  # fmt: skip
