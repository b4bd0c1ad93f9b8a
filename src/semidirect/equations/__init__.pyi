"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.equations.hamilton_pontryagin import HamiltonPontryagin as HamiltonPontryagin
from semidirect.equations.lagrange_dalembert import LagrangeDAlembert as LagrangeDAlembert
from semidirect.equations.principle import Principle as Principle
from semidirect.equations.program import Let as Let
from semidirect.equations.program import Program as Program
from semidirect.equations.program import Solve as Solve
from semidirect.equations.sde import StratonovichSDE as StratonovichSDE
