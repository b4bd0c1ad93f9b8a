"""Events of the paths of a chunk: stops that are located within a step, and recorded crossings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, final

import numpy as np

from semidirect.engines.events.event_slopes import slopes_at_event
from semidirect.engines.events.locate import Located, located
from semidirect.engines.events.partial_step import PartialStep
from semidirect.engines.events.sides import Sides
from semidirect.model import NumericalSDE, sensitivities
from semidirect.specification import RunSpec, conditions, schedule

TIME_SLOPES = f"{sensitivities.SENSITIVITY}time"
"""The name of the derivatives of the times of crossings among their quantities."""


class Stopped(NamedTuple):
    """Paths that are stopped within a step: positions, numbers of the conditions, times and states, and the derivatives of the
    times ``(K, n)``, if there are any.
    """

    which: np.ndarray
    condition: np.ndarray
    time: np.ndarray
    y: np.ndarray
    stored: np.ndarray
    slopes: np.ndarray | None = None


class _Look(NamedTuple):
    step: int
    y: np.ndarray
    stored: np.ndarray
    values: Mapping[str, np.ndarray]


class _Step(NamedTuple):
    """A step of all paths of the chunk, the states and values after it, and which paths are good."""

    model: NumericalSDE
    before: _Look
    y: np.ndarray
    stored: np.ndarray
    values: Mapping[str, np.ndarray]
    good: np.ndarray


@final
class Events:
    """The located conditions of a run on the paths of a chunk, filled by the thread that advances it.

    Attributes
    ----------
    crossings : dict name → array, first axis path
        The recorded crossings: ``i.count``, ``i.time (n, most)`` and ``i.value.name (n, most, …)`` of the i-th crossing, filled
        with nan.
    """

    def __init__(self, spec: RunSpec, paths: range):
        self._spec, self._paths = spec, np.arange(paths.start, paths.stop, dtype=np.uint64)
        self.crossings = empty_crossings(spec, len(paths))
        first, self._barriers = 0, []
        for condition in spec.conditions:
            self._barriers.append([(first + i, barrier) for i, barrier in enumerate(condition.barriers)])
            first += len(condition.barriers)
        self._sides = {i: Sides() for i, c in enumerate(spec.conditions) if isinstance(c, conditions.Crossing)}
        self._before: _Look | None = None

    def look(self, step: int, y: np.ndarray, stored: np.ndarray, values: Mapping[str, np.ndarray]) -> None:
        """Remember the states from which the next step begins."""
        at_conditions = {c.name: values[c.name] for c in self._spec.conditions if c.locate}
        self._before = _Look(step, y.copy(), stored.copy(), at_conditions)

    def found(self, model: NumericalSDE, y_after: np.ndarray, stored_after: np.ndarray, values: Mapping[str, np.ndarray],
              good: np.ndarray) -> Stopped | None:  # fmt: skip
        """The events of the step at these states, where the quantities have these values, on the paths that are good.

        Crossings are recorded; of the stops, the first one in the step is given back.
        """
        before, spec = self._before, self._spec
        if before is None:
            return None
        share = np.full(good.shape, np.inf)
        number = np.full(good.shape, -1, dtype=np.int16)
        y, stored = before.y, before.stored
        slopes: np.ndarray | None = None
        reached = _Step(model, before, y_after, stored_after, values, good)
        for i, stop in enumerate(spec.stops):
            for which, at, time_slopes in self._located(reached, i, stop, excursions=True) if stop.locate else ():
                first = at.reached & (at.share < share[which])
                fresh = which[first]
                if not len(fresh):
                    continue
                if y is before.y:
                    y, stored = y.copy(), stored.copy()
                share[fresh], number[fresh] = at.share[first], i
                y[:, fresh], stored[:, fresh] = at.y[:, first], at.stored[:, first]
                if time_slopes is not None:
                    slopes = np.zeros((len(time_slopes), len(good))) if slopes is None else slopes
                    slopes[:, fresh] = time_slopes[:, first]
        for j, crossing in enumerate(spec.crossings):
            for which, at, time_slopes in self._located(reached, len(spec.stops) + j, crossing, excursions=False):
                before_stop = np.flatnonzero(at.reached & (at.share <= share[which]))
                if len(before_stop):
                    self._record(
                        model.of_some(which[before_stop]),
                        j,
                        before.step,
                        which[before_stop],
                        at,
                        before_stop,
                        time_slopes,
                    )
        which = np.flatnonzero(number >= 0)
        if not len(which):
            return None
        times = schedule.labels_within(before.step, share[which], spec.dt)
        moved_times = None if slopes is None else slopes[:, which]
        return Stopped(which, number[which], times, y[:, which], stored[:, which], moved_times)

    def _time(self, step: int, share: np.ndarray) -> np.ndarray:
        """The times of the equations."""
        dt = self._spec.dt
        return np.where(share == 1, (step + 1) * dt, step * dt + share * dt)

    def _located(self, full_step: _Step, number: int, condition: conditions.Condition, *, excursions: bool
                 ) -> Iterator[tuple[np.ndarray, Located, np.ndarray | None]]:  # fmt: skip
        """As :meth:`_reached`, with the derivatives of states and times ``(K, n)``, if there are any."""
        before, spec = full_step.before, self._spec
        row = spec.contents.everything[condition.name][condition.component or 0]
        step = PartialStep(
            spec, full_step.model, self._paths, before.step, before.y, before.stored, row, conditions.Barrier(0.0, 1)
        )
        for which, at in self._reached(step.values, full_step, number, condition, excursions=excursions):
            yield which, *with_slopes(step.of(which), at)

    def _reached(self, step: PartialStep, full_step: _Step, number: int, condition: conditions.Condition, *, excursions: bool
                 ) -> Iterator[tuple[np.ndarray, Located]]:  # fmt: skip
        """Positions of the paths that may meet a condition in a step, and where they do, one barrier after the other."""
        before, after = full_step.before, full_step.y[: step.model.dimension]
        beyond = {
            b: tuple(b.beyond(condition.of(v)) for v in (before.values, full_step.values))
            for _, b in self._barriers[number]
        }
        if not isinstance(condition, conditions.Crossing):
            for place, barrier in self._barriers[number]:
                first, last = beyond[barrier]
                candidates = full_step.good & (first < 0)
                candidates &= (last >= 0) | (last < 0) if excursions and step.noisy else last >= 0
                which = np.flatnonzero(candidates)
                some = replace(step, barrier=barrier).of(which)
                yield which, located(some, place, first[which], last[which], excursions=excursions)
            return
        (_, barrier), *_ = self._barriers[number]
        rising = replace(step, barrier=conditions.Barrier(barrier.level, 1))
        begin, end = (barrier.sign * x for x in beyond[barrier])
        ends = self._sides[number].ends(rising, after, full_step.stored, begin, end, full_step.good)
        for part in ends.parts:
            for place, barrier in self._barriers[number]:
                first, last = barrier.sign * part.first, barrier.sign * part.last
                candidates = full_step.good & part.which & (first < 0)
                candidates &= (last >= 0) | (last < 0) if excursions and step.noisy else last >= 0
                which = np.flatnonzero(candidates)
                some, shares = replace(step, barrier=barrier).of(which), (part.low[which], part.high[which])
                yield which, located(some, place, first[which], last[which], excursions=excursions, ends=shares)
        which = np.flatnonzero(np.isin(ends.crosses, [barrier.sign for _, barrier in self._barriers[number]]))
        ones = np.ones(len(which))
        yield which, Located(ones > 0, ones, after[:, which], full_step.stored[:, which])

    def _record(self, model: NumericalSDE, number: int, step: int, paths: np.ndarray, at: Located, indices: np.ndarray,
                time_slopes: np.ndarray | None) -> None:  # fmt: skip
        """Write crossings of some paths, unless enough of theirs are known."""
        spec, arrays = self._spec, self.crossings
        share = at.share[indices]
        time = schedule.labels_within(step, share, spec.dt)
        rows = spec.contents.of_names(spec.recorded(spec.crossings[number]))
        slopes = None if time_slopes is None else time_slopes[:, indices]
        values = model.read(at.y[:, indices], at.stored[:, indices], self._time(step, share), rows, slopes)
        values |= {} if slopes is None else {TIME_SLOPES: slopes}
        place = arrays[f"{number}.count"][paths]
        arrays[f"{number}.count"][paths] += 1
        room = place < spec.crossings[number].most
        arrays[f"{number}.time"][paths[room], place[room]] = time[room]
        for name, value in values.items():
            of_paths = np.broadcast_to(value, (len(value), len(paths))).T[room]
            arrays[f"{number}.value.{name}"][paths[room], place[room]] = of_paths if len(value) > 1 else of_paths[:, 0]


def with_slopes(step: PartialStep, at: Located) -> tuple[Located, np.ndarray | None]:
    """The states with their derivatives, and the derivatives of the times; as they are in a run without derivatives."""
    tangents = step.model.tangents
    if tangents is None:
        return at, None
    y, time_slopes = np.zeros((len(step.y), len(at.share))), np.zeros((len(tangents.directions), len(at.share)))
    reached = np.flatnonzero(at.reached)
    if len(reached):
        slopes = slopes_at_event(step.of(reached), at.share[reached])
        y[:, reached], time_slopes[:, reached] = slopes.below(at.y[:, reached]), slopes.time
    return at._replace(y=y), time_slopes


def empty_crossings(spec: RunSpec, paths: int) -> dict[str, np.ndarray]:
    """The arrays of the crossings of this many paths."""
    out: dict[str, Any] = {}
    for i, crossing in enumerate(spec.crossings):
        out[f"{i}.count"] = np.zeros(paths, dtype=np.int64)
        out[f"{i}.time"] = np.full((paths, crossing.most), np.nan)
        sizes = {name: len(spec.contents.everything[name]) for name in spec.recorded(crossing)}
        tangents = spec.model.tangents
        for name, size in (sizes if tangents is None else {**sizes, TIME_SLOPES: len(tangents.directions)}).items():
            out[f"{i}.value.{name}"] = np.full((paths, crossing.most, *((size,) if size > 1 else ())), np.nan)
    return out
