"""The manifest of a store, in JSON."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy as np

from semidirect.core import PerPath, errors, messages
from semidirect.engines import events
from semidirect.ensemble.store.layout import StoredArray, as_json, folder_name, group, opened_group, sealed_group
from semidirect.ensemble.store.recorded_configuration import check_configuration, check_text
from semidirect.results import Transitions
from semidirect.specification import Chunked, RunSpec, conditions, schedule
from semidirect.statistics import PartialStatistic

FORMAT = "semidirect run 2"
SECTIONS = ("data", "final", "end", "record", "reductions", "inputs")
SOMETIMES = ("crossings", "modes")
"""Sections that only stores with recorded crossings, and of hybrid systems, have."""
INITIAL = "inputs/initial."
"""The prefix of the names of initial values that differ from path to path."""
STATE = ("u", "a", "z", "stored", "y", "slopes")
"""Parts of an initial state; the last one only if the run continues another."""
Kind = tuple[str, tuple[int, ...]]
TYPES = ("float64", "int8", "int16", "int32", "int64", "uint8", "uint64", "bool")
RECORD: Mapping[str, Kind | None] = {
    "record/status": ("int8", ()), "record/failed_at": ("float64", ()), "record/failed_component": ("int16", ()),
    "end/y": None, "end/stored": None,
}  # fmt: skip
"""The arrays of every run."""
VERSIONS = ("numpy", "llvmlite")
"""Entries of the configuration that may differ when a run is resumed; tests verify that they do not change results."""


@dataclass(frozen=True)
class PartialKind:
    """An array of a partial result: type, shape for a whole chunk and for the last one, and the largest width."""

    dtype: str
    whole: tuple[int, ...]
    last: tuple[int, ...]
    widest: tuple[int, ...]


@dataclass(frozen=True)
class Given:
    """An array that is known before the run: its shape and the SHA-256 of its file."""

    shape: tuple[int, ...]
    checksum: str


@dataclass(frozen=True, eq=False)
class Manifest(Chunked):
    """The attributes of the group; everything else in a store except numbers follows from them.

    Attributes
    ----------
    config : dict
        The resolved configuration.
    call : dict or None
        Arguments ``keep``, ``form``, ``variables`` of the call; ``None`` for a run that was saved from memory.
    inputs : str
        SHA-256 of the state at the start and the parameters, path by path.
    paths, chunk_paths : int
        Number of paths, in all and in a chunk.
    arrays : dict name → (type, shape of one path)
        The arrays with a path axis, ``section/name``.
    partials : dict name → PartialKind
        The partial results of each chunk, ``reductions/number.name``.
    sizes : dict name → int
        Numbers of components of the quantities in statistics.
    given : dict name → Given
        Arrays that are known before the run: the saved times and those of statistics; initial values and parameters that
        differ from path to path, ``inputs/name``.
    units, components : as in a run
    versions : dict
        Versions of NumPy and llvmlite when the store was made.
    long_names : as in a run
    """

    config: Mapping[str, Any]
    call: Mapping[str, Any] | None
    inputs: str
    paths: int
    chunk_paths: int
    arrays: Mapping[str, Kind]
    partials: Mapping[str, PartialKind]
    sizes: Mapping[str, int]
    given: Mapping[str, Given]
    units: Mapping[str, str]
    components: tuple[str, ...]
    versions: Mapping[str, str]
    long_names: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def layout(self) -> dict[str, StoredArray]:
        """The arrays that are written chunk by chunk, in the order of their checksums."""
        out = {}
        for name, (dtype, shape) in self.arrays.items():
            section, _, quantity = name.partition("/")
            timed = ("time",) if section == "data" or name == "modes/mode" else ()
            timed = (section.removesuffix("s"),) if section in SOMETIMES and shape and not timed else timed
            dims = ("path", *timed, *("component" if n == 3 else f"component_{n}" for n in shape[len(timed) :]))
            labels = {"units": self.units.get(quantity), "long_name": self.long_names.get(quantity)}
            labels = {k: text for k, text in labels.items() if text and section == "data"}
            out[name] = StoredArray(name, dtype, (self.paths, *shape), self.chunk_paths, dims, labels)
        for name, kind in self.partials.items():
            dims = ("chunk", *(f"axis_{i}" for i in range(len(kind.widest))))
            out[name] = StoredArray(name, kind.dtype, (self.chunks, *kind.widest), 1, dims, compressed=True)
        return out

    def shape(self, name: str, number: int) -> tuple[int, ...]:
        """The shape of a chunk of an array, without padding."""
        count = len(self.chunk(number))
        if name in self.arrays:
            return (count, *self.arrays[name][1])
        kind = self.partials[name]
        return (1, *(kind.whole if count == self.chunk_paths else kind.last))

    @cached_property
    def bytes_of_a_chunk(self) -> int:
        """On the disk, but for statistics, which are compressed."""
        return sum(array.size or 0 for array in self.layout.values())

    @cached_property
    def marks(self) -> StoredArray:
        """SHA-256 of the files of each chunk, and their seal; a chunk is valid if its checksums are present."""
        shape = (self.chunks, len(self.arrays) + len(self.partials) + 1, 32)
        return StoredArray("record/checksums", "uint8", shape, 1, ("chunk", "array", "byte"))

    def seal(self, number: int, sums: bytes) -> bytes:
        """SHA-256 of the checksums of a chunk with its run and its paths, so that no chunk can be confused with another one
        or with a chunk of another run.
        """
        paths = self.chunk(number)
        return hashlib.sha256(self.run + f"{paths.start}:{paths.stop}".encode() + sums).digest()

    @cached_property
    def run(self) -> bytes:
        """SHA-256 of everything that chunks, or their reading, depend on; this excludes the number of paths, which may grow."""
        same = {k: v for k, v in self._identity().items() if k != "paths"}
        kinds = {k: [dtype, list(shape)] for k, (dtype, shape) in self.arrays.items()}
        partials = {k: [kind.dtype, list(kind.whole), list(kind.widest)] for k, kind in self.partials.items()}
        others = [dict(self.sizes), dict(self.units), list(self.components), self.chunk_paths]
        return hashlib.sha256(as_json([sorted(same.items()), kinds, partials, others])).digest()

    @cached_property
    def fixed(self) -> dict[str, StoredArray]:
        """The arrays that are known before the run, one chunk each."""
        return {name: fixed_array(name, entry.shape) for name, entry in self.given.items()}

    def names(self, section: str) -> list[str]:
        """The quantities of a section, in order."""
        return [name.partition("/")[2] for name in self.arrays if name.startswith(f"{section}/")]

    def files(self) -> dict[str, bytes]:
        """All metadata: file → content."""
        arrays = (*self.layout.values(), self.marks, *self.fixed.values())
        more = [name for name in SOMETIMES if self.names(name)]
        sections = {f"{name}/zarr.json": group({}) for name in (*SECTIONS, *more)}
        return {"zarr.json": self.encoded(), **sections, **{f"{a.folder}/zarr.json": a.metadata() for a in arrays}}

    def encoded(self) -> bytes:
        """The ``zarr.json`` of the group."""
        return sealed_group({
            "format": FORMAT, "config": dict(self.config), "call": None if self.call is None else dict(self.call),
            "inputs": self.inputs, "paths": self.paths, "chunk_paths": self.chunk_paths,
            "arrays": {name: [dtype, list(shape)] for name, (dtype, shape) in self.arrays.items()},
            "partials": {name: [k.dtype, *map(list, (k.whole, k.last, k.widest))] for name, k in self.partials.items()},
            "sizes": dict(self.sizes),
            "given": {k: [list(v.shape), v.checksum] for k, v in self.given.items()},
            "units": dict(self.units), "components": list(self.components), "versions": dict(self.versions),
            **({"long_names": dict(self.long_names)} if self.long_names else {}),
        })  # fmt: skip

    @classmethod
    def decoded(cls, content: bytes, where: object) -> Manifest:
        """The reverse of :meth:`encoded`; nothing in the text is executed or leads out of the store.

        Raises
        ------
        StoreError
            If it does not belong to a run, or is inconsistent.
        """
        try:
            kind = json.loads(content)["attributes"].get("format")
            if kind != FORMAT:
                raise errors.StoreError(
                    f"{where} is not a run", expected=FORMAT, got=messages.shortened(_printable(kind)),
                    hint="Another version wrote it." if str(kind).startswith("semidirect run ") else "",
                )  # fmt: skip
            attributes = opened_group(content)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise errors.StoreError(
                f"{where} cannot be read as a run: zarr.json: {type(error).__name__}: {error}",
                hint="Restore this file from a copy, or run it again.",
            ) from error
        try:
            return cls._checked(attributes)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise errors.StoreError(
                f"{where} cannot be read as a run: zarr.json: {type(error).__name__}: {error}",
                hint="Restore this file from a copy, or run it again.",
            ) from error

    @classmethod
    def _checked(cls, attributes: dict[str, Any]) -> Manifest:
        arrays = {_name(n): (_type(t), _shape(shape)) for n, (t, shape) in attributes["arrays"].items()}
        partials = {
            _name(n): PartialKind(_type(t), _shape(whole), _shape(last), _shape(widest))
            for n, (t, whole, last, widest) in attributes["partials"].items()
        }
        entries = {
            _name(n): Given(_shape(shape), str(checksum)) for n, (shape, checksum) in attributes["given"].items()
        }
        sizes = {str(k): _count(n, 1) for k, n in attributes["sizes"].items()}
        paths, chunk = (_count(attributes[k], 1) for k in ("paths", "chunk_paths"))
        words = attributes.get("long_names", {})  # earlier versions wrote none
        objects = {k: attributes[k] for k in ("config", "units", "versions")} | {"long_names": words}
        objects |= {} if attributes["call"] is None else {"call": attributes["call"]}
        for key, value in objects.items():
            if not isinstance(value, dict):
                raise TypeError(f"{key} is not an object")
        for key, value in (*attributes["units"].items(), *words.items()):
            if not isinstance(value, str):
                raise TypeError(f"a unit or description of {key!r} is not a text")
        check_text(attributes)
        check_configuration(attributes["config"])
        _check_arrays(arrays, partials, entries, attributes["config"])
        return cls(
            attributes["config"], attributes["call"], str(attributes["inputs"]), paths, chunk, arrays, partials,
            sizes, entries, attributes["units"], tuple(map(str, attributes["components"])), attributes["versions"],
            words,
        )  # fmt: skip

    def differences(self, other: Manifest) -> list[str]:
        """The differences from another run, ``name: here, there`` each."""
        ours, theirs = (dict(_flat(_with_labels(m._identity()))) for m in (self, other))
        names = [name for name in dict.fromkeys((*ours, *theirs)) if ours.get(name) != theirs.get(name)]
        if len(names) > 1 and "inputs" in names:
            names.remove("inputs")  # the other entries describe it better
        return [f"{n}: {_shown(ours.get(n))} in the store, {_shown(theirs.get(n))} requested" for n in names]

    def _identity(self) -> dict[str, Any]:
        config = {k: v for k, v in self.config.items() if k not in VERSIONS}
        return {
            "quantities": list(self.arrays),
            **json.loads(json.dumps(config)),
            "paths": self.paths,
            "inputs": self.inputs[:12],
        }


def manifest(spec: RunSpec) -> Manifest:
    """The manifest of a new run."""
    contents, times = spec.contents, len(spec.saved_steps)

    def shape(count: int, *before: int) -> tuple[int, ...]:
        return before if count == 1 else (*before, count)

    arrays: dict[str, Kind] = {
        **{f"data/{k}": ("float64", shape(len(contents.everything[k]), times)) for k in contents.saved_names},
        **{f"final/{k}": ("float64", shape(len(rows))) for k, rows in contents.final.items()},
        "end/y": ("float64", (len(contents.state),)),
        "end/stored": ("float64", (len(spec.model.coordinates),)),
        "record/status": ("int8", ()),
        "record/failed_at": ("float64", ()),
        "record/failed_component": ("int16", ()),
        **{f"crossings/{k}": (v.dtype.name, v.shape[1:]) for k, v in events.empty_crossings(spec, 1).items()},
    }
    length, short = spec.chunk_paths, len(spec.chunk(spec.chunks - 1))
    of_lengths = [_partials(spec, n) for n in (length, short, max(1, length - 1))]
    partials = {
        k: PartialKind(v.dtype.name, v.shape, of_lengths[1][k].shape, tuple(map(max, v.shape, of_lengths[2][k].shape)))
        for k, v in of_lengths[0].items()
    }
    sizes = {k: contents.sizes[k] for r in spec.reductions for k in r.names()}
    return Manifest(spec.configuration(), spec.call(), _inputs(spec), spec.paths, spec.chunk_paths, arrays, partials,
                    sizes, given(fixed(spec)), spec.units, spec.components, versions(), contents.long_names)  # fmt: skip


def fixed(spec: RunSpec) -> dict[str, np.ndarray]:
    """The arrays of :attr:`Manifest.fixed` of a run."""
    start = spec.start.arrays()
    if spec.start.paths == 1 and not start.keys() & {"y", "slopes"}:
        start = {}
    inputs = {
        **{f"inputs/state.{k}": v for k, v in start.items()},
        **{f"inputs/{k}": v for k, v in spec.by_path().items()},
    }
    times = {"record/times": spec.times} | (
        {"reductions/times": schedule.labels(spec.reduced, spec.dt)} if len(spec.reduced) else {}
    )
    return times | inputs


def fixed_array(name: str, shape: tuple[int, ...]) -> StoredArray:
    """The storage of an array that is known before the run: a single chunk."""
    if name.endswith("/times"):
        return StoredArray(name, "float64", shape, max(1, shape[0]), ("time",), {"units": "s"})
    return StoredArray(name, "float64", shape, max(1, shape[0]), tuple(f"axis_{i}" for i in range(len(shape))))


def given(arrays: Mapping[str, np.ndarray]) -> dict[str, Given]:
    """The entries of a manifest for arrays that are known before the run."""
    files = {k: fixed_array(k, v.shape).encoded(v) for k, v in arrays.items()}
    return {k: Given(arrays[k].shape, hashlib.sha256(content).hexdigest()) for k, content in files.items()}


def _partials(spec: RunSpec, count: int) -> dict[str, np.ndarray]:
    """Partial results of paths that begin a chunk; with one path less than a chunk, they have the most nodes."""
    times, sizes = len(spec.reduced), spec.contents.sizes
    return named_partials(r.accumulator(range(count), times, sizes).partial() for r in spec.reductions)


def named_partials(partials: Iterable[PartialStatistic]) -> dict[str, np.ndarray]:
    """The partial results, by the names of the arrays of a store."""
    return {f"reductions/{i}.{k}": np.asarray(v) for i, partial in enumerate(partials) for k, v in partial.items()}


def versions() -> dict[str, str]:
    """Versions of the packages on which results might depend."""
    return {name: version(name) for name in VERSIONS}


def _inputs(spec: RunSpec) -> str:
    digest = hashlib.sha256()
    values = (v.values if isinstance(v, PerPath) else v for v in spec.system.values.values())
    driver = () if spec.driver is None else spec.driver.arrays()
    for array in (*spec.start.arrays().values(), *values, *driver):
        digest.update(f"{np.shape(array)}".encode())
        digest.update(np.ascontiguousarray(array, dtype=float).tobytes())
    return digest.hexdigest()


def _name(name: str) -> str:
    section, _, quantity = name.partition("/")
    if section not in (*SECTIONS, *SOMETIMES) or not re.fullmatch(r"[^/\\\0:.][^/\\\0:]*", folder_name(quantity)):
        raise ValueError(f"not the name of an array: {name!r}")
    return name


def _printable(value: object) -> str:
    return str(value) if str(value).isprintable() else ascii(value)


def _check_arrays(arrays: Mapping[str, Kind], partials: Mapping[str, PartialKind], entries: Mapping[str, Given],
                  config: Mapping[str, Any]) -> None:  # fmt: skip
    """Raise a ValueError unless there are the arrays that every run has, in shapes that fit together."""
    lacking = {name for name in RECORD if name not in arrays} | ({"record/times"} - entries.keys())
    if lacking:
        raise ValueError(f"it has no {', '.join(sorted(lacking))}")
    if any(arrays[name] != kind for name, kind in RECORD.items() if kind is not None):
        raise ValueError("an array of the record has another type or shape than that of every run")
    if not all(entry.shape for entry in entries.values()):
        raise ValueError("what is known before the run has no paths or times")
    times = entries["record/times"].shape
    if len(times) != 1 or not times[0]:
        raise ValueError(f"the saved times have the shape {times}")
    for name, (dtype, shape) in arrays.items():
        section = name.partition("/")[0]
        if section in ("data", "final", "end") and dtype != "float64":
            raise ValueError(f"{name} is not of floats: {dtype}")
        most = {"data": 2, "final": 1, "end": 1, "record": 0}.get(section, 3)
        if (section == "data" and shape[:1] != times) or len(shape) > most or (section == "end" and len(shape) != 1):
            raise ValueError(f"{name} has the shape {shape}, the saved times {times}")
    if partials and ("reductions/times" not in entries or len(entries["reductions/times"].shape) != 1):
        raise ValueError("there are statistics, but not their times")
    of_modes = (
        {f"modes/{part}" for part in ("mode", "count", *Transitions.COLUMNS)} - {"modes/path"}
        if "hybrid" in config
        else set()
    )
    if of_modes != {name for name in arrays if name.startswith("modes/")}:
        raise ValueError("the modes of a hybrid system are not those of its paths")
    crossings = conditions.from_description(config.get("crossings", []))
    recorded = {f"crossings/{i}.{part}" for i in range(len(crossings)) for part in ("count", "time")}
    if not recorded <= arrays.keys():
        raise ValueError("crossings of the configuration were not recorded")


def _type(name: Any) -> str:
    if name not in TYPES:
        raise ValueError(f"not the type of an array: {name!r}")
    return str(name)


def _shape(values: Any) -> tuple[int, ...]:
    return tuple(_count(n) for n in values)


def _count(value: Any, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**63:
        raise ValueError(f"not a count: {value!r}")
    return value


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else key)
    else:
        yield name, value


def _with_labels(identity: dict[str, Any]) -> dict[str, Any]:
    """The identity with the labels of its first and last step: earlier versions wrote n·dt."""
    dt = identity.get("dt")
    if not (isinstance(dt, float) and dt > 0):
        return identity
    ends = {k: identity[k] / dt for k in ("t_start", "t_end") if isinstance(identity.get(k), float)}
    return identity | {k: schedule.label(round(steps), dt) for k, steps in ends.items() if abs(steps) < math.inf}


def _shown(value: Any) -> str:
    return "nothing" if value is None else messages.shortened(json.dumps(value, ensure_ascii=False))
