"""Integrators, one family a file, named for what they do."""

from semidirect.integrators.dop853 import DOP853
from semidirect.integrators.euler_maruyama import EulerMaruyama
from semidirect.integrators.heun import EulerHeun, Heun
from semidirect.integrators.implicit_midpoint import ImplicitMidpoint
from semidirect.integrators.integrator import Integrator, Step
from semidirect.integrators.lie import LieHeun, LieMidpoint
from semidirect.integrators.lie_milstein import LieMilstein
from semidirect.integrators.milstein import Milstein
from semidirect.integrators.registry import METHODS, integrator
from semidirect.integrators.sdelab import SDELab
from semidirect.integrators.sra1 import SRA1
from semidirect.integrators.weak_runge_kutta import RS1, RS2, WeakRungeKutta

__all__ = [
    "DOP853", "METHODS", "RS1", "RS2", "SRA1", "EulerHeun", "EulerMaruyama", "Heun", "ImplicitMidpoint", "Integrator", "LieHeun",
    "LieMidpoint", "LieMilstein", "Milstein", "SDELab", "Step", "WeakRungeKutta", "integrator",
]  # fmt: skip
