"""States in the lanes of a kernel, which calls of the kernel alone advance where no path fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.ensemble.engines.kernel_engine import (
    STEPS_AT_ONCE,
    KernelCall,
    KernelEngine,
    as_lanes,
    as_paths,
    surely_finite,
)
from semidirect.ensemble.spec import RunSpec


@final
@dataclass(frozen=True)
class LaneStates:
    """States and coordinates of s of all paths of an ensemble, arrays ``(blocks, d, lanes)`` that are not written to, with the
    call of the kernel that advances them.
    """

    spec: RunSpec
    call: KernelCall
    y: np.ndarray
    s: np.ndarray

    @classmethod
    def of(cls, spec: RunSpec, y: np.ndarray, stored: np.ndarray) -> LaneStates | None:
        """The states ``(paths, d)`` and ``(paths, r)``; ``None`` if calls of a kernel alone cannot advance them: for several
        chunks, other engines, and increments that the kernel does not draw.
        """
        if spec.engine != KernelEngine.name or spec.chunks != 1:
            return None
        call = KernelCall.of(spec.model, spec, range(spec.paths))
        if spec.driver is not None and call.draw is None:
            return None
        return cls(spec, call, as_lanes(y.T, call.kernel.lanes), as_lanes(stored.T, call.kernel.lanes))

    def advanced(self, first: int, last: int) -> LaneStates | None:
        """The states after a later step, ``None`` if a path may have failed, which the engine has to examine."""
        call, y, s = self.call, self.y.copy(), self.s.copy()
        for begin in range(first, last, STEPS_AT_ONCE):
            stuck = call(y, s, None, 0, begin, min(STEPS_AT_ONCE, last - begin))
            if np.maximum.reduce(stuck, axis=None) >= 0 or not surely_finite(y, s):
                return None
        return LaneStates(self.spec, call, y, s)

    def by_path(self) -> dict[str, np.ndarray]:
        """The states ``(paths, d)`` and ``(paths, r)``, components first in memory."""
        paths = self.spec.paths
        if len(self.y) == 1:  # views: nobody writes to either
            return {"y": self.y[0, :, :paths].T, "stored": self.s[0, :, :paths].T}
        return {"y": as_paths(self.y, paths).T, "stored": as_paths(self.s, paths).T}


@final
class RememberedLanes:
    """The lanes of states, made when they are first needed; copies of an ensemble share them until one of them moves.

    A pickle has none: it goes to processes that load the kernel themselves.
    """

    def __init__(self, end: Mapping[str, np.ndarray] | None = None, lanes: LaneStates | None = None):
        self._found = end, lanes

    def of(self, spec: RunSpec, end: Mapping[str, np.ndarray]) -> LaneStates | None:
        """The states ``end`` in lanes, see :meth:`LaneStates.of`."""
        known, lanes = self._found
        if lanes is None or known is not end or lanes.spec is not spec:  # something was changed since
            lanes = LaneStates.of(spec, end["y"], end["stored"])
            self._found = end, lanes
        return lanes

    def __reduce__(self) -> tuple[Any, ...]:
        return RememberedLanes, ()
