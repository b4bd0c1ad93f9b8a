"""Steps a chunk of paths by a compiled kernel, with results identical to those of array code."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from semidirect.compile import Kernel, PackedTables, Variant
from semidirect.core import failure, interpolation
from semidirect.engines.built_in.numpy_engine import NumpyEngine
from semidirect.engines.engine import Engine
from semidirect.engines.stepping.cost_of_step import seconds_of_array_code
from semidirect.model import NumericalSDE
from semidirect.random import DrivingProcess, KernelDraw
from semidirect.specification import RunSpec

STEPS_AT_ONCE = 4096
"""Path-steps of one call: few enough that a run can be interrupted, and that a failed path has not moved far since."""
STEPS_GIVEN = 256
"""Path-steps of one call that gets its increments as an array."""
CLOSER = 32
"""Steps of one piece in the search for the step at which a path failed."""
WORTH_COMPILING, WORTH_LOADING = 0.9, 0.2
"""Seconds of array code above which a kernel is used: the first run compiles it for some seconds, all later ones load it."""
FEW_PATHS = 8
"""Up to this number a kernel runs path by path: 64 lanes cost as much as about 16 single paths."""


def variant_of(model: NumericalSDE, driver: DrivingProcess | None, dt: float, paths: int) -> Variant:
    """The kernel for a number of paths of a run."""
    usual = replace(Variant.given(model, driver), lanes=1 if paths <= FEW_PATHS else None)
    draw = None if driver is None else driver.kernel_draw(dt)
    if draw is None:
        return usual
    return replace(usual, stages=1, drawn=True, correlated=draw.lower is not None, weak=draw.weak)


def _kernel(model: NumericalSDE, spec: RunSpec) -> tuple[Kernel, np.ndarray | None, PackedTables | None]:
    """The kernel of a run, its parameters and its tables, ``None`` if they differ from path to path."""
    variant = variant_of(spec.model, spec.driver, spec.dt, spec.paths)
    kernel = Kernel.of(model, spec.method, variant)
    if variant.per_path and model.parameters:
        return kernel, None, None
    parameters = np.zeros((1, max(1, len(model.parameters)), kernel.lanes))
    if model.parameters:
        numbers = [0.0 if isinstance(p, interpolation.AnyTable) else float(p) for p in model.parameters]
        parameters[0] = np.array(numbers)[:, None]
    return kernel, parameters, PackedTables.of(model.parameters, kernel.tables)


def _places(tables: PackedTables, paths: int, lanes: int) -> np.ndarray | None:
    """Where the interpolants of each lane begin, ``(blocks, interpolants, lanes)``; ``None`` if there are none."""
    if not len(tables.places):
        return None
    return as_lanes(np.broadcast_to(tables.places, (len(tables.places), paths)), lanes)


@dataclass(frozen=True)
class KernelCall:
    """A kernel with its constant arguments."""

    kernel: Kernel
    per_path: bool
    parameters: np.ndarray
    tables: np.ndarray
    places: np.ndarray | None
    draw: KernelDraw | None
    dt: float
    origin: float = 0.0

    @classmethod
    def of(cls, model: NumericalSDE, spec: RunSpec, chunk: range) -> KernelCall:
        """The call for the paths of a chunk, whose parameters the model has."""
        kernel, numbers, tables = spec.known_of_steps("kernel", lambda: _kernel(model, spec))
        draw = None if spec.driver is None else spec.driver.kernel_draw(spec.dt)
        if numbers is not None:
            return cls(
                kernel,
                False,
                numbers,
                tables.numbers,
                _places(tables, len(chunk), kernel.lanes),
                draw,
                spec.dt,
                spec.origin,
            )
        rows = [
            np.broadcast_to(0.0 if isinstance(p, interpolation.AnyTable) else p, (len(chunk),))
            for p in model.parameters
        ]
        tables = model.known(("tables", kernel.tables), lambda: PackedTables.of(model.parameters, kernel.tables))
        places = _places(tables, len(chunk), kernel.lanes)
        return cls(kernel, True, as_lanes(np.array(rows, dtype=float), kernel.lanes), tables.numbers, places, draw, spec.dt,
                   spec.origin)  # fmt: skip

    def __call__(
        self, y: np.ndarray, s: np.ndarray, dW: np.ndarray | None, path: int, first: int, count: int
    ) -> np.ndarray:
        """Step lane blocks from the path with this number on; returns a number ``(blocks, lanes)`` that is not negative where
        the path may have failed. ``dW`` are increments, if the kernel draws none.
        """
        draw = self.draw
        seed, root, mix = (0, 0.0, None) if draw is None else (draw.seed, draw.root, draw.lower)
        increments = dW if draw is None else None
        stuck = np.empty((len(y), self.kernel.lanes), dtype=np.int64)
        stuck.fill(-1)
        tables = None if self.places is None else (self.tables, self.places)
        self.kernel.run(
            y, s, self.parameters, increments, mix, path, seed, first, count, self.dt, root, stuck, tables, self.origin
        )
        return stuck

    def block(self, number: int) -> KernelCall:
        """The same for one block."""
        return self.part(slice(number, number + 1))

    def part(self, part: slice) -> KernelCall:
        """The same for some blocks."""
        parameters = self.parameters[part] if self.per_path else self.parameters
        return replace(self, parameters=parameters, places=None if self.places is None else self.places[part])


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
        if not spec.model.compiles:
            return False
        seconds = seconds_of_array_code(spec, WORTH_COMPILING)
        if seconds <= WORTH_LOADING or seconds > WORTH_COMPILING:
            return seconds > WORTH_COMPILING
        return Kernel.is_known(spec.model, spec.method, variant_of(spec.model, spec.driver, spec.dt, spec.paths))

    @classmethod
    def may_become_sooner(cls, spec: RunSpec) -> bool:
        """True until the kernel has been made."""
        if not spec.model.compiles:
            return False
        seconds = seconds_of_array_code(spec, WORTH_COMPILING)
        return WORTH_LOADING < seconds <= WORTH_COMPILING and not cls.is_sooner(spec)

    def go(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray) -> None:
        """Step the paths of the chunk from their states ``(d, paths)``."""
        record = self.record
        record.compiles = True
        chunk, call = record.paths, KernelCall.of(model, self.spec, record.paths)
        lanes = call.kernel.lanes
        lanes_y, lanes_s = as_lanes(y, lanes), as_lanes(stored, lanes)
        first = self.begin
        record.visit(model, first, y, stored)
        for last in self._segments():
            if self.stopped.is_set():
                return
            dW = self._increments(model, chunk, first, last - first, lanes)
            stuck = call(lanes_y, lanes_s, dW, chunk.start, first, last - first)
            well = np.maximum.reduce(stuck, axis=None) < 0 and surely_finite(lanes_y, lanes_s)
            for block in () if well else np.unique(self._failed(lanes_y, lanes_s, stuck >= 0, 0) // lanes):
                part = slice(block, block + 1)
                increments = dW[part] if len(dW) > 1 else dW
                paths = slice(block * lanes, (block + 1) * lanes)
                for ours, before in ((lanes_y, y), (lanes_s, stored)):
                    ours[part] = as_lanes(before[:, paths], lanes)
                self._closely(
                    model, call.block(block), lanes_y[part], lanes_s[part], increments, block * lanes, first, last
                )
            stepped = as_paths(lanes_y, len(chunk)), as_paths(lanes_s, len(chunk))
            y, stored = record.visit(model, last, *stepped)
            if y is not stepped[0]:  # some paths are stopped
                lanes_y, lanes_s = as_lanes(y, lanes), as_lanes(stored, lanes)
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

    def _closely(self, model: NumericalSDE, call: KernelCall, y: np.ndarray, s: np.ndarray, dW: np.ndarray, start: int,
                 first: int, last: int) -> None:  # fmt: skip
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
            "drawn", lambda: spec.driver is not None and spec.driver.kernel_draw(spec.dt) is not None
        )
        return answer

    def _segments(self) -> list[int]:
        """The last steps of the calls: each recorded step, and no more steps at once than a call may take."""
        spec, begin = self.spec, self.begin
        ends: list[int] = spec.known(("segments", begin), lambda: self._ends(spec, begin))
        return ends

    def _ends(self, spec: RunSpec, begin: int) -> list[int]:
        most = STEPS_AT_ONCE if self.drawn or spec.driver is None else STEPS_GIVEN
        recorded = (int(n) for n in spec.recorded_steps if n > begin)
        return sorted({*recorded, *range(begin + most, spec.last, most), spec.last})

    def _increments(self, model: NumericalSDE, chunk: range, first: int, count: int, lanes: int) -> np.ndarray:
        spec = self.spec
        if self.drawn or spec.driver is None:
            return np.zeros((1, 1, 1, lanes))
        with np.errstate(all="ignore"):
            block = spec.driver.block(chunk, first, count, spec.dt)
        rows = as_lanes(np.asarray(block).reshape(-1, len(chunk)), lanes)
        return rows.reshape(len(rows), count, -1, lanes)


def surely_finite(*arrays: np.ndarray) -> bool:
    """Whether sums show that all numbers are finite; if one overflows, they are checked one by one."""
    with np.errstate(all="ignore"):
        return all(math.isfinite(np.add.reduce(array, axis=None)) for array in arrays)


def as_lanes(rows: np.ndarray, lanes: int) -> np.ndarray:
    """``(d, paths)`` as ``(blocks, d, lanes)``, the last path repeated to fill the last block."""
    d, paths = rows.shape
    if lanes == 1:
        return np.array(rows.T, dtype=float, order="C")[..., None]
    whole, rest = divmod(paths, lanes)
    out = np.empty((whole + (rest > 0), d, lanes))
    out[:whole] = rows[:, : whole * lanes].reshape(d, whole, lanes).transpose(1, 0, 2)
    out[whole:, :, :rest], out[whole:, :, rest:] = rows[:, whole * lanes :], rows[:, -1:]
    return out


def as_paths(lanes: np.ndarray, paths: int) -> np.ndarray:
    """The reverse of :func:`as_lanes`; always a copy, since the kernel continues in its own array."""
    blocks, d, width = lanes.shape
    out = np.empty((d, blocks, width))
    out[:] = lanes.transpose(1, 0, 2)
    return out.reshape(d, blocks * width)[:, :paths]
