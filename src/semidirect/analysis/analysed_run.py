"""A run with its analysis: pictures, its observables compared with their declared status, and its page for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semidirect.analysis.pictures.plots import RunPlots
from semidirect.core import explains_calls
from semidirect.results import RunResult

if TYPE_CHECKING:
    from semidirect.analysis.monitor.monitor import Monitor
    from semidirect.definition import SystemDefinition


@explains_calls
class AnalysedRun(RunResult):
    """The base of :class:`~semidirect.run.Run`, with pictures and checks of a run."""

    def monitor(self, system: SystemDefinition | None = None, **how: Any) -> Monitor:
        """Compares the observables with their declared status: see :func:`semidirect.analysis.monitor.monitor`."""
        from semidirect.analysis.monitor.monitor import monitor

        return monitor(self, system, **how)

    def level(self, system: SystemDefinition | None = None) -> dict[str, float]:
        """The values of conserved quantities on which the run starts, for ``prove(on=…)``: see :func:`.start_level`."""
        from semidirect.analysis.monitor.start_level import start_level

        return start_level(self.data, self.data.known_system if system is None else system)

    @property
    def plot(self) -> RunPlots:
        """Pictures: ``run.plot("energy")`` draws quantities against time; ``run.plot.sphere``, ``phase``, ``plane``,
        ``histogram``, ``quantiles``, ``survival`` and ``sphere_histogram`` draw them in other ways.
        """
        return RunPlots(self)

    def _repr_html_(self) -> str:
        from semidirect.analysis.run_page import run_html

        return run_html(self.data)
