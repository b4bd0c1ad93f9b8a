"""The paths of a chunk of a hybrid system, each in its mode and at its own step of one grid.

Between events, paths are stepped by kernels, which leave their states behind; array code takes the steps in which a condition may
be met, and without kernels all steps. Both do the same operations, so that results have the same bits.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any, final

import numpy as np

from semidirect.core import errors, failure, interpolation
from semidirect.engines import ChunkResult, Record, events, stepping
from semidirect.hybrid.collision import Collision, collide, require_one_normal
from semidirect.hybrid.group_slopes import slopes_along_group
from semidirect.hybrid.leap import Leaps
from semidirect.hybrid.level_ground import FEWEST_THAT_PULL, level_ground
from semidirect.hybrid.lost_paths import MAY_PULL
from semidirect.hybrid.mode import LEVEL_RESOLUTION, Guard, Mode, first_struck
from semidirect.hybrid.passage import first_passage
from semidirect.hybrid.plan import HybridPlan
from semidirect.hybrid.saved_values import SavedValues
from semidirect.hybrid.slopes import Entry, HybridSlopes, Place
from semidirect.results import Transitions
from semidirect.specification import RunSpec, conditions, schedule, seeds

EQUAL_METRICS = 1e-9
SAME_PLACE = 4.0
"""An impact leaves the quantity of a condition where it is if its distance from the level grows by less than this factor."""
MOST_AT_ONCE = 8
"""Transitions of a path, one after the other, between which no time passes and no noise acts, before it is stopped."""


def run_chunk(plan: HybridPlan, spec: RunSpec, number: int, stopped: Event | None) -> ChunkResult:
    """Run a chunk: after the plan, a job of :func:`~semidirect.engines.execute.execute`."""
    paths = HybridPaths(plan, spec.chunk(number))
    paths.run(stopped or stepping.NEVER)
    return paths.result()


@final
class HybridPaths:
    """Steps the paths of a chunk; one that changes its mode within a step takes the rest of the step in its new mode.

    After a transition the noise starts anew: its increments are independent of those before (the strong Markov property), and
    functions of seed, path, step and the number of transitions of the path within the step.
    """

    def __init__(self, plan: HybridPlan, paths: range):
        n, modes = len(paths), plan.modes
        self._plan, self._paths = plan, paths
        self._numbers = np.arange(paths.start, paths.stop, dtype=np.uint64)
        self._models = [mode.spec.model.of_paths(paths) for mode in modes]
        self._y = [np.full((len(mode.spec.contents.state), n), np.nan) for mode in modes]
        part = slice(paths.start, paths.stop)
        y, self._stored, self._mode = (x[..., part].copy() for x in (plan.begin.y, plan.begin.stored, plan.begin.mode))
        self._at_once = np.zeros(n, dtype=np.int64)
        self._tolerance = [np.zeros((len(mode.guards), n)) for mode in modes]
        self._beyond, self._entered = (
            [np.zeros((len(mode.guards), n), dtype=bool) for mode in modes] for _ in range(2)
        )
        self._status, self._ended_at = np.zeros(n, dtype=np.int8), np.full(n, np.nan)
        self._switches = np.full(n, -1, dtype=np.int16)
        self._component = component = np.full(n, -1, dtype=np.int16)
        self._records = [Record(mode.spec.replaced(end_only=True), paths) for mode in modes]
        for record in self._records:
            record.status, record.failed_at, record.failed_component = self._status, self._ended_at, component
        self._at = np.full(n, plan.spec.first, dtype=np.int64)
        self._leaps = [Leaps(mode, mode.trail) if plan.compiled else None for mode in modes]
        self._table: list[tuple[np.ndarray, ...]] = []
        self._specs: dict[tuple[int, int], RunSpec] = {}
        self._saved = SavedValues(plan.spec.saved_steps, n, plan.sizes)
        self._reduced = SavedValues(plan.reduced.steps, n, plan.reduced.sizes)
        self._slopes = HybridSlopes(modes, plan.start, paths) if modes[0].tangents is not None else None
        for m in np.unique(self._mode).tolist():
            which = np.flatnonzero(self._mode == m)
            rows = y[: len(self._y[m]), which]
            self._enter(m, which, rows, self._stored[:, which], plan.spec.first * plan.spec.dt)
            start_values = plan.begin.tolerance, plan.begin.entered, plan.begin.beyond
            for ours, values in zip((self._tolerance, self._entered, self._beyond), start_values, strict=True):
                if values is not None:
                    ours[m][:, which] = values[: len(ours[m]), part][:, which]

    def run(self, stopped: Event) -> None:
        """Run the paths from the start to the end."""
        spec = self._plan.spec
        self._save(np.arange(len(self._paths)))
        while True:
            going = (self._at < spec.last) & (self._status == failure.GOOD)
            if not going.any():
                break
            if stopped.is_set():
                raise stepping.Cancelled
            for m, leaps in enumerate(self._leaps):
                which = np.flatnonzero(going & (self._mode == m))
                if leaps is not None and len(which):
                    self._leap(m, leaps, which)
            which = np.flatnonzero(going & (self._at < spec.last))
            if len(which):
                self._step(which)
                self._at[which] += 1
                self._save(which)
        which = np.flatnonzero(self._status != failure.GOOD)
        self._save(which, to_the_end=True)

    def _leap(self, m: int, leaps: Leaps, which: np.ndarray) -> None:
        """Step paths of a mode up to a step in which a condition may be met."""
        spec, model = self._plan.spec, self._models[m].of_some(which)
        at, y, stored = self._at[which], self._y[m][:, which], self._stored[:, which]
        d = len(y)
        if self._slopes is not None:
            y = np.concatenate([y, self._slopes.rows(m, which)])
        leap = leaps.leap(model, self._numbers[which], at, (y, stored), self._tolerance[m][:, which], spec.last - at)
        for saved in (self._saved, self._reduced):
            path, place = saved.places(at, at + leap.counts)
            if len(path):
                steps = saved.steps[place]
                self._put(saved, m, which[path], place, *leap.states(path, steps - at[path], len(y), len(stored)))
        moving = np.flatnonzero(leap.counts > 0)
        some, counts = which[moving], leap.counts[moving]
        y, self._stored[:, some] = leap.states(moving, counts, len(y), len(stored))
        self._y[m][:, some] = y[:d]
        if self._slopes is not None:
            self._slopes.set_rows(m, some, y[d:])
        self._at[some] += counts
        self._entered[m][:, some] = False
        flagged = np.flatnonzero(self._beyond[m][:, some].any(axis=0))
        for i in flagged.tolist():
            self._beyond[m][:, some[i]] &= (leap.distances[:, : counts[i] + 1, moving[i]] > 0).all(axis=1)

    def result(self) -> ChunkResult:
        """The saved quantities with the modes, the table of transitions instead of crossings, and as final values the state by
        names, ``named.``, what a run needs to continue, ``end.``, and ``switches``: those that pull paths, or beyond whose levels
        good paths stay, or from ``MAY_PULL`` down those that may pull them.
        """
        columns: dict[str, np.ndarray] = {}
        if self._table:
            columns = dict(
                zip(Transitions.COLUMNS, (np.concatenate(c) for c in zip(*self._table, strict=True)), strict=True)
            )
            order = np.argsort(columns["path"], kind="stable")
            columns = {name: values[order] for name, values in columns.items()}
        for m, mode in enumerate(self._plan.modes):
            for guard, beyond in zip(mode.guards, self._beyond[m], strict=True):
                self._switches[(self._status == failure.GOOD) & (self._mode == m) & beyond] = guard.number
        end, partials = (
            self._end(),
            self._plan.reduced.partials(self._paths, self._reduced, self._status, self._ended_at),
        )
        final = {**self._named(), **{f"end.{name}": rows for name, rows in end.items()}, "switches": self._switches}
        return ChunkResult(
            self._paths, self._saved.data, final, end["y"], end["stored"], self._status, self._ended_at, self._ends(), partials,
            columns,
        )  # fmt: skip

    def _end(self) -> dict[str, np.ndarray]:
        """The state from which a run continues, paths first."""
        modes, n = self._plan.modes, len(self._paths)
        first = self._plan.begin.first
        first = self._plan.spec.begin[0] if first is None else first
        first = np.broadcast_to(first, (len(first), self._plan.spec.paths))[:, self._paths.start : self._paths.stop]
        guards = max(len(mode.guards) for mode in modes)
        out = {
            "mode": self._mode[None].astype(float), "y": np.full((max(map(len, self._y)), n), np.nan), "stored": self._stored,
            "first": first, **{name: np.zeros((guards, n)) for name in ("tolerance", "entered", "beyond")},
        }  # fmt: skip
        for m in range(len(modes)):
            which = np.flatnonzero(self._mode == m)
            for name in ("y", "tolerance", "entered", "beyond"):
                rows = getattr(self, f"_{name}")[m]
                out[name][: len(rows), which] = rows[:, which]
        return {name: np.array(rows.T, order="C") for name, rows in out.items()}

    def _named(self) -> dict[str, np.ndarray]:
        """The states at the end as users give them, nan where the mode of a path has no such variable."""
        out: dict[str, np.ndarray] = {}
        for m, mode in enumerate(self._plan.modes):
            which, final = np.flatnonzero(self._mode == m), mode.spec.contents.final
            t = self._plan.spec.last * self._plan.spec.dt
            values = self._models[m].of_some(which).read(self._y[m][:, which], self._stored[:, which], t, final)
            for name, rows in values.items():
                whole = out.setdefault(f"named.{name}", np.full((len(self._paths), len(rows)), np.nan))
                if whole.shape[1] == len(rows):
                    whole[which] = np.broadcast_to(rows, (len(rows), len(which))).T
        return out

    def _ends(self) -> np.ndarray:
        """The number of what ended each path among the components, or −1."""
        names, out = self._plan.components, np.full(len(self._paths), -1, dtype=np.int16)
        for p in np.flatnonzero(self._status != failure.GOOD).tolist():
            mode = self._plan.modes[self._mode[p]]
            if self._status[p] == failure.GROUND_PULLS:
                labels = {guard.number: guard.switch.label for guard in mode.guards}
                out[p] = names.index(labels[self._switches[p]])
            elif self._component[p] >= 0:
                out[p] = names.index(mode.spec.contents.state[self._component[p]])
        return out

    def _step(self, which: np.ndarray) -> None:
        """One step of some paths."""
        elapsed, active = np.zeros(len(self._paths)), np.zeros(len(self._paths), dtype=bool)
        active[which] = True
        self._at_once[which] = 0
        if self._slopes is not None:
            self._slopes.begin(which)
        for transitions in range(self._plan.most):
            of_modes = [np.flatnonzero(active & (self._mode == m)) for m in range(len(self._plan.modes))]
            for m, some in enumerate(of_modes):
                if len(some):
                    active[some] = self._take(m, some, elapsed, transitions)
            self._stop(active & (self._at_once >= MOST_AT_ONCE), elapsed)
            active &= self._status == failure.GOOD
            if not active.any():
                return
        self._stop(active, elapsed)

    def _stop(self, accumulated: np.ndarray, elapsed: np.ndarray) -> None:
        """Stop paths whose transitions accumulate."""
        self._status[accumulated] = failure.STOPPED
        at, dt = self._at[accumulated], self._plan.spec.dt
        self._ended_at[accumulated] = schedule.labels_within(at, elapsed[accumulated], dt)

    def _take(self, m: int, which: np.ndarray, elapsed: np.ndarray, transitions: int) -> np.ndarray:
        """The rest of a step of paths in one mode, up to their first transition; which of them have time left."""
        mode, model, step = self._plan.modes[m], self._models[m].of_some(which), self._at[which]
        spec, numbers = self._spec(m, transitions), self._numbers[which]
        # the rest of the step, with the increments of the whole one: paths do not depend on where they switch
        rest = events.PartialStep(
            spec, model, numbers, step, self._y[m][:, which], self._stored[:, which], None, conditions.Barrier(0.0, 1),
            elapsed[which] if transitions else None,
            None if spec.driver is None else spec.driver.block_from(numbers, step, 1, spec.dt)[0],
            mode.trail if self._plan.compiled and self._slopes is None else None,
        )  # fmt: skip
        whole = np.ones(len(which))
        end, stored = rest.taken(whole, rest.driven(whole))
        first = mode.distances(model, rest.y, rest.stored, rest.begin)
        last = mode.distances(model, end.y, stored, rest.begin + rest.length)
        tolerance = self._tolerances(m, which, first, last, 1 - elapsed[which])
        share, number = np.full(len(which), np.inf), np.full(len(which), -1)
        y, stored_at = end.y.copy(), stored.copy()
        # the earliest passage wins; states at the others are forgotten
        for i, guard in enumerate(mode.guards):
            leg = replace(rest, row=guard.row, barrier=guard.barrier)
            reaching, at = first_passage(
                leg, i, (end.y, stored), first[i], last[i], tolerance[i], self._entered[m][i, which],
                holds_beyond=guard.holds_beyond,
            )  # fmt: skip
            earlier = at.share < share[reaching]
            reaching = reaching[earlier]
            share[reaching], number[reaching] = at.share[earlier], i
            y[:, reaching], stored_at[:, reaching] = at.y[:, earlier], at.stored[:, earlier]
        if self._slopes is not None:
            self._slopes.take(m, which, rest, share, number)
        # paths that meet no condition are at the end of the step
        through = np.flatnonzero(number < 0)
        self._y[m][:, which[through]], self._stored[:, which[through]] = y[:, through], stored_at[:, through]
        converged = None if end.converged is None else end.converged[through]

        def again(bad: np.ndarray) -> None:
            left = interpolation.reads_outside(len(which), lambda: rest.taken(whole, rest.driven(whole)))
            interpolation.note_outside(left[through[bad]])

        self._records[m].watch(
            model, step[through] + 1, end._replace(y=y[:, through], v=end.v[:, through], converged=converged),
            stored_at[:, through], which[through], again,
        )  # fmt: skip
        left = np.zeros(len(which), dtype=bool)
        for i in range(len(mode.guards)):
            some = np.flatnonzero(number == i)
            if len(some):
                places = which[some]
                # transitions that take no time are counted, so that an endless chain of them is found
                instant = (share[some] == 0) & (mode.spec.driver is None)
                self._at_once[places] = np.where(instant, self._at_once[places] + 1, 0)
                elapsed[places] += share[some] * (1 - elapsed[places])
                left[some] = elapsed[places] < 1
                time = (step[some] + elapsed[places]) * self._plan.spec.dt
                clear = (share[some] > 0) | (first[i, some] > tolerance[i, some]) | ~self._entered[m][i, places]
                self._switch(m, i, places, y[:, some], stored_at[:, some], time, share[some] > 0, clear)
                left[some] &= self._status[places] == failure.GOOD
        return left

    def _tolerances(
        self, m: int, which: np.ndarray, first: np.ndarray, last: np.ndarray, rest: np.ndarray
    ) -> np.ndarray:
        """The distances within which paths are on the levels of a mode, from their quantities at both ends of a part of a step.

        The size of the terms may vanish where the level is 0, so that of the change in a whole step counts, too.
        """
        change = np.abs(last - first) / rest
        distances = np.fmax(self._tolerance[m][:, which], LEVEL_RESOLUTION * np.where(np.isfinite(change), change, 0.0))
        one_sided = np.array([not guard.holds_beyond for guard in self._plan.modes[m].guards], dtype=bool)
        self._entered[m][:, which] &= np.abs(first) <= distances
        self._beyond[m][:, which] &= (first > distances) & ((last > 0) & one_sided[:, None])
        return distances

    def _switch(self, m: int, i: int, which: np.ndarray, y: np.ndarray, stored: np.ndarray, time: np.ndarray,
                located: np.ndarray, clear: np.ndarray) -> None:  # fmt: skip
        """Bring paths of the mode ``m`` that meet a condition at these states and times into their new modes.

        Paths that are not ``clear`` to come to the level from elsewhere are on it to rounding; nothing is said of their impulses.
        """
        source, guard = self._plan.modes[m], self._plan.modes[m].guards[i]
        place = self._place(source, which, y, stored, time)
        collision = self._collision(source, m, guard, place)
        pulls = collision.pulls & clear
        if pulls.any():
            pulled, rest = which[pulls], ~pulls
            self._y[m][:, pulled], self._stored[:, pulled] = y[:, pulls], stored[:, pulls]
            self._status[pulled], self._ended_at[pulled] = (
                failure.GROUND_PULLS,
                schedule.labelled(time[pulls], self._plan.spec.dt),
            )
            self._switches[pulled] = guard.number
            which, y, stored, time, located = which[rest], y[:, rest], stored[:, rest], time[rest], located[rest]
            if not len(which):
                return
            collision, clear = Collision(*(x[..., rest] for x in collision)), clear[rest]
        self._switches[which[collision.may_pull & clear]] = MAY_PULL - guard.number
        entered = np.where(collision.slides, guard.target if guard.sliding is None else guard.sliding, guard.target)
        entered = np.where(collision.rebounds, m, entered).astype(np.int8)
        for number in np.unique(entered).tolist():
            some = np.flatnonzero(entered == number)
            place = self._place(source, which[some], y[:, some], stored[:, some], time[some])
            state = self._state(place, number, collision.velocity[:, some])
            if self._slopes is not None:
                self._slopes.enter(m, number, place, partial(self._entry, source, m, guard))
            self._enter(number, which[some], state, stored[:, some], time[some])
            if number == m:
                self._stay(m, i, which[some], (y[:, some], state), stored[:, some], time[some], located[some])
        columns = np.full(len(which), m, dtype=np.int8), entered, np.full(len(which), guard.number, dtype=np.int16)
        label = schedule.labelled(time, self._plan.spec.dt)
        self._table.append(
            (self._numbers[which].astype(np.int64), label, *columns, collision.loss, collision.impulse.T)
        )

    def _place(self, source: Mode, which: np.ndarray, y: np.ndarray, stored: np.ndarray, time: np.ndarray) -> Place:
        """The states of paths at a transition."""
        modes, numbers = self._plan.modes, self._numbers[which]
        return Place(which, y, stored, time, lambda i: self._models[i].of_some(which),
                     lambda i, rows: modes[i].rest_from(source, rows, numbers, self._first(i)))  # fmt: skip

    def _first(self, number: int) -> np.ndarray | None:
        """The start of a mode, if paths started there in a run that this one continues."""
        return self._plan.begin.first if number == self._plan.start else None

    def _state(self, place: Place, number: int, velocity: np.ndarray) -> np.ndarray:
        """The state with which paths with a velocity enter a mode."""
        mode = self._plan.modes[number]
        return mode.projection.state(
            place.model(number), velocity, place.rest(number, place.y), place.stored, place.time
        )

    def _entry(self, source: Mode, m: int, guard: Guard, place: Place, number: int) -> Entry:
        """The whole transition into a mode."""
        collision = self._collision(source, m, guard, place)
        return Entry(self._state(place, number, collision.velocity), collision.rebounds, collision.slides)

    def _collision(self, source: Mode, m: int, guard: Guard, place: Place) -> Collision:
        impact, own, (_, y, stored, time, *_) = guard.switch.impact, place.model(m), place
        others = [guard.target, *(() if guard.sliding is None else (guard.sliding,))]
        constraints = [
            self._plan.modes[i].projection.at(place.model(i), place.rest(i, y), stored, time) for i in others
        ]
        there = source.projection.at(own, y[source.projection.velocities :], stored, time)
        metric = there.metric
        sizes = np.sqrt(np.einsum("iip->ip", metric))
        if any((np.abs(at.metric - metric) > EQUAL_METRICS * sizes[:, None] * sizes).any() for at in constraints):
            raise errors.InputError("modes with different kinetic metrics", expected="one mass and inertia in all modes",
                                    got=guard.switch.label)  # fmt: skip
        ground, struck = None, first_struck([self._plan.modes[i] for i in reversed(others)], source)
        if struck is not None:
            i = self._plan.modes.index(struck[0])
            ground = struck[0].ground(struck[1], place.model(i), place.rest(i, y), stored, time)
        velocity = source.projection.velocity(own, y, stored, time)
        if impact.restitution and ground is None and len(constraints) == 1:
            require_one_normal(guard.switch.label, velocity, there, constraints[0])
        before = there if source.forbids else None
        collision = collide(
            impact, velocity, constraints[0], constraints[1] if len(constraints) > 1 else None, ground, before
        )
        if impact.joint or ground is not None or self._plan.modes[guard.target].forbids < FEWEST_THAT_PULL:
            return collision
        slopes = slopes_along_group(own, guard.row, y, stored, time)
        if slopes is None:
            return collision
        level = level_ground(slopes, guard.barrier.sign, source.displacements)
        pulls, may_pull = level.pulls(collision, velocity, before, constraints[0])
        return collision._replace(pulls=pulls, may_pull=may_pull)

    def _enter(self, number: int, which: np.ndarray, y: np.ndarray, stored: np.ndarray, t: Any) -> None:
        """Put paths into a mode."""
        model = self._models[number].of_some(which)
        self._mode[which], self._y[number][:, which], self._stored[:, which] = number, y, stored
        self._tolerance[number][:, which] = self._plan.modes[number].tolerances(model, y, stored, t)
        self._beyond[number][:, which] = self._entered[number][:, which] = True

    def _stay(self, m: int, i: int, which: np.ndarray, states: tuple[np.ndarray, np.ndarray], stored: np.ndarray,
              time: np.ndarray, located: np.ndarray) -> None:  # fmt: skip
        """Note that paths which rebound are on the level at which they were located, however small the size of its terms."""
        model = self._models[m].of_some(which)
        before, after = (np.abs(self._plan.modes[m].distances(model, y, stored, time)[i]) for y in states)
        resolution = np.where(located & (after <= SAME_PLACE * before), SAME_PLACE * before, 0.0)
        self._tolerance[m][i, which] = np.maximum(self._tolerance[m][i, which], resolution)

    def _spec(self, m: int, transitions: int) -> RunSpec:
        """The run whose random numbers drive paths after so many transitions in a step."""
        spec = self._plan.modes[m].spec
        if not transitions:
            return spec
        if (m, transitions) not in self._specs:
            self._specs[m, transitions] = spec.of_seed(seeds.derived_seed(spec.seed, 0, transitions))
        return self._specs[m, transitions]

    def _save(self, which: np.ndarray, *, to_the_end: bool = False) -> None:
        """Save what paths are at their steps, if these are among those to save; or that they stay as they are ``to_the_end``."""
        at = self._at[which]
        end = np.full(len(which), self._plan.spec.last) if to_the_end else at
        for saved in (self._saved, self._reduced):
            path, place = saved.places(at - 1, end)
            for m in np.unique(self._mode[which[path]]).tolist():
                some = np.flatnonzero(self._mode[which[path]] == m)
                paths = which[path[some]]
                self._put(saved, m, paths, place[some], self._y[m][:, paths], self._stored[:, paths])

    def _put(
        self, saved: SavedValues, m: int, which: np.ndarray, place: np.ndarray, y: np.ndarray, stored: np.ndarray
    ) -> None:
        """Save the quantities of paths of a mode with these states, and their derivatives, at times with these numbers."""
        mode, t = self._plan.modes[m], saved.steps[place] * self._plan.spec.dt
        names, d = mode.saved if saved is self._saved else mode.reduced, len(self._y[m])
        values = self._models[m].of_some(which).read(y[:d], stored, t, mode.spec.contents.of_names(names))
        if self._slopes is not None and saved is self._saved:
            y = y if len(y) > d else np.concatenate([y, self._slopes.rows(m, which)])
            values |= self._slopes.read(m, which, y, stored, t)
        saved.put(which, place, m, values)
