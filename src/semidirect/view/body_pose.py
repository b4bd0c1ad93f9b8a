"""The pose of the body of a system at each time of a run: rotation, position, angles of its joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self, final

import numpy as np
from scipy.spatial.transform import Rotation

from semidirect.core import errors, failure
from semidirect.groups import ElementLayout
from semidirect.results import RunData

MINOR = 1e-3
"""From this determinant on a matrix is taken for the nearest rotation; below, as after a failure, nothing is drawn."""


@final
@dataclass(frozen=True)
class BodyPose:
    """Rotations and positions of some paths at some times.

    Attributes
    ----------
    quaternion : array (paths, T, 4)
        Unit quaternions (x, y, z, w) of the rotation from the body to space; nan if the run has no value, or the path has failed.
    rotation : array (paths, T, 3, 3)
        The same as matrices.
    position : array (paths, T, 3)
        Where the origin of the body is [m].
    joints : dict name → array (paths, T)
        The angles among the coordinates of the group [rad].
    moves : bool
        Whether the position is one of the coordinates; if not, it is the origin.
    """

    quaternion: np.ndarray
    rotation: np.ndarray
    position: np.ndarray
    joints: Mapping[str, np.ndarray]
    moves: bool

    @classmethod
    def of(cls, run: RunData, paths: np.ndarray, times: np.ndarray) -> Self:
        """The poses of a run, for the paths and times of these indices.

        Raises
        ------
        InputError
            If it saved neither a rotation nor a position.
        """
        run.refuse_matrices()
        layout = run.layout()
        values = None if layout is None else layout.by_name(run.data)
        if layout is None or values is None:
            raise errors.InputError(
                "the run does not keep where the body is",
                hint="Run it with Formulation(reconstruct=True) and keep its coordinates.",
            )
        late = after_failure(run, paths, run.times[times])
        return cls.of_values(layout, {name: _where(late, v[paths][:, times]) for name, v in values.items()})

    @classmethod
    def of_values(cls, layout: ElementLayout, values: Mapping[str, np.ndarray]) -> Self:
        """The poses of stored coordinates by name, ``(paths, T)`` each."""
        rotation, position, moves = layout.pose(values)
        quaternion = _quaternions(rotation)
        lost = ~np.all(np.isfinite(position), axis=-1)
        quaternion[lost] = np.nan
        matrices = np.full_like(rotation, np.nan)
        good = np.isfinite(quaternion[..., 0])
        if good.any():
            matrices[good] = Rotation.from_quat(quaternion[good]).as_matrix()
        return cls(quaternion, matrices, position, {name: values[name] for name in layout.angles}, moves)


def after_failure(run: RunData, paths: np.ndarray, times: np.ndarray) -> np.ndarray:
    """At which times ``(paths, T)`` a path has failed: what a run holds of it then is no motion, however the numbers look."""
    late: np.ndarray = failure.failed(run.status[paths])[:, None] & (times >= run.failed_at[paths][:, None])
    return late


def _where(late: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values ``(paths, T, …)``, nan where a path has failed."""
    return np.where(late.reshape(*late.shape, *(1 for _ in values.shape[2:])), np.nan, values)


def _quaternions(rotation: np.ndarray) -> np.ndarray:
    out = np.full((*rotation.shape[:2], 4), np.nan)
    finite = np.all(np.isfinite(rotation), axis=(-2, -1))
    good = finite & (np.linalg.det(np.where(finite[..., None, None], rotation, np.eye(3))) > MINOR)
    if good.any():
        out[good] = Rotation.from_matrix(rotation[good]).as_quat()
    return out
