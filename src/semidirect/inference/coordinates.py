"""Coordinates of states about a configuration: exponential coordinates on the group, velocities and internal states."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from semidirect.core import errors
from semidirect.definition import SystemDefinition
from semidirect.expressions import component_names
from semidirect.inference.group_mean import centred, deviations
from semidirect.model import NumericalSDE
from semidirect.stepper import Stepper

__all__ = ["Coordinates", "moving_names"]


def moving_names(system: SystemDefinition) -> list[str]:
    """The names of velocities, or momenta where equations come from h, and internal states.

    Raises a :class:`MethodError` without coordinates of the velocities.
    """
    shape = NumericalSDE.of(system, variables="velocity").structure.shape
    if shape.form == "A":
        raise errors.MethodError("a Kalman filter needs coordinates of the velocities that satisfy the constraint",
                                 hint="This system is in A form: use update='particles'.")  # fmt: skip
    if system._states_arrays and not system._stated_by_arrays().linear:
        raise errors.MethodError(
            f"a Kalman filter adds states, and those of {type(system).__name__} have advected quantities, whose sums leave "
            "their orbits",
            hint="Use update='particles'.",
        )
    return [*shape.first] + [state.name for state in NumericalSDE.of(system).definition.internal_states]


@final
class Coordinates:
    """Coordinates (η, u) of the paths of an ensemble: s = s̄ exp(η), velocities and internal states u.

    Attributes
    ----------
    z : array (paths, d)
        The coordinates, η first.
    mean : array (N, N)
        The configuration s̄.

    Parameters
    ----------
    ensemble : Stepper
        The paths.
    about : array (N, N), optional
        The configuration s̄; default: the mean of the paths.
    part : slice
        Of which of the paths.
    """

    def __init__(self, ensemble: Stepper, about: np.ndarray | None = None, part: slice = slice(None)):
        system = ensemble.system
        self._group, self._names = system.group, moving_names(system)
        model = NumericalSDE.of(system)
        self._carried = model.coordinates
        self._stored = ensemble.values({"s": model.coordinate_rows})["s"].T[:, part]
        n = self._stored.shape[1]
        if about is None:
            self.mean, away = centred(self._group, self._stored, np.full(n, 1 / n))
        else:
            self.mean, away = about, deviations(self._group, about, self._stored)
        values = {k: v[part] for k, v in (ensemble.by_name(*self._names) if self._names else {}).items()}
        self._sizes = [values[name].shape[1:] for name in self._names]
        parts = [away.T, *(values[name].reshape(n, -1) for name in self._names)]
        self.z = np.concatenate(parts, axis=1)

    def state(self, z: np.ndarray) -> dict[str, Any]:
        """The values by name, one per path, with other coordinates; velocities, internal states and coordinates of s."""
        group, at = self._group, self._group.dimension
        g = np.moveaxis(self.mean @ group.exp(z[:, :at]), 0, -1)
        changes: dict[str, Any] = {}
        for name, size in zip(self._names, self._sizes, strict=True):
            width = int(np.prod(size, dtype=int))
            changes[name] = z[:, at : at + width].reshape(len(z), *size)
            at += width
        if not self._carried:
            return changes
        stored = np.array(group.store(g))
        for name in group.circles:  # the angle nearest to that before
            i = group.stored_names.index(name)
            stored[i] = self._stored[i] + np.angle(np.exp(1j * (stored[i] - self._stored[i])))
        for stem, where in component_names.grouped(group.stored_names).items():
            changes[stem] = stored[where[0]] if len(where) == 1 else stored[where].T
        return changes
