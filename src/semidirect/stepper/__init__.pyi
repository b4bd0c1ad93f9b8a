"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from .ensemble_stepper import Stepper as Stepper
from .ensemble_stepper import stepper as stepper
from .tangent_vectors import orthonormal as orthonormal
from .tangent_vectors import phase_dimension as phase_dimension
