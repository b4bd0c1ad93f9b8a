"""Steps a chunk of paths by a compiled kernel, with results identical to those of array code."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.compile import KernelCall
from semidirect.core import failure
from semidirect.engines.built_in.numpy_engine import NumpyEngine
from semidirect.engines.engine import Engine
from semidirect.engines.stepping.cost_of_step import seconds_of_array_code
from semidirect.model import NumericalSDE
from semidirect.specification import RunSpec

if TYPE_CHECKING:
    from semidirect.compile import LatticeCall

STEPS_AT_ONCE = 4096
"""Path-steps of one call: few enough that a run can be interrupted, and that a failed path has not moved far since."""
STEPS_OF_SITES, FEWEST_STEPS = 2**16, 16
"""Steps of one call times sites of a lattice, and steps of one call at least, for the same reasons."""
STEPS_GIVEN = 256
"""Path-steps of one call that gets its increments as an array."""
CLOSER = 32
"""Steps of one piece in the search for the step at which a path failed."""
WORTH_COMPILING, WORTH_LOADING = 0.9, 0.2
"""Seconds of array code above which a kernel is used: the first run compiles it for some seconds, all later ones load it."""


def kind_of(spec: RunSpec) -> type[KernelCall | LatticeCall]:
    """The kind of kernels that advance a run."""
    if spec.model.compiles:
        return KernelCall
    from semidirect.compile import LatticeCall

    return LatticeCall


def call_of(model: NumericalSDE, spec: RunSpec, paths: int) -> KernelCall | LatticeCall:
    """The call of the kernel of a run for the paths of a chunk, whose parameters the model has."""
    return kind_of(spec).of(
        model, spec.model, spec.method, spec.driver, paths=paths, all_paths=spec.paths, dt=spec.dt, origin=spec.origin,
        once=spec.known_of_steps,
    )  # fmt: skip


@final
@dataclass(frozen=True)
class KernelEngine(Engine):
    """Runs lane blocks of paths from one saved time to the next.

    A block in which a path failed runs again in pieces. In the piece of the failure, array code steps the path, to
    find the step at which it fails and to try Newton's method.
    """

    name = "compiled"

    @classmethod
    def is_sooner(cls, spec: RunSpec) -> bool:
        """Whether the kernel saves more time than it costs to compile, or to load if it was compiled before."""
        if spec.model.not_compiled(spec.method) is not None:
            return False
        seconds = seconds_of_array_code(spec, WORTH_COMPILING)
        if seconds <= WORTH_LOADING or seconds > WORTH_COMPILING:
            return seconds > WORTH_COMPILING
        return kind_of(spec).is_known(spec.model, spec.method, spec.driver, spec.dt, spec.paths)

    @classmethod
    def may_become_sooner(cls, spec: RunSpec) -> bool:
        """True until the kernel has been made."""
        if spec.model.not_compiled(spec.method) is not None:
            return False
        seconds = seconds_of_array_code(spec, WORTH_COMPILING)
        return WORTH_LOADING < seconds <= WORTH_COMPILING and not cls.is_sooner(spec)

    def go(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray) -> None:
        """Step the paths of the chunk from their states ``(d, paths)``."""
        record = self.record
        record.compiles = True
        chunk, call = record.paths, call_of(model, self.spec, len(record.paths))
        lanes = call.lanes
        lanes_y, lanes_s = call.in_lanes(y), call.in_lanes(stored)
        first = self.begin
        record.visit(model, first, y, stored)
        for last in self._segments():
            if self.stopped.is_set():
                return
            dW = self._increments(call, chunk, first, last - first)
            stuck = call(lanes_y, lanes_s, dW, chunk.start, first, last - first)
            well = np.maximum.reduce(stuck, axis=None) < 0 and surely_finite(lanes_y, lanes_s)
            for block in () if well else np.unique(self._failed(lanes_y, lanes_s, stuck >= 0, 0) // lanes):
                part = slice(block, block + 1)
                increments = dW[part] if len(dW) > 1 else dW
                paths = slice(block * lanes, (block + 1) * lanes)
                for ours, before in ((lanes_y, y), (lanes_s, stored)):
                    ours[part] = call.in_lanes(before[:, paths])
                self._closely(
                    model, call.block(block), lanes_y[part], lanes_s[part], increments, block * lanes, first, last
                )
            stepped = call.by_path(lanes_y, len(chunk)), call.by_path(lanes_s, len(chunk))
            y, stored = record.visit(model, last, *stepped)
            if y is not stepped[0]:  # some paths are stopped
                lanes_y, lanes_s = call.in_lanes(y), call.in_lanes(stored)
            self.on_progress((last - first) * len(chunk))
            first = last

    def _failed(self, y: np.ndarray, s: np.ndarray, stuck: np.ndarray, start: int) -> np.ndarray:
        """Positions in the chunk of the paths of some blocks that array code has to examine from ``start`` on.

        They include paths that failed earlier if Newton's method may have changed them.
        """
        record = self.record
        finite = (np.isfinite(y).all(axis=1) & np.isfinite(s).all(axis=1)).ravel()
        stuck, status = stuck.ravel(), record.status[start:]
        count = min(len(stuck), len(status))
        finite, stuck, status = finite[:count], stuck[:count], status[:count]
        again = (~finite | stuck) & (status == failure.GOOD) | (finite & stuck & self.spec.method.implicit)
        return start + np.flatnonzero(again)

    def _closely(self, model: NumericalSDE, call: KernelCall | LatticeCall, y: np.ndarray, s: np.ndarray, dW: np.ndarray,
                 start: int, first: int, last: int) -> None:  # fmt: skip
        """Run one block again, in pieces; array code runs the paths that fail in a piece."""
        locator = NumpyEngine(self.spec, self.record, self.stopped, self.on_progress, self.begin)
        for n in range(first, last, CLOSER):
            count = min(CLOSER, last - n)
            before = y.copy(), s.copy()
            increments = np.ascontiguousarray(dW[:, n - first : n - first + count]) if dW.shape[1] > 1 else dW
            stuck = call(y, s, increments, self.record.paths.start + start, n, count) >= 0
            failed = self._failed(y, s, stuck, start)
            if len(failed):
                lane = failed - start
                end_state = locator.locate(
                    model.of_some(failed), before[0][0][:, lane], before[1][0][:, lane], failed, n, count
                )
                y[0][:, lane], s[0][:, lane] = end_state

    @property
    def drawn(self) -> bool:
        """Whether the kernel draws the noise itself, which it does if the resolution of the noise is the step."""
        spec = self.spec
        answer: bool = spec.known_of_steps(
            "drawn", lambda: spec.driver is not None and kind_of(spec).draw_of(spec.driver, spec.dt) is not None
        )
        return answer

    def _segments(self) -> list[int]:
        """The last steps of the calls: each recorded step, and no more steps at once than a call may take."""
        spec, begin = self.spec, self.begin
        ends: list[int] = spec.known(("segments", begin), lambda: self._ends(spec, begin))
        return ends

    def _ends(self, spec: RunSpec, begin: int) -> list[int]:
        most = STEPS_AT_ONCE if self.drawn or spec.driver is None else STEPS_GIVEN
        most = min(most, max(FEWEST_STEPS, STEPS_OF_SITES // spec.model.sites))
        recorded = (int(n) for n in spec.recorded_steps if n > begin)
        return sorted({*recorded, *range(begin + most, spec.last, most), spec.last})

    def _increments(self, call: KernelCall | LatticeCall, chunk: range, first: int, count: int) -> np.ndarray:
        spec = self.spec
        if self.drawn or spec.driver is None:
            return np.zeros((1, 1, 1, call.lanes))
        with np.errstate(all="ignore"):
            block = spec.driver.block(chunk, first, count, spec.dt)
        rows = call.in_lanes(np.asarray(block).reshape(-1, len(chunk)))
        return rows.reshape(len(rows), count, -1, call.lanes)


def surely_finite(*arrays: np.ndarray) -> bool:
    """Whether sums show that all numbers are finite; if one overflows, they are checked one by one."""
    with np.errstate(all="ignore"):
        return all(math.isfinite(np.add.reduce(array, axis=None)) for array in arrays)
