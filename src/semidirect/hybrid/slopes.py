"""Derivatives of the paths of a hybrid system: through the steps of its modes, and through transitions whose time moves.

At a transition the state jumps from x⁻ to R(x⁻, t). With the time t* of the condition and its derivative δt*, the state after it
has the derivative DR·(δx⁻, δt*), where δx⁻ contains the motion of t*; from then on the rest of the step begins at a time that
moves. Together this is the saltation matrix. R is differentiated by differences; who rebounds and who slides stays as it is.

J. Kong, J. J. Payne, J. Zhu, A. M. Johnson, Saltation matrices: the essential tool for linearizing hybrid dynamical systems,
Proc. IEEE 112 (2024) 585–608.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, final

import numpy as np

from semidirect.core import SIXTH_ORDER
from semidirect.engines import events
from semidirect.hybrid.mode import Mode
from semidirect.model import Differentiable, NumericalSDE, sensitivities
from semidirect.state import start_slopes

STEPS = (2.0**-10, 2.0**-18)
"""Of the differences, relative to what moves; the second one where the outcome of an impact changes within the first."""
SIGNED = tuple((sign * k, sign * c) for k, c in SIXTH_ORDER for sign in (1, -1))


class Entry(NamedTuple):
    """States with which paths enter a mode, and which of them rebound and slide."""

    state: np.ndarray
    rebounds: np.ndarray
    slides: np.ndarray


class Place(NamedTuple):
    """Where paths meet a condition: positions, states, times, models of modes, and what is below velocities in their states."""

    which: np.ndarray
    y: np.ndarray
    stored: np.ndarray
    time: np.ndarray
    model: Callable[[int], NumericalSDE]
    rest: Callable[[int, np.ndarray], np.ndarray]


Enter = Callable[[Place, int], Entry]
"""The states with which paths enter a mode with this number."""


@final
class HybridSlopes:
    """The derivatives of the paths of a chunk, ``(K, d + r, n)`` in each mode, and those ``(K, n)`` of the time of the last
    transition within the step.
    """

    def __init__(self, modes: Sequence[Mode], start: int, paths: range):
        n, self._modes = len(paths), modes
        self._models = [mode.differentiated.of_paths(paths) for mode in modes]
        begin = modes[start].start_slopes
        self._count = len(begin)
        rows = [mode.start_slopes.shape[1] for mode in modes]
        self._slopes = [np.full((self._count, r, n), np.nan) for r in rows]
        self._starts = [_of_paths(mode.start_slopes, paths) for mode in modes]
        self._slopes[start][:] = self._starts[start]
        self.time = np.zeros((self._count, n))

    def begin(self, which: np.ndarray) -> None:
        """A step of some paths begins, on the grid."""
        self.time[:, which] = 0.0

    def take(self, m: int, which: np.ndarray, rest: events.PartialStep, share: np.ndarray, number: np.ndarray) -> None:
        """Follow paths of a mode to the end of a step, where the number is −1, or to the guard with this number."""
        full = self._with_slopes(m, which, rest)
        for i in range(-1, len(self._modes[m].guards)):
            some = np.flatnonzero((number == i) & ((share > 0) | (i < 0)))
            if not len(some):
                continue
            begin, places = self.time[:, which[some]], which[some]
            if i < 0:
                slopes = events.slopes_on_grid(full.of(some), np.ones(len(some)), begin)
            else:
                guard = self._modes[m].guards[i]
                leg = replace(full, row=guard.row, barrier=guard.barrier).of(some)
                slopes = events.slopes_at_event(leg, share[some], begin)
            self._put(m, places, slopes)

    def enter(self, m: int, number: int, place: Place, enter: Enter) -> None:
        """Follow paths of the mode ``m`` into a mode, from the derivatives at their transition."""
        outcome, n = enter(place, number), len(place.which)
        slopes = np.full((self._count, len(outcome.state), n), np.nan)
        for step in STEPS:
            left = np.flatnonzero(np.isnan(slopes).any(axis=(0, 1)))
            if len(left):
                slopes[..., left] = self._differences(m, number, place, enter, outcome, left, step)
        old = self._slopes[m][:, len(self._slopes[m][0]) - len(place.stored) :, place.which]
        self._slopes[number][:, : len(outcome.state), place.which] = slopes
        self._slopes[number][:, len(outcome.state) :, place.which] = old

    def rows(self, m: int, which: np.ndarray) -> np.ndarray:
        """The derivatives of paths in a mode, as rows ``(K·(d + r), n)`` that follow those of a state."""
        return self._slopes[m][..., which].reshape(-1, len(which))

    def set_rows(self, m: int, which: np.ndarray, rows: np.ndarray) -> None:
        """The reverse of :meth:`rows`."""
        self._slopes[m][..., which] = rows.reshape(self._count, -1, len(which))

    def read(self, m: int, which: np.ndarray, y: np.ndarray, stored: np.ndarray, t: Any) -> dict[str, np.ndarray]:
        """The derivatives of the saved quantities ``(d·K, n)`` of paths in a mode, with these states and derivatives."""
        mode, contents = self._modes[m], self._modes[m].spec.contents
        rows = {
            f"{sensitivities.SENSITIVITY}{name}": [
                sensitivities.Slope(row, k) for row in contents.everything[name] for k in range(self._count)
            ]
            for name in mode.smooth
        }
        return self._models[m].of_some(which).read(y, stored, t, rows)

    def _with_slopes(self, m: int, which: np.ndarray, rest: events.PartialStep) -> events.PartialStep:
        y = np.concatenate([rest.y, self.rows(m, which)])
        return replace(rest, model=self._models[m].of_some(which), y=y)

    def _put(self, m: int, which: np.ndarray, slopes: events.EventSlopes) -> None:
        self._slopes[m][..., which], self.time[:, which] = slopes.state, slopes.time

    def _differences(self, m: int, number: int, place: Place, enter: Enter, outcome: Entry, left: np.ndarray, step: float
                     ) -> np.ndarray:  # fmt: skip
        """The derivatives ``(K, d, n)`` of the states after a transition, nan where its outcome differs between the shifts."""
        n, copies = len(left), self._count * len(SIGNED)
        which = place.which[left]
        slopes, time = self._slopes[m][..., which], self.time[:, which]
        d = len(place.y)
        values = np.concatenate([place.y, place.stored])[:, left]
        size = self._relative(m, values, slopes, time, which)
        h = step / np.where(size > 0, size, 1.0)  # (K, n)
        factors = np.array([k for k, _ in SIGNED])[:, None] * h[:, None]  # (K, 6, n)

        def moved(value: np.ndarray, slope: np.ndarray) -> np.ndarray:
            """Rows ``(r, n)`` and their slopes ``(K, r, n)`` at all copies: ``(r, K·6·n)``."""
            rows = value[:, None, None] + factors * slope.transpose(1, 0, 2)[:, :, None]
            return rows.reshape(len(value), -1)

        many, places = np.tile(left, copies), np.tile(which, copies)

        def model(i: int) -> NumericalSDE:
            base, along = place.model(i).of_some(many), self._modes[i].differentiated.tangents
            parameters = list(base.parameters)
            for k, index in enumerate([] if along is None else along.parameters):
                if index is not None:
                    shift = np.zeros(factors.shape)
                    shift[k] = factors[k]
                    parameters[index] = parameters[index] + shift.reshape(-1)
            return base.with_parameters(parameters)

        def rest(i: int, y: np.ndarray) -> np.ndarray:
            first = self._modes[i].projection.velocities
            current, names = place.rest(i, place.y)[:, many], self._modes[i].rest_names
            begin = self._starts[i][:, first : first + len(names), which]
            ours = {x: row for row, x in enumerate(self._modes[m].rest_names, self._modes[m].projection.velocities)}
            new = moved(np.zeros((len(names), n)), begin)
            return (
                np.stack([y[ours[x]] if x in ours else current[j] + new[j] for j, x in enumerate(names)])
                if names
                else current
            )

        times = moved(place.time[None, left], time[:, None])[0]
        along = _along_group(self._models[m].of_some(which), values[:d], values[d:], slopes)
        rows = moved(values, along.rest)
        turn = moved(np.zeros((along.turn.shape[1], n)), along.turn)
        group, part = self._models[m].group, self._models[m].layout["a"]
        rows[d:] += group.move(np.tile(values[d:], copies), turn, "exp") - np.tile(values[d:], copies)
        if part.stop > part.start:
            a = np.tile(values[part], copies)
            rows[part] += self._models[m].act(group.retract_entries(-turn, "exp"), a) - a
        there = enter(Place(places, rows[:d], rows[d:], times, model, rest), number)
        weights = np.array([c for _, c in SIGNED])[:, None]
        states = there.state.reshape(-1, self._count, len(SIGNED), n)
        derivatives: np.ndarray = ((weights * states).sum(axis=2) / h).transpose(1, 0, 2)
        flags = ((there.rebounds, outcome.rebounds), (there.slides, outcome.slides))
        other = sum((a.reshape(copies, n) != b[left]).any(axis=0) for a, b in flags)
        return np.where(other > 0, np.nan, derivatives)

    def _relative(
        self, m: int, values: np.ndarray, slopes: np.ndarray, time: np.ndarray, which: np.ndarray
    ) -> np.ndarray:
        """How much each direction moves paths, relative to variables, the step and parameters: the largest ``(K, n)``."""
        mode, model = self._modes[m], self._models[m].of_some(which)
        sizes = [v.dimension for v in model.structure.shape.variables]
        ends = np.cumsum([*sizes, len(values) - sum(sizes)])
        largest = np.abs(time) / mode.spec.dt
        for first, last in zip([0, *ends[:-1]], ends, strict=True):
            if last > first:
                size = np.max(np.abs(values[first:last]), axis=0)
                largest = np.maximum(
                    largest, np.max(np.abs(slopes[:, first:last]), axis=1) / np.where(size > 0, size, 1.0)
                )
        for i, other in enumerate(self._modes):
            along, parameters = other.differentiated.tangents, self._models[i].of_some(which).parameters
            for k, index in enumerate([] if along is None else along.parameters):
                if index is not None:
                    size = np.abs(parameters[index])
                    largest[k] = np.maximum(largest[k], 1 / np.where(size > 0, size, 1.0))
        return largest


class _Along(NamedTuple):
    """Tangent vectors as turns and shifts s exp(ε η) of the configuration ``(K, dim, n)``, and the rest ``(K, d + r, n)``."""

    turn: np.ndarray
    rest: np.ndarray


def _along_group(model: NumericalSDE, y: np.ndarray, stored: np.ndarray, slopes: np.ndarray) -> _Along:
    """So that states which are moved by a finite step stay on the group and on its orbits: normals stay unit vectors."""
    tangents, d, part = model.tangents, len(y), model.layout["a"]
    assert tangents is not None
    flow = start_slopes.flow_frames(model.group, stored)
    generators = np.linalg.pinv(flow) @ slopes[:, d:].transpose(2, 1, 0)  # (n, dim, K)
    turn, rest = generators.transpose(2, 1, 0), slopes.copy()
    rest[:, d:] -= np.einsum("pri,kip->krp", flow, turn)
    if part.stop > part.start:
        lifted = Differentiable(model, tangents, len(stored), scalars=False)
        for row, generator in zip(rest, turn, strict=True):
            row[part] -= start_slopes.advected_slopes(lifted, y[part], generator)
    return _Along(turn, rest)


def _of_paths(slopes: np.ndarray, paths: range) -> np.ndarray:
    if slopes.shape[-1] == 1:
        return np.broadcast_to(slopes, (*slopes.shape[:-1], len(paths)))
    return slopes[..., paths.start : paths.stop]
