"""A call of a kernel: what all chunks of a run share, what the paths of one chunk have, and arrays in lanes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self, final

import numpy as np

from semidirect.compile.kernels import Kernel
from semidirect.compile.packed_tables import PackedTables
from semidirect.compile.variant import Variant
from semidirect.core import interpolation
from semidirect.integrators import Integrator
from semidirect.model import NumericalSDE
from semidirect.random import DrivingProcess, KernelDraw

__all__ = ["KernelCall", "as_lanes", "as_paths"]

FEW_PATHS = 8
"""Up to this number a kernel runs path by path: 64 lanes cost as much as about 16 single paths."""


def as_paths(lanes: np.ndarray, paths: int) -> np.ndarray:
    """The reverse of :meth:`KernelCall.in_lanes`; always a copy, since the kernel continues in its own array."""
    blocks, d, width = lanes.shape
    out = np.empty((d, blocks, width))
    out[:] = lanes.transpose(1, 0, 2)
    return out.reshape(d, blocks * width)[:, :paths]


@final
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
    def of(
        cls, model: NumericalSDE, whole: NumericalSDE, method: Integrator, driver: DrivingProcess | None, *, paths: int,
        all_paths: int, dt: float, origin: float, once: Callable[[Any, Callable[[], Any]], Any],
    ) -> Self:  # fmt: skip
        """The call for the paths of a chunk.

        Parameters
        ----------
        model, whole : NumericalSDE
            The equations with the parameters of these paths, and with those of all.
        paths, all_paths : int
            Their numbers.
        once : callable(key, make)
            What the run keeps of its steps: it is made at the first call.
        """
        kernel, numbers, tables = once("kernel", lambda: _kernel(model, whole, method, driver, dt, all_paths))
        draw = None if driver is None else driver.kernel_draw(dt)
        if numbers is not None:
            places = _places(tables, paths, kernel.lanes)
            return cls(kernel, False, numbers, tables.numbers, places, draw, dt, origin)
        rows = [
            np.broadcast_to(0.0 if isinstance(p, interpolation.AnyTable) else p, (paths,)) for p in model.parameters
        ]
        tables = model.known(("tables", kernel.tables), lambda: PackedTables.of(model.parameters, kernel.tables))
        places = _places(tables, paths, kernel.lanes)
        parameters = as_lanes(np.array(rows, dtype=float), kernel.lanes)
        return cls(kernel, True, parameters, tables.numbers, places, draw, dt, origin)

    @staticmethod
    def draw_of(driver: DrivingProcess, dt: float) -> KernelDraw | None:
        """With what the kernel draws the noise of a driver itself, if it does."""
        return driver.kernel_draw(dt)

    @staticmethod
    def is_known(
        model: NumericalSDE, method: Integrator, driver: DrivingProcess | None, dt: float, all_paths: int
    ) -> bool:
        """Whether the kernel of a run was compiled before, so that it can be loaded in a fraction of a second."""
        return Kernel.is_known(model, method, _variant(model, driver, dt, all_paths))

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

    @property
    def lanes(self) -> int:
        """Paths in a block."""
        return self.kernel.lanes

    def in_lanes(self, rows: np.ndarray) -> np.ndarray:
        """``(d, paths)`` as ``(blocks, d, lanes)``, see :func:`as_lanes`."""
        return as_lanes(rows, self.kernel.lanes)

    by_path = staticmethod(as_paths)

    def block(self, number: int) -> KernelCall:
        """The same for one block."""
        return self.part(slice(number, number + 1))

    def part(self, part: slice) -> KernelCall:
        """The same for some blocks."""
        parameters = self.parameters[part] if self.per_path else self.parameters
        return replace(self, parameters=parameters, places=None if self.places is None else self.places[part])


def _variant(model: NumericalSDE, driver: DrivingProcess | None, dt: float, paths: int) -> Variant:
    """The kernel for a number of paths of a run."""
    usual = replace(Variant.given(model, driver), lanes=1 if paths <= FEW_PATHS else None)
    draw = None if driver is None else driver.kernel_draw(dt)
    if draw is None:
        return usual
    return replace(usual, stages=1, drawn=True, correlated=draw.lower is not None, weak=draw.weak)


def _kernel(
    model: NumericalSDE, whole: NumericalSDE, method: Integrator, driver: DrivingProcess | None, dt: float, paths: int
) -> tuple[Kernel, np.ndarray | None, PackedTables | None]:
    """The kernel of a run, its parameters and its tables, ``None`` if they differ from path to path."""
    variant = _variant(whole, driver, dt, paths)
    kernel = Kernel.of(model, method, variant)
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
