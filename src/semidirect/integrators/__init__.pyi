"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .chart import Flat as Flat
from .chart import Frame as Frame
from .coadjoint_midpoint import CoadjointMidpoint as CoadjointMidpoint
from .dop853 import DOP853 as DOP853
from .euler_maruyama import EulerMaruyama as EulerMaruyama
from .gauss import Gauss as Gauss
from .heun import EulerHeun as EulerHeun
from .heun import Heun as Heun
from .implicit_midpoint import ImplicitMidpoint as ImplicitMidpoint
from .isospectral_midpoint import IsospectralMidpoint as IsospectralMidpoint
from .lie import LieHeun as LieHeun
from .lie import LieMidpoint as LieMidpoint
from .lie_milstein import LieMilstein as LieMilstein
from .lift import RKMK4 as RKMK4
from .lift import Lift as Lift
from .method import Integrator as Integrator
from .method import Step as Step
from .milstein import Milstein as Milstein
from .nonholonomic import Nonholonomic as Nonholonomic
from .registry import METHODS as METHODS
from .registry import integrator as integrator
from .rk4 import RK4 as RK4
from .runge_kutta import runge_kutta as runge_kutta
from .sdelab import SDELab as SDELab
from .sra1 import SRA1 as SRA1
from .tableau import Tableau as Tableau
from .variational import Variational as Variational
from .weak_runge_kutta import RS1 as RS1
from .weak_runge_kutta import RS2 as RS2
from .weak_runge_kutta import WeakRungeKutta as WeakRungeKutta

"""For other packages."""

from .adaptive import AdaptiveIntegrator as AdaptiveIntegrator
from .advance import Advance as Advance
