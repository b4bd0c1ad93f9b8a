"""The data of the page: the body, its pose, its trace, vectors, observables."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np

from semidirect.core import arguments, errors, failure
from semidirect.definition import SystemDefinition, a_system
from semidirect.expressions import behind_a_number
from semidirect.results import RunData
from semidirect.shapes import Shape
from semidirect.view.body_pose import BodyPose, after_failure

SERIES, SPHERES = 8, 3
"""How many observables and vectors are shown."""

TURN, SHORTEST, LONGEST = 5.0, 6.0, 40.0
"""The speed at which a page plays: at most so many radians a second, and the whole run in a time between these two [s]."""

SMALLEST = 2.0**-1000
"""The slowest that a page plays."""

LARGEST = 1e30
"""Numbers up to this size, and their differences, have a place in single precision."""

COARSE = math.pi / 2
"""A turn between two frames from which on the motion between them is a guess [rad]."""


def scene(run: RunData, system: SystemDefinition | None, paths: int, frames: int) -> dict[str, Any]:
    """A run in JSON's types; arrays are base64 of little-endian numbers, by paths, then times, then components.

    Raises
    ------
    InputError
        If the run saved one time only, or not the pose of the body.
    """
    if system is not None:
        a_system(system)
    shown = np.arange(min(arguments.validated_whole("paths", paths, least=1), run.paths))
    if len(run.times) < 2:
        raise errors.InputError("a run that moves", expected="several times", got="one", hint="Run it with save='all'.")
    most = arguments.validated_whole("frames", frames, least=2)
    last = len(run.times) - 1
    kept = np.unique(np.rint(np.linspace(0, last, min(most, last + 1))).astype(int))
    times = run.times[kept]
    body = BodyPose.of(run, shown, kept)
    shapes, number = _shapes(run, system, shown, body)
    ground, position, trail = np.full(len(shown), np.nan), np.array(body.position), np.empty_like(body.position)
    for p, k in enumerate(number):
        shape = shapes[k]
        if shape.on_ground:
            lowest = shape.lowest(body.rotation[p]) + position[p]
            ground[p] = lowest[0, 2]
            position[p, :, 2] -= ground[p]
            trail[p] = lowest - [0.0, 0.0, ground[p]]
        else:
            trail[p] = position[p] + body.rotation[p] @ shape.tracer
    quaternion = np.where((_fits(position) & _fits(trail)).all(axis=-1, keepdims=True), body.quaternion, np.nan)
    late = after_failure(run, shown, times)
    vectors = {name: np.where(late[..., None], np.nan, run[name][shown][:, kept]) for name in _vectors(run)}
    series = {name: np.where(late, np.nan, run[name][shown][:, kept]) for name in _series(run)}
    rate = _fastest_turn(quaternion, times)
    notes = []
    step = float(np.max(np.diff(times)))
    if rate * step > COARSE:
        notes.append("The body turns by more than a quarter between frames: save more often, or show more frames.")
    if len(shown) < run.paths:
        notes.append(f"{len(shown)} of {run.paths} paths are shown.")
    numbers = shown if run.numbers is None else run.numbers[shown]
    return {
        "title": str(run.config.get("system", "")).rpartition(":")[2],
        "method": str(run.config.get("method", "")),
        "times": _packed(times, "<f8"),
        "numbers": [int(n) for n in numbers],
        "failed": [bool(x) for x in failure.failed(run.status[shown])],
        "endings": [_ending(run, int(p)) for p in shown],
        "quaternion": _packed(quaternion),
        "position": _packed(position),
        "joints": {name: _packed(values) for name, values in body.joints.items()},
        "trail": _packed(trail),
        "bodies": [shape.described() for shape in shapes],
        "body": [int(k) for k in number],
        "onGround": bool(shapes[0].on_ground),
        "moves": body.moves,
        "table": shapes[0].table,
        "stand": shapes[0].stand,
        "radius": max(shape.radius() for shape in shapes),
        "speed": _speed(float(times[-1] - times[0]), rate),
        "vectors": {name: _packed(values / _scale(values)) for name, values in vectors.items()},
        "scales": {name: _scale(values) for name, values in vectors.items()},
        "series": [_change(name, run.units.get(name, ""), values) for name, values in series.items()],
        "notes": notes,
    }  # fmt: skip


def _shapes(run: RunData, system: SystemDefinition | None, shown: np.ndarray, body: BodyPose
            ) -> tuple[list[Shape], list[int]]:  # fmt: skip
    """The different bodies, and which of them each path has."""
    found = system or run.known_system
    if found is None:  # a run of a class that is not here is drawn as arrows
        return [_arrows(body)], [0] * len(shown)
    if found.paths is None:
        return [_stated(found, body)], [0] * len(shown)
    return [_stated(found.at_path(int(p)), body) for p in shown], list(range(len(shown)))


def _stated(system: SystemDefinition, body: BodyPose) -> Shape:
    shape = system.workings.stated("shape")
    if shape is None:
        return _arrows(body)
    if not isinstance(shape, Shape):
        raise errors.InputError(
            f"{type(system).__name__}.shape", expected="an sd.shapes.Shape or None", got=repr(shape)
        )
    for part in shape.described():
        if part.get("joint") and part["joint"] not in body.joints:
            raise errors.InputError(
                f"{type(system).__name__}.shape: the joint {part['joint']!r}",
                expected=f"an angle of the group: {', '.join(body.joints) or 'it has none'}", got="no such coordinate",
            )  # fmt: skip
    return shape


def _arrows(body: BodyPose) -> Shape:
    """Three arrows, for a system that states no shape: a tenth of the room that it needs, or of length 1."""
    from semidirect.shapes import Cone, Cylinder, Part

    extent = np.nanmax(np.ptp(body.position, axis=1), initial=0.0)
    size = 0.1 * float(extent) if np.isfinite(extent) and extent > 0 else 1.0
    parts: list[Part] = []
    for axis, colour in zip(size * np.eye(3), ("mark", "body", "dark"), strict=True):
        parts.append(Cylinder((0, 0, 0), 0.75 * axis, 0.03 * size, colour=colour))
        parts.append(Cone(0.75 * axis, axis, 0.09 * size, colour=colour))
    return Shape(*parts, tracer=(0.0, 0.0, 0.0) if body.moves else (0.0, 0.0, size))


def _ending(run: RunData, path: int) -> str:
    """What ends a path before the run ends; empty if nothing does."""
    code, time = int(run.status[path]), float(run.failed_at[path])
    if code == failure.GOOD:
        return ""
    return f"stopped at {time:.4g} s" if code == failure.STOPPED else f"fails at {time:.4g} s: {failure.REASONS[code]}"


def _fits(values: np.ndarray) -> np.ndarray:
    """Where numbers are in the range of single precision."""
    fits: np.ndarray = np.abs(values) < LARGEST
    return fits


def _scale(values: np.ndarray) -> float:
    """By what numbers are divided before they are stored in single precision: 1, or a power of two near the largest of them."""
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
    wanted = min(duration / SHORTEST, TURN / rate if rate else math.inf)
    wanted = max(wanted, duration / LONGEST)
    return 1.0 if wanted >= 1 and duration <= LONGEST else 2.0 ** math.floor(math.log2(wanted or SMALLEST))


def _vectors(run: RunData) -> list[str]:
    """Γ first, then momenta, then what else is a vector of the state."""
    names = ["Gamma", "M", "Omega", *run.config.get("variables", ())]
    found = [n for n in dict.fromkeys(names) if n in run and run[n].ndim == 3 and run[n].shape[-1] == 3]
    return found[:SPHERES]


def _series(run: RunData) -> list[str]:
    scalar = [n for n in run if run[n].ndim == 2]
    observables = [n for n in run.config.get("observables", ()) if n in scalar]
    return (observables or [n for n in run.config.get("variables", ()) if n in scalar] or scalar)[:SERIES]


def _change(name: str, unit: str, values: np.ndarray) -> dict[str, Any]:
    """An observable as its initial value and its change, which is exact enough in single precision."""
    start = np.where(np.isfinite(values[:, 0]), values[:, 0], 0.0)
    with np.errstate(over="ignore"):
        change = values - start[:, None]
    scale = _scale(change)
    return {
        "name": name,
        "unit": behind_a_number(unit),
        "start": start.tolist(),
        "change": _packed(change / scale),
        "scale": scale,
    }


def _packed(values: np.ndarray, kind: str = "<f4") -> str:
    with np.errstate(over="ignore"):  # what does not fit becomes infinite, and is not drawn
        return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode()
