"""Backward simulation: paths through the particles of all times, given all data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from semidirect.core import errors
from semidirect.inference.filter_task import FilterTask
from semidirect.inference.group_mean import deviations
from semidirect.inference.linearised import moving_rows
from semidirect.inference.neighbourhood import MeanState, Neighbourhood
from semidirect.inference.streams import Streams
from semidirect.inference.summary import Summary
from semidirect.stepper import Stepper

__all__ = ["EarlierParticles", "backward_simulation"]

LEAST = 1e-4
"""Of the largest eigenvalue of a correlation: a noise of less than this in a direction has no density that is nearly normal,
since it moves the state there through other directions. With 3e-8 means were wrong by a third of their spread, with 1e-11 by
more than it, and with 0.07 they were right.
"""

MOST_PATHS = 1000
"""Paths that are simulated backward: each looks at all particles."""

AT_ONCE = 2**21
"""Numbers of a table of paths and particles."""

ABOVE = 2**31
"""Number of the random numbers of the backward simulation among those of the updates."""


@final
@dataclass(frozen=True, eq=False)
class EarlierParticles:
    """The particles of one time.

    Attributes
    ----------
    ensemble : Stepper
        The particles.
    log_weights : array (paths,)
        Logarithms of their weights, given the data up to then.
    """

    ensemble: Stepper
    log_weights: np.ndarray


def backward_simulation(task: FilterTask, near: Neighbourhood, earlier: Sequence[EarlierParticles]) -> Summary:
    """Summaries of paths that are drawn backward from the last time (Godsill, Doucet and West, J. Am. Stat. Assoc. 99, 2004).

    A particle before is taken with its weight times the density with which it moves to the state that was drawn after. This
    density is taken as normal, in exponential coordinates about a path near the mean: the path of each particle without noise,
    and the covariance that noise gives a particle near the mean. It is exact for linear systems.

    Raises
    ------
    MethodError
        If the noise has no density, or none that is nearly normal: it moves the state in fewer directions than it has.
    """
    summary = Summary(task.system.group, task.levels)
    rng = Streams(task.seed, ABOVE).generator(0)
    weights = np.exp(earlier[-1].log_weights)
    count = min(len(weights), MOST_PATHS)
    choice = _drawn(weights[None].repeat(count, 0), rng)
    rows = [_values(task, earlier[-1], choice)]
    for before, after in zip(earlier[-2::-1], earlier[:0:-1], strict=True):
        means, root = _transition(near, before, after.ensemble.t)
        ends = _coordinates(near, after.ensemble)
        scaled, arrivals = means @ root.T, ends[choice] @ root.T
        out = np.empty(count, dtype=np.int64)
        step = max(AT_ONCE // len(scaled), 1)
        for first in range(0, count, step):
            some = arrivals[first : first + step]
            away = np.sum(scaled**2, axis=1) - 2 * some @ scaled.T
            log = before.log_weights - 0.5 * away
            out[first : first + step] = _drawn(np.exp(log - log.max(axis=1, keepdims=True)), rng)
        choice = out
        rows.append(_values(task, before, choice))
    for values in reversed(rows):
        summary.add(values, np.full(count, 1 / count), [])
    return summary


def _values(task: FilterTask, one: EarlierParticles, choice: np.ndarray) -> dict[str, np.ndarray]:
    return {k: v[choice] for k, v in one.ensemble.values(task.quantities).items()}


def _drawn(weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One number for each row of weights."""
    total = np.cumsum(weights, axis=1)
    u = rng.random(len(weights)) * total[:, -1]
    return np.minimum((total < u[:, None]).sum(axis=1), weights.shape[1] - 1)


def _transition(near: Neighbourhood, before: EarlierParticles, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Where particles move without noise ``(paths, d)``, and a root of the inverse of the covariance of the noise, both about a
    path near the mean, at which the neighbourhood then is.
    """
    ensemble = before.ensemble
    values = ensemble.values(moving_rows(ensemble))
    w = np.exp(before.log_weights)
    middle = w @ values["u"] / w.sum()
    spread = np.sqrt(w @ (values["u"] - middle) ** 2 / w.sum())
    away = np.where(w > 0, np.sum(((values["u"] - middle) / np.where(spread > 0, spread, 1)) ** 2, axis=1), np.inf)
    i = int(np.argmin(away))
    y, stored = ensemble.state_and_stored()
    group = ensemble.system.group
    g = np.asarray(group.element(stored[:, i]) if len(stored) else group.identity, dtype=float)
    mean = MeanState(g[None], stored[:, i : i + 1], values["u"][i][:, None], y[near.advected, i : i + 1])
    near.place(mean, ensemble)
    good, _, noises = near.advance(t)
    if not good.all():
        raise errors.InputError(
            "the mean path of a backward simulation failed", where=f"t = {t:g} s", hint="Use a smaller dt."
        )
    noise = noises[0, _still(ensemble) :]
    covariance = noise @ noise.T
    scale = np.sqrt(np.diag(covariance))
    sizes, axes = np.linalg.eigh(covariance / np.outer(np.where(scale > 0, scale, 1), np.where(scale > 0, scale, 1)))
    if not (scale > 0).all() or sizes.min() <= LEAST * sizes.max():
        raise errors.MethodError(
            "backward simulation of particles",
            expected="noise that moves all coordinates of the state between data, none by less than a hundredth of another",
            got=f"{int(np.count_nonzero(sizes > LEAST * sizes.max()))} of {len(sizes)} directions",
            hint="Where it moves fewer, transitions have no density: a particle reaches its own descendants alone, so there is "
            "nothing to choose between. Use lag= for the data of some later times, or update='extended-kalman'.",
        )  # fmt: skip
    steps = ensemble.copy()
    still = np.zeros((steps.steps_to(t)[0], steps.noises(), steps.paths))
    steps.advance(t=t, increments=still, between=True)
    return _coordinates(near, steps), (axes / np.sqrt(sizes)).T / scale


def _coordinates(near: Neighbourhood, ensemble: Stepper) -> np.ndarray:
    """The coordinates ``(paths, d)`` of particles about the mean state."""
    values = ensemble.values(moving_rows(ensemble))
    eta = deviations(ensemble.system.group, near.mean.g[0], values["s"].T)
    return np.concatenate([eta.T, values["u"] - near.mean.u[:, 0]], axis=1)[:, _still(ensemble) :]


def _still(ensemble: Stepper) -> int:
    """Coordinates η of a configuration that there is for the form alone: they do not move."""
    return 0 if ensemble.system._has_configuration else ensemble.system.group.dimension
