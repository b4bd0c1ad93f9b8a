"""Whether a definition is still the one that equations were derived from: its files, and its values at one point.

A file of the cache may only be used for what it was made from. Files tell by their size and time; but a definition may also
depend on what no file of the plugin shows, such as another module or a class made anew, so its functions are called with
numbers and the bits are compared: l, the distribution, the noise, the forces, the internal states and the observables.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.blocks import Blocks, block
from semidirect.calling import call
from semidirect.kernels.generic import GenericNumbers

if TYPE_CHECKING:
    from semidirect.definition import Definition
    from semidirect.system import System

PACKAGE = Path(__file__).parent.parent
IMPORTED = time.time_ns()
"""Files that are newer than this may not be those that this process runs."""


def identity(system: System, variables: str, form: str | None) -> str | None:
    """A name for the equations of a structure, made by these files; ``None`` for classes that no file holds."""
    kind = type(system)
    if "<locals>" in kind.__qualname__:
        return None
    folders = {_origin(c.__module__) for c in kind.__mro__ if c is not object}
    if None in folders:
        return None
    listings = sorted(_listing(f) for f in (*folders, str(PACKAGE)) if f is not None)
    if not all(listings):
        return None
    import semidirect

    _, options, shapes = system.signature
    try:
        parts = json.dumps([
            semidirect.__version__, version("sympy"), kind.__module__, kind.__qualname__, options, shapes, variables, form,
            listings,
        ])  # fmt: skip
    except TypeError:  # an option that JSON does not know
        return None
    return hashlib.sha256(parts.encode()).hexdigest()[:24]


def _origin(module: str) -> str | None:
    """The folder of the package of a module, or its file."""
    loaded = sys.modules.get(module)
    file = getattr(loaded, "__file__", None)
    if file is None or not os.path.exists(file):
        return None
    if module == "semidirect" or module.startswith("semidirect."):
        return str(PACKAGE)
    return os.path.dirname(file) if getattr(loaded, "__package__", None) else file


@cache
def _listing(place: str) -> str:
    """Names, sizes and times of the Python files of a folder and its packages, or of one file; empty if one is too new."""
    entries = sorted(_entries(place))
    return "" if any(changed > IMPORTED for _, _, changed in entries) else json.dumps(entries)


def _entries(place: str) -> Iterator[tuple[str, int, int]]:
    if os.path.isfile(place):
        status = os.stat(place)
        yield place, status.st_size, status.st_mtime_ns
        return
    with os.scandir(place) as entries:
        for entry in entries:
            if entry.is_dir() and not entry.name.startswith((".", "__pycache__")):
                yield from _entries(entry.path)
            elif entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns


def fingerprint(system: System, named: Mapping[str, int]) -> str | None:
    """A digest of the values of a definition at one point; ``None`` where it cannot be called there.

    ``named``: what observables see, with numbers of rows.
    """
    numbers = GenericNumbers()
    try:
        twin = system._bound({n: numbers.array(system._shape(n)) for n in system.values})
        with np.errstate(all="ignore"):
            values = list(_values(twin, twin._define(()), numbers, named))
            digest = hashlib.sha256()
            for value in values:
                rows = np.atleast_1d(np.asarray(value, dtype=float))
                digest.update(f"{rows.shape}".encode() + np.ascontiguousarray(rows).tobytes())
    except Exception:
        return None
    return digest.hexdigest()[:24]


def _values(twin: System, d: Definition, numbers: GenericNumbers, named: Mapping[str, int]) -> Iterator[Any]:
    group, constraint = d.group, d.constraint
    yield group.basis
    for quantity in d.advected.values():
        yield np.asarray(quantity.reference, dtype=float)
        yield quantity.representation.act_entries(group.basis[0] + group.identity, numbers.vector(quantity.dimension))
    layouts = {"xi": group.blocks, "a": d.advected_layout, "z": d.internal_layout}
    at: dict[str, Any] = {k: Blocks.split(numbers.vector(max((p.stop for p in v.values()), default=0)), v)
                          for k, v in layouts.items()}  # fmt: skip
    dynamic = {**at, "t": 0.7320508}
    everything = {**dynamic, "group": group}
    yield call(d.lagrangian, **dynamic)
    amplitudes = [np.asarray(x, dtype=float) for x in constraint.noise.amplitudes(**dynamic)]
    yield float(constraint.noise.formal)
    for x in amplitudes:
        yield x
        yield call(constraint.lift, amplitude=x, **everything)
    yield from call(constraint.extra_fields, **everything)
    for part in (call(constraint.distribution, **everything), call(constraint.annihilator, **everything)):
        yield from (() if part is None else (x for x in vars(part).values() if x is not None))
    for state in d.internal_states:
        yield state.initial
        yield from (() if state.drift is None else (call(state.drift, **dynamic),))
        yield from call(state.noise, **dynamic)
    for force in (d.forces.drift, d.forces.noise, d.forces.independent):
        for value in () if force is None else (call(force, **dynamic),):
            yield from (np.concatenate([np.ravel(np.asarray(x, dtype=float)) for x in _flat(value)] or [np.zeros(0)]),)
    names = {k: block(numbers.vector(n)) for k, n in named.items()}
    stored = numbers.vector(len(group.stored_names))
    scope = Blocks(
        {**dict(zip(group.stored_names, stored, strict=True)), **names, "s": group.element(stored), "t": 0.7320508}
    )
    for seen in (*twin._quantities(derived=True).values(), *twin._quantities(derived=False).values()):
        yield seen.method(twin, scope)


def _flat(value: Any) -> Iterator[Any]:
    """Leaves of nested sequences, as noise forces are."""
    if isinstance(value, (list, tuple, Blocks)):
        for one in value.values() if isinstance(value, Blocks) else value:
            yield from _flat(one)
    else:
        yield value
