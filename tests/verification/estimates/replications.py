"""Estimates of randomised quasi-Monte Carlo: intervals of Student's law, from the spread of replications."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

import semidirect as sd
from estimates.cell import NORMAL, Cell, Outcome, listened, of_error, of_interval
from estimates.paths import GROWTH, LAW, MEAN, SIGMA, SKEWED, VARIANCE, above, density
from estimates.paths import NORMAL as GAUSSIAN
from estimates.systems import END, STEP, heun_growth, pair, passage_survival, simulated

REPLICATIONS, PATHS = 16, 1024
DRIVER = sd.noise.Sobol(REPLICATIONS)
WIDER = float(stdtrit(REPLICATIONS - 1, 0.975)) / NORMAL
"""What an interval of Student's law is wider by than one of the normal law: stated errors are larger by it here."""


def of_statistic(
    problem: tuple[sd.System, str],
    statistic: Any,
    read: Callable[[Any], tuple[float, float]],
    truth: float,
    at: str = "final",
    **more: Any,
) -> Callable[[range], Iterator[Outcome]]:
    """The value and the error that are read of a statistic at t = 1, at each seed."""

    def outcomes(seeds: range) -> Iterator[Outcome]:
        for seed in seeds:
            with listened() as texts:
                run = simulated(problem[0], seed, PATHS, method=problem[1], driver=DRIVER,
                                reduce=sd.Reduce(statistic, at=at), **more)  # fmt: skip
                value, error = read(run.reductions[statistic.key])
            yield of_error(value, WIDER * error, truth, bool(texts))

    return outcomes


def mean(
    problem: tuple[sd.System, str], quantity: str, truth: float, **more: Any
) -> Callable[[range], Iterator[Outcome]]:
    """The mean of a quantity."""
    return of_statistic(
        problem, sd.Moments([quantity]), lambda r: (r.mean[quantity][-1], r.standard_error[quantity][-1]), truth, **more
    )


def covariance(problem: tuple[sd.System, str], other: str, truth: float) -> Callable[[range], Iterator[Outcome]]:
    """The covariance of q and a quantity."""
    j = 0 if other == "q" else 1
    return of_statistic(problem, sd.Covariance(["q", other][: j + 1]),
                        lambda r: (r.matrix[-1, 0, j], r.matrix_error[-1, 0, j]), truth)  # fmt: skip


def average(truth: float) -> Callable[[range], Iterator[Outcome]]:
    """The mean of q over time and paths."""
    return of_statistic(GAUSSIAN, sd.TimeAverage(["q"]), lambda r: (float(r.mean["q"]), float(r.standard_error["q"])), truth,
                        at="every:1")  # fmt: skip


def quantile(q: float, truth: float) -> Callable[[range], Iterator[Outcome]]:
    """The interval of a quantile of q."""
    statistic = sd.Histogram("q", -4.0, 8.0, bins=1200)

    def outcomes(seeds: range) -> Iterator[Outcome]:
        for seed in seeds:
            with listened() as texts:
                run = simulated(GAUSSIAN[0], seed, PATHS, method=GAUSSIAN[1], driver=DRIVER, reduce=statistic)
                low, high = run.reductions[statistic.key].quantile_intervals(q)[-1]
            yield of_interval(low, high, truth, bool(texts))

    return outcomes


def passed(level: float, *, survival: bool) -> Callable[[range], Iterator[Outcome]]:
    """The share that has not passed a level; or the survival, where a stop by another noise ends paths before."""
    statistic, at = sd.FirstPassage("q", level), 15
    truth = passage_survival(level, at)
    more = {"stop": sd.Stop("w", above=0.7)} if survival else {}

    def read(result: Any) -> tuple[float, float]:
        value, error = (result.survival, result.survival_error) if survival else (result.share, result.share_error)
        return float(value[at]), float(error[at])

    return of_statistic((pair(), "euler-maruyama"), statistic, read, truth, at="every:1", **more)


def derivative(truth: float) -> Callable[[range], Iterator[Outcome]]:
    """The derivative of E q by its start."""

    def outcomes(seeds: range) -> Iterator[Outcome]:
        for seed in seeds:
            with listened() as texts:
                run = simulated(SKEWED[0], seed, PATHS, method=SKEWED[1], driver=DRIVER,
                                formulation=sd.Formulation(sensitivity=["q"]))  # fmt: skip
                found = run.sensitivity("q", "q")
                value, error = float(found.mean.ravel()[-1]), float(found.standard_error.ravel()[-1])
            yield of_error(value, WIDER * error, truth, bool(texts))

    return outcomes


def scattered(rng: Any, count: int) -> dict[str, np.ndarray]:
    """A start of mean 1 and standard deviation ½."""
    return {"q": rng.normal(1.0, 0.5, count)}


TIMES = np.arange(round(END / STEP) + 1)
SHRINKS = (1 - STEP) ** TIMES
SPREAD = float(np.hypot(SIGMA, 0.5 * SHRINKS[-1]))
NAME = "over Sobol points"
CELLS = [
    Cell(NAME, "E q, normal", LAW, mean(GAUSSIAN, "q", MEAN), "correlated"),
    Cell(NAME, "E q², normal", LAW, mean(GAUSSIAN, "q**2", MEAN**2 + VARIANCE), "skewed"),
    Cell(NAME, "E q, log-normal", LAW, mean(SKEWED, "q", heun_growth(GROWTH, END, STEP)), "skewed"),
    Cell(NAME, "P(q > 1.5)", LAW, mean(GAUSSIAN, *above(1.5)), "rare"),
    Cell(NAME, "P(q > 2.5), 0 to 4 of 1024 paths", LAW, mean(GAUSSIAN, *above(2.5)), "rare"),
    Cell(NAME, "E q², random start", LAW, mean(GAUSSIAN, "q**2", MEAN**2 + SPREAD**2, state=scattered), "skewed"),
    Cell(NAME, "Var q, normal", LAW, covariance(GAUSSIAN, "q", VARIANCE)),
    Cell(NAME, "Cov(q, q > 1.5), normal", LAW,
         covariance(GAUSSIAN, above(1.5)[0], SIGMA * density((1.5 - MEAN) / SIGMA)), "rare"),
    Cell(NAME, "median, normal", LAW, quantile(0.5, MEAN)),
    Cell(NAME, "quantile of 99 %, normal", LAW, quantile(0.99, MEAN + SIGMA * float(ndtri(0.99))), "rare"),
    Cell(NAME, "average over time of q from 1", LAW, average(float(SHRINKS.mean())), "not stationary", healthy=False),
    Cell(NAME, "first passage, q ≥ 1.5", "transition densities", passed(1.5, survival=False)),
    Cell(NAME, "first passage, q ≥ 2.5", "transition densities", passed(2.5, survival=False), "rare"),
    Cell(NAME, "survival, q ≥ 1.5, a third stopped", "transition densities", passed(1.5, survival=True)),
    Cell(NAME, "dE q/dq(0), log-normal", LAW, derivative(heun_growth(GROWTH, END, STEP)), "skewed"),
]  # fmt: skip
