"""Stepping a block of paths by a compiled kernel: the bits of :class:`~semidirect.ensemble.march.March`, sooner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from semidirect.ensemble.driver import Driver
from semidirect.ensemble.march import March, spread
from semidirect.kernels.kernel import LANES, Variant, kernel
from semidirect.kernels.model import Model
from semidirect.noise.staged_path import StagedPath
from semidirect.noise.wiener import WienerNoise

STEPS_AT_ONCE = 4096
"""Of one call: a run can be interrupted, and a path that failed is not far from where it did."""
STEPS_GIVEN = 256
"""Of one call that is given its increments."""
FEW_PATHS = 8
"""Up to here a kernel takes path after path: 64 lanes cost as much as about 16 paths one by one."""


def drawn(driver: Driver | None, dt: float) -> bool:
    """Whether a kernel draws the noise itself: increments alone, of the resolution of the step."""
    return isinstance(driver, WienerNoise) and not driver.extra and driver.doublings(dt) == 0


def variant_of(model: Model, driver: Driver | None, dt: float, paths: int) -> Variant:
    """The kernel for a number of paths of a run."""
    usual = Variant(drawn=False, per_path=model.system.paths is not None, lanes=1 if paths <= FEW_PATHS else LANES,
                    reconstructed=model.reconstructs)  # fmt: skip
    if not isinstance(driver, WienerNoise) or not drawn(driver, dt):
        return replace(usual, stages=len(driver.nodes)) if isinstance(driver, StagedPath) else usual
    return replace(usual, drawn=True, correlated=driver.lower is not None, weak=driver.kind == "three-point")


@dataclass(frozen=True)
class CompiledMarch:
    """Runs lane blocks of 64 paths from one kept time to the next.

    A path that failed is stepped again by array code to see where, and whether Newton's method helps it on.
    """

    march: March

    def run(self, model: Model, y: np.ndarray, stored: np.ndarray) -> None:
        """Run the paths from states ``(d, paths or 1)`` of all paths."""
        self.go(model, spread(y, self.march.record.paths), spread(stored, self.march.record.paths))

    def go(self, model: Model, y: np.ndarray, stored: np.ndarray) -> None:
        """Step the paths of the chunk from their states ``(d, paths)``."""
        march, spec, record = self.march, self.march.spec, self.march.record
        chunk = record.paths
        variant = variant_of(model, spec.driver, spec.dt, spec.paths)
        run, lanes, per_path = kernel(model, spec.method, variant), variant.lanes, variant.per_path
        lanes_y, lanes_s = _lanes(y, lanes), _lanes(stored, lanes)
        rows = [np.broadcast_to(p, (len(chunk) if per_path else 1,)) for p in model._parameters]
        p = _lanes(np.array(rows, dtype=float).reshape(len(rows), -1), lanes) if rows else np.zeros((1, 1, lanes))
        noise = spec.driver if isinstance(spec.driver, WienerNoise) else None
        seed, root = (noise.seed, np.sqrt(noise.resolution)) if noise is not None else (0, 0.0)
        mix = noise.lower if noise is not None and noise.lower is not None else np.zeros((1, 1))
        first = march.begin
        record.visit(model, first, y, stored)
        for last in self._segments():
            if march.stopped.is_set():
                return
            before = lanes_y.copy(), lanes_s.copy()
            unconverged = np.full((len(lanes_y), lanes), -1, dtype=np.int64)
            dW = self._increments(model, chunk, first, last - first, lanes)
            run(lanes_y, lanes_s, p, dW, mix, np.uint64(chunk.start), np.uint64(seed), first, last - first, spec.dt, root,
                unconverged)  # fmt: skip
            y, stored = _paths(lanes_y, chunk), _paths(lanes_s, chunk)
            finite, stuck = np.isfinite(y).all(axis=0) & np.isfinite(stored).all(axis=0), _flat(unconverged, chunk) >= 0
            # paths that failed earlier, too, where Newton's method may have changed them
            again = np.flatnonzero((~finite | stuck) & (record.status == 0) | (finite & stuck & spec.method.implicit))
            if len(again):
                y_then, s_then = (_paths(x, chunk)[:, again] for x in before)
                found = march.locate(model.of_some(again), y_then, s_then, again, first, last - first)
                for ours, theirs, in_lanes in ((y, found[0], lanes_y), (stored, found[1], lanes_s)):
                    ours[:, again] = theirs
                    in_lanes[again // lanes, :, again % lanes] = theirs.T
            held = record.visit(model, last, y, stored)
            if held[0] is not y:  # some paths are stopped
                lanes_y, lanes_s = (_lanes(x, lanes) for x in held)
            march.advanced((last - first) * len(chunk))
            first = last

    @property
    def drawn(self) -> bool:
        """Whether the kernel draws the noise itself: where its resolution is the step."""
        return drawn(self.march.spec.driver, self.march.spec.dt)

    def _segments(self) -> list[int]:
        """Ends of the stretches that one call runs: the steps looked at, and not too many at once."""
        spec, begin = self.march.spec, self.march.begin
        most = STEPS_AT_ONCE if self.drawn or spec.driver is None else STEPS_GIVEN
        looked = (int(n) for n in spec.visited if n > begin)
        return sorted({*looked, *range(begin + most, spec.steps, most), spec.steps})

    def _increments(self, model: Model, chunk: range, first: int, count: int, lanes: int) -> np.ndarray:
        spec = self.march.spec
        if self.drawn or spec.driver is None:
            return np.zeros((1, 1, 1, lanes))
        with np.errstate(all="ignore"):
            block = spec.driver.block(chunk, first, count, spec.dt)
        rows = _lanes(np.asarray(block).reshape(-1, len(chunk)), lanes)
        return rows.reshape(len(rows), count, -1, lanes)


def _lanes(rows: np.ndarray, lanes: int) -> np.ndarray:
    """``(d, paths)`` as ``(blocks, d, lanes)``, the last path repeated to fill the last block."""
    d, paths = rows.shape
    blocks = -(-paths // lanes)
    padded: Any = np.concatenate([rows, np.repeat(rows[:, -1:], blocks * lanes - paths, axis=1)], axis=1)
    return np.ascontiguousarray(padded.reshape(d, blocks, lanes).transpose(1, 0, 2))


def _paths(lanes: np.ndarray, chunk: range) -> np.ndarray:
    """The reverse of :func:`_lanes`."""
    return np.ascontiguousarray(
        lanes.transpose(1, 0, 2).reshape(lanes.shape[1], lanes.shape[0] * lanes.shape[2])[:, : len(chunk)]
    )


def _flat(lanes: np.ndarray, chunk: range) -> np.ndarray:
    return lanes.reshape(-1)[: len(chunk)]
