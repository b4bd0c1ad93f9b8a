"""The content of a page on an estimate: the mean configuration, the band about it, and the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors
from semidirect.definition import SystemDefinition
from semidirect.groups import ElementLayout
from semidirect.results import RunData
from semidirect.view.body_pose import BodyPose
from semidirect.view.motion import Curve, Motion, Role
from semidirect.view.motion_of_run import SERIES, chosen_times, stated_shape
from semidirect.view.preset_name import preset_name

if TYPE_CHECKING:
    from semidirect.groups import LieGroup

BAND = 24
"""Configurations that fill the band."""


def motion_of_estimate(
    system: SystemDefinition, times: np.ndarray, mean: np.ndarray, covariance: np.ndarray,
    quantities: Mapping[str, tuple[np.ndarray, np.ndarray]], truth: RunData | None, frames: int,
) -> Motion:  # fmt: skip
    """The mean, configurations m exp(η) with normal η about it, the same η in standard deviations at all times, and the truth.

    Parameters
    ----------
    system : System
    times : array (T,)
    mean : array (T, N, N)
        The mean configuration m.
    covariance : array (T, d, d)
        Of η = log(m⁻¹s).
    quantities : dict name → (mean, standard deviation)
        Scalars (T,) that are drawn as curves.
    truth : RunData, optional
        A run with the truth as its first path, at these times among others.
    frames : int
        How many times at most.
    """
    at = chosen_times(times, frames)
    moments, group = times[at], system.group
    levels = np.random.default_rng(0).standard_normal((BAND, group.dimension))
    values, vectors = np.linalg.eigh(covariance[at])
    roots = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :] @ np.swapaxes(vectors, -1, -2)
    band = mean[at] @ group.exp(np.einsum("tij,kj->kti", roots, levels))
    elements = [mean[at][None], band]
    labels, roles = ["estimate", *[f"band {k + 1}" for k in range(BAND)]], ["path", *["band"] * BAND]
    if truth is not None:
        elements.append(_truth(truth, moments))
        labels.append("truth")
        roles.append("truth")
    body, stored = _pose(group, np.concatenate(elements))
    shape = stated_shape(system, {}, body)
    # curves of the band are as many standard deviations away, evenly
    away = np.concatenate([[0.0], np.linspace(-2, 2, BAND)])
    units = {} if truth is None else truth.units
    curves = [Curve(name, _unit(name, truth), stored[name]) for name in _positions(group)]
    for name, (middle, deviation) in quantities.items():
        rows = [middle[at] + away[:, None] * deviation[at]]
        if truth is not None:
            rows.append(_at(truth, name, moments)[None] if name in truth else np.full((1, len(moments)), np.nan))
        curves.append(Curve(name, units.get(name, ""), np.concatenate(rows)))
    final_roles: list[Role] = roles  # type: ignore[assignment]
    return Motion(
        title=preset_name(system),
        about="filter",
        times=moments,
        labels=labels,
        endings=[""] * len(labels),
        failed=np.zeros(len(labels), dtype=bool),
        body=body,
        shapes=[shape],
        shape=[0] * len(labels),
        has_shape=system.shape() is not None,
        vectors={},
        curves=curves[:SERIES],
        notes=[
            "The band: configurations drawn from the distribution of the estimate, other curves within two deviations."
        ],
        roles=final_roles,
    )


def _pose(group: LieGroup, elements: np.ndarray) -> tuple[BodyPose, dict[str, np.ndarray]]:
    """The pose of elements (paths, T, N, N) of the group, and the stored coordinates by name (paths, T)."""
    layout = ElementLayout.of(group)
    stored = group.store(np.moveaxis(elements, (-2, -1), (0, 1)))
    values = dict(zip(layout.names, np.asarray(stored), strict=True))
    # angles between which a page interpolates make no jumps
    values = {k: np.unwrap(v, axis=1) if k in layout.angles else v for k, v in values.items()}
    return BodyPose.of_values(layout, values), values


def _positions(group: LieGroup) -> list[str]:
    """The stored coordinates that are neither angles nor entries of a rotation."""
    layout = ElementLayout.of(group)
    inside = [(row, row + size) for row, size in layout.rotations.values()]
    return [
        name
        for name, (i, j) in layout.cells.items()
        if not any(low <= i < high and low <= j < high for low, high in inside)
    ]


def _unit(name: str, run: RunData | None) -> str:
    return "" if run is None or name not in run.stored_names else str(run.unit(name))


def _truth(run: RunData, times: np.ndarray) -> np.ndarray:
    """The elements (1, T, N, N) of the first path at these times, of the nearest saved ones."""
    return run.element()[:1, _places(run, times)]


def _at(run: RunData, name: str, times: np.ndarray) -> np.ndarray:
    values: Any = run[name][0, _places(run, times)]
    return np.asarray(values)


def _places(run: RunData, times: np.ndarray) -> np.ndarray:
    spacing = float(np.max(np.diff(run.times))) if len(run.times) > 1 else 0.0
    places = np.abs(run.times[:, None] - times).argmin(axis=0)
    far = np.abs(run.times[places] - times)
    if np.any(far > spacing + 1e-9):
        raise errors.InputError(
            "truth", expected="a run that saved the times of the estimate",
            got=f"none within {spacing:g} s of {times[int(np.argmax(far))]:g} s",
        )  # fmt: skip
    return np.asarray(places)
