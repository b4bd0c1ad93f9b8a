"""States near mean states in exponential coordinates: the derivatives of an extended Kalman filter are differences of them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.linalg import expm

from semidirect.core import SIXTH_ORDER
from semidirect.inference.coordinates import moving_names
from semidirect.inference.group_mean import deviations_of_each, elements
from semidirect.inference.linearised import Make, moving_rows, states_of
from semidirect.model import NumericalSDE
from semidirect.quantities import Quantities
from semidirect.stepper import Stepper

__all__ = ["MeanState", "Neighbourhood"]

STEP = 2.0**-5
"""Of differences by coordinates, and by increments of the noise in units of √dt."""

PAIRS = [(sign * k, sign * c) for k, c in SIXTH_ORDER for sign in (1, -1)]
"""Where a function is evaluated for a derivative of order 6, in steps, and the weights of its values."""

SHIFTS, WEIGHTS = np.array([k for k, _ in PAIRS]) * STEP, np.array([c for _, c in PAIRS]) / STEP


@final
@dataclass(frozen=True, eq=False)
class MeanState:
    """One state of each of B filters.

    Attributes
    ----------
    g : array (B, N, N)
        The configurations.
    stored : array (r, B)
        Their stored coordinates, angles with their turns.
    u : array (k, B)
        Velocities and internal states.
    a : array (…, B)
        Advected quantities.
    """

    g: np.ndarray
    stored: np.ndarray
    u: np.ndarray
    a: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class _Shift:
    """n displacements from each mean state, or from any, if B is 1.

    Attributes
    ----------
    turned : array (B, n, N, N)
        exp(η).
    back : array (N, N, B, n), or None
        exp(−η), if something is advected.
    v : array (k, B, n)
        Differences of velocities and internal states.
    """

    turned: np.ndarray
    back: np.ndarray | None
    v: np.ndarray


@final
class Neighbourhood:
    """States s̄ exp(η), ū + v of a system near mean states (s̄, ū), one of each of B filters; most have B = 1.

    States of one filter are neighbours among paths.

    Parameters
    ----------
    make : callable(state, t, paths, formulation) → Stepper
        Makes ensembles; the parameters of B filters are repeated, as often for each.
    at : Stepper
        An ensemble of B paths in the mean states.

    Attributes
    ----------
    at : Stepper
        One path in each mean state.
    mean : MeanState
    members, size : int
        B, and the number d of coordinates z = (η, v).
    advected : slice
        Where advected quantities are in state vectors.
    """

    def __init__(self, make: Make, at: Stepper):
        self.at, self.members = make(states_of(at), at.t, at.paths, None), at.paths
        self._templates = {1: self.at}
        self._velocity_models: dict[int, NumericalSDE] = {}
        system = self.at.system
        self._group, model = system.group, self.at.model
        self._rows, self._names = moving_rows(self.at), moving_names(system)
        velocity = NumericalSDE.of(system, variables="velocity")
        self._form, self._form_of_velocities = model.structure.shape.form, velocity.structure.shape.form
        self._velocities = len(velocity.structure.shape.first and [
            row for name in velocity.structure.shape.first
            for row in Quantities.of(system, model, [name]).everything[name]
        ])  # fmt: skip
        self.advected = model.layout["a"]
        self._circles = [self._group.stored_names.index(name) for name in self._group.circles]
        self._near: Stepper | None = None
        self._axes: _Shift | None = None
        self.mean = self._mean_of(self.at.values(self._rows), self.at, 1)
        self.size = self._group.dimension + len(self.mean.u)

    def _template(self, count: int) -> Stepper:
        """An ensemble of so many paths of each filter."""
        if count not in self._templates:
            self._templates[count] = self._templates[1].repeated(count)
        return self._templates[count]

    def _velocity_model(self, count: int) -> NumericalSDE:
        """The equations in velocities of so many paths of each filter."""
        if count not in self._velocity_models:
            self._velocity_models[count] = NumericalSDE.of(self._template(count).system, variables="velocity")
        return self._velocity_models[count]

    def _mean_of(self, values: Mapping[str, np.ndarray], paths: Stepper, count: int) -> MeanState:
        """The first of so many states of each filter."""
        stored = values["s"].T[:, ::count]
        g, a = elements(self._group, stored), paths.state_and_stored()[0][self.advected, ::count]
        return MeanState(g, stored, values["u"].T[:, ::count], a)

    def _states(self, shift: _Shift) -> tuple[np.ndarray, np.ndarray]:
        """State vectors ``(D, B·n)`` and stored coordinates ``(r, B·n)`` of states at shifts from the means."""
        group, mean, count = self._group, self.mean, shift.turned.shape[1]
        moved = (mean.g[:, None] @ shift.turned).reshape(-1, group.size, group.size)
        stored, total = np.array(group.store(np.moveaxis(moved, 0, -1)), dtype=float), self.members * count
        for i in self._circles:  # the angle nearest to that of the mean
            middle = np.repeat(mean.stored[i], count)
            away = stored[i] - middle
            stored[i] = middle + (away - 2 * np.pi * np.round(away / (2 * np.pi)))
        u = (mean.u[:, :, None] + shift.v).reshape(len(mean.u), total)
        a = np.broadcast_to(mean.a[:, :, None], (*mean.a.shape, count)).reshape(len(mean.a), total)
        if shift.back is not None:
            back = np.broadcast_to(shift.back, (*shift.back.shape[:2], self.members, count))
            a = np.asarray(self._template(count).model.act(back.reshape(*back.shape[:2], total), a), dtype=float)
        return self._vectors(u, a, stored, count), stored

    def _shift(self, z: np.ndarray) -> _Shift:
        """By coordinates ``(B, n, d)``."""
        eta, v = (
            z[..., : self._group.dimension],
            np.ascontiguousarray(np.moveaxis(z[..., self._group.dimension :], 2, 0)),
        )
        factors = expm(self._group.hat(eta))  # of one element a tenth of the time of group.exp
        back = np.moveaxis(expm(self._group.hat(-eta)), (0, 1), (2, 3)) if len(self.mean.a) else None
        return _Shift(factors, back, v)

    def _vectors(self, u: np.ndarray, a: np.ndarray, stored: np.ndarray, count: int) -> np.ndarray:
        """State vectors of velocities and internal states u, and advected quantities, of so many states of each filter."""
        first, internal, t = u[: self._velocities], u[self._velocities :], self.at.time
        if self._form == "P":
            first = np.asarray(self._template(count).model.momentum(first, a, internal, t), dtype=float)
        elif self._form != self._form_of_velocities:
            velocity = self._velocity_model(count)
            xi = {"xi": velocity.sde.program.outputs["xi"]}
            first = velocity.read(np.concatenate([first, a, internal]), stored, t, xi)["xi"]
        first = np.broadcast_to(first, (len(first), u.shape[1]))
        return np.concatenate([first, a, internal])

    def move(self, z: np.ndarray) -> None:
        """Change the mean states to those with coordinates z ``(B, d)``."""
        shift = self._shift(z[:, None])
        y, stored = self._states(shift)
        mean = MeanState(self.mean.g @ shift.turned[:, 0], stored, self.mean.u + shift.v[:, :, 0], y[self.advected])
        self._begin(self._template(1).placed(y, stored, self.at), mean)

    def _nearby(self) -> Stepper:
        """The mean states, and those from them at both sides along each coordinate."""
        if self._near is None:
            count = 1 + len(PAIRS) * self.size
            if self._axes is None:
                z = np.zeros((1, count, self.size))
                for i in range(self.size):
                    z[0, 1 + len(PAIRS) * i : 1 + len(PAIRS) * (i + 1), i] = SHIFTS
                self._axes = self._shift(z)
            self._near = self._template(count).placed(*self._states(self._axes), self.at)
        return self._near

    def advance(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Continue to a time [s], without noise.

        Returns
        -------
        bool array (B,), array (B, d, d), array (B, d, k)
            Whether mean paths are good; the derivatives of their coordinates by those before, and by the standard normal
            numbers of the noise, both about the mean paths.
        """
        steps, dt = self.at.steps_to(t)
        m, d = self.at.noises(), self.size
        noises = steps * m
        count = 1 + len(PAIRS) * (d + noises)
        increments = np.zeros((noises, self.members, count))
        for i in range(noises):
            at = 1 + len(PAIRS) * (d + i)
            increments[i, :, at : at + len(PAIRS)] = SHIFTS * np.sqrt(dt)
        y, s = (self._with_copies(near, len(PAIRS) * noises) for near in self._nearby().state_and_stored())
        paths = self._template(count).placed(y, s, self.at)
        paths.advance(t=t, increments=increments.reshape(steps, m, self.members * count) if m else None, between=True)
        values = paths.values(self._rows)
        if not all(np.isfinite(rows[::count]).all() for rows in values.values()):
            unknown = np.full((self.members, d, d + noises), np.nan)
            return np.zeros(self.members, dtype=bool), unknown[:, :, :d], unknown[:, :, d:]
        mean = self._mean_of(values, paths, count)
        eta = deviations_of_each(self._group, mean.g, self._by_filter(values["s"].T))
        v = self._by_filter(values["u"].T) - mean.u[:, :, None]
        end = np.moveaxis(np.concatenate([eta, v]), 1, 0)[:, :, 1:]
        slopes = end.reshape(self.members, d, d + noises, len(PAIRS)) @ WEIGHTS
        y, s = (np.ascontiguousarray(states[:, ::count]) for states in paths.state_and_stored())
        good = ~paths.status[::count].astype(bool)
        self._begin(self._template(1).placed(y, s, paths), mean)
        return good, slopes[:, :, :d], slopes[:, :, d:]

    def _with_copies(self, states: np.ndarray, copies: int) -> np.ndarray:
        """States ``(…, B·n)`` and so many copies of the first one of each filter."""
        states = self._by_filter(states)
        whole = np.concatenate([states, np.repeat(states[:, :, :1], copies, axis=2)], axis=2)
        return whole.reshape(len(whole), self.members * whole.shape[2])

    def _by_filter(self, rows: np.ndarray) -> np.ndarray:
        """Rows ``(…, B·n)`` as ``(…, B, n)``."""
        return rows.reshape(len(rows), self.members, rows.shape[1] // self.members)

    def place(self, mean: MeanState, at: Stepper) -> None:
        """Take other mean states, at the time of an ensemble."""
        self.at = at
        y = self._vectors(mean.u, mean.a, mean.stored, 1)
        self._begin(self._template(1).placed(y, mean.stored, at), mean)

    def copy(self) -> Neighbourhood:
        """A copy, which moves alone."""
        return copy.copy(self)

    def _begin(self, at: Stepper, mean: MeanState) -> None:
        self.at, self._near, self.mean = at, None, mean

    def values(self, rows: Mapping[str, Sequence[Any]]) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Values ``(B, rows)`` by name, and their derivatives ``(B, rows, d)``, at the present time."""
        values = {k: self._by_filter(v.T) for k, v in self._nearby().values(rows).items()}
        shape = self.size, len(PAIRS)
        slopes = {k: np.moveaxis(v[:, :, 1:] - v[:, :, :1], 1, 0).reshape(self.members, len(v), *shape) @ WEIGHTS
                  for k, v in values.items()}  # fmt: skip
        return {k: np.array(v[:, :, 0].T) for k, v in values.items()}, slopes
