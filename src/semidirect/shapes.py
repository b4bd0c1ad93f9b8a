"""The shape of the body of a system: ellipsoids, cylinders, cones and boxes in its own frame, for animations.

A system states it in a few lines; the equations do not depend on it::

    def shape(self):
        ball = sd.shapes.ball(self.radius, centre=-self.offset * self.axis)
        return sd.shapes.Shape(ball, sd.shapes.Dot((0, 0, 0)), on_ground=True)

The frame belongs to the group: its origin is the point at ``x`` for SE(3) (the centre of mass, for most systems), the fixed
point for SO(3), and the point of the plane at the position of SE(2).
"""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import arguments, errors

COLOURS = ("body", "mark", "dark")
"""Colours of a part: the two tones of the body, one strong colour, or one dark one."""

FLAT = 0.04
"""Half the thickness of a disc at its middle, as a fraction of its radius; its rim is sharp."""


def _vector(what: str, value: Any) -> np.ndarray:
    vector = arguments.validated_array(what, value)
    if vector.shape != (3,) or not np.all(np.isfinite(vector)):
        raise errors.InputError(what, expected="three finite numbers", got=reprlib.repr(value))
    return vector


def _length(what: str, value: Any) -> float:
    return arguments.validated_number(what, value, expected="a positive number", positive=True)


def _turned(sizes: Any, axes: Any, what: str, edge: str) -> np.ndarray:
    """The diagonal matrix of three sizes, turned by ``axes``."""
    lengths = [_length(edge, a) for a in _vector(what, sizes)]
    frame = np.eye(3) if axes is None else arguments.validated_array("axes of a part", axes)
    if frame.shape != (3, 3) or not np.isfinite(frame).all():
        raise errors.InputError("axes of a part", expected="a matrix (3, 3)", got=reprlib.repr(axes))
    return frame @ np.diag(lengths)


def _upright(kind: str, axis: np.ndarray, radius: Any) -> np.ndarray:
    """The third axis taken to a vector, and the others to vectors of length ``radius`` across it."""
    length, radius = _length(f"length of a {kind}", np.linalg.norm(axis)), _length(f"radius of a {kind}", radius)
    third = axis / length
    first = np.cross(np.eye(3)[np.argmin(np.abs(third))], third)
    first /= np.linalg.norm(first)
    return np.stack([radius * first, radius * np.cross(third, first), axis], axis=1)


@dataclass(frozen=True, eq=False, kw_only=True)
class Part(ABC):
    """An image of a body of size 1 under x ↦ Lx + c.

    Attributes
    ----------
    colour : {"body", "mark", "dark"}
        Its colour.
    joint : str
        Name of a coordinate of the group, an angle by which the part is rotated relative to the body; "" for none.
    hinge : vector (3,)
        The axis of this rotation, through c. The part must be symmetric about it.
    """

    kind: ClassVar[str]
    colour: str = "body"
    joint: str = ""
    hinge: Any = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        if self.colour not in COLOURS:
            raise errors.InputError("colour of a part", expected=f"one of {', '.join(COLOURS)}", got=repr(self.colour))
        _vector("hinge of a part", self.hinge)
        self.placement()

    @abstractmethod
    def placement(self) -> tuple[np.ndarray, np.ndarray]:
        """L ``(3, 3)`` and c ``(3,)`` [m]."""

    @staticmethod
    @abstractmethod
    def farthest(m: np.ndarray) -> np.ndarray:
        """The point ``(..., 3)`` of the body of size 1 that is farthest in the direction m ``(..., 3)``."""

    @final
    def support(self, n: np.ndarray) -> np.ndarray:
        """The point ``(..., 3)`` of the part that is farthest in the direction n ``(..., 3)``, in the frame of the body [m]."""
        linear, centre = self.placement()
        return self.farthest(n @ linear) @ linear.T + centre

    @final
    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        linear, centre = self.placement()
        return {
            "kind": self.kind, "linear": linear.tolist(), "centre": centre.tolist(), "colour": self.colour,
            "joint": self.joint, "hinge": _vector("hinge of a part", self.hinge).tolist(),
        }  # fmt: skip


def _direction(m: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(m, axis=-1, keepdims=True)
    return np.divide(m, length, out=np.zeros_like(m), where=length > 0)


@final
@dataclass(frozen=True, eq=False)
class Ellipsoid(Part):
    """|A⁻¹(x − c)| ≤ 1, A = diag of the semi-axes [m], turned by ``axes`` ``(3, 3)`` whose columns are its axes."""

    kind: ClassVar[str] = "sphere"
    semiaxes: Any
    centre: Any = (0.0, 0.0, 0.0)
    axes: Any = None

    def placement(self) -> tuple[np.ndarray, np.ndarray]:
        """See the base."""
        return _turned(self.semiaxes, self.axes, "semi-axes", "semi-axis of an ellipsoid"), _vector(
            "centre", self.centre
        )

    @staticmethod
    def farthest(m: np.ndarray) -> np.ndarray:
        """See the base."""
        return _direction(m)


@final
@dataclass(frozen=True, eq=False)
class Cylinder(Part):
    """A round rod from one point to another, with a radius [m]."""

    kind: ClassVar[str] = "cylinder"
    start: Any
    end: Any
    radius: Any

    def placement(self) -> tuple[np.ndarray, np.ndarray]:
        """See the base."""
        start, end = _vector("start of a cylinder", self.start), _vector("end of a cylinder", self.end)
        return _upright(self.kind, end - start, self.radius), (start + end) / 2

    @staticmethod
    def farthest(m: np.ndarray) -> np.ndarray:
        """See the base."""
        flat = m * [1.0, 1.0, 0.0]
        return _direction(flat) + np.sign(m) * [0.0, 0.0, 0.5]


@final
@dataclass(frozen=True, eq=False)
class Cone(Part):
    """A cone from the centre of its base to its tip, with the radius of the base [m]."""

    kind: ClassVar[str] = "cone"
    base: Any
    tip: Any
    radius: Any

    def placement(self) -> tuple[np.ndarray, np.ndarray]:
        """See the base."""
        base, tip = _vector("base of a cone", self.base), _vector("tip of a cone", self.tip)
        return _upright(self.kind, tip - base, self.radius), base

    @staticmethod
    def farthest(m: np.ndarray) -> np.ndarray:
        """See the base."""
        flat = m * [1.0, 1.0, 0.0]
        tip = m[..., 2:] > np.linalg.norm(flat, axis=-1, keepdims=True)
        return np.where(tip, [0.0, 0.0, 1.0], _direction(flat))


@final
@dataclass(frozen=True, eq=False)
class Box(Part):
    """A block with the lengths of its edges [m], rotated by ``axes`` ``(3, 3)``, whose columns are its axes."""

    kind: ClassVar[str] = "box"
    sizes: Any
    centre: Any = (0.0, 0.0, 0.0)
    axes: Any = None

    def placement(self) -> tuple[np.ndarray, np.ndarray]:
        """See the base."""
        return _turned(self.sizes, self.axes, "edges", "edge of a box"), _vector("centre", self.centre)

    @staticmethod
    def farthest(m: np.ndarray) -> np.ndarray:
        """See the base."""
        return np.sign(m) / 2


@final
@dataclass(frozen=True)
class Dot:
    """A point of the body that is seen through it, such as its centre of mass [m]."""

    place: Any = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        self.described()

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {"kind": "dot", "centre": _vector("place of a dot", self.place).tolist()}


def ball(radius: Any, centre: Any = (0.0, 0.0, 0.0), **how: Any) -> Ellipsoid:
    """A ball [m]."""
    return Ellipsoid((radius, radius, radius), centre, **how)


def disc(radius: Any, axle: Any = (0.0, 0.0, 1.0), centre: Any = (0.0, 0.0, 0.0), **how: Any) -> list[Part]:
    """A thin disc with a sharp rim, a little thicker at its middle [m]."""
    middle, axle = _vector("centre", centre), _vector("axle", axle)
    thick = FLAT * _length("radius of a disc", radius) * axle / _length("length of an axle", np.linalg.norm(axle))
    hinge = {"hinge": tuple(axle), **how}
    return [Cone(middle, middle + thick, radius, **hinge), Cone(middle, middle - thick, radius, **hinge)]


def box_of_inertia(inertia: Any, size: float = 1.0) -> Box:
    """A homogeneous box whose moments of inertia have these ratios, with the longest edge ``size`` [m].

    No edge is drawn shorter than a twentieth of the longest.
    """
    tensor = arguments.validated_array("inertia", inertia)
    if tensor.shape not in ((3,), (3, 3)) or not np.isfinite(tensor).all():
        raise errors.InputError("inertia", expected="three moments, or a matrix (3, 3)", got=reprlib.repr(inertia))
    moments, axes = np.linalg.eigh(np.diag(tensor) if tensor.ndim == 1 else tensor)
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    if not moments.sum() > 0:
        raise errors.InputError("inertia", expected="positive moments", got=reprlib.repr(inertia))
    edges = np.sqrt(np.maximum(moments.sum() / 2 - moments, 0.0))
    edges = np.maximum(edges / edges.max(), 0.05) * _length("size of a box", size)
    return Box(edges, axes=axes)


@final
class Shape:
    """The body of a system.

    Parameters
    ----------
    *parts : Part, Dot, or a list of them
        The parts, in the frame of the group.
    tracer : vector (3,)
        The point whose path is drawn if the body is not on the ground [m].
    on_ground : bool
        Whether the body moves on horizontal ground, at the height of its lowest point at the start. The path of the lowest
        point is drawn.
    table : float
        The angular velocity of the ground about the third axis [rad/s].
    stand : bool
        Whether a post is drawn below the origin, for a body with a fixed point.
    """

    def __init__(self, *parts: Part | Dot | Sequence[Part | Dot], tracer: Any = (0.0, 0.0, 0.0), on_ground: bool = False,
                 table: Any = 0.0, stand: bool = False):  # fmt: skip
        all_parts: list[Part | Dot] = []
        for part in parts:
            all_parts += (
                [part]
                if isinstance(part, Part | Dot)
                else arguments.validated_sequence("a part of a shape", part, of="parts")
            )
        for one in all_parts:
            if not isinstance(one, Part | Dot):
                raise errors.InputError(
                    "a part of a shape", expected="an object such as sd.shapes.ball(1.0)", got=repr(one)
                )
        self.parts = tuple(all_parts)
        self.tracer = _vector("tracer of a shape", tracer)
        self.on_ground, self.stand = (
            arguments.validated_flag("on_ground", on_ground),
            arguments.validated_flag("stand", stand),
        )
        self.table = arguments.validated_number("table", table)

    @classmethod
    def with_axes(cls, body: Part | None, centre: np.ndarray, length: float, tracer: np.ndarray) -> Shape:
        """A body, if there is one, with three arrows of its frame that begin at its centre [m]."""
        parts: list[Part] = [] if body is None else [body]
        for axis, colour in zip(length * np.eye(3), ("mark", "body", "dark"), strict=True):
            parts.append(Cylinder(centre, centre + 0.8 * axis, 0.02 * length, colour=colour))
            parts.append(Cone(centre + 0.8 * axis, centre + axis, 0.06 * length, colour=colour))
        return cls(*parts, tracer=tracer)

    def lowest(self, g: np.ndarray) -> np.ndarray:
        """The lowest point of the body rotated by g ``(..., 3, 3)``, in space, relative to the origin of the body."""
        down = -g[..., 2, :]
        points = [p.support(down) for p in self.parts if isinstance(p, Part)] or [np.zeros_like(down)]
        supports = np.stack([np.einsum("...ij,...j->...i", g, p) for p in points])
        which = np.argmin(supports[..., 2], axis=0)
        lowest: np.ndarray = np.take_along_axis(supports, which[None, ..., None], axis=0)[0]
        return lowest

    def radius(self) -> float:
        """The distance of the farthest point from the origin of the body, about [m]."""
        n = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)])
        reach = [np.linalg.norm(p.support(n.astype(float)), axis=1).max() for p in self.parts if isinstance(p, Part)]
        return float(max([*reach, np.linalg.norm(self.tracer)])) or 1.0

    def described(self) -> list[dict[str, Any]]:
        """The parts in JSON's types."""
        return [part.described() for part in self.parts]
