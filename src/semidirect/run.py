"""The result of a simulation, which can be saved, loaded, monitored and extended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from semidirect.analysis import AnalysedRun
from semidirect.core import WithMovedNames, arguments, errors, explains_calls, failure
from semidirect.engines import Execution
from semidirect.ensemble import extended
from semidirect.results import RunData
from semidirect.specification import names_moved_arguments

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.specification import MethodLike
    from semidirect.view import View


@explains_calls
class Run(AnalysedRun, metaclass=WithMovedNames):
    """Paths of a system at the times that were saved; ``run["energy"]`` is an array ``(paths, time)``.

    A run is a mapping of its quantities: ``list(run)`` has their names.

    Attributes
    ----------
    data : RunData
        All that is stored of the run: a mapping of its quantities, and its units, the status of each path, where and when paths
        failed, parameters that differ from path to path, and what the package reads.
    """

    _moved = "Run"

    def view(self, system: SystemDefinition | None = None, **how: Any) -> View:
        """A page in which the body moves, for a notebook or ``.save("view.html")``: see :func:`semidirect.view.page.view`."""
        from semidirect.view import view

        return view(self, system, **how)

    def save(self, path: str | Path) -> Path | str:
        """Write a Zarr v3 store, at a path or a URL; :meth:`load` gives the identical run.

        Raises
        ------
        StoreError
            If the path exists already, or cannot be written.
        """
        from semidirect.ensemble import run_files

        return run_files.save(self.data, path)

    @classmethod
    def load(cls, path: str | Path, *, partial: bool = False) -> Self:
        """Read a store, at a path or a URL; nothing in it is executed.

        A quantity is read, and its checksums are verified, at first use.

        Parameters
        ----------
        partial : bool
            Whether to read the finished paths of an unfinished run; ``data.numbers`` are their numbers.

        Raises
        ------
        StoreError
            If it does not exist, is not a run, is damaged, or is not finished.
        """
        from semidirect.ensemble import run_files

        return cls(
            run_files.load(
                arguments.validated_location("a run", path), partial=arguments.validated_flag("partial", partial)
            )
        )

    @classmethod
    def parts(cls, path: str | Path, *, partial: bool = False) -> Iterator[Self]:
        """Read a store chunk by chunk, each as a run of some paths, for runs that do not fit into memory."""
        from semidirect.ensemble import run_files

        place, partial = arguments.validated_location("a run", path), arguments.validated_flag("partial", partial)
        return map(cls, run_files.parts(place, partial=partial))


def _extended_hybrid(
    run: RunData, changes: Mapping[str, Any], other: tuple[Any, Any], execution: Execution | None
) -> RunData:
    """A longer run of a hybrid system, made again from the start; its first part has the same bits."""
    specification: Any = run.specification
    if specification is None or any(x is not None for x in (changes["driver"], *other)):
        raise errors.InputError("a run of a hybrid system to extend", expected="one in memory, paths= and t_end= alone",
                                got=repr(run), hint="Continue it: hybrid.simulate(state=run.final, t_end=…, dt=…).")  # fmt: skip
    data: RunData = specification.again(changes["paths"], changes["t_end"], Execution.of(execution))
    return data


@names_moved_arguments
def extend(path: str | Path | Run | RunData, *, paths: int | None = None, t_end: float | None = None,
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
    path : path or URL, or Run
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
    changes = {"paths": paths, "t_end": t_end, "driver": driver}
    run = path.data if isinstance(path, Run) else path
    # a run of a hybrid system is made again
    if isinstance(run, RunData) and run.history is not None:
        return type(path)(_extended_hybrid(run, changes, (system, method), execution))  # type: ignore[arg-type, call-arg, return-value]
    data = extended(run, **changes, system=system, method=method, execution=Execution.of(execution))
    failure.warn_of_failures(data)
    return Run(data)
