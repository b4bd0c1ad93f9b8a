"""The memory and the disk that a run needs, announced before it begins."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from semidirect.core import errors
from semidirect.specification import RunSpec

LARGEST_RECORD = 4e9
"""Bytes of what a run holds in memory at once."""

__all__ = [
    "LARGEST_RECORD",
    "bytes_of_statistics",
    "out_of_memory",
    "refuse_what_does_not_fit",
    "refuse_without_disk",
]


def bytes_of_statistics(spec: RunSpec) -> float:
    """The bytes of the statistics of a chunk: those of one time and of each further one, since none may fit."""
    if not spec.reductions or not len(spec.reduced):
        return 0.0
    size: float = spec.known(("bytes of statistics", spec.chunk_paths), lambda: _bytes_of_statistics(spec))
    return size


def _bytes_of_statistics(spec: RunSpec) -> float:
    paths = range(min(spec.chunk_paths, spec.paths))

    def size(times: int) -> float:
        partials = (r.accumulator(paths, times, spec.contents.sizes).partial() for r in spec.reductions)
        return float(sum(np.asarray(v).nbytes for partial in partials for v in partial.values()))

    one, two = size(1), size(2)
    return one + (two - one) * (len(spec.reduced) - 1)


def refuse_what_does_not_fit(spec: RunSpec, paths: int) -> None:
    """Raise an :class:`InputError` if what is saved of so many paths, their states or the statistics do not fit into memory."""
    spec.known(("fits", paths, spec.chunk_paths, LARGEST_RECORD), lambda: _refuse_what_does_not_fit(spec, paths))


def _refuse_what_does_not_fit(spec: RunSpec, paths: int) -> None:
    states = len(spec.contents.state) + len(spec.model.coordinates)
    saved, ends = 8.0 * paths * spec.numbers_saved, 8.0 * paths * states
    for what, size, hint in (
        ("the record", saved, "Save less: save='every:K' or 'final', or save=sd.Save(names=[…])."),
        ("the states of all paths", ends, "Take fewer paths at once."),
        ("the statistics", bytes_of_statistics(spec), "Take smaller ones, or at fewer times: reduce=sd.Reduce(…, at='every:K')."),
    ):  # fmt: skip
        if size > LARGEST_RECORD:
            verb = "do" if what.endswith("s") else "does"
            raise errors.InputError(f"{what} {verb} not fit into memory", expected=f"at most {LARGEST_RECORD / 1e9:g} GB",
                                    got=f"{size / 1e9:.1f} GB", hint=hint)  # fmt: skip


def refuse_without_disk(place: Path, size: float) -> None:
    """Raise a :class:`StoreError` if the disk of a place has less room than so many bytes."""
    folder = place.absolute()
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    try:
        free = shutil.disk_usage(folder).free
    except OSError:  # then writing says what is wrong
        return
    if size > free:
        unit, name = (1e9, "GB") if size > 1e9 else (1e6, "MB")
        raise errors.StoreError(
            f"{place} does not fit on its disk",
            expected=f"at most {free / unit:.1f} {name}",
            got=f"{size / unit:.1f} {name}",
            hint="Save less: save='every:K' or 'final', or save=sd.Save(names=[…]).",
        )


def out_of_memory(spec: RunSpec) -> errors.InputError:
    """The error of a run that runs out of memory all the same: it says what the run needs."""
    record, statistics = 8.0 * spec.chunk_paths * spec.numbers_saved, bytes_of_statistics(spec)
    return errors.InputError(
        "the run does not fit into memory",
        got=f"{record / 1e9:.2g} GB of values of a chunk and {statistics / 1e9:.2g} GB of statistics, for each worker",
        hint="Save less, take statistics at fewer times, or use fewer threads: execution=sd.Execution(threads=1).",
    )
