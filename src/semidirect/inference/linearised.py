"""A path without noise, and the derivatives of what follows from its state by exponential coordinates of the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np

from semidirect.core import SIXTH_ORDER
from semidirect.inference.coordinates import Coordinates, moving_names
from semidirect.model import NumericalSDE, sensitivities
from semidirect.quantities import Quantities
from semidirect.specification import Formulation
from semidirect.stepper import Stepper

__all__ = ["LinearisedPath", "moving_rows", "state_of", "states_of"]

STEP = 2.0**-5
"""Of the differences by the increments of the noise, in units of √dt."""

Make = Callable[..., Stepper]
"""``make(state, t, paths, formulation)`` makes an ensemble."""


@final
class LinearisedPath:
    """One path without noise from a state on, with derivatives with respect to its coordinates (η, u) there, s = s̄ exp(η).

    Derivatives with respect to the state are those of the derived equations, ``Formulation(sensitivity="state")``. Those
    with respect to the noise are differences of order 6 of the steps themselves, so that both belong to the method that is used.

    Parameters
    ----------
    make : callable(state, t, paths, formulation) → Stepper
        Makes ensembles.
    at : Stepper
        An ensemble of one path in the state.
    """

    def __init__(self, make: Make, at: Stepper):
        self._make, self._at, self._state = make, at, state_of(at)
        sensitivity = Formulation(sensitivity=(sensitivities.STATE,))
        self._lifted = make(self._state, at.t, 1, sensitivity)
        self._moving = moving_rows(at)
        tangents = sensitivity.model(at.system).tangents
        assert tangents is not None
        self._order = [k for kind in (sensitivities.CONFIGURATION, "velocity", "internal")
                       for k, direction in enumerate(tangents.directions) if direction.kind == kind]  # fmt: skip

    def values(self, rows: Mapping[str, Sequence[Any]]) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Values ``(rows,)`` by name, and their derivatives ``(rows, d)``, at the present time."""
        slopes = {
            f"slopes of {k}": [sensitivities.Slope(row, d) for row in v for d in self._order] for k, v in rows.items()
        }
        results = self._lifted.values({**rows, **slopes})
        return ({k: results[k][0] for k in rows},
                {k: results[f"slopes of {k}"][0].reshape(len(rows[k]), len(self._order)) for k in rows})  # fmt: skip

    def advance(self, t: float) -> tuple[Stepper, np.ndarray, np.ndarray]:
        """Continue to a time [s].

        Returns
        -------
        Stepper, array (d, d), array (d, d)
            One path in the state there, the derivative of its coordinates by those at the start, both about the path, and the
            covariance that the noise gives them.
        """
        still = np.zeros_like(self._at.increments(t=t, between=True))
        end, derivative = self._moved(t, still)
        return end, derivative, self._covariance(t, end, still.shape[:2])

    def moved(self, t: float) -> tuple[Stepper, np.ndarray]:
        """As :meth:`advance`, without the covariance."""
        return self._moved(t, np.zeros_like(self._at.increments(t=t, between=True)))

    def _moved(self, t: float, still: np.ndarray) -> tuple[Stepper, np.ndarray]:
        increments = still if still.shape[1] else None
        self._lifted.advance(t=t, increments=increments, between=True)
        return self._at.copy().advance(t=t, increments=increments, between=True), self._derivative()

    def _derivative(self) -> np.ndarray:
        """Of the coordinates (η, u) at the end by those at the start."""
        group = self._at.system.group
        values, slopes = self.values(self._moving)
        stored = np.repeat(values["s"][:, None], group.dimension, axis=1)
        frame = group.flow_entries(stored, np.eye(group.dimension))
        return np.concatenate([np.linalg.lstsq(frame, slopes["s"])[0], slopes["u"]])

    def _covariance(self, t: float, end: Stepper, shape: tuple[int, ...]) -> np.ndarray:
        centre = Coordinates(end)
        steps, m = shape
        if not m:
            return np.zeros((centre.z.shape[1],) * 2)
        multiples = np.array([sign * k for k, _ in SIXTH_ORDER for sign in (1, -1)])
        factors = np.array([sign * c for _, c in SIXTH_ORDER for sign in (1, -1)]) / STEP
        size = steps * m
        increments = np.einsum("ij,k->ijk", np.eye(size), multiples) * STEP * np.sqrt(self._at.step_to(t))
        paths = self._make(self._state, self._at.t, size * len(multiples), None)
        paths.advance(t=t, increments=increments.reshape(steps, m, -1), between=True)
        z = Coordinates(paths, centre.mean).z.reshape(size, len(multiples), -1)
        root = np.einsum("k,ikd->di", factors, z)
        return root @ root.T


def state_of(ensemble: Stepper, part: slice = slice(None)) -> dict[str, Any]:
    """The state of the first of some paths by name, as a start."""
    coordinates = Coordinates(ensemble, part=part)
    advected = {k: v[part] for k, v in _advected(ensemble).items()}
    return {k: v[0] for k, v in {**coordinates.state(coordinates.z), **advected}.items()}


def states_of(ensemble: Stepper) -> dict[str, Any]:
    """The states of all paths by name, as a start of as many: each as :func:`state_of` gives it."""
    each = [state_of(ensemble, slice(b, b + 1)) for b in range(ensemble.paths)]
    return {k: np.array([one[k] for one in each]) for k in each[0]}


def _advected(ensemble: Stepper) -> dict[str, np.ndarray]:
    names = NumericalSDE.of(ensemble.system).definition.advected
    return ensemble.by_name(*names) if names else {}


def moving_rows(ensemble: Stepper) -> dict[str, Sequence[Any]]:
    """The rows of the coordinates of s, and of velocities and internal states."""
    system, names = ensemble.system, moving_names(ensemble.system)
    model = NumericalSDE.of(system)
    everything = Quantities.of(system, model, names).everything
    return {"s": model.coordinate_rows,
            "u": [row for name in names for row in everything[name]]}  # fmt: skip
