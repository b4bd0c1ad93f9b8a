"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .drivers.wiener import Wiener as Wiener

"""For other packages."""

from . import iterated_integrals as iterated_integrals
from . import normals as normals
from . import philox_normal as philox_normal
from . import registry as registry
from .covariance import mixed as mixed
from .driver import DrivenRun as DrivenRun
from .driver import Driver as Driver
from .drivers.path import GivenPath as GivenPath
from .driving_path import DrivingPath as DrivingPath
from .driving_process import DrivingProcess as DrivingProcess
from .driving_process import KernelDraw as KernelDraw
from .philox import STEP_BITS as STEP_BITS
from .staged_path import staged as staged
from .wiener import WienerNoise as WienerNoise
