"""The abstract engine, which advances the paths of a chunk."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import ClassVar

import numpy as np

from semidirect.core import user_code
from semidirect.engines.record import Record
from semidirect.model import NumericalSDE
from semidirect.specification import RunSpec

__all__ = ["Engine", "of_chunk"]


@dataclass(frozen=True)
class Engine(user_code.Hooked, ABC):
    """Advances the paths of a chunk and fills its record.

    Every engine computes the states of :class:`~semidirect.engines.built_in.numpy_engine.NumpyEngine`. Final subclasses in a
    file of :mod:`semidirect.engines.built_in`, or declared by the entry point group ``semidirect.engines``, are found by their
    names: ``Execution(engine="name")``.

    Attributes
    ----------
    name : str
        Its name.
    usual_paths : int
        Number of paths in a chunk for which the fixed part of a step's cost is small.
    spec : RunSpec
        The run: ``spec.method`` steps from ``begin`` to ``spec.last`` with the increments of ``spec.driver``.
    record : Record
        The record to fill: ``record.visit`` gets the states after each step of ``spec.recorded_steps``, from ``begin`` on, and
        returns the states to continue from; ``record.watch`` gets each step at which a path may have failed; ``record.paths`` are
        the paths.
    stopped : Event
        If it is set, the engine ends within some steps, without a valid result.
    on_progress : callable
        Called with the number of finished path-steps.
    begin : int
        The first step: that of the specification or, for continued paths, a later one.
    """

    name: ClassVar[str]
    usual_paths: ClassVar[int] = 256

    spec: RunSpec
    record: Record
    stopped: Event
    on_progress: Callable[[int], None]
    begin: int

    @classmethod
    def is_sooner(cls, spec: RunSpec) -> bool:
        """Whether ``engine="auto"`` chooses this engine for a run instead of array code."""
        return False

    @classmethod
    def may_become_sooner(cls, spec: RunSpec) -> bool:
        """Whether the answer may differ when the same run is repeated."""
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
    """The rows of some paths, read-only: a state common to all paths is not copied."""
    if rows.shape[1] == 1 and len(chunk) > 1:
        return np.broadcast_to(rows, (len(rows), len(chunk)))
    return rows if rows.shape[1] == 1 else rows[:, chunk.start : chunk.stop]
