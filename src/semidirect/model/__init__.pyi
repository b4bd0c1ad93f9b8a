"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

"""For other packages."""

from . import answers_of_functions as answers_of_functions
from . import sensitivities as sensitivities
from .array_equations import numbers_of as numbers_of
from .array_sde import ArraySDE as ArraySDE
from .derived_equations import DerivedEquations as DerivedEquations
from .derived_equations import Row as Row
from .differentiable import Differentiable as Differentiable
from .emitted_fields import Retraction as Retraction
from .noise_classes import NoiseClass as NoiseClass
from .noise_classes import noise_class as noise_class
from .numerical_model import NumericalSDE as NumericalSDE
from .quadratic_energy import QuadraticEnergy as QuadraticEnergy
