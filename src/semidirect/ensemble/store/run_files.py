"""Reads runs from stores, and writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from semidirect.core import errors, failure, messages
from semidirect.engines import ChunkResult
from semidirect.ensemble.signals import ended_like_interrupted
from semidirect.ensemble.store.file_errors import reading
from semidirect.ensemble.store.folder import Folder
from semidirect.ensemble.store.folder_at import folder_at
from semidirect.ensemble.store.manifest import Manifest, PartialKind, given, named_partials, versions
from semidirect.ensemble.store.store import Store
from semidirect.ensemble.store.stored_arrays import StoredArrays
from semidirect.random import drivers
from semidirect.results import ModeHistory, RecordedCrossings, RunData
from semidirect.specification import seeds, store_place
from semidirect.state import EquationIdentity, Final
from semidirect.statistics import PartialStatistic, Statistic, StatisticResult, choice, replicated

NUMBERS_SHOWN = 6


def values_of(result: ChunkResult) -> dict[str, np.ndarray]:
    """The result of a chunk, by the names of the arrays of a store."""

    def scalars(section: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {f"{section}/{k}": v[..., 0] if v.shape[-1] == 1 else v for k, v in arrays.items()}

    return {
        **scalars("data", result.data), **scalars("final", result.final), "end/y": result.y, "end/stored": result.stored,
        "record/status": result.status, "record/failed_at": result.failed_at,
        "record/failed_component": result.failed_component,
        **{f"crossings/{k}": v for k, v in result.crossings.items()},
        **{k: v[None] for k, v in named_partials(result.partials.values()).items()},
    }  # fmt: skip


def result_of(store: Store, number: int) -> ChunkResult:
    """The reverse, without partial results of statistics."""
    manifest = store.manifest
    values = store.read(number, manifest.arrays)
    data, final = ({k: values[f"{section}/{k}"] for k in manifest.names(section)} for section in ("data", "final"))
    return ChunkResult(
        paths=manifest.chunk(number), data=data, final=final, y=values["end/y"], stored=values["end/stored"],
        status=values["record/status"], failed_at=values["record/failed_at"],
        failed_component=values["record/failed_component"], partials={},
    )  # fmt: skip


def save(run: RunData, place: str | Path) -> Path | str:
    """Write a run in memory as one chunk; where it is."""
    folder = folder_at(store_place("a run", place))
    arrays = {
        **{f"data/{k}": v for k, v in run.data.items()}, **{f"final/{k}": v for k, v in run.final.items()},
        **{f"end/{k}": v for k, v in run.final.end.items()}, **_as_stored(run), **_modes_as_stored(run),
        "record/status": run.status, "record/failed_at": run.failed_at, "record/failed_component": run.failed_component,
    }  # fmt: skip
    kinds = {name: (values.dtype.name, values.shape[1:]) for name, values in arrays.items()}
    takings = [r.taken for r in run.reductions.values()]
    partials = named_partials(t.partial for t in takings)
    partial_kinds = {k: PartialKind(v.dtype.name, v.shape, v.shape, v.shape) for k, v in partials.items()}
    sizes = {k: r.taken.sizes[k] for r in run.reductions.values() for k in r.reduction.names()}
    inputs = {f"inputs/{k}": v for k, v in run.by_path().items()}
    fixed = {"record/times": run.times} | ({"reductions/times": takings[0].times} if takings else {}) | inputs
    manifest = Manifest(run.config, None, "", run.paths, run.paths, kinds, partial_kinds, sizes, given(fixed), run.units,
                        run.components, versions(), run.long_names)  # fmt: skip
    with ended_like_interrupted(), folder.lock():
        refuse_what_exists(folder)
        values = {**arrays, **{k: v[None] for k, v in partials.items()}}
        Store.create(folder, manifest, fixed).write(0, values)
    return folder.place


def _as_stored(run: RunData) -> dict[str, np.ndarray]:
    """Recorded crossings by the names of the arrays of a store."""
    out: dict[str, np.ndarray] = {}
    for i, recorded in enumerate(run.crossings):
        values = {f"crossings/{i}.value.{k}": v for k, v in recorded.items()}
        out |= {f"crossings/{i}.count": recorded.count, f"crossings/{i}.time": recorded.times, **values}
    return out


def _modes_as_stored(run: RunData) -> dict[str, np.ndarray]:
    """The modes of a hybrid system by the names of the arrays of a store."""
    return {} if run.history is None else {f"modes/{k}": v for k, v in run.history.by_path().items()}


def _history(store: Store, chunks: list[int]) -> ModeHistory | None:
    """The modes of the paths of some chunks."""
    about = store.manifest.config.get("hybrid")
    if about is None:
        return None
    rows = {name: store.array(f"modes/{name}", chunks) for name in store.manifest.names("modes")}
    return ModeHistory.from_path_rows(tuple(about["modes"]), tuple(about["switches"]), about["start"], rows)


def load(path: Path | str | Folder, *, partial: bool = False) -> RunData:
    """Read a run; quantities are read when they are first asked for.

    Raises
    ------
    StoreError
        If it does not exist, is not a run, is damaged or, unless ``partial``, unfinished.
    """
    store = _checked(path, partial)
    return run_of(store, store.done())


def seed_in(path: Path | str) -> int:
    """The seed of the run at a path, finished or not; one that is drawn where nothing is."""
    folder = folder_at(path)
    return int(Store.open(folder).manifest.config["seed"]) if folder.exists() else seeds.drawn_seed()


def parts(path: Path | str, *, partial: bool = False) -> Iterator[RunData]:
    """The chunks of a run one by one, each as a run, to use little memory."""
    store = _checked(path, partial)
    for number in store.done():
        yield run_of(store, [number])


def _checked(path: Path | str | Folder, partial: bool) -> Store:
    """The store, its metadata and sizes compared with its manifest."""
    store = Store.open(path)
    store.check_metadata()
    store.check_sizes()
    if not partial:
        refuse_what_is_unfinished(store)
    return store


def run_of(store: Store, chunks: list[int]) -> RunData:
    """Some chunks as a run, which are found though the working directory changes."""
    store = replace(store, folder=store.folder.absolute())
    manifest = store.manifest
    with reading(store.path):
        status, failed_at, failed_component = (
            store.array(f"record/{name}", chunks) for name in ("status", "failed_at", "failed_component")
        )
        times = store.fixed("record/times")
        _refuse_what_is_no_record(store, times, status, failed_component)
        numbers = None if len(chunks) == manifest.chunks else np.concatenate(
            [np.zeros(0, dtype=np.int64), *(np.arange(r.start, r.stop) for r in map(manifest.chunk, chunks))]
        )  # fmt: skip
        return RunData(
            times=times, data=StoredArrays(store, "data", chunks),
            final=_final(store, chunks, status, failed_at), status=status, failed_at=failed_at,
            failed_component=failed_component, units=manifest.units, components=manifest.components, config=manifest.config,
            numbers=numbers, reductions=_reductions(store, chunks), by_path=lambda: _by_path(store, chunks),
            crossings=_crossings(store, chunks),
            source=StoredRun(store.path, tuple(chunks), manifest.config),
            long_names=manifest.long_names, history=_history(store, chunks),
        )  # fmt: skip


def _refuse_what_is_no_record(
    store: Store, times: np.ndarray, status: np.ndarray, failed_component: np.ndarray
) -> None:
    """A :class:`StoreError` for numbers that no run records, whoever wrote them."""
    config, count = store.manifest.config, len(store.manifest.components)
    slack = 1e-6 * config["dt"]
    within = len(times) and times[0] >= config.get("t_start", 0.0) - slack and times[-1] <= config["t_end"] + slack
    fault = ""
    if not (np.isfinite(times).all() and (np.diff(times) > 0).all() and within):
        fault = "its times do not ascend from t_start to t_end"
    elif len(status) and not (0 <= status.min() and status.max() < len(failure.FLAGS.split())):
        fault = "no path ends with such a status"
    elif len(status) and not (-1 <= failed_component.min() and failed_component.max() < count):
        fault = f"a path failed in a component that is none of {count}"
    if fault:
        raise errors.StoreError(
            f"{store.path} cannot be read as a run: {fault}", hint="It was not written by semidirect."
        )


@dataclass(frozen=True)
class StoredRun:
    """Some chunks of a store; a pickled run contains this object instead of its arrays."""

    path: Path | str
    chunks: tuple[int, ...]
    config: Mapping[str, Any]

    def __call__(self) -> RunData:
        """Read them.

        Raises
        ------
        StoreError
            If the store does not exist, is damaged, or contains another run now.
        """
        folder = folder_at(self.path)
        if folder.of_one_process and not folder.exists():
            raise errors.StoreError(
                f"the run in {self.path} is in the memory of another process",
                hint="Write it to a folder, or give the other process arrays of it.",
            )
        store = _checked(folder, partial=True)
        if dict(store.manifest.config) != dict(self.config) or not set(self.chunks) <= set(store.done()):
            raise errors.StoreError(
                f"the run in {self.path} is not the one that was pickled or copied: it was extended or replaced later",
                hint="Read it again by sd.Run.load(path).",
            )
        return run_of(store, list(self.chunks))


def _by_path(store: Store, chunks: list[int]) -> dict[str, np.ndarray]:
    """Parameters and initial values that differ from path to path, of the paths of some chunks."""
    with reading(store.path):
        numbers = [p for number in chunks for p in store.manifest.chunk(number)]
        names = [k.removeprefix("inputs/") for k in store.manifest.given if k.startswith("inputs/")]
        return {k: _inputs(store, k)[numbers] for k in names if not k.startswith("state.")}


def _inputs(store: Store, name: str) -> np.ndarray:
    """Values that differ from path to path."""
    values, paths = store.fixed(f"inputs/{name}"), store.manifest.paths
    if values.shape[:1] != (paths,):
        raise errors.StoreError(f"{store.path} cannot be read as a run: inputs/{name}", expected=f"{paths} paths, first",
                                got=f"shape {values.shape}")  # fmt: skip
    return values


def _final(store: Store, chunks: list[int], status: np.ndarray, failed_at: np.ndarray) -> Final:
    """The final states of the paths of some chunks, read at first use."""
    manifest = store.manifest
    config = manifest.config

    def per_path() -> dict[str, np.ndarray]:
        apart = [
            k
            for k, v in config["parameters"].items()
            if v == EquationIdentity.PER_PATH and f"inputs/{k}" in manifest.given
        ]
        with reading(store.path):
            numbers = [p for number in chunks for p in manifest.chunk(number)]
            return {k: _inputs(store, k)[numbers] for k in apart}

    t, seed, equations = config["t_end"], config["seed"], {k: config[k] for k in EquationIdentity.EQUATIONS}
    equations |= {"hybrid": config["hybrid"]} if "hybrid" in config else {}
    named, end = (StoredArrays(store, section, chunks) for section in ("final", "end"))
    return Final(t, seed, config["noise"].get("resolution"), named, end, status, failed_at, equations, per_path)


def _crossings(store: Store, chunks: list[int]) -> tuple[RecordedCrossings, ...]:
    """The recorded crossings of the paths of some chunks."""
    arrays = {name: store.array(f"crossings/{name}", chunks) for name in store.manifest.names("crossings")}
    return RecordedCrossings.of(store.manifest.config.get("crossings", []), arrays)


def _reductions(store: Store, chunks: list[int]) -> dict[str, StatisticResult]:
    """The statistics of the paths of some chunks."""
    manifest = store.manifest
    if not (manifest.partials and chunks):
        return {}
    times, paths = store.fixed("reductions/times"), sum(len(manifest.chunk(n)) for n in chunks)
    reductions: dict[int, Statistic] = {}
    for i, description in enumerate(manifest.config["reduce"]):
        try:
            reductions[i] = choice.from_description(description)
        except (errors.InputError, TypeError) as error:  # its package is not installed here, or broken
            messages.warn_caller(
                f"a statistic of {store.path} is left out: {error} Install its package to read it.",
                errors.PluginWarning,
            )
    several = replicated(list(reductions.values()), drivers.replications_of(manifest.config["noise"]))
    reductions = dict(zip(reductions, several, strict=True))
    for i, reduction in reductions.items():
        _refuse_other_arrays(store, i, reduction, len(times))
    one_noise = drivers.has_one_noise(manifest.config["noise"])
    totals: dict[int, PartialStatistic] = {}
    for number in chunks:
        values = store.read(number, manifest.partials)
        for i, reduction in reductions.items():
            own = f"reductions/{i}."
            partial = {k.removeprefix(own): v[0] for k, v in values.items() if k.startswith(own)}
            totals[i] = reduction.merged(totals[i], partial) if i in totals else partial
    return {
        r.key: r.result_of([totals[i]], times, paths, manifest.sizes, manifest.units, one_noise=one_noise)
        for i, r in reductions.items()
    }


def _refuse_other_arrays(store: Store, number: int, reduction: Statistic, times: int) -> None:
    """A :class:`StoreError` unless the partial results of a statistic are those that it makes."""
    manifest, own = store.manifest, f"reductions/{number}."
    stored = {k.removeprefix(own): len(kind.whole) for k, kind in manifest.partials.items() if k.startswith(own)}
    try:
        partials = reduction.accumulator(range(1), times, manifest.sizes).partial()
    except KeyError as error:
        raise errors.StoreError(
            f"{store.path} cannot be read as a run: no size of {error} for {reduction.key!r}",
            hint="Restore zarr.json from a copy, or run it again.",
        ) from error
    dimensions = {k: np.ndim(v) for k, v in partials.items()}
    earlier = {k: d for k, d in dimensions.items() if k not in reduction.later_arrays}
    if stored not in (dimensions, earlier):
        got = ", ".join(sorted(stored)) or "none"
        raise errors.StoreError(f"{store.path} cannot be read as a run: arrays of the statistic {reduction.key!r}",
                                expected=", ".join(sorted(partials)), got=got)  # fmt: skip


def exists(path: Path | str) -> bool:
    """Whether anything exists there, a run or not."""
    return folder_at(path).exists()


def refuse_what_exists(path: Path | str | Folder) -> None:
    """Raise a :class:`StoreError` if something exists there; the message says what to do."""
    folder = folder_at(path)
    if not folder.exists():
        return
    try:
        missing = Store.open(folder).lacks
    except errors.StoreError:
        missing = 0
    more = " An unfinished run continues with Save(resume=True) or --resume." if missing else ""
    raise errors.StoreError(f"{path} exists already", hint=f"Choose another name, or remove it.{more}")


def refuse_what_is_unfinished(store: Store) -> None:
    """Raise a :class:`StoreError` if chunks are missing; the message says which."""
    count = store.lacks
    if not count:
        return
    first = ", ".join(map(str, islice(store.missing(), NUMBERS_SHOWN))) + (", …" if count > NUMBERS_SHOWN else "")
    raise errors.StoreError(
        f"{store.path} is not finished: {count} of {store.manifest.chunks} chunks are missing ({first})",
        hint="Finish it with Save(resume=True) or --resume, or read the finished chunks by Run.load(path, partial=True).",
    )
