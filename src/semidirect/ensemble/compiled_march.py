"""Stepping a block of paths by a compiled kernel: the bits of :class:`~semidirect.ensemble.march.March`, sooner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from semidirect.ensemble.march import March, spread
from semidirect.kernels.kernel import LANES, kernel
from semidirect.kernels.model import Model
from semidirect.noise.wiener import WienerNoise

STEPS_AT_ONCE = 4096
"""Of one call: a run can be interrupted, and a path that failed is not far from where it did."""
STEPS_GIVEN = 256
"""Of one call that is given its increments."""


@dataclass(frozen=True)
class CompiledMarch:
    """Runs lane blocks of 64 paths from one kept time to the next; a path that fails is stepped again to see where."""

    march: March

    def run(self, model: Model, y: np.ndarray, stored: np.ndarray, chunk: range) -> None:
        """Run the paths ``chunk`` from states ``(d, paths or 1)``."""
        march, record = self.march, self.march.record
        y, stored = spread(y, chunk), spread(stored, chunk)
        per_path = any(np.ndim(p) for p in model._parameters)
        run = kernel(model, march.method, drawn=self.drawn, per_path=per_path)
        lanes_y, lanes_s = _lanes(y), _lanes(stored)
        rows = [np.broadcast_to(p, (len(chunk) if per_path else 1,)) for p in model._parameters]
        p = _lanes(np.array(rows, dtype=float).reshape(len(rows), -1)) if rows else np.zeros((1, 1, LANES))
        record.save(model, chunk, 0, y, stored)
        first = 0
        for last in self._segments():
            if march.stopped.is_set():
                return
            before = lanes_y.copy(), lanes_s.copy()
            unconverged = np.full((len(lanes_y), LANES), -1, dtype=np.int64)
            dW = self._increments(model, chunk, first, last - first)
            seed, root = (0, 0.0)
            if isinstance(march.driver, WienerNoise):  # whose resolution may differ from dt by round-off
                seed, root = march.driver.seed, np.sqrt(march.driver.resolution)
            run(lanes_y, lanes_s, p, dW, np.uint64(chunk.start), np.uint64(seed), first, last - first, march.dt, root,
                unconverged)  # fmt: skip
            y, stored = _paths(lanes_y, chunk), _paths(lanes_s, chunk)
            bad = ~(np.isfinite(y).all(axis=0) & np.isfinite(stored).all(axis=0)) | (_flat(unconverged, chunk) >= 0)
            fresh = np.flatnonzero(bad & (record.status[chunk.start : chunk.stop] == 0))
            if len(fresh):
                at, coordinates = (_paths(x, chunk)[:, fresh] for x in before)
                march.locate(model.of_some(fresh), at, coordinates, chunk.start + fresh, first, last - first)
            record.save(model, chunk, last, y, stored)
            first = last

    @property
    def drawn(self) -> bool:
        """Whether the kernel draws the noise itself: where its resolution is the step."""
        driver = self.march.driver
        return isinstance(driver, WienerNoise) and driver.doublings(self.march.dt) == 0

    def _segments(self) -> list[int]:
        """Ends of the stretches that one call runs: the kept steps, and not too many at once."""
        march = self.march
        most = STEPS_AT_ONCE if self.drawn or march.driver is None else STEPS_GIVEN
        return sorted({*(int(n) for n in march.record.steps if n > 0), *range(most, march.steps, most), march.steps})

    def _increments(self, model: Model, chunk: range, first: int, count: int) -> np.ndarray:
        if self.drawn or self.march.driver is None:
            return np.zeros((1, 1, 1, LANES))
        with np.errstate(all="ignore"):
            block = self.march.driver.block(chunk, first, count, self.march.dt)
        lanes = _lanes(np.asarray(block).reshape(-1, len(chunk)))
        return lanes.reshape(len(lanes), count, model.wieners, LANES)


def _lanes(rows: np.ndarray) -> np.ndarray:
    """``(d, paths)`` as ``(blocks, d, 64)``, the last path repeated to fill the last block."""
    d, paths = rows.shape
    blocks = -(-paths // LANES)
    padded: Any = np.concatenate([rows, np.repeat(rows[:, -1:], blocks * LANES - paths, axis=1)], axis=1)
    return np.ascontiguousarray(padded.reshape(d, blocks, LANES).transpose(1, 0, 2))


def _paths(lanes: np.ndarray, chunk: range) -> np.ndarray:
    """The reverse of :func:`_lanes`."""
    return np.ascontiguousarray(lanes.transpose(1, 0, 2).reshape(lanes.shape[1], -1)[:, : len(chunk)])


def _flat(lanes: np.ndarray, chunk: range) -> np.ndarray:
    return lanes.reshape(-1)[: len(chunk)]
