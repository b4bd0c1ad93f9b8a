"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from .ensemble_stepper import Stepper as Stepper
from .ensemble_stepper import stepper as stepper
