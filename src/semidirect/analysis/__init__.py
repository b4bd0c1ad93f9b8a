"""Analysis of runs: convergence, comparison of methods, checks of declared invariants, pictures."""

from semidirect.analysis.conservation import ConservationTable, Quantity, drift
from semidirect.analysis.pictures import mean, plane_position, plot_plane, plot_run

__all__ = ["plot_run", "plot_plane", "plane_position", "mean", "ConservationTable", "Quantity", "drift"]
