"""Quantities of stopped paths: those that depend on time keep the values that they had when the path was stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from semidirect.model import NumericalSDE, sensitivities

__all__ = ["ValuesAtStop"]

TIMED = "time"


@final
class ValuesAtStop:
    """The values of quantities on the paths of a chunk that are stopped, each read once, at the time of the stop."""

    def __init__(self) -> None:
        self._values: dict[Any, dict[str, np.ndarray]] = {}
        self._known: dict[Any, np.ndarray] = {}

    def held(self, key: Any, model: NumericalSDE, rows: Mapping[str, Sequence[Any]], values: dict[str, np.ndarray],
             states: tuple[np.ndarray, np.ndarray], times: np.ndarray, slopes: np.ndarray | None
             ) -> dict[str, np.ndarray]:  # fmt: skip
        """The values of rows, with those of stopped paths as they were when these were stopped.

        Parameters
        ----------
        key : hashable
            Identifies the rows.
        values : dict name → array (rows, paths)
            At the present time, from states in which stopped paths have their frozen ones.
        states : arrays (d, paths)
            These states.
        times : array (paths,)
            When each path was stopped, nan where it is not.
        slopes : array (K, paths), optional
            The derivatives of these times.
        """
        stopped = np.isfinite(times)
        if not stopped.any() or not model.known(("depends on time", key), lambda: _depends_on_time(model, rows)):
            return values
        if key not in self._values:
            self._values[key] = {name: np.array(array) for name, array in values.items()}
            self._known[key] = np.zeros(len(times), dtype=bool)
        stop_values, available = self._values[key], self._known[key]
        for t in np.unique(times[stopped & ~available]):
            which = np.flatnonzero(times == t)
            y, stored = (state[:, which] for state in states)
            slopes_there = None if slopes is None else slopes[:, which]
            for name, array in model.of_some(which).read(y, stored, float(t), rows, slopes_there).items():
                stop_values[name][:, which] = array
        available |= stopped
        return {name: np.where(stopped, stop_values[name], array) for name, array in values.items()}


def _depends_on_time(model: NumericalSDE, rows: Mapping[str, Sequence[Any]]) -> bool:
    """Whether any of the rows, or anything that they may be computed from, contains the time; kept with the equations."""
    if not model.compiles:  # functions of arrays are not looked into
        return True
    plain = [row.row if isinstance(row, sensitivities.Slope) else row for part in rows.values() for row in part]
    structure = model.structure
    label = f"the time in {'; '.join(map(str, rows))}"
    text = structure.text(label, lambda: _text(model, plain)) if structure.keeps(plain) else _text(model, plain)
    return text == TIMED


def _text(model: NumericalSDE, rows: Sequence[Any]) -> str:
    """Whether rows contain the time, as a word that the cache of equations keeps."""
    import sympy as sp

    t, program = model.sde.setting.t, model.sde.program
    timed = any(t in sp.sympify(e).free_symbols for e in model.structure.expressions(rows)) or any(
        t in statement.reads for statement in program.statements
    )
    return TIMED if timed else "no time"
