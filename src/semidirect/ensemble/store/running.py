"""Runs paths into a store."""

from __future__ import annotations

import hashlib
import logging
import os
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from semidirect.core import errors
from semidirect.engines import ChunkResult, Execution, stepping
from semidirect.ensemble.progress import Progress
from semidirect.ensemble.signals import ended_like_interrupted
from semidirect.ensemble.store.file_errors import writing
from semidirect.ensemble.store.folder import MANIFEST, Folder
from semidirect.ensemble.store.folder_at import folder_at
from semidirect.ensemble.store.local_folder import LocalFolder
from semidirect.ensemble.store.manifest import fixed, manifest
from semidirect.ensemble.store.run_files import load, refuse_what_exists, values_of
from semidirect.ensemble.store.store import LARGEST_MANIFEST, Store
from semidirect.results import RunData
from semidirect.specification import RunSpec

_log = logging.getLogger(__name__)

MOST_BYTES = 4 * RunSpec.BYTES_OF_A_CHUNK
"""The most that a chunk of several paths has: a worker holds it twice while it writes it, and a signal waits for the disk."""
WORK_OF_A_CHUNK = 2e8
"""Path-steps of a chunk, some seconds of one core."""


@dataclass(frozen=True)
class Writer:
    """The :class:`~semidirect.engines.sink.Sink` that writes into a store."""

    store: Store

    @property
    def deliver(self) -> Delivery:
        """The function for workers."""
        folder = self.store.folder
        return Delivery(resolved(self.store.path), _digest(folder), os.getpid() if folder.of_one_process else None)

    def accept(self, number: int, result: ChunkResult | None) -> None:
        """Write the result of a chunk, unless a worker has written it."""
        if result is not None:
            self.store.write(number, values_of(result))


@dataclass(frozen=True)
class Delivery:
    """Lets a worker with access to the store write its chunks itself, so that they do not pass through the main process.

    Attributes
    ----------
    path : Path or str
        The path or URL of the store.
    digest : str
        SHA-256 of its manifest, which identifies it.
    process : int, optional
        The process that alone has it.
    """

    path: Path | str
    digest: str
    process: int | None = None

    def __call__(self, number: int, result: ChunkResult) -> ChunkResult | None:
        """Write the result if the store is here, or return it."""
        if self.process not in (None, os.getpid()):
            return result  # a process that was forked has a copy, which nobody reads
        try:
            here = _digest(folder_at(self.path)) == self.digest
        except OSError:
            here = False
        if not here:
            return result
        Store.open(self.path).write(number, values_of(result))
        return None


def run_into(path: Path | str, spec: RunSpec, *, resume: bool, execution: Execution) -> RunData:
    """Run the paths of a specification into a store, or the chunks that it lacks.

    Raises
    ------
    StoreError
        If the path exists and ``resume`` is false, contains another run, is being written by others, or cannot be written.
    """
    folder = folder_at(path).real()
    with ended_like_interrupted(), folder.lock():
        if not resume:
            refuse_what_exists(folder)
        if folder.exists():
            store = Store.open(folder)
            spec = replace(spec, chunk_paths=store.manifest.chunk_paths)
            _refuse_another_run(store, spec)
            bad = store.repair()
            if bad:
                _log.warning("%s: damaged chunks are computed again: %s", folder, ", ".join(map(str, bad)))
            store.write_metadata()
            store.write_fixed(fixed(spec))
        else:
            spec = as_stored(spec, folder.most_chunks)
            stepping.refuse_what_does_not_fit(spec, spec.chunk_paths)
            contents = manifest(spec)
            folder.refuse_without_room(contents.chunks * contents.bytes_of_a_chunk)
            store = Store.create(folder, contents, fixed(spec))
        work = fill(store, spec, execution)
    return replace(load(folder), work=work)


def as_stored(spec: RunSpec, most_chunks: int = LocalFolder.most_chunks) -> RunSpec:
    """The specification with chunk sizes, powers of two, that suit a disk. All chunks are padded to one length, so a single chunk
    is as short as possible. There are few chunks, unless they would need too much memory or take too long; paths of which many
    times are saved are in chunks of few.
    """
    length = min(spec.chunk_paths, 1 << (spec.paths - 1).bit_length())
    each = 8.0 * spec.contents.numbers_saved(len(spec.saved_steps))
    largest = min(RunSpec.BYTES_OF_A_CHUNK / each, WORK_OF_A_CHUNK / spec.steps)
    while -(-spec.paths // length) > most_chunks and 2 * length <= largest:
        length *= 2
    while length > 1 and length * each > MOST_BYTES:
        length //= 2
    return replace(spec, chunk_paths=length)


def fill(store: Store, spec: RunSpec, execution: Execution, *, job: stepping.Job | None = None) -> stepping.Work:
    """Compute the chunks that a store lacks, and remove all other files in it: a worker that dies leaves a partial chunk, and
    the run continues with other workers.
    """
    missing = list(store.missing())
    paths = sum(len(spec.chunk(number)) for number in missing)
    store.folder.refuse_without_room(len(missing) * store.manifest.bytes_of_a_chunk)
    try:
        with Progress.shown(paths, spec.steps) if execution.progress else nullcontext() as on_progress:
            work = stepping.execute(
                spec, Writer(store), missing, threads=execution.threads, executor=execution.executor, job=job,
                on_progress=on_progress,
            )  # fmt: skip
    except MemoryError as error:
        raise stepping.out_of_memory(spec) from error
    except KeyboardInterrupt:
        complete = store.manifest.chunks - store.lacks
        _log.warning(
            "%s: interrupted with %d of %d chunks done; Save(resume=True) or --resume finishes it",
            store.path, complete, store.manifest.chunks,
        )  # fmt: skip
        raise
    if execution.executor is not None:
        with writing(store.path):
            store.folder.remove_partial()
    return work


def _refuse_another_run(store: Store, spec: RunSpec) -> None:
    requested = manifest(spec)
    differences = store.manifest.differences(requested)
    if differences:
        same = "the same version" if any(d.startswith("semidirect: ") for d in differences) else "the same arguments"
        raise errors.StoreError(
            f"{store.path} holds another run: {'; '.join(differences)}",
            hint=f"Resume with {same}, or write to another place.",
        )
    for name, theirs in store.manifest.versions.items():
        if requested.versions.get(name) != theirs:
            _log.warning(
                "%s was begun with %s %s, and continues with %s", store.path, name, theirs, requested.versions.get(name)
            )


def resolved(place: Path | str) -> Path | str:
    """A place as other processes find it."""
    return place.resolve() if isinstance(place, Path) else place


def _digest(folder: Folder) -> str:
    return hashlib.sha256(folder.read(MANIFEST, LARGEST_MANIFEST)).hexdigest()
