"""The public names, each from its place: read by type checkers, and by the package when a name is first used."""

from semidirect.analysis.advice.ranking import recommend as recommend
from semidirect.analysis.advice.recommendation import Recommendation as Recommendation
from semidirect.analysis.comparison import Comparison as Comparison
from semidirect.analysis.comparison import compare as compare
from semidirect.analysis.conservation import ConservationTable as ConservationTable
from semidirect.analysis.conservation import Quantity as Quantity
from semidirect.analysis.conservation import drift as drift
from semidirect.analysis.convergence import Convergence as Convergence
from semidirect.analysis.convergence import convergence as convergence
from semidirect.analysis.lyapunov.estimate import lyapunov as lyapunov
from semidirect.analysis.lyapunov.spectrum import LyapunovSpectrum as LyapunovSpectrum
from semidirect.analysis.monitor.monitor import Monitor as Monitor
from semidirect.analysis.monitor.monitor import monitor as monitor
from semidirect.analysis.multilevel.estimate import multilevel as multilevel
from semidirect.analysis.multilevel.result import Multilevel as Multilevel
from semidirect.analysis.pictures.curves import plane_position as plane_position
from semidirect.analysis.pictures.curves import plot_plane as plot_plane
from semidirect.analysis.pictures.drawn_quantity import mean as mean
from semidirect.analysis.pictures.overview import plot_run as plot_run
