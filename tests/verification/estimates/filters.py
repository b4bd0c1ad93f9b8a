"""Filters: errors of log-likelihoods and of means of particles, and intervals of states."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import semidirect as sd

from .cell import Cell, Outcome, listened, of_error, of_interval

sys.path.insert(0, str(Path(__file__).parents[2] / "inference"))

from ornstein_uhlenbeck import ERROR, INTERVAL, SEEN, Braked, log_likelihood, transition, values

STEPS = 2
OPTIONS: dict[str, Any] = {
    "dt": INTERVAL / STEPS, "method": "heun", "quantities": ["v"], "execution": sd.Execution(threads=1)
}  # fmt: skip
WITHOUT_MOVES = sd.inference.ParticleUpdate(moves=0, temper_below=0)


def times(count: int) -> np.ndarray:
    """Of the data."""
    return INTERVAL * np.arange(1, count + 1)


def mean(a: float, b: float, data: np.ndarray) -> float:
    """Kalman's mean at the end."""
    factor, spread = transition(a, b, STEPS)
    middle, variance = 1.0, 0.0
    for y in data:
        middle, variance = factor * middle, factor**2 * variance + spread
        share = variance / (variance + ERROR**2)
        middle, variance = middle + share * (y - middle), variance * (1 - share)
    return middle


PROBLEMS: dict[str, tuple[float, float, int, float, str]] = {
    "24 velocities": (0.8, 0.7, 24, 0.0, ""),
    "24 velocities, the last is an outlier": (0.8, 0.7, 24, 1.0, "rare"),
    "40 velocities with little friction": (0.1, 0.3, 40, 0.0, "correlated"),
}
"""Friction, noise, number of data, what is added to the last."""


@cache
def filtered(name: str, particles: int, seed: int) -> tuple[tuple[float, float], tuple[float, float], bool]:
    """The log-likelihood and the last mean, each with its error, and whether there was a warning."""
    a, b, _, _, _ = PROBLEMS[name]
    data = data_of(name)
    with listened() as texts:
        found = sd.filter(Braked(a=a, b=b), SEEN, (times(len(data)), data[:, None]), particles=particles, seed=seed,
                          update=WITHOUT_MOVES, **OPTIONS)  # fmt: skip
    last = found.data["v_mean"].values[-1], found.data["v_error"].values[-1]
    return (found.log_likelihood, found.log_likelihood_error), (float(last[0]), float(last[1])), bool(texts)


def data_of(name: str) -> np.ndarray:
    """The data of a problem."""
    a, b, count, more, _ = PROBLEMS[name]
    data = values(5, a, b, count)
    data[-1] += more
    return data


def likelihoods(name: str, particles: int, of_mean: bool, seeds: range) -> Iterator[Outcome]:
    """The same data, other random numbers of the filter; an error that is not known counts as a warning."""
    a, b, _, _, _ = PROBLEMS[name]
    truth = mean(a, b, data_of(name)) if of_mean else log_likelihood(a, b, data_of(name), STEPS)
    for seed in seeds:
        *both, warned = filtered(name, particles, seed)
        value, error = both[of_mean]
        yield of_error(value, error, truth, warned or bool(np.isnan(error)))


def states(update: str, seeds: range) -> Iterator[Outcome]:
    """Data of a path of the model: the interval of its last velocity."""
    for seed in seeds:
        run = Braked().simulate(t_end=12 * INTERVAL, dt=OPTIONS["dt"], method="heun", seed=seed, save=f"every:{STEPS}")
        data = SEEN.of(run, seed=seed).isel(time=slice(1, None))
        with listened() as texts:
            found = sd.filter(
                Braked(), SEEN, data, particles=300, seed=seed, update=update, levels=(0.025, 0.975), **OPTIONS
            )
        low, high = found.data["v_quantile"].values[-1]
        yield of_interval(low, high, float(run["v"].ravel()[-1]), bool(texts))


def bent(order: int, seeds: range) -> Iterator[Outcome]:
    """A disk whose turn is not known, of which two places are seen: the interval of its turn."""
    disk, track = sd.load("rolling-disk", radius=0.7, noise=(0.1, 0.1)), sd.inference.position(["x", "y"], noise=0.02)

    def start(rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
        return {"omega": 1.2 + 0.1 * rng.standard_normal(count), "nu": 0.5 + rng.standard_normal(count)}

    for seed in seeds:
        one = {k: v[0] for k, v in start(np.random.default_rng([seed, 7]), 1).items()}
        run = disk.simulate(t_end=2, dt=0.1, seed=seed, save="every:10", state=one)
        data = track.of(run, seed=seed).isel(time=slice(1, None))
        with listened() as texts:
            found = sd.filter(disk, track, data, dt=0.1, particles=400, seed=seed, state=start, quantities=["nu"],
                              levels=(0.025, 0.975), update=sd.inference.EnsembleKalmanUpdate(order=order),
                              execution=OPTIONS["execution"])  # fmt: skip
        low, high = found.data["nu_quantile"].values[-1]
        yield of_interval(low, high, one["nu"], bool(texts))


CELLS = [
    *(
        Cell(what, f"{name}, {count} particles", "Kalman's filter", partial(likelihoods, name, count, what.startswith("mean")),
             problem[-1])
        for what in ("log-likelihood of particles", "mean of particles")
        for name, problem in PROBLEMS.items()
        for count in (1000,)
    ),
    *(Cell("interval of a state", f"12 velocities, {update}", "the path itself", partial(states, update), "correlated")
      for update in ("particles", "ensemble-kalman", "extended-kalman")),
    *(Cell("interval of a state", f"turn of a disk, ensemble-kalman, order {order}", "the path itself", partial(bent, order),
           "skewed", healthy=False) for order in (1, 2)),
]  # fmt: skip
