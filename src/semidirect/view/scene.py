"""The data of the page: the body, its pose, its trace, vectors, observables."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np

from semidirect.expressions import UnitLabel
from semidirect.view.motion import Motion

TURN, SHORTEST, LONGEST = 5.0, 6.0, 40.0
"""The speed at which a page plays: at most so many radians a second, and the whole run in a time between these two [s]."""

SMALLEST = 2.0**-1000
"""The slowest that a page plays."""

LARGEST = 1e30
"""Numbers up to this size, and their differences, have a place in single precision."""

COARSE = math.pi / 2
"""A turn between two frames from which on the motion between them is a guess [rad]."""


def scene(motion: Motion) -> dict[str, Any]:
    """A motion in JSON's types; arrays are base64 of little-endian numbers, by paths, then times, then components."""
    times, body, count = motion.times, motion.body, len(motion.labels)
    position, trail = _on_ground(motion)
    quaternion = np.where((_fits(position) & _fits(trail)).all(axis=-1, keepdims=True), body.quaternion, np.nan)
    rate = _fastest_turn(quaternion, times)
    notes = list(motion.notes)
    if rate * float(np.max(np.diff(times))) > COARSE:
        notes.insert(0, "The body turns by more than a quarter between frames: save more often, or show more frames.")
    shapes, curves = motion.shapes, motion.curves
    return {
        "title": motion.title,
        "about": motion.about,
        "times": _packed(times, "<f8"),
        "labels": list(motion.labels),
        "roles": list(motion.roles) or ["path"] * count,
        "failed": [bool(x) for x in motion.failed],
        "endings": list(motion.endings),
        "quaternion": _packed(quaternion),
        "position": _packed(position),
        "joints": {name: _packed(values) for name, values in body.joints.items()},
        "trail": _packed(trail),
        "bodies": [shape.described() for shape in shapes],
        "body": [int(k) for k in motion.shape],
        "hasShape": motion.has_shape,
        "onGround": bool(shapes[0].on_ground),
        "moves": body.moves,
        "table": shapes[0].table,
        "stand": shapes[0].stand,
        "radius": max(shape.radius() for shape in shapes),
        "speed": _speed(float(times[-1] - times[0]), rate),
        "vectors": {name: _packed(values / _scale(values)) for name, values in motion.vectors.items()},
        "scales": {name: _scale(values) for name, values in motion.vectors.items()},
        "series": [_change(curve.name, curve.unit, curve.values) for curve in curves],
        "modes": list(motion.modes),
        "mode": "" if motion.mode is None else _packed(motion.mode, "<i1"),
        "instants": [[[one.time, one.words] for one in path] for path in motion.instants] or [[]] * count,
        "notes": notes,
    }  # fmt: skip


def _on_ground(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Positions and trails, of bodies on the ground with their lowest point at the start at height 0."""
    body = motion.body
    position, trail = np.array(body.position), np.empty_like(body.position)
    for p, k in enumerate(motion.shape):
        shape = motion.shapes[k]
        if shape.on_ground:
            lowest = shape.lowest(body.rotation[p]) + position[p]
            position[p, :, 2] -= lowest[0, 2]
            trail[p] = lowest - [0.0, 0.0, lowest[0, 2]]
        else:
            trail[p] = position[p] + body.rotation[p] @ shape.tracer
    return position, trail


def _fits(values: np.ndarray) -> np.ndarray:
    """Where numbers are in the range of single precision."""
    fits: np.ndarray = np.abs(values) < LARGEST
    return fits


def _scale(values: np.ndarray) -> float:
    """The divisor of numbers that are stored in single precision: 1, or a power of two near the largest of them."""
    most = np.max(np.abs(values), initial=0.0, where=np.isfinite(values))
    return 1.0 if not most or 1 / LARGEST < most < LARGEST else 2.0 ** min(1000, math.frexp(float(most))[1])


def _fastest_turn(q: np.ndarray, times: np.ndarray) -> float:
    """The 95 % quantile of the angle between frames by the time between them [rad/s]; nan-safe."""
    same = np.abs(np.sum(q[:, 1:] * q[:, :-1], axis=-1))
    angle = 2 * np.arccos(np.clip(same, 0.0, 1.0)) / np.diff(times)
    angle = angle[np.isfinite(angle)]
    return float(np.quantile(angle, 0.95)) if len(angle) else 0.0


def _speed(duration: float, rate: float) -> float:
    """Speed of the page relative to real time: 1, or a power of 2 if that would be too slow, too fast or too short."""
    speed = min(duration / SHORTEST, TURN / rate if rate else math.inf)
    speed = max(speed, duration / LONGEST)
    return 1.0 if speed >= 1 and duration <= LONGEST else 2.0 ** math.floor(math.log2(speed or SMALLEST))


def _change(name: str, unit: str, values: np.ndarray) -> dict[str, Any]:
    """An observable as its initial value and its change, which is exact enough in single precision."""
    start = np.where(np.isfinite(values[:, 0]), values[:, 0], 0.0)
    with np.errstate(over="ignore"):
        change = values - start[:, None]
    scale = _scale(change)
    return {
        "name": name,
        "unit": UnitLabel(unit).behind_a_number(),
        "start": start.tolist(),
        "change": _packed(change / scale),
        "scale": scale,
    }


def _packed(values: np.ndarray, kind: str = "<f4") -> str:
    with np.errstate(over="ignore"):  # what does not fit becomes infinite, and is not drawn
        return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode()
