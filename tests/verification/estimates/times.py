"""Estimates from correlated times: averages over time, Lyapunov exponents, quadratic variations, tests of conservation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any
from unittest.mock import patch

import numpy as np

import semidirect as sd
from estimates.cell import Cell, Outcome, listened, of_error
from semidirect.analysis.lyapunov import estimate
from semidirect.analysis.monitor import monitor
from semidirect.statistics.batch_means import BatchSums
from semidirect.statistics.reduction import StatisticRequest

STEP = 0.1
FACTOR = 1 - STEP
STATIONARY = STEP / (1 - FACTOR**2)
"""The variance of q by Euler's steps of dq = −q dt + dW."""


EVERY = 4
"""Steps between two observations."""


def average(
    quantity: str, truth: float, paths: int, t: float, *, start: float | None = None, one_noise: bool = False, **options: Any
) -> Callable[[range], Iterator[Outcome]]:  # fmt: skip
    """The average over time of a quantity; paths begin in the stationary law unless a start is given.

    The paths of all repetitions are made in one run, and each repetition accumulates its own.
    """
    statistic = sd.TimeAverage([quantity], **options)

    def outcomes(seeds: range) -> Iterator[Outcome]:
        rng, steps, total = np.random.default_rng([seeds.start, 1]), round(t / STEP), len(seeds) * paths
        law = rng.normal(0, STATIONARY**0.5, total)
        noises = rng.normal(0, STEP**0.5, (steps, len(seeds), 1 if one_noise else paths))
        q = np.empty((steps // EVERY, total))
        x = law if start is None else np.full(total, float(start))
        for k in range(steps):  # Euler's steps of dq = −q dt + dW
            x = FACTOR * x + np.broadcast_to(noises[k], (len(seeds), paths)).ravel()
            if (k + 1) % EVERY == 0:
                q[k // EVERY] = x
        times, good, running = np.arange(1, len(q) + 1) * STEP * EVERY, np.ones(paths, bool), np.full(paths, np.nan)
        values = q**2 if quantity == "q**2" else q
        for i in range(len(seeds)):
            taker = statistic.accumulator(range(paths), len(q), {quantity: 1})
            for k, row in enumerate(values[:, i * paths : (i + 1) * paths]):
                taker.add(k, {quantity: row[None]}, good, running)
            found = statistic.reduced(StatisticRequest(taker.partial(), times, paths, {quantity: 1}, {}, one_noise))
            with listened() as texts:
                value, error = float(found.mean[quantity]), float(found.standard_error[quantity])
            yield of_error(value, error, truth, bool(texts))

    return outcomes


class Spinning(sd.System):
    """dz = a z dt + Σ_ij σ E_ij z∘dW^ij in the plane, whose exponents are a ± σ²/2."""

    rate: sd.Parameter = sd.parameter(0.3, unit="1/s", doc="a")
    sigma: sd.Parameter = sd.parameter(0.8, unit="1/√s", doc="σ")
    group = sd.SO2()

    def constraint(self) -> sd.PrescribedVelocity:
        """The angle stays where it is."""
        return sd.PrescribedVelocity()

    def internal(self) -> list[sd.InternalState]:
        """The vector."""

        def fields(z: Any) -> list[list[Any]]:
            x, y = z.z[0], z.z[1]
            return [[self.sigma * x, 0], [self.sigma * y, 0], [0, self.sigma * x], [0, self.sigma * y]]

        return [sd.InternalState("z", (0.6, 0.8), drift=lambda z: [self.rate * x for x in z.z], noise=fields)]


@cache
def spinning() -> sd.System:
    """The system."""
    return Spinning()


@cache
def body() -> sd.System:
    """A free rigid body, whose |M| is conserved."""
    return sd.load("rigid-body", noise=0.4 * np.eye(3))


def exponent(
    system: Callable[[], sd.System], number: int, truth: float, paths: int, **how: Any
) -> Callable[[range], Iterator[Outcome]]:
    """One Lyapunov exponent. The paths of all repetitions are made in one run, whose sums are divided among them."""

    def outcomes(seeds: range) -> Iterator[Outcome]:
        made: list[BatchSums] = []

        class Recorded(BatchSums):  # type: ignore[misc]
            def __init__(self, *arguments: Any):
                super().__init__(*arguments)
                made.append(self)

        with patch.object(estimate, "BatchSums", Recorded):
            whole = sd.lyapunov(system(), seed=seeds.start, paths=paths * len(seeds), **how)
        groups, interval = made[0]._batches, whole.averages.interval
        intervals = round(whole.t_end / interval)
        for i in range(len(seeds)):
            own = made[0].of_paths(slice(i * paths, (i + 1) * paths))
            found = estimate.settled_averages(own, groups, interval, intervals, whole.count, one_noise=False)
            with listened() as texts:
                value, error = float(found.mean[number]), float(found.standard_error[number])
            yield of_error(value, error, truth, bool(texts))

    return outcomes


def variation(name: str, settings: Mapping[str, Any], row: int, column: int, truth: float, steps: int
              ) -> Callable[[range], Iterator[Outcome]]:  # fmt: skip
    """An entry of the quadratic variation; each path of a run is a repetition."""

    def outcomes(seeds: range) -> Iterator[Outcome]:
        system = sd.load(name, **settings)
        with listened() as texts:
            run = system.simulate(t_end=steps / 500, dt=1 / 500, paths=len(seeds), seed=seeds.start)
            found = sd.inference.quadratic_variation(run)
            values, errors = found.covariance[:, row, column], found.standard_error[:, row, column]
        for value, error in zip(values, errors, strict=True):
            yield of_error(value, error, truth, bool(texts))

    return outcomes


def kept(name: str, quantity: str, settings: Mapping[str, Any], **how: Any) -> Callable[[range], Iterator[Outcome]]:
    """Whether the monitor agrees with a status that is true."""

    def outcomes(seeds: range) -> Iterator[Outcome]:
        system = sd.load(name, **settings)
        for seed in seeds:
            with listened() as texts:
                run = system.simulate(seed=seed, save="all", **how)
                (found,) = (f for f in monitor(run).findings if f.quantity == quantity)
            yield Outcome(found.outcome.name != "VIOLATED", bool(texts), float("nan"))

    return outcomes


class Claimed(sd.System):
    """dq = −q dt + dW, dr = μ dt, de = −δ e dt, with observables that claim what is not true."""

    rise: sd.Parameter = sd.parameter(0.5, unit="1/s", doc="μ")
    loss: sd.Parameter = sd.parameter(1e-6, unit="1/s", doc="δ")
    group = sd.SO2()

    def constraint(self) -> sd.PrescribedVelocity:
        """The angle stays where it is."""
        return sd.PrescribedVelocity()

    def internal(self) -> list[sd.InternalState]:
        """All three."""
        return [
            sd.InternalState("q", 0.0, drift=lambda z: [-z.q], noise=[[1.0]]),
            sd.InternalState("r", 0.0, drift=lambda z: [self.rise]),
            sd.InternalState("e", 1.0, drift=lambda z: [-self.loss * z.e]),
        ]

    @sd.observable(status="bounded")
    def rising(self, state: Any) -> Any:
        """It rises by μ t, beside a stationary part."""
        return state.q + state.r

    @sd.observable(status="exact")
    def falling(self, state: Any) -> Any:
        """It loses δ in a second."""
        return state.e


@cache
def claimed() -> sd.System:
    """The system."""
    return Claimed()


def refuted(quantity: str, seeds: range) -> Iterator[Outcome]:
    """Whether the monitor finds that a claim is false."""
    for seed in seeds:
        with listened() as texts:
            run = claimed().simulate(t_end=10, dt=0.1, paths=8, method="heun", seed=seed, save="all")
            found = monitor(run)[quantity]
        yield Outcome(found.outcome.name == "VIOLATED", bool(texts), float("nan"))


def louder(seeds: range) -> Iterator[Outcome]:
    """Whether the monitor finds that the noise of a run is larger by a quarter than that of the system."""
    system, other = (sd.load("rigid-body", noise=(c * np.array(NOISE["noise"])).tolist()) for c in (1.0, 1.25))
    for seed in seeds:
        with listened() as texts:
            run = other.simulate(seed=seed, save="all", **{**SMALL, "paths": 40})
            found = monitor(run, system, refine=False)["energy"]
        yield Outcome(found.outcome.name == "VIOLATED", bool(texts), float("nan"))


NOISE: dict[str, Any] = {"noise": [[0.1, 0.2, 0], [0, 0, 0.3]]}
SMALL = {"t_end": 0.5, "dt": 0.025, "paths": 8, "method": "lie-heun"}
LYAPUNOV = {"dt": 0.05, "every": 5, "method": "lie-heun"}
CELLS = [
    Cell("average over time", "q, one path", "symmetry", average("q", 0.0, 1, 400.0), "correlated"),
    Cell("average over time", "q², 4 paths", "law of the steps", average("q**2", STATIONARY, 4, 400.0), "correlated, skewed"),
    Cell("average over time", "q, 40 paths", "symmetry", average("q", 0.0, 40, 20.0), "correlated"),
    Cell("average over time", "q, one noise for 5 paths", "symmetry", average("q", 0.0, 5, 400.0, one_noise=True), "correlated"),
    Cell("average over time", "q, one path, short", "symmetry", average("q", 0.0, 1, 40.0), "correlated", healthy=False),
    Cell("average over time", "q from 20, 4 paths", "symmetry", average("q", 0.0, 4, 396.8, start=20.0), "correlated",
         healthy=False),
    Cell("Lyapunov exponent", "λ₁ of a linear system", "closed form",
         exponent(spinning, 0, 0.3 + 0.32, t_end=20.0, paths=24, **{**LYAPUNOV, "method": "heun"}), block=200),
    Cell("Lyapunov exponent", "λ₂ of a free body, 40 paths", "0, as M² is conserved",
         exponent(body, 1, 0.0, t_end=20.0, paths=40, **LYAPUNOV), block=200),
    Cell("Lyapunov exponent", "λ₂ of a free body, 4 paths", "0, as M² is conserved",
         exponent(body, 1, 0.0, t_end=200.0, paths=4, batches=12, **LYAPUNOV), "correlated", block=200),
    Cell("quadratic variation", "rigid body, diagonal", "the amplitudes", variation("rigid-body", NOISE, 2, 2, 0.09, 300),
         "correlated", block=200),
    Cell("quadratic variation", "rigid body, off the diagonal", "the amplitudes",
         variation("rigid-body", NOISE, 0, 1, 0.02, 300), "correlated", block=200),
    Cell("quadratic variation", "rolling disk, 100 times", "the amplitudes",
         variation("rolling-disk", {"noise": (0.3, 0.2)}, 0, 0, 0.04, 100), "correlated, skewed", block=200),
    Cell("test of conservation", "energy of a free body, random", "the definition", kept("rigid-body", "energy", NOISE, **SMALL)),
    Cell("test of conservation", "energy of a rolling disk", "the definition",
         kept("rolling-disk", "energy", {"noise": (0.3, 0.2)}, **SMALL)),
    Cell("test of conservation", "energy of a free body, one noise", "the definition",
         kept("rigid-body", "energy", NOISE, **SMALL, driver=sd.Wiener(path=0)), "correlated"),
    Cell("test of conservation", "false: claimed to be bounded, rises by 5, 7 times its spread", "the definition",
         partial(refuted, "rising"), "correlated"),
    Cell("test of conservation", "false: claimed to be exact, loses 10⁻⁶ in a second", "the definition",
         partial(refuted, "falling")),
    Cell("test of conservation", "false: energy of a free body, noise larger by a quarter", "the amplitudes", louder,
         block=20),
]  # fmt: skip
