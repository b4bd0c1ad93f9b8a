"""Maximum likelihood of the amplitudes and the velocities of a disk whose angles are observed exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

import semidirect as sd

__all__ = ["ExactFit", "exact_fit"]


@final
@dataclass(frozen=True)
class ExactFit:
    """Estimates path by path, each ``(paths, 2)`` for spin θ and turn φ.

    Attributes
    ----------
    velocity, velocity_error : array
        ω and ν, and their standard errors ξ/√T.
    noise, noise_error : array
        ξ₁ and ξ₂, and their standard errors ξ/√(2n) for n intervals.
    log_likelihood : array (paths,)
        The logarithm of the density of all angles after the first, at the estimates.
    """

    velocity: np.ndarray
    velocity_error: np.ndarray
    noise: np.ndarray
    noise_error: np.ndarray
    log_likelihood: np.ndarray


def log_likelihood(run: sd.Run, velocity: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """The logarithm of the density ``(paths,)`` of the angles after the first, for velocities (ω, ν) and amplitudes (ξ₁, ξ₂).

    Increments of θ and φ over an interval Δ are independent and normal, with means ωΔ and νΔ and variances ξ₁²Δ and ξ₂²Δ,
    exactly, as ω and ν do not change.
    """
    changes, gaps = _increments(run)
    variance = np.asarray(noise)[..., None, :] ** 2 * gaps[:, None]
    residual = changes - np.asarray(velocity)[..., None, :] * gaps[:, None]
    return np.asarray(-0.5 * np.sum(residual**2 / variance + np.log(2 * np.pi * variance), axis=(1, 2)))


def exact_fit(run: sd.Run) -> ExactFit:
    """The maximum of the likelihood of the angles, in closed form, for saved times at any distances.

    Positions follow from φ between the times and hold more about ξ₂; they are not used, as their density is not known in closed
    form.

    Parameters
    ----------
    run : Run
        Paths of a rolling disk, saved at three times or more, under noise in both angles.

    Raises
    ------
    InputError
        For fewer times, and for a run without the angles.
    """
    changes, gaps = _increments(run)
    n, span = len(gaps), gaps.sum()
    velocity = changes.sum(axis=1) / span
    noise = np.sqrt(np.mean((changes - velocity[:, None] * gaps[:, None]) ** 2 / gaps[:, None], axis=1))
    return ExactFit(
        velocity, noise / np.sqrt(span), noise, noise / np.sqrt(2 * n), log_likelihood(run, velocity, noise)
    )


def _increments(run: sd.Run) -> tuple[np.ndarray, np.ndarray]:
    """Changes of (θ, φ) ``(paths, n, 2)`` and the intervals ``(n,)``."""
    missing = [name for name in ("theta", "phi") if name not in run]
    if missing or len(run.times) < 3:
        got = f"no {', '.join(missing)}" if missing else f"{len(run.times)} times"
        raise sd.errors.InputError("paths of a disk", expected="theta and phi at three times or more", got=got)
    return np.diff(np.stack([run["theta"], run["phi"]], axis=2), axis=1), np.diff(run.times)
