"""States in the lanes of a kernel, which calls of the kernel alone advance where no path fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

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
    """States and coordinates of s of all paths of an ensemble, arrays ``(blocks, d, lanes)`` that are not written to."""

    y: np.ndarray
    s: np.ndarray
    paths: int

    @classmethod
    def of(cls, spec: RunSpec, y: np.ndarray, stored: np.ndarray) -> LaneStates | None:
        """The states ``(paths, d)`` and ``(paths, r)``; ``None`` if calls of a kernel alone cannot advance them: for several
        chunks, other engines, and increments that the kernel does not draw.
        """
        alone = spec.engine == KernelEngine.name and spec.chunks == 1
        if not alone or (spec.driver is not None and spec.driver.kernel_draw(spec.dt) is None):
            return None
        lanes = KernelCall.of(spec.model, spec, range(spec.paths)).kernel.lanes
        return cls(as_lanes(y.T, lanes), as_lanes(stored.T, lanes), spec.paths)

    def advanced(self, spec: RunSpec, first: int, last: int) -> LaneStates | None:
        """The states after a later step, ``None`` if a path may have failed, which the engine has to examine."""
        call = KernelCall.of(spec.model, spec, range(spec.paths))
        y, s, drawn = self.y.copy(), self.s.copy(), np.empty((1, 1, 1, call.kernel.lanes))
        for begin in range(first, last, STEPS_AT_ONCE):
            stuck = call(y, s, drawn, 0, begin, min(STEPS_AT_ONCE, last - begin))
            if np.maximum.reduce(stuck, axis=None) >= 0 or not surely_finite(y, s):
                return None
        return LaneStates(y, s, self.paths)

    def by_path(self) -> dict[str, np.ndarray]:
        """The states ``(paths, d)`` and ``(paths, r)``, components first in memory."""
        if len(self.y) == 1:  # views: nobody writes to either
            return {"y": self.y[0, :, : self.paths].T, "stored": self.s[0, :, : self.paths].T}
        return {"y": as_paths(self.y, self.paths).T, "stored": as_paths(self.s, self.paths).T}
