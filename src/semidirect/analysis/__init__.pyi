"""What this package offers, each name from its module: read by type checkers, and when a name is first used."""

from .advice.ranking import recommend as recommend
from .advice.recommendation import Recommendation as Recommendation
from .comparison import Comparison as Comparison
from .comparison import compare as compare
from .conservation import ConservationTable as ConservationTable
from .conservation import Quantity as Quantity
from .conservation import drift as drift
from .convergence_study import Convergence as Convergence
from .convergence_study import convergence as convergence
from .lyapunov.estimate import lyapunov as lyapunov
from .lyapunov.spectrum import LyapunovSpectrum as LyapunovSpectrum
from .monitor.monitor import Monitor as Monitor
from .monitor.monitor import monitor as monitor
from .multilevel.estimate import multilevel as multilevel
from .multilevel.result import Multilevel as Multilevel
from .pictures.curves import plane_position as plane_position
from .pictures.curves import plot_plane as plot_plane
from .pictures.drawn_quantity import mean as mean
from .pictures.overview import plot_run as plot_run

"""For other packages."""

from . import pictures as pictures
from .advice.advice import Advice as Advice
from .analysed_run import AnalysedRun as AnalysedRun
from .monitor.keeping import moved_by_method as moved_by_method
from .order_fit import OrderFit as OrderFit
from .pictures import style as style
from .pictures.axis_text import plain_ticks as plain_ticks
from .pictures.labels import short as short
from .pictures.labels import symbol as symbol
