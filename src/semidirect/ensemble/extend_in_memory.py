"""More paths, or more time, for a run in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Event
from typing import Any

import numpy as np

from semidirect.core import errors
from semidirect.engines import ChunkResult, Execution, stepping
from semidirect.ensemble.simulation import path_count, run_in_memory
from semidirect.random import DrivingProcess, drivers
from semidirect.results import RunData
from semidirect.specification import RunSpec, driving_process, schedule


def extended_in_memory(
    run: RunData, *, paths: int | None, t_end: float | None, driver: Any, execution: Execution
) -> RunData:
    """See :func:`semidirect.run.extend`."""
    before = run.specification
    if before is None:
        raise errors.InputError(
            "a run to extend", expected="the result of simulate, or a store", got="a run without its arguments"
        )
    if paths is None and t_end is None:
        raise errors.InputError("nothing to extend", expected="paths or t_end")
    spec = longer(before, paths, t_end, driver, execution.engine)
    job = GoingOn(run, stepping.Ended(before.last, before.saved_steps))
    return run_in_memory(spec, execution, job if job.ended.suffices(spec) else None)


def longer(before: RunSpec, paths: int | None, t_end: float | None, driver: Any, engine: str) -> RunSpec:
    """The same run with more paths or a later end.

    Raises
    ------
    InputError
        For fewer paths or less time, or a driver that moves the first steps in another way.
    """
    count = before.paths if paths is None else path_count(before.system, before.start, paths)
    end = before.t_end if t_end is None else t_end
    first, last = schedule.steps_between(before.t_start, end, before.dt)
    if count < before.paths or last < before.last:
        raise errors.InputError("a run can only be extended", expected=f"at least {before.paths} paths, t_end {before.t_end:g}",
                                got=f"{count} paths, t_end {end:g}")  # fmt: skip
    drive = drivers.driver_from_json(before.noise) if driver is None else drivers.driver_of(driver)
    refuse_longer(before.noise, last > before.last)
    process = driving_process(before.model, before.method, drive, seed=before.seed, dt=before.dt, steps=range(first, last),
                              paths=count)  # fmt: skip
    _refuse_another(before, process)
    saved = schedule.selected_steps(before.save.times, last, before.dt, first)
    at = before.reduce.at
    sampled = saved if at is None else schedule.selected_steps(at, last, before.dt, first, what="reduce at")
    reduced = sampled if before.reduce.statistics else sampled[:0]
    for steps in (saved, reduced):
        steps.setflags(write=False)
    spec = replace(
        before,
        driver=process,
        last=last,
        paths=count,
        noise=drivers.driver_as_json(drive, process),
        saved_steps=saved,
        reduced=reduced,
        end_only=False,
    )
    stepped_by = stepping.chosen_engine(engine, spec)
    chunk = RunSpec.usual_chunk(count, 8.0 * spec.numbers_saved, stepping.usual_paths(stepped_by), spec.model.sites)
    return replace(spec, engine=stepped_by, chunk_paths=chunk)


def refuse_longer(noise: Mapping[str, Any], longer: bool) -> None:
    """Raise an error for more time of a run whose paths are points of its whole time."""
    if drivers.replications_of(noise) and longer:
        raise errors.InputError(
            "a run of replications that is extended", expected="more paths", got="a later t_end",
            hint="Its noise is that of its whole time: make a new run to the later t_end, or use driver=sd.Wiener().",
        )  # fmt: skip


def _refuse_another(before: RunSpec, process: DrivingProcess | None) -> None:
    """Raise an error for a driver whose increments differ in the first or the last step of the shorter run."""
    previous, paths = before.driver, range(before.paths)
    same = (previous is None) == (process is None)
    if previous is not None and process is not None:
        steps = (before.first, before.last - 1)
        same = all(
            np.array_equal(previous.block(paths, n, 1, before.dt), process.block(paths, n, 1, before.dt)) for n in steps
        )
    if not same:
        raise errors.InputError("the driver of a run that is extended", expected="the one that it had, for more steps or paths",
                                got="other increments")  # fmt: skip


@dataclass(frozen=True)
class GoingOn:
    """Computes a chunk from the end of its paths in a shorter run in memory; new paths begin at the start."""

    run: RunData
    ended: stepping.Ended

    def __call__(self, spec: RunSpec, number: int, stopped: Event | None) -> ChunkResult:
        """The chunk of the longer run."""
        run, chunk = self.run, spec.chunk(number)
        if chunk.stop > run.paths:
            return stepping.chunk_of(spec, number, stopped)
        some = slice(chunk.start, chunk.stop)
        data = {} if spec.end_only else {k: v[some] for k, v in run.data.items()}
        y, stored = (np.asarray(run.final.end[k][some]) for k in ("y", "stored"))
        before = ChunkResult(
            chunk, data, {}, y, stored, run.status[some], run.failed_at[some], run.failed_component[some], {}
        )
        return stepping.continue_chunk(spec, self.ended, before, stopped)
