"""Reduced Lagrangians."""

from semidirect.definition.lagrangians.quadratic import QuadraticLagrangian
from semidirect.definition.lagrangians.reduced_lagrangian import ReducedLagrangian

__all__ = ["QuadraticLagrangian", "ReducedLagrangian"]
