"""Quantities at the end of a run, evaluated at first use from the state of each path."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.compile import row_functions
from semidirect.model import Row
from semidirect.quantities import ArraysByName

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE
    from semidirect.specification import RunSpec

PATHS_AT_ONCE = 2048
"""Paths evaluated together: few enough that the intermediate values of a long program stay in the processor's cache."""


def _read(
    model: NumericalSDE, end: Mapping[str, np.ndarray], t: float, quantities: Mapping[str, Sequence[Any]]
) -> dict[str, np.ndarray]:
    """Quantities read by array code."""
    n = len(end["y"])
    out = {k: np.empty((len(rows), n)) for k, rows in quantities.items()}
    for first in range(0, n if quantities else 0, PATHS_AT_ONCE):
        paths = range(first, min(first + PATHS_AT_ONCE, n))
        part = slice(paths.start, paths.stop)
        y, stored = (np.ascontiguousarray(end[k][part].T) for k in ("y", "stored"))
        values = model.of_paths(paths).read(y, stored, t, quantities)
        for name, array in out.items():
            array[:, part] = values[name]
    return {k: array.T for k, array in out.items()}


def _of_state(end: Mapping[str, np.ndarray], blocks: Blocks) -> np.ndarray:
    parts = [end[of][:, columns] for of, columns in blocks] or [
        end["y"][:, :0]
    ]  # no rows, as of a motion without velocities
    return parts[0] if len(parts) == 1 else np.concatenate([part.T for part in parts]).T


@final
class ValuesAtEnd:
    """The saved quantities at the end of a run, and the variables of its final state.

    Components of the state are read from it. All other quantities are evaluated together when the first of them is needed,
    by the same function and in the same order as in a run that saves more times, so that results are identical to the last bit.
    """

    def __init__(self, spec: RunSpec, end: Mapping[str, np.ndarray], t: float):
        self._spec, self._end, self._t = spec, end, t
        self._plan: _Plan = spec.known("values at the end", lambda: _Plan.of(spec))

    def data(self) -> Mapping[str, np.ndarray]:
        """The saved quantities, name → array ``(paths, 1, …)``."""
        return _Evaluated(self._plan.saved, lambda name: _scalars(self._saved(name)[:, None]))

    def final(self) -> Mapping[str, np.ndarray]:
        """The final state in the form of users, name → array ``(paths, …)``."""
        return _Evaluated(self._plan.final, lambda name: _scalars(self._named(name)))

    def _saved(self, name: str) -> np.ndarray:
        blocks = self._plan.saved[name]
        return self._values[name] if blocks is None else _of_state(self._end, blocks)

    def _named(self, name: str) -> np.ndarray:
        blocks = self._plan.final[name]
        if blocks is not None:
            return _of_state(self._end, blocks)
        return self._other_values[name] if name in self._plan.rest else self._values[name]

    @cached_property
    def _values(self) -> dict[str, np.ndarray]:
        contents = self._spec.contents
        return self._evaluated(contents.of_names(contents.saved_names), self._plan.saved)

    @cached_property
    def _other_values(self) -> dict[str, np.ndarray]:
        return self._evaluated(self._plan.rest, self._plan.final)

    def _evaluated(self, quantities: Mapping[str, Sequence[Any]], blocks: Mapping[str, Blocks | None]
                   ) -> dict[str, np.ndarray]:  # fmt: skip
        values = ValuesAtEnd.of_states(self._spec.model, self._end, self._t, quantities)
        return {k: v for k, v in values.items() if blocks[k] is None}

    @staticmethod
    def suffice(spec: RunSpec) -> bool:
        """Whether a run needs only the final states of its paths: it saves nothing earlier, and no quantity stops a path or
        makes it fail.
        """
        looked_at = spec.stops or spec.crossings or spec.reductions or spec.bounds or spec.checks.on_failure == "mask"
        return len(spec.saved_steps) == 1 and not looked_at

    @staticmethod
    def of_states(
        model: NumericalSDE, end: Mapping[str, np.ndarray], t: float, quantities: Mapping[str, Sequence[Any]],
        functions: Sequence[row_functions.OfRows] = (),
    ) -> dict[str, np.ndarray]:  # fmt: skip
        """Quantities, rows of the structure or expressions of the program, and functions of them, of states ``y (paths, d)`` and
        ``stored (paths, r)`` at a time: name → ``(paths, rows)``, rows first in memory, and parts of these arrays where they are
        components of the state.
        """
        places = model.known("places in state", lambda: places_in_state(model))
        blocks = {k: _blocks(rows, places) for k, rows in quantities.items()}
        of_state = {k: _of_state(end, parts) for k, parts in blocks.items() if parts is not None}
        rest = {k: rows for k, rows in quantities.items() if blocks[k] is None}
        if not rest and not functions:
            return of_state
        compiled = row_functions.reader(model, quantities, tuple(rest), functions, len(end["y"]))
        if compiled is not None:
            results = compiled(model, end["y"].T, end["stored"].T, t, functions)
        else:
            results = _read(model, end, t, rest)
            for one in functions:
                rows = [row for k in one.of for row in (results[k] if k in results else of_state[k]).T]
                with np.errstate(all="ignore"):
                    results[one.key] = np.asarray(one.function(rows, one.numbers), dtype=float)[None].T
        return {**of_state, **results}


Blocks = Sequence[tuple[str, slice]]
"""Columns of the arrays of final states that form a quantity."""


@final
@dataclass(frozen=True)
class _Plan:
    """The sources of the quantities at the end of a run.

    Attributes
    ----------
    saved, final : dict name → Blocks or None
        The saved quantities and the variables of the final state; ``None`` for those that must be evaluated.
    rest : dict name → rows
        The variables of the final state that are not among the saved quantities.
    """

    saved: Mapping[str, Blocks | None]
    final: Mapping[str, Blocks | None]
    rest: Mapping[str, list[Any]]

    @classmethod
    def of(cls, spec: RunSpec) -> _Plan:
        """The plan of a run; raises an error for quantities that cannot be evaluated."""
        contents, places = spec.contents, places_in_state(spec.model)
        saved_rows = contents.of_names(contents.saved_names)
        rest = {k: v for k, v in contents.final.items() if saved_rows.get(k) != v}
        for quantities in (saved_rows, rest):
            spec.model.refuse_unreadable(quantities)
        saved, named = ({k: _blocks(rows, places) for k, rows in q.items()} for q in (saved_rows, contents.final))
        return cls(saved, named, rest)


def _blocks(rows: Sequence[Any], places: Mapping[Row, tuple[str, int]]) -> Blocks | None:
    """The columns of some rows, neighbours together; ``None`` if not all are components of the state."""
    blocks: list[tuple[str, slice]] = []
    for row in rows:
        if not (isinstance(row, Row) and row in places):
            return None
        of, i = places[row]
        if blocks and (blocks[-1][0], blocks[-1][1].stop) == (of, i):
            blocks[-1] = of, slice(blocks[-1][1].start, i + 1)
        else:
            blocks.append((of, slice(i, i + 1)))
    return blocks


def places_in_state(model: NumericalSDE) -> dict[Row, tuple[str, int]]:
    """The places of the components of the state vector and of the coordinates of s in the final values of a run."""
    rows = [Row("state", v.name, i) for v in model.structure.shape.variables for i in range(v.dimension)]
    carried = model.coordinate_rows
    return {row: (of, i) for of, part in (("y", rows), ("stored", carried)) for i, row in enumerate(part)}


@final
class _Evaluated(ArraysByName):
    """Arrays made by a function of their names."""

    def __init__(self, names: Collection[str], evaluate: Callable[[str], np.ndarray]):
        super().__init__(names)
        self._evaluate = evaluate

    def find(self, name: str) -> np.ndarray:
        """The evaluated array."""
        return np.ascontiguousarray(self._evaluate(name))


def _scalars(array: np.ndarray) -> np.ndarray:
    return array[..., 0] if array.shape[-1] == 1 else array
