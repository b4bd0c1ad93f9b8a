"""The extended Kalman filter on a group: a mean path, and the covariance of exponential coordinates about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

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
    random: ClassVar[bool] = False
    looks_back: ClassVar[bool] = True

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

    def begin(self, task: FilterTask) -> KalmanProgress:
        """The mean path at the start."""
        state, covariance = self.start(task.ensemble)
        return KalmanProgress(task, KalmanPath(task.make, state, task.ensemble.t, covariance))

    def filtered(self, task: FilterTask) -> Filtered:
        """Advance the mean path and use the data, one time after the other."""
        progress = self.begin(task)
        for sighting in task.sightings:
            progress.take(sighting)
        return progress.result()

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
