"""Derivation: principles, the staged program, Itô form, evolution of observables, printing."""

from semidirect.equations.hamilton_pontryagin import HamiltonPontryagin
from semidirect.equations.lagrange_dalembert import LagrangeDAlembert
from semidirect.equations.principle import Principle
from semidirect.equations.program import Let, Program, Solve
from semidirect.equations.sde import StratonovichSDE

__all__ = ["HamiltonPontryagin", "LagrangeDAlembert", "Let", "Principle", "Program", "Solve", "StratonovichSDE"]
