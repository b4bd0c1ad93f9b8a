"""The record of a running chunk: values at the times to save, statistics, and which paths ended, where and when."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from semidirect.compile import row_functions
from semidirect.core import failure, interpolation, solvers
from semidirect.engines.events.events import Events, Stopped
from semidirect.engines.events.values_at_stop import ValuesAtStop
from semidirect.integrators import Step
from semidirect.model import NumericalSDE
from semidirect.specification import RunSpec
from semidirect.statistics import PartialStatistic


@dataclass(frozen=True, eq=False)
class ChunkResult:
    """The results of the paths of a chunk; first axis: its paths, in order.

    Attributes
    ----------
    paths : range
        Their numbers.
    data : dict name → array (n, T, d)
        Saved quantities; empty if they are evaluated from the final states, see ``end_only`` of the specification.
    final : dict name → array (n, d)
        The final state in the form of users; empty like ``data``.
    y, stored : arrays (n, d), (n, r)
        State vector and stored coordinates of s at the end, from which another run can continue exactly.
    status, failed_at, failed_component : arrays (n,)
        As in :class:`~semidirect.results.run.RunData`.
    partials : dict key → dict name → array
        The partial result of each reduction for these paths.
    crossings : dict name → array, first axis path
        The recorded crossings, as in :class:`~semidirect.engines.events.events.Events`.
    """

    paths: range
    data: Mapping[str, np.ndarray]
    final: Mapping[str, np.ndarray]
    y: np.ndarray
    stored: np.ndarray
    status: np.ndarray
    failed_at: np.ndarray
    failed_component: np.ndarray
    partials: Mapping[str, PartialStatistic]
    crossings: Mapping[str, np.ndarray] = field(default_factory=dict)


class Record:
    """Arrays of one chunk, filled by the thread that advances it.

    Attributes
    ----------
    compiles : bool
        Whether quantities may be read by compiled functions, with the same bits.
    """

    def __init__(self, spec: RunSpec, paths: range):
        n, contents = len(paths), spec.contents
        self.compiles = False
        self._readers: dict[tuple[bool, bool, tuple[int, ...]], row_functions.Reader] = {}
        self.spec, self.paths = spec, paths
        names = () if spec.end_only else contents.saved_names
        self.data = {k: np.full((n, len(spec.saved_steps), len(contents.everything[k])), np.nan) for k in names}
        self.final: dict[str, np.ndarray] = {}
        self.status = np.zeros(n, dtype=np.int8)
        self.failed_at, self.failed_component = np.empty(n), np.empty(n, dtype=np.int16)
        self.failed_at.fill(np.nan)
        self.failed_component.fill(-1)
        statistics, times = spec.reductions, len(spec.reduced)
        sizes = contents.sizes if statistics else {}
        self._accumulators = {r.key: r.accumulator(paths, times, sizes) for r in statistics}
        self._saved, self._reduced = spec.places
        self._wanted: dict[tuple[bool, bool, tuple[int, ...]], dict[str, list[Any]]] = {}
        self._events = Events(spec, paths) if spec.located else None
        self._frozen: tuple[np.ndarray, np.ndarray] | None = None
        if spec.stops:
            self._at_stop, self._stop_time = ValuesAtStop(), np.full(n, np.nan)  # as t stands in the equations
        self._stop_slopes: np.ndarray | None = None

    def visit(self, model: NumericalSDE, step: int, y: np.ndarray, stored: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Record the states after a step, if the schedule includes this step. Returns the states to continue from, in which
        stopped paths keep their frozen states.
        """
        spec = self.spec
        saved, reduced, conditions = self._saved.get(step), self._reduced.get(step), spec.looks(step)
        if saved is None and reduced is None and not conditions:
            return y, stored
        # a run of which only the end is saved reads no quantity on its way
        if spec.end_only:
            self._end(y, stored)
            return y, stored
        y, stored = self._restored(y, stored)
        # of the quantities only those are evaluated that this step needs, and paths that stopped are read where they did
        why = saved is not None, reduced is not None, conditions
        if why not in self._wanted:
            self._wanted[why] = spec.contents.of_names(spec.names_read(*why))
        values = self._read(model, step, y, stored, why)
        count = len(self.paths)
        values = {k: v if v.shape[1] == count else np.broadcast_to(v, (len(v), count)) for k, v in values.items()}
        # events within the step come first: they replace the values of paths that stop in it
        if self._events is not None and conditions:
            stopped = self._events.found(model, y, stored, values, self.status == failure.GOOD)
            if stopped is not None:
                self._freeze(stopped, y, stored)
                y, stored = self._restored(y, stored)
                values = self._replaced(model, step, values, stopped, self._wanted[why])
            self._events.look(step, y, stored, values)
        # bounds and stops at steps may end further paths, so they come before what is saved and counted
        values = self._held(model, why, self._wanted[why], values, y, stored)
        self._bound(step, values)
        for i in conditions:
            if i < len(spec.stops):
                self._stop(step, i, spec.stops[i].met(spec.stops[i].of(values)), y, stored)
        if saved is not None:
            for name in spec.contents.saved_names:
                self.data[name][:, saved] = values[name].T
        if reduced is not None:
            counted = ~failure.failed(self.status)
            since_stop = np.where(counted, spec.label(step) - self.failed_at, np.nan)
            for accumulator in self._accumulators.values():
                accumulator.add(reduced, values, counted, since_stop)
        if step == spec.last:
            self._name(model, y, stored, values)
            self._end(y, stored)
        return y, stored

    def _read(self, model: NumericalSDE, step: int, y: np.ndarray, stored: np.ndarray, why: tuple[bool, bool, tuple[int, ...]]
              ) -> dict[str, np.ndarray]:  # fmt: skip
        """The quantities to look at, name → ``(rows, paths)``, by a compiled function where that takes less time."""
        t, quantities = self.spec.time(step), self._wanted[why]
        if self.compiles and why not in self._readers:
            reader = row_functions.reader(
                model, quantities, tuple(quantities), (), len(self.paths), len(self.spec.recorded_steps)
            )
            if reader is not None:
                self._readers[why] = reader
        if why not in self._readers:
            return model.read(y, stored, t, quantities)
        return {k: rows.T for k, rows in self._readers[why](model, y, stored, t, ()).items()}

    def _end(self, y: np.ndarray, stored: np.ndarray) -> None:
        self.y, self.stored = np.array(y.T, order="C"), np.array(stored.T, order="C")
        for array in (self.y, self.stored):
            array[np.isnan(array)] = np.nan  # the sign of a nan has no meaning

    def _name(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray, values: Mapping[str, np.ndarray]) -> None:
        """The final state in the form of users."""
        contents, n = self.spec.contents, len(self.paths)
        rest = {k: rows for k, rows in contents.final.items() if k not in values or contents.everything[k] != rows}
        if rest:
            others = model.read(y, stored, self.spec.time(self.spec.last), rest)
            others = {k: np.broadcast_to(v, (len(v), n)) for k, v in others.items()}
            values = {**values, **self._held(model, "final", rest, others, y, stored)}
        final = values
        self.final = {k: np.array(np.broadcast_to(final[k], (len(final[k]), n)).T, order="C") for k in contents.final}

    def watch(self, model: NumericalSDE, number: int | np.ndarray, step: Step, stored: np.ndarray,
              which: np.ndarray | None = None, again: Callable[[np.ndarray], Any] | None = None) -> None:  # fmt: skip
        """Record the paths (at the positions ``which``, or all) that failed in a step; the first failure of a path counts.

        ``number``: of the step after it, or one for each path. ``again`` repeats the step of some of these paths by array code,
        to see whether they read a table outside of its nodes.
        """
        part = slice(None) if which is None else which
        finite = np.isfinite(step.y)
        bad = ~finite.all(axis=0) | ~np.isfinite(stored).all(axis=0)
        outcome = (
            np.full(bad.shape, solvers.CONVERGED | solvers.CONTRACTING) if step.converged is None else step.converged
        )
        wild, stuck = outcome & solvers.CONTRACTING == 0, outcome & solvers.CONVERGED == 0
        far = too_far(self.spec, model, step.v)
        wrong = bad | stuck if far is None else bad | stuck | far
        fresh = wrong & (self.status[part] == failure.GOOD)
        if not fresh.any():
            return
        paths = np.flatnonzero(fresh) if which is None else which[fresh]
        left = np.zeros(fresh.shape, dtype=bool)
        if again is not None and any(isinstance(p, interpolation.Table) for p in model.parameters):
            left[fresh] = interpolation.reads_outside(int(fresh.sum()), lambda: again(np.flatnonzero(fresh)))
        kinds = [
            (left & (bad | stuck), failure.OUTSIDE_TABLE),
            (wild, failure.NO_CONTRACTION),
            (bad, failure.BLOW_UP),
            (stuck, failure.NOT_CONVERGED),
        ]
        self.status[paths] = np.select(
            [which[fresh] for which, _ in kinds], [kind for _, kind in kinds], failure.ROTATION_TOO_LARGE
        )
        self.failed_at[paths] = self.spec.labels_of(np.broadcast_to(number, fresh.shape)[fresh])
        finite = finite[:, fresh]
        some = ~finite.all(axis=0) & (finite.any(axis=0) | (len(finite) == 1))
        if len(finite):  # a motion of the configuration alone has no state variables
            self.failed_component[paths] = np.where(some, np.argmin(finite, axis=0), -1)

    def _bound(self, step: int, values: Mapping[str, np.ndarray]) -> None:
        for i, (name, bound) in enumerate(self.spec.bounds.items()):
            within = (np.abs(values[name]) <= bound).all(axis=0)  # False for nan
            beyond = ~within & (self.status == failure.GOOD)
            self.status[beyond], self.failed_at[beyond] = failure.OUT_OF_BOUNDS, self.spec.label(step)
            self.failed_component[beyond] = len(self.spec.contents.state) + i

    def _stop(self, step: int, number: int, holds: np.ndarray, y: np.ndarray, stored: np.ndarray) -> None:
        """Stop the good paths on which a condition is met after a step."""
        which = np.flatnonzero(holds & (self.status == failure.GOOD))
        if len(which):
            at = (
                np.full(which.shape, number, dtype=np.int16),
                np.full(which.shape, self.spec.label(step)),
            )
            self._freeze(Stopped(which, *at, y[:, which], stored[:, which]), y, stored)
            self._stop_time[which] = self.spec.time(step)

    def _freeze(self, stopped: Stopped, y: np.ndarray, stored: np.ndarray) -> None:
        """Note where paths are stopped; the states of all are ``y`` and ``stored``."""
        spec, which = self.spec, stopped.which
        self.status[which], self.failed_at[which] = failure.STOPPED, stopped.time
        self._stop_time[which] = stopped.time
        if stopped.slopes is not None:
            if self._stop_slopes is None:
                self._stop_slopes = np.zeros((len(stopped.slopes), len(self.status)))
            self._stop_slopes[:, which] = stopped.slopes
        if len(spec.stops) > 1:
            self.failed_component[which] = len(spec.components) - len(spec.stops) + stopped.condition
        if self._frozen is None:
            self._frozen = y.copy(), stored.copy()
        for ours, theirs in zip(self._frozen, (stopped.y, stopped.stored), strict=True):
            ours[:, which] = theirs

    def _replaced(self, model: NumericalSDE, step: int, values: dict[str, np.ndarray], stopped: Stopped,
                  rows: Mapping[str, list[Any]]) -> dict[str, np.ndarray]:  # fmt: skip
        """The values of quantities, those of frozen states on the paths that are stopped."""
        frozen = model.of_some(stopped.which).read(stopped.y, stopped.stored, self.spec.time(step), rows)
        out = {name: np.array(array) for name, array in values.items()}
        for name, array in frozen.items():
            out[name][:, stopped.which] = array
        return out

    def _held(self, model: NumericalSDE, key: Any, rows: Mapping[str, list[Any]], values: dict[str, np.ndarray], y: np.ndarray,
              stored: np.ndarray) -> dict[str, np.ndarray]:  # fmt: skip
        """Values of rows, with those of the paths that are stopped at the times of their stops."""
        if self._frozen is None:
            return values
        return self._at_stop.held(key, model, rows, values, (y, stored), self._stop_time, self._stop_slopes)

    def _restored(self, y: np.ndarray, stored: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self._frozen is None:
            return y, stored
        at = self.status == failure.STOPPED
        return np.where(at, self._frozen[0], y), np.where(at, self._frozen[1], stored)

    def result(self) -> ChunkResult:
        """The recorded values, masked if ``on_failure`` is ``"mask"``."""
        if self.spec.checks.on_failure == "mask":
            for p in np.flatnonzero(failure.failed(self.status)):
                late = self.spec.times >= self.failed_at[p]
                for values in self.data.values():
                    values[p, late] = np.nan
                for values in self.final.values():
                    values[p] = np.nan
        partials = {key: accumulator.partial() for key, accumulator in self._accumulators.items()}
        crossings = {} if self._events is None else self._events.crossings
        return ChunkResult(self.paths, self.data, self.final, self.y, self.stored, self.status, self.failed_at,
                           self.failed_component, partials, crossings)  # fmt: skip


def too_far(spec: RunSpec, model: NumericalSDE, v: np.ndarray) -> np.ndarray | None:
    """The paths that a geometric method rotated by more than half the injectivity radius; ``None`` if that cannot happen."""
    if not spec.method.geometric:
        return None
    with np.errstate(all="ignore"):
        square = model.rotation_angle_sq(v)
    return None if square is None else square > failure.LARGEST_TURN * failure.LARGEST_TURN
