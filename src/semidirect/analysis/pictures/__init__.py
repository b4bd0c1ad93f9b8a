"""Pictures of runs and of studies: every function takes ``ax=``, Matplotlib's axes, and returns axes."""

from semidirect.analysis.pictures.curves import plane_position, plot_phase, plot_plane
from semidirect.analysis.pictures.distributions import plot_histogram, plot_quantiles, plot_survival
from semidirect.analysis.pictures.drawn_quantity import mean
from semidirect.analysis.pictures.overview import draw_panels, plot_run
from semidirect.analysis.pictures.plots import RunPlots
from semidirect.analysis.pictures.sphere import plot_sphere
from semidirect.analysis.pictures.sphere_histogram import plot_sphere_histogram
from semidirect.analysis.pictures.time_series import plot

__all__ = ["RunPlots", "draw_panels", "mean", "plane_position", "plot", "plot_histogram", "plot_phase",
           "plot_plane", "plot_quantiles", "plot_run", "plot_sphere", "plot_sphere_histogram", "plot_survival"]  # fmt: skip
