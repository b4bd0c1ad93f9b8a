"""Analysis of runs: convergence, comparison of methods, checks of declared invariants, plots."""

from semidirect.analysis.conservation import ConservationTable, Quantity, drift
from semidirect.analysis.plots import mean, plane_position, plot_plane, plot_run, plot_time_series

__all__ = [
    "plot_run", "plot_time_series", "plot_plane", "plane_position", "mean", "ConservationTable", "Quantity", "drift",
]  # fmt: skip
