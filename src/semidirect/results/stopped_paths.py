"""The stopped paths of a run: when, by which condition, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from semidirect.core import frozen


@final
@dataclass(frozen=True, eq=False, repr=False)
class StoppedPaths(frozen.Rebuilt):
    """The outcome of ``stop=``; arrays over all paths.

    Attributes
    ----------
    labels : tuple of str
        The conditions in the order in which they were given, such as ``energy ≥ 2``.
    time : array (paths,)
        When each path was stopped [s]; nan where it was not.
    condition : int array (paths,)
        The number of the condition that stopped it, from 0; −1 where none did.
    state : dict name → array (paths, …)
        The state at the stop, in the names of ``run.final``; nan where it was not stopped.
    """

    labels: tuple[str, ...]
    time: np.ndarray
    condition: np.ndarray
    state: Mapping[str, np.ndarray]

    def __post_init__(self) -> None:
        for array in (self.time, self.condition, *self.state.values()):
            array.setflags(write=False)
        object.__setattr__(self, "state", frozen.FrozenMapping(self.state))

    @property
    def paths(self) -> np.ndarray:
        """The paths that were stopped, in order."""
        return np.flatnonzero(self.condition >= 0)

    @property
    def starts(self) -> dict[str, np.ndarray]:
        """The states of the stopped paths alone, in the order of :attr:`paths`: ``state=`` of the run in which they continue."""
        return {name: values[self.paths] for name, values in self.state.items()}

    @property
    def counts(self) -> dict[str, int]:
        """How many paths each condition stopped."""
        return {label: int(np.count_nonzero(self.condition == i)) for i, label in enumerate(self.labels)}

    def __repr__(self) -> str:
        counts = ", ".join(f"{label}: {count}" for label, count in self.counts.items())
        return f"StoppedPaths({counts or 'no condition'}; of {len(self.time)} paths)"
