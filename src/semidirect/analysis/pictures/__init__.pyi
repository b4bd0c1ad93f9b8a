"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .curves import plane_position as plane_position
from .curves import plot_phase as plot_phase
from .curves import plot_plane as plot_plane
from .distributions import plot_histogram as plot_histogram
from .distributions import plot_quantiles as plot_quantiles
from .distributions import plot_survival as plot_survival
from .drawn_quantity import mean as mean
from .overview import draw_panels as draw_panels
from .overview import plot_run as plot_run
from .sphere import plot_sphere as plot_sphere
from .sphere_histogram import plot_sphere_histogram as plot_sphere_histogram
from .time_series import plot as plot

"""For other packages."""

from . import style as style
from .labels import short as short
from .labels import symbol as symbol
