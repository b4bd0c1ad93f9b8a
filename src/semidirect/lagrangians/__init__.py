"""Reduced Lagrangians."""

from semidirect.lagrangians.quadratic import QuadraticLagrangian
from semidirect.lagrangians.reduced_lagrangian import ReducedLagrangian

__all__ = ["QuadraticLagrangian", "ReducedLagrangian"]
