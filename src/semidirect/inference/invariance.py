"""Whether the Jacobians of an extended Kalman filter depend on the estimate, decided by computing them in several states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.inference.coordinates import Coordinates
from semidirect.inference.linearised import LinearisedPath, Make
from semidirect.inference.observation import Sight
from semidirect.stepper import Stepper

if TYPE_CHECKING:
    from semidirect.groups import LieGroup

__all__ = ["Invariance", "invariance_of"]

STATES, TRIES = 4, 20
TOLERANCE = 1e-8
"""Relative, of Jacobians; those of an invariant filter differ by rounding, measured 1e-15."""


@final
@dataclass(frozen=True)
class Invariance:
    """Tests whether an extended Kalman filter is invariant: whether its Jacobians depend on the estimate.

    The errors are η of s = s̄ exp(η), which are left-invariant, and ζ of s = exp(ζ) s̄, which are right-invariant.

    The Jacobians are computed in random states: those that are analytic functions of the state and equal there are equal
    everywhere, with probability 1. In the sense of Barrau and Bonnabel a filter is invariant if neither that of a step nor that
    of the innovation depends on the estimate. Of the innovation the row space is compared, as an innovation may be turned by
    the estimate.

    Attributes
    ----------
    steps, innovations : (float, float)
        The largest relative difference between states of the Jacobian of a step, and the largest sine of an angle between
        the row spaces of the Jacobian of the innovation, in left- and in right-invariant errors.
    """

    steps: tuple[float, float]
    innovations: tuple[float, float]

    @property
    def left(self) -> bool:
        """Whether it is a left-invariant extended Kalman filter."""
        return max(self.steps[0], self.innovations[0]) < TOLERANCE

    @property
    def right(self) -> bool:
        """Whether it would be a right-invariant one, in right-invariant errors."""
        return max(self.steps[1], self.innovations[1]) < TOLERANCE

    def __str__(self) -> str:
        lines = []
        for frame, *sizes in zip(("left", "right"), self.steps, self.innovations, strict=True):
            pairs = zip(("a step", "the innovation"), sizes, strict=True)
            which = " and ".join(f"that of {what} by {size:.2g}" for what, size in pairs if size >= TOLERANCE)
            says = f"Jacobians depend on the estimate, {which}" if which else "no Jacobian depends on the estimate"
            lines.append(f"{frame}-invariant errors: {says}")
        return "\n".join(lines)


def invariance_of(make: Make, at: Stepper, sights: Sequence[Sight], dt: float) -> Invariance | None:
    """The dependence of the Jacobians of a step and of observations on the state, about that of an ensemble of one path;
    ``None`` if too few states near it have a finite step.
    """
    rng, group = np.random.default_rng(0), at.system.group
    steps: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    observed: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    coordinates = Coordinates(at)
    rows = {str(i): sight.values for i, sight in enumerate(sights)}
    for _ in range(TRIES):
        if len(steps[0]) == STATES:
            break
        z = coordinates.z + rng.standard_normal(coordinates.z.shape)
        start = at.copy().replace(**coordinates.state(z))
        path = LinearisedPath(make, start)
        matrix = np.concatenate([*path.values(rows)[1].values()])
        end, derivative = path.moved(start.t + dt)
        if end.status[0] or not (np.isfinite(derivative).all() and np.isfinite(matrix).all()):
            continue
        begin, after = (_to_right(group, Coordinates(one).mean, z.shape[1]) for one in (start, end))
        for which, change, first in ((0, np.eye(z.shape[1]), np.eye(z.shape[1])), (1, after, begin)):
            back = np.linalg.inv(first)
            steps[which].append(change @ derivative @ back)
            observed[which].append(_row_space(matrix @ back))
    if len(steps[0]) < STATES:
        return None
    differences = [_spread(jacobians, max(float(np.linalg.norm(one)) for one in jacobians)) for jacobians in steps]
    return Invariance((differences[0], differences[1]), (_spread(observed[0], 1.0), _spread(observed[1], 1.0)))


def _to_right(group: LieGroup, g: np.ndarray, size: int) -> np.ndarray:
    """The matrix of (η, u) ↦ (ζ, u), ζ = Ad_s η."""
    out = np.eye(size)
    out[: group.dimension, : group.dimension] = group.Ad_matrix(g)
    return out


def _row_space(matrix: np.ndarray) -> np.ndarray:
    """The orthogonal projector onto the rows."""
    return np.asarray(np.linalg.pinv(matrix, rcond=1e-9) @ matrix)


def _spread(matrices: Sequence[np.ndarray], size: float) -> float:
    return max(float(np.linalg.norm(one - matrices[0], 2)) for one in matrices) / size
