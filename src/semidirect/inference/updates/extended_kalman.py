"""The extended Kalman filter on a group: a mean path, and the covariance of exponential coordinates about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, final

import numpy as np

from semidirect.core import arguments, display, errors, frozen
from semidirect.inference.coordinates import Coordinates, moving_names
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.filtered import Filtered
from semidirect.inference.kalman_path import KalmanPath, KalmanProgress
from semidirect.inference.linearised import state_of
from semidirect.inference.update import Update
from semidirect.stepper import Stepper

__all__ = ["ExtendedKalman"]

CONFIGURATION = "configuration"


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
    coordinates: ClassVar[Literal["none", "sums", "all"]] = "all"
    random: ClassVar[bool] = False
    looks_back: ClassVar[bool] = True
    rejects: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.spread, Mapping):
            raise errors.InputError("spread", expected="a dict name → standard deviations", got=repr(self.spread))
        spread = {str(k): arguments.validated_array(f"the spread of {k}", v) for k, v in self.spread.items()}
        for name, value in spread.items():
            if value.ndim > 1 or not (np.isfinite(value) & (value >= 0)).all():
                raise errors.InputError(
                    f"the spread of {name}", expected="numbers that are not negative", got=str(value)
                )
            value.setflags(write=False)
        object.__setattr__(self, "spread", frozen.FrozenMapping(spread))

    def begin(self, task: FilterTask) -> KalmanProgress:
        """The mean path at the start."""
        return KalmanProgress(task, self._path(task, 1))

    def filtered(self, task: FilterTask) -> Filtered:
        """Advance the mean path and use the data, one time after the other."""
        progress = self.begin(task)
        for sighting in task.sightings:
            progress.take(sighting)
        return progress.result()

    def log_likelihoods(self, task: FilterTask, members: int) -> np.ndarray:
        """All mean paths at once: a time of data costs little more for many of them than for one."""
        path, t = self._path(task, members), task.ensemble.t
        each = np.empty((members, len(task.sightings)))
        for i, sighting in enumerate(task.sightings):
            if sighting.t > t:
                path.advance(sighting.t)
            t = sighting.t
            each[:, i] = path.assimilate(sighting).log_likelihood
        return np.array([float(np.sum(one)) for one in each])

    def _path(self, task: FilterTask, members: int) -> KalmanPath:
        state, covariance = self.start(task.ensemble, members)
        return KalmanPath(task.make, task.make(state, task.ensemble.t, members, None), covariance)

    def start(self, ensemble: Stepper, members: int) -> tuple[dict[str, Any], np.ndarray]:
        """The mean states and the covariances ``(members, d, d)`` of drawn paths, as many of each member, and of the spread."""
        system = ensemble.system
        system.workings.refuse_arrays("an extended Kalman filter")
        if members == 1 and system.workings.paths is not None:
            raise errors.MethodError("an extended Kalman filter of parameters that differ from path to path",
                                     hint="Use update='particles'.")  # fmt: skip
        if (ensemble.status != 0).any():
            raise errors.InputError("the start", expected="one from which paths can be integrated", got="a failed path")
        count = ensemble.paths // members
        parts = [slice(b * count, (b + 1) * count) for b in range(members)]
        each = [Coordinates(ensemble, part=part) for part in parts]
        means = [np.broadcast_to(one.z.mean(axis=0), one.z.shape) for one in each]
        spread = self._spread(ensemble)
        covariances = [
            np.einsum("pi,pj->ij", one.z - mean, one.z - mean) / max(count - 1, 1) + spread
            for one, mean in zip(each, means, strict=True)
        ]
        at_mean = [one.state(mean) for one, mean in zip(each, means, strict=True)]
        at_means = ensemble.copy().replace(**{k: np.concatenate([one[k] for one in at_mean]) for k in at_mean[0]})
        states = [state_of(at_means, part) for part in parts]
        return {k: np.array([one[k] for one in states]) for k in states[0]}, np.array(covariances)

    def _spread(self, ensemble: Stepper) -> np.ndarray:
        """The covariance ``(d, d)`` of :attr:`spread`."""
        system = ensemble.system
        names = [CONFIGURATION, *moving_names(system)]
        values = ensemble.by_name(*names[1:]) if names[1:] else {}
        sizes = {CONFIGURATION: system.group.dimension} | {
            k: int(np.prod(v.shape[1:], dtype=int)) for k, v in values.items()
        }
        for name in self.spread:
            if name not in sizes:
                raise errors.UnknownNameError("name of a spread", name, sizes)
        parts = []
        for name, size in sizes.items():
            spread = np.asarray(self.spread.get(name, 0.0))
            if spread.shape not in ((), (size,)):
                raise errors.InputError(
                    f"the spread of {name}", expected=f"one number, or ({size},)", got=f"shape {spread.shape}"
                )
            parts.append(np.broadcast_to(spread, size) ** 2)
        return np.diag(np.concatenate(parts))
