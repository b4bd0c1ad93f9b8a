"""Integrators, one family a file, named for what they do."""

from semidirect.integrators.dop853 import DOP853
from semidirect.integrators.euler_maruyama import EulerMaruyama
from semidirect.integrators.heun import EulerHeun, Heun
from semidirect.integrators.implicit_midpoint import ImplicitMidpoint
from semidirect.integrators.integrator import Integrator, Step
from semidirect.integrators.lie import LieHeun, LieMidpoint
from semidirect.integrators.registry import METHODS, integrator
from semidirect.integrators.sdelab import SDELab

__all__ = [
    "DOP853", "METHODS", "EulerHeun", "EulerMaruyama", "Heun", "ImplicitMidpoint", "Integrator", "LieHeun", "LieMidpoint",
    "SDELab", "Step", "integrator",
]  # fmt: skip
