"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .drivers.sobol import Sobol as Sobol
from .drivers.wiener import Wiener as Wiener

"""For other packages."""

from . import drivers as drivers
from . import iterated_integrals as iterated_integrals
from .driver import DrivenRun as DrivenRun
from .driver import Driver as Driver
from .driving_path import DrivingPath as DrivingPath
from .driving_process import DrivingProcess as DrivingProcess
from .driving_process import KernelDraw as KernelDraw
from .normal_numbers import fill_normals as fill_normals
from .philox import STEP_BITS as STEP_BITS
from .philox_normal import generator_of_normals as generator_of_normals
from .start_numbers import StartNumbers as StartNumbers
from .wiener import WienerNoise as WienerNoise
