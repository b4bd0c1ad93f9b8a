"""More paths, or more time, for a run on disk."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from semidirect.core import arguments, errors
from semidirect.definition import SystemDefinition, plugins
from semidirect.engines import ChunkResult, Execution, stepping
from semidirect.ensemble.extend_in_memory import refuse_longer
from semidirect.ensemble.signals import ended_like_interrupted
from semidirect.ensemble.simulation import specify
from semidirect.ensemble.store.folder import Folder
from semidirect.ensemble.store.folder_at import folder_at
from semidirect.ensemble.store.layout import as_json
from semidirect.ensemble.store.manifest import INITIAL, STATE, fixed, manifest
from semidirect.ensemble.store.run_files import load, refuse_what_is_unfinished, result_of
from semidirect.ensemble.store.running import as_stored, fill, resolved
from semidirect.ensemble.store.store import Store
from semidirect.random import drivers
from semidirect.results import RunData
from semidirect.specification import Checks, Formulation, MethodLike, Reduce, RunSpec, Save, conditions, schedule
from semidirect.state import InitialState

_log = logging.getLogger(__name__)


def extended_run(
    path: str | Path, *, paths: int | None = None, t_end: float | None = None, system: SystemDefinition | None = None,
    method: MethodLike | None = None, driver: Any = None, execution: Execution | None = None,
) -> RunData:  # fmt: skip
    """See :func:`semidirect.run.extend`."""
    target = folder_at(arguments.validated_location("a store", path)).real()
    with ended_like_interrupted(), target.lock():
        _exchange(target)
        store = Store.open(target)
        requested = {"paths": paths, "t_end": t_end}
        changes: dict[str, Any] = {k: v for k, v in requested.items() if v is not None}
        if not changes:
            raise errors.InputError("nothing to extend", expected="paths or t_end")
        overrides: dict[str, Any] = {"system": system, "method": method, "driver": driver}
        work = _extended(store, changes, {k: v for k, v in overrides.items() if v is not None}, Execution.of(execution))
    return replace(load(target), work=work)


def _extended(store: Store, changes: dict[str, Any], overrides: Mapping[str, Any], execution: Execution) -> Any:
    config = store.manifest.config
    if "hybrid" in config:
        raise errors.InputError(
            "a store to extend", expected="a run of one system", got="one of a hybrid system",
            hint="Continue it: hybrid.simulate(state=HybridRun.load(path).final, t_end=…, dt=…).",
        )  # fmt: skip
    refuse_longer(config["noise"], "t_end" in changes)
    spec, small = _specification(store, {**config, **changes}, overrides, execution), store.manifest.chunks == 1
    same = replace(spec, chunk_paths=store.manifest.chunk_paths)
    spec = as_stored(spec, store.folder.most_chunks) if small and same.chunks > 1 else same
    if spec.paths < store.manifest.paths or spec.last < schedule.steps_of(config["t_end"], config["dt"]):
        raise errors.InputError(
            "a run can only be extended",
            expected=f"at least {store.manifest.paths} paths, t_end {config['t_end']}",
            got=f"{spec.paths} paths, t_end {spec.t_end:g}",
        )
    before = replace(_specification(store, config, overrides, execution), chunk_paths=store.manifest.chunk_paths)
    differences = store.manifest.differences(manifest(before))
    if differences:
        by_version = any(one.startswith("semidirect: ") for one in differences)
        hint = (
            "Use the same version, or continue from its end in a run of its own, state=run.final." if by_version else ""
        )
        raise errors.StoreError(
            f"{store.path} holds another run: {'; '.join(differences)}", hint=hint or "Give the same system=."
        )
    if spec.last > before.last or spec.chunk_paths != before.chunk_paths:
        refuse_what_is_unfinished(store)
        return _beside(store, before, spec, execution)
    if spec.paths > before.paths:
        refuse_what_is_unfinished(store)
        store = _with_room(store, spec)
    return fill(store, spec, execution)


def _with_room(store: Store, spec: RunSpec) -> Store:
    """The store with room for more paths; its last chunk is marked unfinished if it gets some of them."""
    here = store.manifest
    wider = Store(store.folder, replace(manifest(spec), units=here.units, long_names=here.long_names))
    if wider.manifest.run != store.manifest.run:
        raise errors.StoreError(
            f"{store.path} holds another run: its quantities have other sizes or components",
            hint="Begin a run in a new store: the code that defines the quantities has changed.",
        )
    last = store.manifest.chunks - 1
    if len(store.manifest.chunk(last)) < store.manifest.chunk_paths:
        store.forget(last)
    wider.write_metadata()
    return wider


def _beside(store: Store, before: RunSpec, spec: RunSpec, execution: Execution) -> Any:
    place = store.folder.beside(_note(store.folder))
    longer = Store.open(place) if place.exists() else Store.create(place, manifest(spec), fixed(spec))
    differences = longer.manifest.differences(manifest(spec))
    if differences:
        raise errors.StoreError(f"{place} contains an extension of the run with other arguments: {'; '.join(differences)}",
                                hint="Finish that extension first, or remove it.")  # fmt: skip
    longer.repair()
    longer.write_metadata()
    longer.write_fixed(fixed(spec))
    ended = stepping.Ended(before.last, before.saved_steps)
    job: Callable[..., ChunkResult] = stepping.chunk_of
    if ended.suffices(spec) and spec.chunk_paths == before.chunk_paths:
        job = GoingOn(resolved(store.path), ended, store.manifest.paths)
        if store.folder.of_one_process:
            execution = replace(execution, executor=None)  # other processes cannot read it
    else:
        _log.info("%s: its paths start anew", store.path)
    work = fill(longer, spec, execution, job=job)
    store.folder.set_aside()
    _exchange(store.folder)
    return work


def _exchange(folder: Folder) -> None:
    """Replace the old run by the longer one and remove the old one; also completes an interrupted replacement."""
    folder.exchange(_note(folder))


def _note(folder: Folder) -> bytes:
    """The content of the note in the folder in which a run is extended, next to the run."""
    return as_json({"format": "semidirect extension 1", "of": folder.name})


@dataclass(frozen=True)
class GoingOn:
    """Computes a chunk from the end of its paths in a shorter run on disk; new paths begin at the start."""

    path: Path | str
    ended: stepping.Ended
    paths: int

    def __call__(self, spec: RunSpec, number: int, stopped: Event | None) -> ChunkResult:
        """The chunk of the longer run."""
        if spec.chunk(number).stop > self.paths:
            return stepping.chunk_of(spec, number, stopped)
        return stepping.continue_chunk(spec, self.ended, result_of(Store.open(self.path), number), stopped)


def _specification(
    store: Store, config: Mapping[str, Any], overrides: Mapping[str, Any], execution: Execution
) -> RunSpec:
    """The specification of the run that a store describes, with these paths and this horizon."""
    if store.manifest.call is None:
        raise errors.StoreError(
            "a run that was saved from memory cannot be extended",
            hint="Run it with save=sd.Save(store=path) or -o path.",
        )
    system = overrides.get("system") or _system(store, config)
    record = {**config, **store.manifest.call}
    apart = "inputs/state.u" in store.manifest.given  # path by path, or identical to the last bit
    spec = specify(
        system, t_end=config["t_end"], dt=config["dt"], t_start=config.get("t_start", 0.0), paths=config["paths"],
        seed=config["seed"], method=overrides.get("method", config["method"]), state=None if apart else config["state"],
        driver=overrides["driver"] if "driver" in overrides else drivers.driver_from_json(config["noise"]),
        save=Save.from_json(record), reduce=Reduce.from_json(record), checks=Checks.from_json(record),
        stop=conditions.from_description(config["stop"]) if "stop" in config else None, formulation=Formulation.from_json(record),
        execution=execution,
    )  # fmt: skip
    if not apart:
        return spec
    names = [k for k in STATE if f"inputs/state.{k}" in store.manifest.given]
    start = InitialState(**{k: store.fixed(f"inputs/state.{k}") for k in names}, named=config["state"],
                         by_path=_initial(store))  # fmt: skip
    if start.paths not in (1, spec.paths):
        raise errors.InputError(
            "cannot add paths to a run with per-path initial states", expected=str(start.paths), got=str(spec.paths)
        )
    return replace(spec, start=start)


def _initial(store: Store) -> dict[str, np.ndarray]:
    """The initial values that differ from path to path, by name."""
    names = [k for k in store.manifest.given if k.startswith(INITIAL)]
    return {k.removeprefix(INITIAL): store.fixed(k) for k in names}


def _system(store: Store, config: Mapping[str, Any]) -> SystemDefinition:
    """The system of a store."""
    return plugins.recorded_system(config, lambda name: store.fixed(f"inputs/{name}"))
