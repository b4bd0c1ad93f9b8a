"""The content of a page on a result: bodies that move, values read from them, and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, final

import numpy as np

from semidirect.shapes import Shape
from semidirect.view.body_pose import BodyPose

Role: TypeAlias = Literal["path", "band", "truth"]
"""A path, one of those that fill the band of an estimate, or the truth that is compared with an estimate."""


@final
@dataclass(frozen=True)
class Instant:
    """Something that happens to a path at a time, such as an impact: what, in words, and when [s]."""

    time: float
    words: str


@final
@dataclass(frozen=True)
class Curve:
    """A quantity over time: values ``(paths, T)``, with its unit."""

    name: str
    unit: str
    values: np.ndarray


@final
@dataclass(frozen=True)
class Motion:
    """Some paths at some times.

    Attributes
    ----------
    title, about : str
        The system, and how the run was computed.
    times : array (T,)
    labels : sequence of str
        The labels of the paths: their numbers, for example.
    endings : sequence of str
        The reason why a path ends before the others; empty if it does not.
    failed : bool array (paths,)
    body : BodyPose
    shapes : sequence of Shape
        The different bodies.
    shape : sequence of int
        Which of them each path has.
    has_shape : bool
        Whether the system states its shape; if not, an ellipsoid of its mass and axes are drawn.
    vectors : dict name → array (paths, T, 3)
    curves : sequence of Curve
    notes : sequence of str
    roles : sequence of Role, optional
        By default all are paths.
    modes : sequence of str, optional
        The names of the modes of a hybrid system.
    mode : int array (paths, T), optional
        The number of the mode of each path.
    instants : sequence of sequences of Instant, optional
        The transitions of each path.
    """

    title: str
    about: str
    times: np.ndarray
    labels: Sequence[str]
    endings: Sequence[str]
    failed: np.ndarray
    body: BodyPose
    shapes: Sequence[Shape]
    shape: Sequence[int]
    has_shape: bool
    vectors: Mapping[str, np.ndarray]
    curves: Sequence[Curve]
    notes: Sequence[str] = ()
    roles: Sequence[Role] = ()
    modes: Sequence[str] = ()
    mode: np.ndarray | None = None
    instants: Sequence[Sequence[Instant]] = ()
