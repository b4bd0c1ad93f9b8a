"""The content of a page on a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from semidirect.core import errors, failure
from semidirect.definition import SystemDefinition
from semidirect.results import ModeHistory, RunData
from semidirect.shapes import Shape
from semidirect.view.body_pose import BodyPose, after_failure
from semidirect.view.mass_ellipsoid import mass_shape
from semidirect.view.modes import with_modes
from semidirect.view.motion import Curve, Motion
from semidirect.view.preset_name import preset_name

SERIES, SPHERES = 8, 3
"""How many observables and vectors are shown."""


def motion_of_run(run: RunData, system: SystemDefinition | None, paths: int, frames: int) -> Motion:
    """The first paths of a run, at times evenly chosen.

    Raises
    ------
    InputError
        If the run saved one time only, or not the pose of the body.
    """
    path_numbers = np.arange(min(paths, run.paths))
    at = chosen_times(run.times, frames)
    times = run.times[at]
    definition = system or run.known_system
    body = BodyPose.of(run, path_numbers, at)
    shapes, number = _shapes(definition, run.config.get("state", {}), path_numbers, body)
    # nothing is drawn of a path after its failure
    late = after_failure(run, path_numbers, times)
    numbers = path_numbers if run.numbers is None else run.numbers[path_numbers]
    notes = []
    failed = failure.failed(run.status[path_numbers])
    # a picture that leaves paths out says so
    if np.any(failed):
        notes.append(f"{np.count_nonzero(failed)} of {len(path_numbers)} paths fail: ✕ is where they do.")
    if len(path_numbers) < run.paths:
        notes.append(f"{len(path_numbers)} of {run.paths} paths are shown.")
    kind = str(run.config.get("system", "")).rpartition(":")[2]
    title = kind if definition is None else preset_name(definition)
    method = str(run.config.get("method", ""))
    motion = Motion(
        title=title,
        about=" · ".join(words for words in (kind if _plain(kind) != _plain(title) else "", method) if words),
        times=times,
        labels=[str(int(n)) for n in numbers],
        endings=[_ending(run, int(p)) for p in path_numbers],
        failed=failed,
        body=body,
        shapes=shapes,
        shape=number,
        has_shape=definition is not None and definition.workings.of_one_path.workings.stated("shape") is not None,
        vectors={name: np.where(late[..., None], np.nan, run[name][path_numbers][:, at]) for name in _vectors(run)},
        curves=[
            Curve(name, run.units.get(name, ""), np.where(late, np.nan, run[name][path_numbers][:, at]))
            for name in _series(run)
        ],
        notes=notes,
    )
    return motion if run.history is None else _of_modes(motion, run.history, at)


def _of_modes(motion: Motion, history: ModeHistory, at: np.ndarray) -> Motion:
    """The motion of paths of a hybrid system, with their modes at these times, and their transitions."""
    table, names = history.transitions, history.modes
    words = [
        f"{names[a]} → {names[b]}" if a != b else f"{names[a]}, a rebound"
        for a, b in zip(table.source.tolist(), table.target.tolist(), strict=True)
    ]
    modes = history.mode[: len(motion.labels)][:, at]
    return with_modes(motion, names, modes, zip(table.path.tolist(), table.time.tolist(), words, strict=True))


def _plain(name: str) -> str:
    return name.replace("-", "").lower()


def chosen_times(times: np.ndarray, frames: int) -> np.ndarray:
    """Indices of at most so many times, evenly chosen, the first and the last among them."""
    if len(times) < 2:
        raise errors.InputError("a run that moves", expected="several times", got="one", hint="Run it with save='all'.")
    last = len(times) - 1
    return np.unique(np.rint(np.linspace(0, last, min(frames, last + 1))).astype(int))


def stated_shape(system: SystemDefinition | None, state: Mapping[str, Any], body: BodyPose) -> Shape:
    """The shape of a system; of one that states none, its mass ellipsoid and axes."""
    shape = None if system is None else system.workings.stated("shape")
    if shape is None:
        return mass_shape(system, state, _size(body), body.moves)
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


def _shapes(system: SystemDefinition | None, state: Mapping[str, Any], path_numbers: np.ndarray, body: BodyPose
            ) -> tuple[list[Shape], list[int]]:  # fmt: skip
    """The different bodies, and which of them each path has."""
    if system is None or system.workings.paths is None:  # a run of a class that is not here is drawn as axes
        return [stated_shape(system, state, body)], [0] * len(path_numbers)
    return [stated_shape(system.at_path(int(p)), state, body) for p in path_numbers], list(range(len(path_numbers)))


def _size(body: BodyPose) -> float:
    """A tenth of the room that a body of unknown size needs, or 1."""
    extent = np.nanmax(np.ptp(body.position, axis=1), initial=0.0)
    return 0.1 * float(extent) if np.isfinite(extent) and extent > 0 else 1.0


def _ending(run: RunData, path: int) -> str:
    """The reason why a path ends before the run; empty if it does not."""
    code, time = int(run.status[path]), float(run.failed_at[path])
    if code == failure.GOOD:
        return ""
    return f"stopped at {time:.4g} s" if code == failure.STOPPED else f"fails at {time:.4g} s: {failure.REASONS[code]}"


def _vectors(run: RunData) -> list[str]:
    """Γ first, then momenta, then what else is a vector of the state."""
    names = ["Gamma", "M", "Omega", *run.config.get("variables", ())]
    vectors = [n for n in dict.fromkeys(names) if n in run and run[n].ndim == 3 and run[n].shape[-1] == 3]
    return vectors[:SPHERES]


def _series(run: RunData) -> list[str]:
    scalar = [n for n in run if run[n].ndim == 2]
    observables = [n for n in run.config.get("observables", ()) if n in scalar]
    return (observables or [n for n in run.config.get("variables", ()) if n in scalar] or scalar)[:SERIES]
