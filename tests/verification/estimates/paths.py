"""Estimates over paths that are independent: moments, covariances, histograms, first passages, survival, derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

import semidirect as sd
from estimates.cell import Cell, Outcome, listened, of_error, of_interval
from estimates.systems import END, STEP, euler_moments, heun_growth, line, pair, passage_survival, simulated

PATHS = 400
MEAN, VARIANCE = euler_moments(1.0, 1.0, END, STEP)
SIGMA = VARIANCE**0.5
GROWTH = 0.5
"""c of the geometric Brownian motion."""
NORMAL, SKEWED = (line(), "euler-maruyama"), (line(0.0, 0.0, GROWTH), "heun")
LAW = "law of the steps"


def of_statistic(
    problem: tuple[sd.System, str], statistic: Any, read: Callable[[Any], tuple[float, float]], truth: float, paths: int = PATHS,
    **more: Any,
) -> Callable[[range], Iterator[Outcome]]:  # fmt: skip
    """The value and the error that are read of a statistic at t = 1, at each seed."""

    def outcomes(seeds: range) -> Iterator[Outcome]:
        for seed in seeds:
            with listened() as texts:
                run = simulated(
                    problem[0], seed, paths, method=problem[1], reduce=sd.Reduce(statistic, at="every:1"), **more
                )
                value, error = read(run.reductions[statistic.key])
            yield of_error(value, error, truth, bool(texts))

    return outcomes


def mean(problem: tuple[sd.System, str], quantity: str, truth: float) -> Callable[[range], Iterator[Outcome]]:
    """The mean of a quantity."""
    return of_statistic(
        problem, sd.Moments([quantity]), lambda r: (r.mean[quantity][-1], r.standard_error[quantity][-1]), truth
    )


def mean_of_two(problem: tuple[sd.System, str], quantity: str, truth: float) -> Callable[[range], Iterator[Outcome]]:
    """The mean beside a covariance matrix."""
    return of_statistic(
        problem, sd.Covariance(["q", quantity]), lambda r: (r.mean[-1, 1], r.standard_error[-1, 1]), truth
    )


def quantile(
    problem: tuple[sd.System, str], q: float, truth: Callable[[], float]
) -> Callable[[range], Iterator[Outcome]]:
    """The interval of a quantile, whose truth is computed when it is needed."""
    statistic = sd.Histogram("q", -4.0, 8.0, bins=1200)

    def outcomes(seeds: range) -> Iterator[Outcome]:
        for seed in seeds:
            with listened() as texts:
                run = simulated(problem[0], seed, PATHS, method=problem[1], reduce=statistic)
                low, high = run.reductions[statistic.key].quantile_intervals(q)[-1]
            yield of_interval(low, high, truth(), bool(texts))

    return outcomes


def passed(level: float, *, survival: bool, paths: int = PATHS) -> Callable[[range], Iterator[Outcome]]:
    """The share that has not passed a level; or the survival, where a stop by another noise ends paths before."""
    statistic, at = sd.FirstPassage("q", level), 15  # t = .75: later few are left where they are stopped
    truth = passage_survival(level, at)
    more = {"stop": sd.Stop("w", above=0.7)} if survival else {}

    def read(result: Any) -> tuple[float, float]:
        value, error = (result.survival, result.survival_error) if survival else (result.share, result.share_error)
        return float(value[at]), float(error[at])

    return of_statistic((pair(), "euler-maruyama"), statistic, read, truth, paths, **more)


def derivative(problem: tuple[sd.System, str], by: str, truth: float) -> Callable[[range], Iterator[Outcome]]:
    """The derivative of E q."""

    def outcomes(seeds: range) -> Iterator[Outcome]:
        for seed in seeds:
            with listened() as texts:
                run = simulated(
                    problem[0], seed, PATHS, method=problem[1], formulation=sd.Formulation(sensitivity=[by])
                )
                found = run.sensitivity("q", by)
                value, error = float(found.mean.ravel()[-1]), float(found.standard_error.ravel()[-1])
            yield of_error(value, error, truth, bool(texts))

    return outcomes


@cache
def log_normal_quantile(q: float) -> float:
    """Of q after Heun's steps of the geometric Brownian motion, from four million products."""
    rng, total = np.random.default_rng(0), np.zeros(4_000_000)
    for _ in range(round(END / STEP)):
        theta = GROWTH * np.sqrt(STEP) * rng.standard_normal(total.size)
        total += np.log(1 + theta + theta**2 / 2)
    return float(np.exp(np.quantile(total, q)))


def by_growth(power: int = 1) -> float:
    """dE q^power/dc, by central differences of the closed form."""
    up, down = (heun_growth(GROWTH + h, END, STEP, power) for h in (1e-5, -1e-5))
    return (up - down) / 2e-5


def above(level: float) -> tuple[str, float]:
    """The indicator of an event, and its probability."""
    return f"where(q > {level}, 1, 0)", float(ndtr((MEAN - level) / SIGMA))


STEPS = round(END / STEP)
CELLS = [
    Cell("moments", "E q, normal", LAW, mean(NORMAL, "q", MEAN)),
    Cell("moments", "E q, log-normal", LAW, mean(SKEWED, "q", heun_growth(GROWTH, END, STEP)), "skewed"),
    Cell("moments", "P(q > 1.5)", LAW, mean(NORMAL, *above(1.5)), "rare"),
    Cell("mean beside a covariance", "E q², normal", LAW, mean_of_two(NORMAL, "q**2", MEAN**2 + VARIANCE), "skewed"),
    Cell("mean beside a covariance", "E q², log-normal", LAW,
         mean_of_two((line(0.0, 0.0, 0.25), "heun"), "q**2", heun_growth(0.25, END, STEP, 2)), "skewed"),
    Cell("mean beside a covariance", "P(q > 1.5)", LAW, mean_of_two(NORMAL, *above(1.5)), "rare"),
    Cell("quantile", "median, normal", LAW, quantile(NORMAL, 0.5, lambda: MEAN)),
    Cell("quantile", "99 %, normal", LAW, quantile(NORMAL, 0.99, lambda: MEAN + SIGMA * float(ndtri(0.99))), "rare"),
    Cell("quantile", "90 %, log-normal", "four million products",
         quantile(SKEWED, 0.9, lambda: log_normal_quantile(0.9)), "skewed"),
    Cell("first passage", "q ≥ 1.5", "transition densities", passed(1.5, survival=False)),
    Cell("first passage", "q ≥ 2.5", "transition densities", passed(2.5, survival=False), "rare"),
    Cell("first passage", "q ≥ 1.05", "transition densities", passed(1.05, survival=False), "few are left"),
    Cell("survival", "q ≥ 1.5, a third stopped", "transition densities", passed(1.5, survival=True)),
    Cell("survival", "q ≥ 2.5, a third stopped", "transition densities", passed(2.5, survival=True), "rare"),
    Cell("survival", "q ≥ 1.05, a third stopped", "transition densities", passed(1.05, survival=True), "few are left"),
    Cell("derivative of a mean", "dE q/da, normal", LAW,
         derivative(NORMAL, "rate", -END * (1 - STEP) ** (STEPS - 1))),
    Cell("derivative of a mean", "dE q/dc, log-normal", LAW, derivative(SKEWED, "scaled", by_growth()), "skewed"),
    Cell("derivative of a mean", "dE q/dq(0), log-normal", LAW,
         derivative(SKEWED, "q", heun_growth(GROWTH, END, STEP)), "skewed"),
]  # fmt: skip
