"""The extended Kalman filter on a group: a mean path, and the covariance of exponential coordinates about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, final

import numpy as np
from scipy.special import ndtri

from semidirect.core import arguments, display, errors, frozen
from semidirect.inference.coordinates import Coordinates, moving_names
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.filtered import Filtered
from semidirect.inference.filtered_data import filtered_data
from semidirect.inference.invariance import invariance_of
from semidirect.inference.linearised import Make, state_of
from semidirect.inference.neighbourhood import Neighbourhood
from semidirect.inference.sighting import Sighting
from semidirect.inference.summary import ELEMENT
from semidirect.inference.update import Update
from semidirect.inference.update_report import UpdateReport
from semidirect.stepper import Stepper

__all__ = ["ExtendedKalman", "KalmanPath"]

CONFIGURATION = "configuration"

OF_PARTICLES = ["effective_size", "nonlinearity", "stages", "acceptance", "ancestors"]


@final
@dataclass(frozen=True, eq=False, repr=False)
class ExtendedKalman(display.Brief, frozen.Rebuilt, Update):
    """One mean path without noise, and the covariance of the coordinates (η, u) about it: s = s̄ exp(η), velocities and internal
    states u.

    Covariances are advanced by the derivatives of the steps by the state and by the noise, differences of order 6. Data change
    the mean by s̄ exp(K_η r), ū + K_u r with the gain K and the innovation r, data less predicted values. It is exact for linear
    systems with normal noise, needs no particles, and is as good as the linearisation elsewhere. Marks that the mean path cannot
    see count as seen. Whether its Jacobians depend on the estimate is computed, see :class:`~semidirect.inference.Invariance`.

    Attributes
    ----------
    spread : dict name → number or array, optional
        Standard deviations of the start by name of velocities and internal states, and ``"configuration"``, of η. Without it
        mean and covariance are those of the particles that ``state=`` draws.
    """

    spread: Mapping[str, Any] = field(default_factory=dict)

    name: ClassVar[str] = "extended-kalman"
    random: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not isinstance(self.spread, Mapping):
            raise errors.InputError("spread", expected="a dict name → standard deviations", got=repr(self.spread))
        found = {str(k): arguments.validated_array(f"the spread of {k}", v) for k, v in self.spread.items()}
        for name, value in found.items():
            if value.ndim > 1 or not (np.isfinite(value) & (value >= 0)).all():
                raise errors.InputError(
                    f"the spread of {name}", expected="numbers that are not negative", got=str(value)
                )
            value.setflags(write=False)
        object.__setattr__(self, "spread", frozen.FrozenMapping(found))

    def filtered(self, task: FilterTask) -> Filtered:
        """Advance the mean path and use the data, one time after the other."""
        make = task.make
        state, covariance = self.start(task.ensemble)
        path, now = KalmanPath(make, state, task.ensemble.t, covariance), task.ensemble.t
        rows, reports, surprises = [], [], []
        for sighting in task.sightings:
            if sighting.t > now:
                path.advance(sighting.t)
            now = sighting.t
            report, surprise = path.assimilate(sighting)
            reports.append(report)
            surprises.append(surprise)
            rows.append(path.summary(task.quantities, task.levels))
        times = np.array([one.t for one in task.sightings])
        arrays = {k: np.stack([row[k] for row in rows]) for k in rows[0]}
        data = filtered_data(times, arrays, reports, surprises, [0] * len(times), task.levels, ())
        return Filtered(
            data.drop_vars(OF_PARTICLES), (), 0.0, partial(invariance_of, make, path.at, task.sights, task.dt)
        )

    def start(self, ensemble: Stepper) -> tuple[dict[str, Any], np.ndarray]:
        """The mean state and the covariance of drawn paths, and of the spread."""
        system = ensemble.system
        if system.paths is not None:
            raise errors.MethodError("an extended Kalman filter of parameters that differ from path to path",
                                     hint="Use update='particles'.")  # fmt: skip
        if (ensemble.status != 0).any():
            raise errors.InputError("the start", expected="one from which paths can be integrated", got="a failed path")
        coordinates = Coordinates(ensemble)
        z = coordinates.z
        mean = np.broadcast_to(z.mean(axis=0), z.shape)
        covariance = np.einsum("pi,pj->ij", z - mean, z - mean) / max(len(z) - 1, 1)
        names = [CONFIGURATION, *moving_names(system)]
        read = ensemble.by_name(*names[1:]) if names[1:] else {}
        sizes = {CONFIGURATION: system.group.dimension} | {
            k: int(np.prod(v.shape[1:], dtype=int)) for k, v in read.items()
        }
        for name in self.spread:
            if name not in sizes:
                raise errors.UnknownNameError("name of a spread", name, sizes)
        parts = []
        for name, size in sizes.items():
            given = np.asarray(self.spread.get(name, 0.0))
            if given.shape not in ((), (size,)):
                raise errors.InputError(
                    f"the spread of {name}", expected=f"one number, or ({size},)", got=f"shape {given.shape}"
                )
            parts.append(np.broadcast_to(given, size) ** 2)
        moved = ensemble.copy().replace(**coordinates.state(mean))
        return state_of(moved), covariance + np.diag(np.concatenate(parts))


@final
class KalmanPath:
    """The mean path of an extended Kalman filter and its covariance.

    Parameters
    ----------
    make : callable(state, t, paths, formulation) → Stepper
        Makes ensembles.
    state : dict
        The mean state at the start.
    t : float
        Its time [s].
    covariance : array (d, d)
        Of the coordinates about it.

    """

    def __init__(self, make: Make, state: Mapping[str, Any], t: float, covariance: np.ndarray):
        self.covariance = covariance
        self._near = Neighbourhood(make, make(state, t, 1, None))

    def advance(self, t: float) -> None:
        """Continue to a time [s]; raises an :class:`InputError` if the mean path fails."""
        good, derivative, noise = self._near.advance(t)
        if not (good and np.isfinite(derivative).all() and np.isfinite(noise).all()):
            raise errors.InputError("the mean path of an extended Kalman filter failed", where=f"t = {t:g} s",
                                    hint="Use a smaller dt, or update='particles'.")  # fmt: skip
        self.covariance = derivative @ self.covariance @ derivative.T + noise @ noise.T

    def assimilate(self, sighting: Sighting) -> tuple[UpdateReport, float]:
        """Use data; returns the report, and the largest innovation in its standard deviations."""
        data, noise = sighting.data(), sighting.covariance()
        if not len(data):
            return UpdateReport(0.0, np.nan), np.nan
        presence = sighting.log_presence(sighting.values(self.at))
        values, slopes = self._near.values({str(i): sight.values for i, (sight, _) in enumerate(sighting.seen)})
        parts = [sight.linear(of, values[str(i)], slopes[str(i)]) for i, (sight, of) in enumerate(sighting.seen)]
        predicted, matrix = (np.concatenate([*of]) for of in zip(*parts, strict=True))
        innovation = data - predicted
        cross = self.covariance @ matrix.T
        total = matrix @ cross + noise
        gain = np.linalg.solve(total, cross.T).T
        kept = np.eye(len(gain)) - gain @ matrix
        self.covariance = kept @ self.covariance @ kept.T + gain @ noise @ gain.T
        square = innovation @ np.linalg.solve(total, innovation)
        log_likelihood = -0.5 * (square + np.linalg.slogdet(2 * np.pi * total)[1]) + presence
        if not np.isfinite(log_likelihood):
            raise errors.InputError(
                f"data at t = {sighting.t:g} s cannot be predicted",
                expected="finite values of the mean path",
                got=str(predicted),
            )
        self._near.move(gain @ innovation)
        return UpdateReport(float(log_likelihood), np.nan), float(np.max(np.abs(innovation) / np.sqrt(np.diag(total))))

    def summary(self, wanted: Mapping[str, Sequence[Any]], levels: np.ndarray) -> dict[str, np.ndarray]:
        """Means, standard deviations and quantiles of quantities, and the mean configuration."""
        values, slopes = self._near.values({k: v for k, v in wanted.items() if k != ELEMENT})
        out: dict[str, np.ndarray] = {}
        for name, mean in values.items():
            slope = slopes[name]
            spread = np.sqrt(np.maximum(np.einsum("ri,ij,rj->r", slope, self.covariance, slope), 0))
            out |= {
                f"{name}_mean": mean,
                f"{name}_sd": spread,
                f"{name}_quantile": mean + ndtri(levels)[:, None] * spread,
            }
        if ELEMENT in wanted:
            n = self.at.system.group.dimension
            out |= {"element_mean": self._near.mean.g, "element_covariance": self.covariance[:n, :n]}
        return out

    @property
    def at(self) -> Stepper:
        """One path in the mean state."""
        return self._near.at
