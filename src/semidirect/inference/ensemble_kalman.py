"""The update of an ensemble Kalman filter, in exponential coordinates about the mean configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from semidirect.core.arguments import validated_positive
from semidirect.ensemble.stepper import Stepper
from semidirect.inference.cloud import Cloud
from semidirect.inference.coordinates import Coordinates
from semidirect.inference.sighting import Sighting
from semidirect.inference.update import Report, Streams, Update
from semidirect.inference.weights import ancestors

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
        coordinates = Coordinates(cloud.ensemble)
        z, away = coordinates.z, values - values.mean(axis=0)
        spread = self.inflation * (z - z.mean(axis=0))
        z, away = z.mean(axis=0) + spread, self.inflation * away
        values = values.mean(axis=0) + away
        cross = np.einsum("pi,pj->ij", spread, away) / (n - 1)
        total = np.einsum("pi,pj->ij", away, away) / (n - 1) + noise
        errors = streams.generator(1).standard_normal(values.shape) @ np.linalg.cholesky(noise).T
        errors -= errors.mean(axis=0)
        gain = np.linalg.solve(total, cross.T)
        cloud.ensemble.replace(**coordinates.state(z + (data + errors - values) @ gain))
        residual = data - values.mean(axis=0)
        square = residual @ np.linalg.solve(total, residual)
        log_likelihood = -0.5 * (square + np.linalg.slogdet(2 * np.pi * total)[1])
        return Report(float(log_likelihood), float(n))
