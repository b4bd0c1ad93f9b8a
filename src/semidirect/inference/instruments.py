"""Observations that are ready to use: a camera that sees dots, a gyroscope, a position on the plane."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import arguments, errors, explains_calls, ops
from semidirect.inference.difference import Rotations
from semidirect.inference.observation import Observation

__all__ = ["camera", "gyroscope", "orientation", "position"]


@explains_calls
def camera(dots: Any, *, noise: Any = None, view: Any = (0.0, 0.0, 1.0), centre: Callable[[Any], Any] | None = None,
           transparent: bool = False, lost: float = 0.0, name: str = "camera", covariance: Any = None, unit: Any = None
           ) -> Observation:  # fmt: skip
    """Observes dots on a body by a distant camera: their two coordinates in the plane of the picture [m].

    A dot is seen if it lies on the side of the body towards the camera. The body is that of a group whose first three rows and
    columns are its rotation, such as SO(3) and SE(3).

    Parameters
    ----------
    dots : array (k, 3)
        Places of the dots in the body, from its centre [m].
    noise, covariance : number, array, ObservationNoise or callable
        Noise of the coordinates, one of the two, see :class:`~semidirect.Observation`.
    view : (3,)
        Direction from the body to the camera, in space. Seen from above the picture has the axes x and y.
    centre : callable(state), optional
        The centre of the body in space, if the camera stands still: ``lambda state: state.s[:3, 3]``. By default it follows the
        body, so that only the rotation is seen.
    transparent : bool
        Whether all dots are seen.
    lost : float
        Probability that a dot is missing although it could be seen.
    name : str
        Name.
    unit : str, optional
        The unit of data and noise, such as ``"mm"``.
    """
    places = arguments.validated_array("dots", dots)
    if places.ndim != 2 or places.shape[1] != 3 or not len(places) or not np.isfinite(places).all():
        raise errors.InputError("dots", expected="finite numbers (k, 3)", got=f"shape {places.shape}")
    towards = arguments.validated_array("view", view)
    if towards.shape != (3,) or not np.isfinite(towards).all() or not np.linalg.norm(towards) > 0:
        raise errors.InputError("view", expected="a direction of space", got=str(towards.tolist()))
    if not (centre is None or callable(centre)):
        raise errors.InputError(
            "centre", expected="a function of the state, such as lambda state: state.s[:3, 3]", got=reprlib.repr(centre)
        )
    towards = towards / np.linalg.norm(towards)
    # the observation is frozen, so its array must not change either
    places.setflags(write=False)
    visibility = None if arguments.validated_flag("transparent", transparent) else _Heights(places, towards)
    picture = _Picture(places, _axes(towards), centre)
    return Observation(picture, noise=noise, seen=visibility, lost=lost, name=name, covariance=covariance, unit=unit)


@final
@dataclass(frozen=True, eq=False)
class _Picture:
    """The places of dots in a picture with two axes."""

    dots: np.ndarray
    axes: np.ndarray
    centre: Callable[[Any], Any] | None

    def __call__(self, state: Any) -> list[list[Any]]:
        middle = np.zeros(3) if self.centre is None else ops.array(self.centre(state))
        points = [ops.matvec(state.s[:3, :3], dot) + middle for dot in self.dots]
        return [[ops.dot(axis, point) for axis in self.axes] for point in points]


@final
@dataclass(frozen=True, eq=False)
class _Heights:
    """How far dots are from the centre of the body towards the camera."""

    dots: np.ndarray
    towards: np.ndarray

    def __call__(self, state: Any) -> list[Any]:
        return [ops.dot(self.towards, ops.matvec(state.s[:3, :3], dot)) for dot in self.dots]


def _axes(towards: np.ndarray) -> np.ndarray:
    """Two axes of the picture: x and y for a camera above, else one horizontal axis and one upward."""
    if abs(towards[2]) > 1 - 1e-12:
        return np.array([[1.0, 0.0, 0.0], [0.0, np.sign(towards[2]), 0.0]])
    right = np.array([-towards[1], towards[0], 0.0]) / np.hypot(towards[0], towards[1])
    return np.array([right, np.cross(towards, right)])


@explains_calls
def gyroscope(*, noise: Any = None, velocity: str = "Omega", lost: float = 0.0, name: str = "gyroscope",
              covariance: Any = None, unit: Any = None) -> Observation:  # fmt: skip
    """Observes the angular velocity [rad/s] by a gyroscope in the body: the block of ξ with the name ``velocity``."""
    return Observation(velocity, noise=noise, lost=lost, name=name, covariance=covariance, unit=unit)


@explains_calls
def orientation(form: str = "wxyz", *, noise: Any = None, lost: float = 0.0, name: str = "orientation",
                covariance: Any = None, unit: str | None = None) -> Observation:  # fmt: skip
    """The orientation of a body, as motion capture and inertial sensors report it: data R exp(ε) of the rotation R of the body.

    The error ε is a rotation vector in the body [rad], so an orientation has no singular directions and q and −q are one. The
    group is one whose first three rows and columns are a rotation of space, such as SO(3) and SE(3).

    Parameters
    ----------
    form : {"wxyz", "xyzw", "matrix"}
        The form of data: quaternions with this order, in columns ``qw``, ``qx``, ``qy``, ``qz``, or matrices, ``(T, 3, 3)`` or
        columns ``R11``, ``R12``, ….
    noise, covariance : number, (3,), (3, 3) or ObservationNoise
        Noise of ε, one of the two, see :class:`~semidirect.Observation`.
    lost : float
        Probability that an orientation is missing.
    name : str
        Name.
    unit : str, optional
        The unit of the noise, such as ``"deg"``.
    """
    arguments.validated_name("form of an orientation", form, ("wxyz", "xyzw", "matrix"))
    return Observation(
        _entries, noise=noise, lost=lost, name=name, covariance=covariance, unit=unit, compare=Rotations(form)
    )


def _entries(state: Any) -> list[Any]:
    return [state.s[i, j] for i in range(3) for j in range(3)]


@explains_calls
def position(coordinates: Sequence[str] = ("x1", "x2"), *, noise: Any = None, lost: float = 0.0, name: str = "position",
             covariance: Any = None, unit: Any = None) -> Observation:  # fmt: skip
    """Observes planar position [m]: coordinates of the configuration, ``x1`` and ``x2`` of SE(3), or ``x`` and ``y``."""
    return Observation(coordinates, noise=noise, lost=lost, name=name, covariance=covariance, unit=unit)
