"""The update of an ensemble Kalman filter, in exponential coordinates about the mean configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, final

import numpy as np

from semidirect.core import arguments
from semidirect.inference.cloud import Cloud
from semidirect.inference.cloud_update import CloudUpdate
from semidirect.inference.coordinates import Coordinates
from semidirect.inference.sighting import Sighting
from semidirect.inference.streams import Streams
from semidirect.inference.update_report import UpdateReport
from semidirect.inference.weights import ancestors
from semidirect.stepper import Stepper

__all__ = ["EnsembleKalmanUpdate"]


LEAST_RATIO = 0.05
"""Of the variance of predicted values to that of errors, along the axes on which a quadratic function depends."""

LEAST_PARTICLES = 10
"""For each coefficient of a quadratic function; with fewer particles it depends on fewer axes."""

FURTHEST = 3.0
"""Standard deviations from the mean beyond which a quadratic function is not continued."""


@final
@dataclass(frozen=True)
class EnsembleKalmanUpdate(CloudUpdate):
    """Particles are moved as if state and data were jointly normal, in the coordinates (η, u): s = s̄ exp(η) with the mean
    configuration s̄, velocities u and internal states.

    The gain K = C_zh (C_hh + R)⁻¹ is that of the ensemble, and data are perturbed: z ← z + m(y) − m(h + ε) with m(d) = Kd.
    Configurations stay on the group, and advected quantities follow from them. It needs far fewer particles than weights do, is
    exact for many particles in the linear Gaussian limit, and approximate elsewhere: its intervals are not those of the posterior
    if that is not normal. Marks that some particles cannot see count as seen.

    With ``order=2`` the conditional mean m(d) of the state given data is a quadratic function, fitted to the particles by least
    squares: a conditional mean filter (Hoang, Krumscheid, Matthies and Tempone, Found. Data Sci. 5, 2023). It is more accurate
    where predictions are curved over the spread of the particles.

    Attributes
    ----------
    inflation : float
        Factor of the spread before each update; slightly above 1 it compensates for a small ensemble.
    order : int
        Order of m, 1 or 2. A quadratic function has more coefficients: take a thousand particles. With few of them it depends
        on few axes of the data.
    """

    inflation: float = 1.0
    order: int = 1

    name: ClassVar[str] = "ensemble-kalman"
    coordinates: ClassVar[Literal["none", "sums", "all"]] = "sums"

    def __post_init__(self) -> None:
        object.__setattr__(self, "inflation", arguments.validated_positive("inflation", self.inflation))
        object.__setattr__(self, "order", arguments.validated_whole("order", self.order, least=1, most=2))

    def assimilate(self, cloud: Cloud, before: Stepper | None, sighting: Sighting, values: Mapping[str, np.ndarray],
                   streams: Streams) -> UpdateReport:  # fmt: skip
        """Move all particles."""
        good = cloud.ensemble.status == 0
        if not good.any():
            raise cloud.impossible(sighting)
        if not good.all():
            cloud.select(ancestors(good / good.sum(), float(streams.generator(0).random())))
            values = sighting.values(cloud.ensemble)
        data, predicted, noise = sighting.data(), sighting.predicted(values), sighting.covariance()
        n = cloud.paths
        if not len(data):
            return UpdateReport(0.0, float(n))
        presence = sighting.log_presence(values)
        coordinates = Coordinates(cloud.ensemble)
        z, away = coordinates.z, predicted - predicted.mean(axis=0)
        spread = self.inflation * (z - z.mean(axis=0))
        z, away = z.mean(axis=0) + spread, self.inflation * away
        predicted = predicted.mean(axis=0) + away
        cross = np.einsum("pi,pj->ij", spread, away) / (n - 1)
        total = np.einsum("pi,pj->ij", away, away) / (n - 1) + noise
        errors = streams.generator(1).standard_normal(predicted.shape) @ np.linalg.cholesky(noise).T
        errors -= errors.mean(axis=0)
        gain, residual = np.linalg.solve(total, cross.T), data - predicted.mean(axis=0)
        new_z = z + (data + errors - predicted) @ gain
        rest = spread - (away + errors) @ gain
        products = _products(away, away + errors, residual, noise)
        bent = 0.0
        if self.order == 2:
            corrected, rest = _quadratic_part(rest, products)
            new_z += corrected
        else:
            bent = _explained(rest, products[:-1])
        bent = max(bent, _explained(rest**2, products[:-1]))
        cloud.ensemble.replace(**coordinates.state(new_z))
        square = residual @ np.linalg.solve(total, residual)
        log_likelihood = -0.5 * (square + np.linalg.slogdet(2 * np.pi * total)[1]) + presence
        return UpdateReport(float(log_likelihood), float(n), nonlinearity=bent)


def _products(away: np.ndarray, observed: np.ndarray, residual: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Products of pairs of what is seen, of all particles and of the data ``(paths + 1, k)``, less their means over particles.

    Parameters
    ----------
    away, seen, residual : arrays (paths, k), (paths, k), (k,)
        Predicted values, without and with errors, and data, all less the mean of the predicted values.
    noise : array (k, k)
        Covariance of the errors.
    """
    scale = np.linalg.cholesky(noise)
    _, sizes, axes = np.linalg.svd(np.linalg.solve(scale, away.T).T, full_matrices=False)
    ratios = sizes**2 / (len(away) - 1)  # of the variances of predicted values and errors
    count = int(np.count_nonzero(ratios > LEAST_RATIO))
    while count * (count + 1) // 2 > len(away) // LEAST_PARTICLES:
        count -= 1
    q = (
        np.linalg.solve(scale, np.concatenate([observed, residual[None]]).T).T
        @ axes[:count].T
        / np.sqrt(1 + ratios[:count])
    )
    q = np.clip(q, -FURTHEST, FURTHEST)  # a fitted function says nothing far from the particles
    i, j = np.triu_indices(count)
    products = q[:, i] * q[:, j]
    return np.asarray(products - products[:-1].mean(axis=0))


def _quadratic_part(rest: np.ndarray, products: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The quadratic part of m(y) − m(h + ε) ``(paths, d)``, and what it leaves of coordinates without linear part, ``rest``."""
    coefficients = np.linalg.lstsq(products[:-1], rest, rcond=None)[0]
    return (products[-1] - products[:-1]) @ coefficients, rest - products[:-1] @ coefficients


def _explained(values: np.ndarray, products: np.ndarray) -> float:
    """The largest share of the variance of a column that a function of the products explains, less what chance explains."""
    n, k = products.shape
    if not k or n <= k + 1:
        return 0.0
    values = values - values.mean(axis=0)
    left = values - products @ np.linalg.lstsq(products, values, rcond=None)[0]
    total, rest = np.sum(values**2, axis=0), np.sum(left**2, axis=0)
    moving = total > np.finfo(float).eps * np.max(total, initial=0.0)
    return float(np.max(1 - rest[moving] / total[moving] * (n - 1) / (n - k - 1), initial=0.0))
