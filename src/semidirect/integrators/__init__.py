"""Integrators: one family of methods in each file."""

from semidirect.integrators.chart import Flat, Frame
from semidirect.integrators.coadjoint_midpoint import CoadjointMidpoint
from semidirect.integrators.dop853 import DOP853
from semidirect.integrators.euler_maruyama import EulerMaruyama
from semidirect.integrators.gauss import Gauss
from semidirect.integrators.heun import EulerHeun, Heun
from semidirect.integrators.implicit_midpoint import ImplicitMidpoint
from semidirect.integrators.integrator import Integrator, Step
from semidirect.integrators.lie import LieHeun, LieMidpoint
from semidirect.integrators.lie_milstein import LieMilstein
from semidirect.integrators.lift import RKMK4, Lift
from semidirect.integrators.milstein import Milstein
from semidirect.integrators.nonholonomic import Nonholonomic
from semidirect.integrators.registry import METHODS, integrator
from semidirect.integrators.rk4 import RK4
from semidirect.integrators.runge_kutta import runge_kutta
from semidirect.integrators.sdelab import SDELab
from semidirect.integrators.sra1 import SRA1
from semidirect.integrators.tableau import Tableau
from semidirect.integrators.variational import Variational
from semidirect.integrators.weak_runge_kutta import RS1, RS2, WeakRungeKutta

__all__ = [
    "DOP853", "METHODS", "RK4", "RKMK4", "RS1", "RS2", "SRA1", "CoadjointMidpoint", "EulerHeun", "EulerMaruyama", "Flat",
    "Frame", "Gauss", "Heun", "ImplicitMidpoint", "Integrator", "LieHeun", "LieMidpoint", "LieMilstein", "Lift", "Milstein",
    "Nonholonomic", "SDELab", "Step", "Tableau", "Variational", "WeakRungeKutta", "integrator", "runge_kutta",
]  # fmt: skip
