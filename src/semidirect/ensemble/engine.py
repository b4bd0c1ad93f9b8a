"""The abstract engine: what steps the paths of a chunk."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import ClassVar

import numpy as np

from semidirect.ensemble.record import Record
from semidirect.ensemble.spec import RunSpec
from semidirect.model.numerical_sde import NumericalSDE

__all__ = ["Engine", "of_chunk"]


@dataclass(frozen=True)
class Engine(ABC):
    """Steps the paths of a chunk and fills its record.

    An engine gives the states that :class:`~semidirect.ensemble.engines.numpy_engine.NumpyEngine` gives. Final subclasses in a
    file of :mod:`semidirect.ensemble.engines`, or declared by the entry point group ``semidirect.engines``, are found by their
    names: ``simulate(engine="name")``.

    Attributes
    ----------
    name : str
        Its name.
    usual_paths : int
        Paths in a chunk for which the part of a step's cost that does not grow with them is small.
    spec : RunSpec
        The run: ``spec.method`` steps from ``begin`` to ``spec.last`` with the increments of ``spec.driver``.
    record : Record
        What is filled: ``record.visit`` gets the states after each step of ``spec.visited``, from ``begin`` on, and gives back
        those to go on from; ``record.watch`` gets each step at which a path may have failed; ``record.paths`` are the paths.
    stopped : Event
        Setting it ends the engine within some steps; what it leaves is not a result.
    advanced : callable
        Gets the number of path-steps done.
    begin : int
        The step from which it goes, that of the specification or, if paths go on, a later one.
    """

    name: ClassVar[str]
    usual_paths: ClassVar[int] = 256

    spec: RunSpec
    record: Record
    stopped: Event
    advanced: Callable[[int], None]
    begin: int

    @classmethod
    def is_sooner(cls, spec: RunSpec) -> bool:
        """Whether ``engine="auto"`` takes this one for a run, rather than array code."""
        return False

    @classmethod
    def may_become_sooner(cls, spec: RunSpec) -> bool:
        """Whether the answer may be another one when the same run is asked for again."""
        return False

    def run(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray) -> None:
        """Run the paths of the chunk from the states ``(d, paths or 1)`` of all paths of the run."""
        chunk = self.record.paths
        self.go(model, of_chunk(y, chunk), of_chunk(stored, chunk))

    @abstractmethod
    def go(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray) -> None:
        """Run the paths of the chunk from their states ``(d, paths)`` and coordinates of s ``(r, paths)``, which are not
        written to; ``model`` has the parameters of these paths.
        """


def of_chunk(rows: np.ndarray, chunk: range) -> np.ndarray:
    """The rows of some paths, to be read only: one state for all is not copied."""
    if rows.shape[1] == 1 and len(chunk) > 1:
        return np.broadcast_to(rows, (len(rows), len(chunk)))
    return rows if rows.shape[1] == 1 else rows[:, chunk.start : chunk.stop]
