"""The result of a simulation, which can be saved, loaded, monitored and extended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from semidirect.analysis.pictures import (
    plot,
    plot_histogram,
    plot_phase,
    plot_plane,
    plot_quantiles,
    plot_sphere,
    plot_sphere_histogram,
    plot_survival,
)
from semidirect.core.arguments import validated_flag, validated_place
from semidirect.core.errors import InputError
from semidirect.core.explained_calls import explains_calls
from semidirect.core.failure import warn_of_failures
from semidirect.core.moved_arguments import names_moved_arguments
from semidirect.ensemble.data_set import data_frame, data_set
from semidirect.ensemble.execution import Execution
from semidirect.ensemble.extend_in_memory import extended_in_memory
from semidirect.ensemble.run import RunData, a_run
from semidirect.ensemble.run_html import run_html
from semidirect.ensemble.store.extend import extended_run
from semidirect.ensemble.store_place import store_place

if TYPE_CHECKING:
    import pandas
    import xarray

    from semidirect.analysis.monitor import Monitor
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.ensemble.default_method import MethodLike
    from semidirect.view import View


@explains_calls
@dataclass(frozen=True, eq=False, repr=False)
class Run(RunData):
    """Paths of a system at the times that were saved; ``run["energy"]`` is an array ``(paths, time)``.

    Attributes are those of :class:`~semidirect.ensemble.run.RunData`.
    """

    @classmethod
    def of(cls, data: RunData) -> Self:
        """The run with these data, which are shared."""
        run = object.__new__(cls)
        vars(run).update(vars(a_run(data)))  # checked and frozen already
        return run

    def monitor(self, system: SystemDefinition | None = None, **how: Any) -> Monitor:
        """Compares the observables with their declared status: see :func:`semidirect.analysis.monitor.monitor`."""
        from semidirect.analysis.monitor import monitor

        return monitor(self, system, **how)

    def level(self, system: SystemDefinition | None = None) -> dict[str, float]:
        """The values of conserved quantities on which the run starts, for ``prove(on=…)``: see :func:`.start_level`."""
        from semidirect.analysis.monitor.start_level import start_level

        return start_level(self, self.known_system if system is None else system)

    plot = plot
    plot_plane = plot_plane
    plot_phase = plot_phase
    plot_sphere = plot_sphere
    plot_sphere_histogram = plot_sphere_histogram
    plot_histogram = plot_histogram
    plot_quantiles = plot_quantiles
    plot_survival = plot_survival

    def view(self, system: SystemDefinition | None = None, **how: Any) -> View:
        """A page in which the body moves, for a notebook or ``.save("view.html")``: see :func:`semidirect.view.page.view`."""
        from semidirect.view import view

        return view(self, system, **how)

    def _repr_html_(self) -> str:
        from semidirect.analysis.monitor.keeping import moved_by_method

        return run_html(self, moved_by_method)

    def to_xarray(self) -> xarray.Dataset:
        """An xarray Dataset with dims ``path, time, component``; units, long names and the configuration in attributes.

        ``component`` belongs to vectors of R³, with the labels x, y, z; vectors of n other components have ``component_n``, which
        counts from 1, or has x and y for n = 2. Coordinates that fill a matrix also appear as a matrix, ``g_matrix`` with
        dims ``row, column`` (``row_n`` unless it has three), and so does the whole element of the group, ``element``, if it
        is another matrix. Values that differ from path to path are coordinates on ``path``: parameters by name, initial values as
        ``initial_Omega``, for ``groupby``. The crossings of the first ``Save(crossings=…)`` are ``crossing1_count``,
        ``crossing1_time`` and ``crossing1_M``, with the dim ``crossing1``, and so on. Attributes follow the CF
        conventions where they apply, and the data set can be written by ``to_netcdf`` and ``to_zarr``; in the name of an
        expression ``/`` becomes ``over``.
        """
        return data_set(self, self.layout())

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame with a row per path and time, and a column per component, named as in tables: ``Omega1``, ``g11``.

        Values that differ from path to path are columns too. ``attrs["units"]`` has the units by column.
        """
        return data_frame(self)

    def save(self, path: str | Path) -> Path:
        """Write a Zarr v3 store; :meth:`load` gives the identical run.

        Raises
        ------
        StoreError
            If the path exists already, or cannot be written.
        """
        from semidirect.ensemble.store import run_files

        place = store_place("a run", path)
        run_files.save(self, place)
        return place

    @classmethod
    def load(cls, path: str | Path, *, partial: bool = False) -> Self:
        """Read a store; nothing in it is executed. A quantity is read, and its checksums are verified, at first use.

        Parameters
        ----------
        partial : bool
            Whether to read the finished paths of an unfinished run; :attr:`numbers` are their numbers.

        Raises
        ------
        StoreError
            If it does not exist, is not a run, is damaged, or is not finished.
        """
        from semidirect.ensemble.store import run_files

        return cls.of(run_files.load(validated_place("a run", path), partial=validated_flag("partial", partial)))

    @classmethod
    def parts(cls, path: str | Path, *, partial: bool = False) -> Iterator[Self]:
        """Read a store chunk by chunk, each as a run of some paths, for runs that do not fit into memory."""
        from semidirect.ensemble.store import run_files

        place, partial = validated_place("a run", path), validated_flag("partial", partial)
        return map(cls.of, run_files.parts(place, partial=partial))


@names_moved_arguments
def extend(path: str | Path | RunData, *, paths: int | None = None, t_end: float | None = None,
           system: SystemDefinition | None = None, method: MethodLike | None = None, driver: Any = None,
           execution: Execution | None = None) -> Run:  # fmt: skip
    """Add paths to a finished run, or time, or both: on disk, or in memory.

    All arrays are then identical to the last bit to those of a run with these numbers from the start. A run in memory stays as
    it is, and the longer one is returned. On disk, paths are added in place if there is more than one chunk. Everything else is
    written next to the run, into the folder ``run.zarr.extending``, and
    replaces the run at the end; paths continue from their final states, or start anew if the run has statistics, stops, or a
    method that chooses its steps. The same call finishes an interrupted extension.

    Parameters
    ----------
    path : path, or Run
        The run, which must be finished; one that was loaded is extended in its store.
    paths : int, optional
        Number of paths, at least the present number.
    t_end : float, optional
        The end [s], at least the present end.
    system : System, optional
        The system of a store, unless its class is imported or belongs to an installed plugin.
    method, driver : optional
        As they were, if they cannot be restored from the record: a method of your own, a driving path of increments. A run in
        memory knows its system and its method.
    execution : Execution, optional
        As for :meth:`.System.simulate`; the workers of an executor must see the store to add time.

    Raises
    ------
    StoreError
        If the run is not finished, was saved from memory, or cannot be read or written.
    InputError
        For fewer paths or less time than before, or if the system, method or driving path is not known.
    """
    given = {"paths": paths, "t_end": t_end, "driver": driver}
    if isinstance(path, RunData) and path.source is None:
        for name, value in (("system", system), ("method", method)):
            if value is not None:
                raise InputError(f"{name} of a run in memory", expected="none: it knows its own", got=repr(value))
        data = extended_in_memory(path, **given, execution=Execution.of(execution))
    else:
        place = getattr(path.source, "path", None) if isinstance(path, RunData) else path
        data = extended_run(place, **given, system=system, method=method, execution=execution)  # type: ignore[arg-type]
    warn_of_failures(data)
    return Run.of(data)
