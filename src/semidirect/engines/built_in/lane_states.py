"""States in the lanes of a kernel, which calls of the kernel alone advance where no path fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.engines.built_in.chosen_states import ChosenStates
from semidirect.engines.built_in.kernel_engine import (
    STEPS_AT_ONCE,
    STEPS_GIVEN,
    KernelEngine,
    call_of,
    surely_finite,
)
from semidirect.engines.built_in.threads_that_stay import at_once
from semidirect.specification import RunSpec

if TYPE_CHECKING:
    from semidirect.compile import KernelCall, LatticeCall

PATHS_OF_A_WORKER = 2**14
"""At most, of states that stay in lanes."""
STEPS_OF_A_WORKER = 2**14
"""At least: path-steps that take longer than to wake a thread."""


@final
@dataclass(frozen=True)
class LaneStates:
    """States and coordinates of s of all paths of an ensemble, arrays ``(blocks, d, lanes)`` that are not written to, with the
    call of the kernel that advances them.
    """

    spec: RunSpec
    call: KernelCall | LatticeCall
    y: np.ndarray
    s: np.ndarray

    @classmethod
    def of(cls, spec: RunSpec, end: Mapping[str, np.ndarray], workers: int) -> LaneStates | None:
        """The states ``y (paths, d)`` and ``stored (paths, r)``; ``None`` if calls of a kernel alone cannot advance them.

        They cannot for more chunks than workers have at once, and for other engines.
        """
        if spec.engine != KernelEngine.name or (spec.chunks != 1 and spec.paths > workers * PATHS_OF_A_WORKER):
            return None
        call = call_of(spec.model, spec, spec.paths)
        if isinstance(end, ChosenStates):
            return cls(spec, call, end.in_lanes("y", call), end.in_lanes("stored", call))
        return cls(spec, call, call.in_lanes(end["y"].T), call.in_lanes(end["stored"].T))

    @property
    def draws(self) -> bool:
        """Whether the kernel needs no increments from elsewhere."""
        return self.spec.driver is None or self.call.draw is not None

    def advanced(self, first: int, last: int, increments: np.ndarray | None = None, *, shared: bool = True, workers: int = 1
                 ) -> LaneStates | None:  # fmt: skip
        """The states after a later step, ``None`` if a path may have failed, which the engine has to examine.

        They take the place of these states unless others share them. Increments ``(steps, m, paths)`` are for a kernel that
        does not draw them. Each worker steps some of the blocks.
        """
        y, s = (np.empty_like(self.y), np.empty_like(self.s)) if shared else (self.y, self.s)
        count = len(y)
        useful = min(
            workers, count, max(1, self.spec.paths * self.spec.model.sites * (last - first) // STEPS_OF_A_WORKER)
        )
        ends = [count * i // useful for i in range(useful + 1)]

        def stepped(blocks: slice) -> bool:
            if shared:
                y[blocks], s[blocks] = self.y[blocks], self.s[blocks]
            return self._step(y, s, blocks, first, last, increments)

        parts = [partial(stepped, slice(begin, end)) for begin, end in pairwise(ends)]
        return LaneStates(self.spec, self.call, y, s) if all(at_once(parts)) else None

    def _step(
        self, y: np.ndarray, s: np.ndarray, blocks: slice, first: int, last: int, increments: np.ndarray | None
    ) -> bool:
        """Advance some blocks; whether surely no path failed."""
        call, y, s = self.call.part(blocks), y[blocks], s[blocks]
        most = STEPS_AT_ONCE if increments is None else STEPS_GIVEN
        for begin in range(first, last, most):
            count = min(most, last - begin)
            dW = None
            if increments is not None:
                dW = self._in_lanes(increments[begin - first : begin - first + count])[blocks]
            stuck = call(y, s, dW, blocks.start * call.lanes, begin, count)
            if np.maximum.reduce(stuck, axis=None) >= 0 or not surely_finite(y, s):
                return False
        return True

    def _in_lanes(self, increments: np.ndarray) -> np.ndarray:
        """Increments ``(steps, m, paths)`` as a kernel takes them, ``(blocks, steps, m, lanes)``."""
        steps, m, paths = increments.shape
        return self.call.in_lanes(increments.reshape(-1, paths)).reshape(-1, steps, m, self.call.lanes)

    def by_path(self) -> dict[str, np.ndarray]:
        """The states ``(paths, d)`` and ``(paths, r)``, components first in memory."""
        paths = self.spec.paths
        if len(self.y) == 1:  # views: nobody writes to either
            return {"y": self.y[0, :, :paths].T, "stored": self.s[0, :, :paths].T}
        return {"y": self.call.by_path(self.y, paths).T, "stored": self.call.by_path(self.s, paths).T}


@final
class RememberedLanes:
    """The lanes of states as a call of the kernel left them; copies of an ensemble share them until one of them is advanced.

    A pickle has none: it goes to processes that load the kernel themselves.
    """

    def __init__(self, end: Mapping[str, np.ndarray] | None = None, lanes: LaneStates | None = None):
        self._found = end, lanes

    def advanced(self, spec: RunSpec, end: Mapping[str, np.ndarray], first: int, last: int,
                 increments: np.ndarray | None = None, *, workers: int = 1) -> LaneStates | None:  # fmt: skip
        """The states ``end`` after a later step, see :meth:`LaneStates.advanced`; ``None`` also if they have no lanes."""
        states, lanes = self._found
        if lanes is not None and states is end and lanes.spec is spec:
            return lanes.advanced(first, last, workers=workers)
        lanes = LaneStates.of(spec, end, workers)  # something was changed since
        if lanes is None or (increments is None and not lanes.draws):
            return None
        return lanes.advanced(first, last, increments, shared=False, workers=workers)

    def __reduce__(self) -> tuple[Any, ...]:
        return RememberedLanes, ()
