"""Quantities at the end of a run, evaluated when they are asked for: the state of each path is all that they follow from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core.errors import UnknownNameError
from semidirect.model.derived_equations import Row

if TYPE_CHECKING:
    from semidirect.ensemble.spec import RunSpec
    from semidirect.model.numerical_sde import NumericalSDE

PATHS_AT_ONCE = 2048
"""Paths evaluated together: the many intermediate values of a long program stay in the cache, and need little memory."""


def end_suffices(spec: RunSpec) -> bool:
    """Whether the states at the end are all that a run needs of its paths: it saves nothing earlier, and nothing that is read
    of them decides on a path.
    """
    looked_at = spec.stop is not None or spec.reductions or spec.bounds or spec.on_failure == "mask"
    return len(spec.kept) == 1 and not looked_at


@final
class ValuesAtEnd:
    """What is saved of the states at the end of a run, and what users name of the end.

    Components of the state are taken from it. All other quantities are evaluated together when the first of them is asked for,
    by the same function and in the same order as a run that saves more times evaluates them, so that the bits are the same.
    """

    def __init__(self, spec: RunSpec, end: Mapping[str, np.ndarray]):
        contents, model = spec.contents, spec.model
        self._spec, self._end = spec, end
        self._wanted = contents.of_names(contents.wanted)
        self._rest = {k: v for k, v in contents.final.items() if self._wanted.get(k) != v}
        for rows in (self._wanted, self._rest):
            if rows:
                model.reader(rows)  # what cannot be evaluated is refused before the first step

    def data(self) -> Mapping[str, np.ndarray]:
        """The saved quantities, name → array ``(paths, 1, …)``."""
        return _Evaluated(tuple(self._wanted), lambda name: _scalars(self._saved(name)[:, None]))

    def final(self) -> Mapping[str, np.ndarray]:
        """The state at the end as a user gives it, name → array ``(paths, …)``."""
        return _Evaluated(tuple(self._spec.contents.final), lambda name: _scalars(self._named(name)))

    def _saved(self, name: str) -> np.ndarray:
        return self._of_state(self._wanted[name]) if self._in_state(self._wanted[name]) else self._values[name]

    def _named(self, name: str) -> np.ndarray:
        rows = self._spec.contents.final[name]
        if self._in_state(rows):
            return self._of_state(rows)
        return self._other_values[name] if name in self._rest else self._values[name]

    @cached_property
    def _values(self) -> dict[str, np.ndarray]:
        return self._evaluated(self._wanted)

    @cached_property
    def _other_values(self) -> dict[str, np.ndarray]:
        return self._evaluated(self._rest)

    def _evaluated(self, quantities: Mapping[str, Sequence[Any]]) -> dict[str, np.ndarray]:
        spec, n = self._spec, self._spec.paths
        out = {k: np.empty((n, len(rows))) for k, rows in quantities.items() if not self._in_state(rows)}
        for first in range(0, n, PATHS_AT_ONCE):
            paths = range(first, min(first + PATHS_AT_ONCE, n))
            part = slice(paths.start, paths.stop)
            y, stored = (np.ascontiguousarray(self._end[k][part].T) for k in ("y", "stored"))
            values = spec.model.of_paths(paths).read(y, stored, spec.t_end, quantities)
            for name, array in out.items():
                array[part] = values[name].T
        return out

    def _in_state(self, rows: Sequence[Any]) -> bool:
        return all(isinstance(row, Row) and row in self._places for row in rows)

    def _of_state(self, rows: Sequence[Any]) -> np.ndarray:
        (of, first), *_ = places = [self._places[row] for row in rows]
        if places == [(of, first + i) for i in range(len(rows))]:
            return self._end[of][:, first : first + len(rows)]
        return np.stack([self._end[of][:, i] for of, i in places], axis=1)

    @cached_property
    def _places(self) -> dict[Row, tuple[str, int]]:
        return places_in_state(self._spec.model)


def places_in_state(model: NumericalSDE) -> dict[Row, tuple[str, int]]:
    """Where the components of the state vector and the coordinates of s stand in what a run keeps of its end."""
    rows = [Row("state", v.name, i) for v in model.structure.shape.variables for i in range(v.dimension)]
    carried = [Row("coordinate", name, 0) for name in model.coordinates]
    return {row: (of, i) for of, part in (("y", rows), ("stored", carried)) for i, row in enumerate(part)}


@final
class _Evaluated(Mapping[str, np.ndarray]):
    """Read-only arrays, each found when it is asked for first."""

    def __init__(self, names: tuple[str, ...], find: Callable[[str], np.ndarray]):
        self._names, self._find = names, find
        self._found: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self:
            raise UnknownNameError("quantity of the run", name, self._names)
        if name not in self._found:
            array = np.ascontiguousarray(self._find(name))
            array.setflags(write=False)
            self._found.setdefault(name, array)  # where two threads ask at once, both get the same array
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _scalars(array: np.ndarray) -> np.ndarray:
    return array[..., 0] if array.shape[-1] == 1 else array
