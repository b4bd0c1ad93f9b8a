"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .hamilton_pontryagin import HamiltonPontryagin as HamiltonPontryagin
from .lagrange_dalembert import LagrangeDAlembert as LagrangeDAlembert
from .principle import Principle as Principle
from .program import Let as Let
from .program import Program as Program
from .program import Solve as Solve
from .sde import StratonovichSDE as StratonovichSDE

"""For other packages."""

from . import emission as emission
from . import letters as letters
from . import quantity_expressions as quantity_expressions
from .derive import derived_sde as derived_sde
from .derive import lettered_setting as lettered_setting
from .derive import not_written_out as not_written_out
from .evolution import Evolution as Evolution
from .evolution import evolve as evolve
from .kinematics import ProgramBuilder as ProgramBuilder
from .kinematics import SymbolicDefinition as SymbolicDefinition
from .motion import TransportKinematics as TransportKinematics
from .principles import PRINCIPLES as PRINCIPLES
from .program import Statement as Statement
from .replacement import replaced as replaced
from .sde import Variable as Variable
