"""Compiled steps of paths that leave every state behind, each path at its own time: for looking where something happens."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, final
from weakref import ref

import numpy as np

from semidirect.compile.kernels import LINE, label_of
from semidirect.compile.load_function import loaded
from semidirect.compile.of_equations import OfEquations
from semidirect.compile.packed_tables import PackedTables, Pair
from semidirect.compile.variant import Variant
from semidirect.core import interpolation
from semidirect.integrators import Integrator
from semidirect.machine import address_of, paused_collector
from semidirect.model import NumericalSDE
from semidirect.random import DrivingProcess

if TYPE_CHECKING:
    from semidirect.compile.loop_function import LoopFunction

__all__ = ["Steps", "Trail"]

TRAILS: OfEquations[Trail] = OfEquations()


class Steps(NamedTuple):
    """The states after each step of a trail, in lanes of paths; paths ``p`` are lane ``p % lanes`` of block ``p // lanes``.

    Attributes
    ----------
    rows : array (blocks, steps, rows, lanes)
        States, coordinates of s, the quantities that are watched, and their slopes along noises before the step.
    stuck : int array (paths,)
        The first step after which array code has to look at a path, −1 if there is none: its iteration did not converge, or it
        turned too far.
    """

    rows: np.ndarray
    stuck: np.ndarray

    def at(self, paths: np.ndarray, steps: np.ndarray, rows: slice) -> np.ndarray:
        """Some rows ``(rows, n)`` of some paths after some steps."""
        lanes = self.rows.shape[3]
        values: np.ndarray = self.rows[paths // lanes, steps, rows, paths % lanes].T
        return np.ascontiguousarray(values)

    def of(self, row: int, paths: int) -> np.ndarray:
        """One row of all paths after all steps ``(steps, paths)``."""
        values = self.rows[:, :, row].transpose(1, 0, 2)
        return values.reshape(len(values), -1)[:, :paths]


@final
@dataclass(frozen=True)
class Trail:
    """The compiled function, with the bits of array code.

    Attributes
    ----------
    code : callable
        The machine code.
    variant : Variant
    lanes : int
        Paths in a block.
    numbers, masks : int
        The sizes of its working memory.
    tables : tuple
        Its interpolants.
    moved : tuple of (int, int)
        Which watched quantity and which noise the slopes belong to.
    watched : tuple
        The rows of the quantities that are watched.
    """

    code: Callable[..., None]
    variant: Variant
    lanes: int
    numbers: int
    masks: int
    tables: tuple[Pair, ...]
    moved: tuple[tuple[int, int], ...]
    watched: tuple[Any, ...]

    @classmethod
    def of(
        cls, model: NumericalSDE, method: Integrator, driver: DrivingProcess | None, watched: tuple[Any, ...]
    ) -> Trail:
        """The trail of a model under a method, which watches the rows of quantities, and their slopes along noises.

        See :func:`~.trail_function.trail_function`.
        """
        variant, noisy = Variant.given(model, driver), driver is not None
        label, cacheable = _label(model, method, driver, watched), model.structure.keeps(list(watched))

        @cache
        def describe() -> LoopFunction:
            from semidirect.compile.trail_function import trail_function

            return trail_function(model, method, variant, watched, noisy)

        ours = label is not None and cacheable and type(method).__module__.startswith("semidirect.")

        def make() -> Trail:
            with paused_collector():
                description = (
                    model.structure.text(label, lambda: describe().described)
                    if label and ours
                    else describe().described
                )
                code, facts = loaded(description, describe, f"the steps of {method.label} between events")
                lanes = facts["lanes"]
                slope_numbers = tuple((i, k) for i, k in facts["moved"])
                tables = tuple(map(tuple, facts["tables"]))
                return cls(
                    code, variant, lanes, facts["rows"] * lanes, facts["masks"] * lanes, tables, slope_numbers, watched
                )

        if label is None:
            return make()
        return TRAILS.get(model.structure, (ref(type(method)), label, watched), make)

    @staticmethod
    def is_known(
        model: NumericalSDE, method: Integrator, driver: DrivingProcess | None, watched: tuple[Any, ...]
    ) -> bool:
        """Whether it was compiled before, so that it can be loaded in a fraction of a second."""
        label = _label(model, method, driver, watched)
        return label is not None and model.structure.knows(label)

    def __call__(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray, dW: np.ndarray, times: Sequence[Any],
                 steps: int, memory: np.ndarray | None = None) -> Steps:  # fmt: skip
        """Step paths from states ``(d, n)``, ``(r, n)`` with increments ``(steps, m, n)``; the model has their parameters.

        ``times``: u, k and h, each a number or ``(n,)``; step n of a path begins at u + (k + n)·h and has the length h.
        ``memory``: numbers in which the steps are put, if there are enough.
        """
        n, lanes = y.shape[1], self.lanes
        blocks = -(-n // lanes)
        working = np.empty(self.numbers + self.masks + LINE)
        numbers = -(-address_of(working) // (8 * LINE)) * 8 * LINE
        masks = numbers + 8 * self.numbers
        left = masks + 8 * (self.masks - lanes)
        stuck = np.full((blocks, lanes), -1, dtype=np.int64)
        shape = blocks, steps, len(y) + len(stored) + len(self.watched) + len(self.moved), lanes
        enough = memory is not None and memory.size >= math.prod(shape)
        out = memory[: math.prod(shape)].reshape(shape) if memory is not None and enough else np.empty(shape)
        increments = in_lanes(dW.reshape(-1, n), lanes).reshape(blocks, steps, dW.shape[1], lanes)
        own = in_lanes(np.array([np.broadcast_to(x, n) for x in times], dtype=float), lanes)
        self.code(in_lanes(y, lanes), in_lanes(stored, lanes), *self._parameters(model, n), increments, own, stuck, out, numbers,
                  masks, left, blocks, steps)  # fmt: skip
        return Steps(out, stuck.reshape(-1)[:n])

    def _parameters(self, model: NumericalSDE, n: int) -> tuple[Any, ...]:
        """Parameters, and tables with the places of the lanes, 0 if there are none."""
        numbers = [0.0 if isinstance(p, interpolation.AnyTable) else p for p in model.parameters] or [0.0]
        if self.variant.per_path:
            parameters = in_lanes(np.array([np.broadcast_to(p, n) for p in numbers], dtype=float), self.lanes)
        else:
            parameters = np.repeat(np.array(numbers, dtype=float)[None, :, None], self.lanes, axis=2)
        if not self.tables:
            return parameters, 0, 0
        tables = model.known(("tables", self.tables), lambda: PackedTables.of(model.parameters, self.tables))
        places = np.broadcast_to(tables.places, (len(tables.places), n))
        return parameters, tables.numbers, in_lanes(places, self.lanes)


def in_lanes(rows: np.ndarray, lanes: int) -> np.ndarray:
    """``(d, paths)`` as ``(blocks, d, lanes)``, the last path repeated to fill the last block."""
    d, paths = rows.shape
    whole, rest = divmod(paths, lanes)
    out = np.empty((whole + (rest > 0), d, lanes))
    out[:whole] = rows[:, : whole * lanes].reshape(d, whole, lanes).transpose(1, 0, 2)
    out[whole:, :, :rest], out[whole:, :, rest:] = rows[:, whole * lanes :], rows[:, -1:]
    return out


def _label(
    model: NumericalSDE, method: Integrator, driver: DrivingProcess | None, watched: tuple[Any, ...]
) -> str | None:
    kernel_label = label_of(method, Variant.given(model, driver))
    noise = "" if driver is None else " under noise"
    return (
        None
        if kernel_label is None
        else f"trail{noise} of {kernel_label}: {model.reader_label({'watched': list(watched)})}"
    )
