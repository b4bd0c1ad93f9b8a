"""Estimates over paths that are independent: moments, covariances, histograms, first passages, survival, derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

import semidirect as sd
from estimates.cell import Cell, Outcome, listened, of_error, of_interval, refused
from estimates.systems import END, STEP, euler_moments, heun_growth, line, pair, passage_survival, simulated

PATHS, FEW = 400, 6
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


def covariance(problem: tuple[sd.System, str], other: str, truth: float) -> Callable[[range], Iterator[Outcome]]:
    """The covariance of q and a quantity."""
    j = 0 if other == "q" else 1
    return of_statistic(problem, sd.Covariance(["q", other][: j + 1]),
                        lambda r: (r.matrix[-1, 0, j], r.matrix_error[-1, 0, j]), truth)  # fmt: skip


def together(
    statistic: Any, read: Callable[[Any], Any], driver: Callable[[int], Any]
) -> Callable[[range], Iterator[Outcome]]:
    """What a statistic states where paths share one noise."""

    def ask(seed: int) -> Any:
        run = simulated(pair(), seed, FEW, method="heun", t=3 * STEP, reduce=sd.Reduce(statistic, at="every:1"),
                        driver=driver(seed))  # fmt: skip
        return read(run.reductions[statistic.key])

    return partial(refused, ask=ask)


def derivative_of_one_noise(seed: int) -> Any:
    """The error of a mean derivative, of paths with one noise."""
    run = simulated(
        line(), seed, FEW, method="heun", t=3 * STEP, driver=ONE, formulation=sd.Formulation(sensitivity=["rate"])
    )
    return run.sensitivity("q", "rate").standard_error


def antithetic(seed: int) -> np.ndarray:
    """Increments of paths in pairs, of which one has the negative of the other's."""
    half = np.random.default_rng(seed).normal(0, STEP**0.5, (3, 2, FEW // 2))
    return np.concatenate([half, -half], axis=2)


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


def density(x: float) -> float:
    """Of the standard normal law."""
    return float(np.exp(-x * x / 2) / np.sqrt(2 * np.pi))


STEPS = round(END / STEP)
ONE = sd.Wiener(path=0)
TOGETHER: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "moments": (sd.Moments(["q"]), lambda r: r.standard_error["q"]),
    "mean beside a covariance": (sd.Covariance(["q"]), lambda r: r.standard_error),
    "covariance": (sd.Covariance(["q"]), lambda r: r.matrix_error),
    "quantile": (sd.Histogram("q", -4.0, 8.0, bins=1200), lambda r: r.quantile_intervals(0.5)),
    "first passage": (sd.FirstPassage("q", 1.5), lambda r: r.share_error),
    "survival": (sd.FirstPassage("q", 1.5), lambda r: r.survival_error),
}
"""Statistics, and what states their errors."""
DRIVERS: dict[str, Callable[[int], Any]] = {
    "one noise for all paths": lambda seed: ONE,
    "antithetic paths": antithetic,
}
CELLS = [
    Cell("moments", "E q, normal", LAW, mean(NORMAL, "q", MEAN)),
    Cell("moments", "E q, log-normal", LAW, mean(SKEWED, "q", heun_growth(GROWTH, END, STEP)), "skewed"),
    Cell("moments", "P(q > 1.5)", LAW, mean(NORMAL, *above(1.5)), "rare"),
    Cell("moments", "P(q > 2.5), 0 to 2 of 400 paths", LAW, mean(NORMAL, *above(2.5)), "rare"),
    Cell("covariance", "Var q, normal", LAW, covariance(NORMAL, "q", VARIANCE)),
    Cell("covariance", "Cov(q, q²), normal", LAW, covariance(NORMAL, "q**2", 2 * MEAN * VARIANCE), "skewed"),
    Cell("covariance", "Var q, log-normal", LAW,
         covariance((line(0.0, 0.0, 0.25), "heun"), "q", heun_growth(0.25, END, STEP, 2) - heun_growth(0.25, END, STEP) ** 2),
         "skewed"),
    Cell("covariance", "Cov(q, q > 1.5), normal", LAW, covariance(NORMAL, above(1.5)[0], SIGMA * density((1.5 - MEAN) / SIGMA)),
         "rare"),
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
    Cell("derivative of a mean", "dE q/da, one noise for all paths", "—", partial(refused, ask=derivative_of_one_noise),
         "correlated", healthy=False),
    *(Cell(estimate, f"q, {name}", "—", together(*how, driver), "correlated", healthy=False)
      for estimate, how in TOGETHER.items() for name, driver in DRIVERS.items()),
]  # fmt: skip
