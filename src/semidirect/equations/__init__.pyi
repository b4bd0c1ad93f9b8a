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
from . import forecast as forecast
from . import letters as letters
from . import quantity_expressions as quantity_expressions
from .derive import derived_sde as derived_sde
from .evolution import Evolution as Evolution
from .kinematics import SymbolicDefinition as SymbolicDefinition
from .principles import PRINCIPLES as PRINCIPLES
from .variation import Variation as Variation
