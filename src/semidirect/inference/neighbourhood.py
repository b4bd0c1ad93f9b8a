"""States near a mean state in exponential coordinates: the derivatives of an extended Kalman filter are differences of them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.linalg import expm

from semidirect.core import SIXTH_ORDER
from semidirect.inference.coordinates import moving_names
from semidirect.inference.group_mean import centred, deviations
from semidirect.inference.linearised import Make, moving_rows, state_of
from semidirect.model import numerical_sde
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
    """One state.

    Attributes
    ----------
    g : array (N, N)
        The configuration.
    stored : array (r,)
        Its stored coordinates, angles with their turns.
    u : array (k,)
        Velocities and internal states.
    a : array
        Advected quantities.
    """

    g: np.ndarray
    stored: np.ndarray
    u: np.ndarray
    a: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class _Shift:
    """Displacements from any mean state.

    Attributes
    ----------
    turned : array (n, N, N)
        exp(η).
    back : array (N, N, n), or None
        exp(−η), if something is advected.
    v : array (k, n)
        Differences of velocities and internal states.
    """

    turned: np.ndarray
    back: np.ndarray | None
    v: np.ndarray


@final
class Neighbourhood:
    """States s̄ exp(η), ū + v of a system near a mean state (s̄, ū).

    Parameters
    ----------
    make : callable(state, t, paths, formulation) → Stepper
        Makes ensembles.
    at : Stepper
        An ensemble whose first path is the mean state.

    Attributes
    ----------
    at : Stepper
        One path in the mean state.
    mean : MeanState
    size : int
        The number d of coordinates z = (η, v).
    advected : slice
        Where advected quantities are in state vectors.
    """

    def __init__(self, make: Make, at: Stepper):
        self._make, self._state, self._t = make, state_of(at), at.t
        self._templates: dict[int, Stepper] = {}
        self.at = self._template(1)
        system = self.at.system
        self._group, self._model = system.group, self.at.model
        self._rows, self._names = moving_rows(self.at), moving_names(system)
        velocity = numerical_sde(system, variables="velocity")
        self._velocity, self._form = velocity, self._model.structure.shape.form
        self._velocities = len(velocity.structure.shape.velocities and [
            row for name in velocity.structure.shape.velocities
            for row in Quantities.of(system, self._model, [name]).everything[name]
        ])  # fmt: skip
        self.advected = self._model.layout["a"]
        self._circles = [self._group.stored_names.index(name) for name in self._group.circles]
        self._near: Stepper | None = None
        self._axes: _Shift | None = None
        self.mean = self._mean_of(self.at)
        self.size = self._group.dimension + len(self.mean.u)

    def _template(self, paths: int) -> Stepper:
        if paths not in self._templates:
            self._templates[paths] = self._make(self._state, self._t, paths, None)
        return self._templates[paths]

    def _mean_of(self, at: Stepper) -> MeanState:
        found = at.values(self._rows)
        stored = found["s"].T[:, :1]
        g, _ = centred(self._group, stored, np.ones(1))
        return MeanState(g, stored[:, 0], found["u"][0], at.state_and_stored()[0][self.advected, 0])

    def _states(self, shift: _Shift) -> tuple[np.ndarray, np.ndarray]:
        """State vectors ``(D, n)`` and stored coordinates ``(r, n)`` of states at shifts from the mean."""
        group, mean, count = self._group, self.mean, len(shift.turned)
        stored = np.array(group.store(np.moveaxis(mean.g @ shift.turned, 0, -1)), dtype=float).reshape(-1, count)
        for i in self._circles:  # the angle nearest to that of the mean
            away = stored[i] - mean.stored[i]
            stored[i] = mean.stored[i] + (away - 2 * np.pi * np.round(away / (2 * np.pi)))
        u = mean.u[:, None] + shift.v
        a = np.broadcast_to(mean.a[:, None], (len(mean.a), count))
        if shift.back is not None:
            a = np.asarray(self._model.act(shift.back, a), dtype=float)
        return self._vectors(u, a, stored), stored

    def _shift(self, z: np.ndarray) -> _Shift:
        eta, v = z[:, : self._group.dimension], np.ascontiguousarray(z[:, self._group.dimension :].T)
        turned = expm(self._group.hat(eta))  # of one element a tenth of the time of group.exp
        back = np.moveaxis(expm(self._group.hat(-eta)), 0, -1) if len(self.mean.a) else None
        return _Shift(turned, back, v)

    def _vectors(self, u: np.ndarray, a: np.ndarray, stored: np.ndarray) -> np.ndarray:
        """State vectors of velocities and internal states u, and advected quantities."""
        count, t = self._velocities, self.at.time
        first, internal = u[:count], u[count:]
        if self._form == "P":
            first = np.asarray(self._model.momentum(first, a, internal, t), dtype=float)
        elif self._form != self._velocity.structure.shape.form:
            xi = {"xi": self._velocity.sde.program.outputs["xi"]}
            first = self._velocity.read(np.concatenate([first, a, internal]), stored, t, xi)["xi"]
        first = np.broadcast_to(first, (len(first), u.shape[1]))
        return np.concatenate([first, a, internal])

    def move(self, z: np.ndarray) -> None:
        """Change the mean state to the one with coordinates z ``(d,)``."""
        shift = self._shift(z[None])
        y, stored = self._states(shift)
        mean = MeanState(self.mean.g @ shift.turned[0], stored[:, 0], self.mean.u + shift.v[:, 0], y[self.advected, 0])
        self._begin(self._template(1).placed(y, stored, self.at), mean)

    def _nearby(self) -> Stepper:
        """The mean state, and those from it at both sides along each coordinate."""
        if self._near is None:
            if self._axes is None:
                z = np.zeros((1 + len(PAIRS) * self.size, self.size))
                for i in range(self.size):
                    z[1 + len(PAIRS) * i : 1 + len(PAIRS) * (i + 1), i] = SHIFTS
                self._axes = self._shift(z)
            self._near = self._template(1 + len(PAIRS) * self.size).placed(*self._states(self._axes), self.at)
        return self._near

    def advance(self, t: float) -> tuple[bool, np.ndarray, np.ndarray]:
        """Continue to a time [s], without noise.

        Returns
        -------
        bool, array (d, d), array (d, k)
            Whether the mean path is good; the derivative of its coordinates by those before, and by the standard normal numbers
            of the noise, both about the mean path.
        """
        steps, dt = self.at.steps_to(t)
        m, d = self.at.noises(), self.size
        noises = steps * m
        count = 1 + len(PAIRS) * (d + noises)
        increments = np.zeros((noises, count))
        for i in range(noises):
            at = 1 + len(PAIRS) * (d + i)
            increments[i, at : at + len(PAIRS)] = SHIFTS * np.sqrt(dt)
        y, s = [np.concatenate([near, np.repeat(near[:, :1], len(PAIRS) * noises, axis=1)], axis=1)
                 for near in self._nearby().state_and_stored()]  # fmt: skip
        paths = self._template(count).placed(y, s, self.at)
        paths.advance(t=t, increments=increments.reshape(steps, m, count) if m else None, between=True)
        found = paths.values(self._rows)
        stored = found["s"].T
        good = not paths.status[0]
        mean = MeanState(centred(self._group, stored[:, :1], np.ones(1))[0], stored[:, 0], found["u"][0],
                         paths.state_and_stored()[0][self.advected, 0])  # fmt: skip
        end = np.concatenate([deviations(self._group, mean.g, stored), found["u"].T - mean.u[:, None]])
        slopes = end[:, 1:].reshape(d, d + noises, len(PAIRS)) @ WEIGHTS
        y, s = paths.state_and_stored()
        self._begin(self._template(1).placed(y[:, :1], s[:, :1], paths), mean)
        return good, slopes[:, :d], slopes[:, d:]

    def place(self, mean: MeanState, at: Stepper) -> None:
        """Take another mean state, at the time of an ensemble."""
        self.at = at
        y = self._vectors(mean.u[:, None], mean.a[:, None], mean.stored[:, None])
        self._begin(self._template(1).placed(y, mean.stored[:, None], at), mean)

    def copy(self) -> Neighbourhood:
        """A copy, which moves alone."""
        return copy.copy(self)

    def _begin(self, at: Stepper, mean: MeanState) -> None:
        self.at, self._near, self.mean = at, None, mean

    def values(self, rows: Mapping[str, Sequence[Any]]) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Values ``(rows,)`` by name, and their derivatives ``(rows, d)``, at the present time."""
        found = self._nearby().values(rows)
        slopes = {k: (v[1:] - v[0]).T.reshape(-1, self.size, len(PAIRS)) @ WEIGHTS for k, v in found.items()}
        return {k: np.array(v[0]) for k, v in found.items()}, slopes

    def coordinates_of(self, other: MeanState) -> np.ndarray:
        """The coordinates ``(d,)`` of another state about the mean."""
        eta = deviations(self._group, self.mean.g, other.stored[:, None])[:, 0]
        return np.concatenate([eta, other.u - self.mean.u])
