"""The modes of the paths of a hybrid system: one at each saved time, and the transitions between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import arguments, frozen

__all__ = ["ModeHistory", "Transitions"]


@final
@dataclass(frozen=True, eq=False, repr=False)
class Transitions(frozen.Rebuilt):
    """The transitions of all paths, those of a path one after the other; arrays over transitions.

    Attributes
    ----------
    path : int array
    time : array
        [s].
    source, target : int arrays
        The modes before and after, numbers in the order of the modes; the same where a path rebounds.
    switch : int array
        The number of the switch, in the order in which they were given.
    loss : array
        The kinetic energy that is lost [J].
    impulse : array (transitions, n)
        The change of the momentum ∂l/∂ξ, in the dual of the algebra.
    """

    COLUMNS: ClassVar[Mapping[str, Any]] = {
        "path": np.int64, "time": float, "source": np.int8, "target": np.int8, "switch": np.int16, "loss": float,
        "impulse": float,
    }  # fmt: skip
    """What is recorded of a transition, with its type."""

    path: np.ndarray
    time: np.ndarray
    source: np.ndarray
    target: np.ndarray
    switch: np.ndarray
    loss: np.ndarray
    impulse: np.ndarray

    def __post_init__(self) -> None:
        for name, array in vars(self).items():
            arguments.validated_instance(name, array, np.ndarray, expected="an array")
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.path)

    def of_path(self, path: int) -> Transitions:
        """Those of one path."""
        some = slice(*np.searchsorted(self.path, [path, path + 1]))
        return Transitions(**{name: array[some] for name, array in vars(self).items()})

    def __repr__(self) -> str:
        return f"Transitions({len(self)} on {len(np.unique(self.path))} paths)"


@final
@dataclass(frozen=True, eq=False, repr=False)
class ModeHistory(frozen.Rebuilt):
    """The modes of the paths of a hybrid system over time.

    Attributes
    ----------
    modes, switches : tuple of str
        The names of the modes, and what the switches say.
    mode : int array (paths, T)
        The number of the mode of each path at the saved times.
    transitions : Transitions
    start : int
        The number of the mode in which all paths start, of a run that continues another in which its first path starts.
    """

    modes: tuple[str, ...]
    switches: tuple[str, ...]
    mode: np.ndarray
    transitions: Transitions
    start: int

    def __post_init__(self) -> None:
        arguments.validated_instance("transitions", self.transitions, Transitions, expected="Transitions")
        if isinstance(self.mode, np.ndarray):
            self.mode.setflags(write=False)

    def by_path(self) -> dict[str, np.ndarray]:
        """The modes and transitions with one row for each path: ``count (paths,)``, and columns ``(paths, most, …)``."""
        table, paths = self.transitions, len(self.mode)
        count = np.bincount(table.path, minlength=paths).astype(np.int64)
        place = np.arange(len(table)) - np.repeat(np.cumsum(count) - count, count)
        out = {"mode": self.mode, "count": count}
        for name, kind in Transitions.COLUMNS.items():
            if name != "path":
                values = getattr(table, name)
                out[name] = np.zeros((paths, int(count.max(initial=0)), *values.shape[1:]), dtype=kind)
                out[name][table.path, place] = values
        return out

    @classmethod
    def from_path_rows(
        cls, modes: tuple[str, ...], switches: tuple[str, ...], start: int, rows: Mapping[str, np.ndarray]
    ) -> ModeHistory:
        """The reverse of :meth:`by_path`."""
        count = rows["count"]
        path = np.repeat(np.arange(len(count)), count)
        place = np.arange(len(path)) - np.repeat(np.cumsum(count) - count, count)
        table = {name: rows[name][path, place] for name in Transitions.COLUMNS if name != "path"}
        return cls(modes, switches, rows["mode"], Transitions(path=path.astype(np.int64), **table), start)
