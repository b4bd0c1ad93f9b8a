"""The update of an ensemble Kalman filter, in exponential coordinates about the mean configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core.arguments import validated_positive
from semidirect.core.component_names import grouped
from semidirect.core.errors import MethodError
from semidirect.ensemble.stepper import Stepper
from semidirect.inference.cloud import Cloud
from semidirect.inference.group_mean import deviations, mean_element
from semidirect.inference.sighting import Sighting
from semidirect.inference.update import Report, Streams, Update
from semidirect.inference.weights import ancestors
from semidirect.model.derived_equations import Row
from semidirect.model.numerical_sde import numerical_sde

__all__ = ["EnsembleKalmanUpdate"]


@final
@dataclass(frozen=True)
class EnsembleKalmanUpdate(Update):
    """Particles are moved as if state and data were jointly normal, in the coordinates (η, u): s = s̄ exp(η) with the mean
    configuration s̄, velocities u and internal states.

    The gain K = C_zh (C_hh + R)⁻¹ is that of the ensemble, and data are perturbed: z ← z + K(y + ε − h). Configurations stay on
    the group, and advected quantities follow from them. It needs far fewer particles than weights do, is exact for many particles
    in the linear Gaussian limit, and approximate elsewhere: its intervals are not those of the posterior if that is not normal.
    Marks that some particles cannot see count as seen.

    Attributes
    ----------
    inflation : float
        Factor of the spread before each update; slightly above 1 it compensates for a small ensemble.
    """

    inflation: float = 1.0

    name: ClassVar[str] = "ensemble-kalman"

    def __post_init__(self) -> None:
        object.__setattr__(self, "inflation", validated_positive("inflation", self.inflation))

    def assimilate(self, cloud: Cloud, before: Stepper | None, sighting: Sighting, found: Mapping[str, np.ndarray],
                   streams: Streams) -> Report:  # fmt: skip
        """Move all particles."""
        good = cloud.ensemble.status == 0
        if not good.any():
            raise cloud.impossible(sighting)
        if not good.all():
            cloud.select(ancestors(good / good.sum(), float(streams.generator(0).random())))
            found = sighting.values(cloud.ensemble)
        data, values, noise = sighting.data(), sighting.predicted(found), sighting.covariance()
        n = cloud.paths
        if not len(data):
            return Report(0.0, float(n))
        coordinates = _Coordinates(cloud.ensemble)
        z, away = coordinates.z, values - values.mean(axis=0)
        spread = self.inflation * (z - z.mean(axis=0))
        z, away = z.mean(axis=0) + spread, self.inflation * away
        values = values.mean(axis=0) + away
        cross = np.einsum("pi,pj->ij", spread, away) / (n - 1)
        total = np.einsum("pi,pj->ij", away, away) / (n - 1) + noise
        errors = streams.generator(1).standard_normal(values.shape) @ np.linalg.cholesky(noise).T
        errors -= errors.mean(axis=0)
        gain = np.linalg.solve(total, cross.T)
        coordinates.move(z + (data + errors - values) @ gain)
        residual = data - values.mean(axis=0)
        square = residual @ np.linalg.solve(total, residual)
        log_likelihood = -0.5 * (square + np.linalg.slogdet(2 * np.pi * total)[1])
        return Report(float(log_likelihood), float(n))


@final
class _Coordinates:
    """Coordinates (η, u) of the particles of an ensemble."""

    def __init__(self, ensemble: Stepper):
        system = ensemble.system
        model, shape = numerical_sde(system), numerical_sde(system, variables="velocity").structure.shape
        if shape.form == "A":
            raise MethodError("an ensemble Kalman filter needs coordinates of the velocities that satisfy the constraint",
                              hint="This system is in A form: use update='particles'.")  # fmt: skip
        self._ensemble, self._group = ensemble, system.group
        self._names = [v.name for v in shape.variables if v.kind == "velocity"]
        self._names += [state.name for state in model.definition.internal_states]
        self._stored = ensemble.values({"s": [Row("coordinate", name, 0) for name in model.coordinates]})["s"].T
        g = self._group.element(np.ascontiguousarray(self._stored))
        n = ensemble.paths
        self._mean = mean_element(self._group, g, np.full(n, 1 / n))
        read = ensemble.read(*self._names)
        self._sizes = [read[name].shape[1:] for name in self._names]
        parts = [deviations(self._group, self._mean, g), *(read[name].reshape(n, -1) for name in self._names)]
        self.z = np.concatenate(parts, axis=1)

    def move(self, z: np.ndarray) -> None:
        """Give the particles other coordinates."""
        group, at = self._group, self._group.dimension
        g = np.moveaxis(self._mean @ group.exp(z[:, :at]), 0, -1)
        changes: dict[str, Any] = {}
        for name, size in zip(self._names, self._sizes, strict=True):
            width = int(np.prod(size, dtype=int))
            changes[name] = z[:, at : at + width].reshape(len(z), *size)
            at += width
        stored = np.array(group.store(g))
        for name in group.circles:  # the angle nearest to that before
            i = group.stored_names.index(name)
            stored[i] = self._stored[i] + np.angle(np.exp(1j * (stored[i] - self._stored[i])))
        for stem, where in grouped(group.stored_names).items():
            changes[stem] = stored[where[0]] if len(where) == 1 else stored[where].T
        self._ensemble.replace(**changes)
