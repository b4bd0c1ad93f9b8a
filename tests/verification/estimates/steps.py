"""Estimates that compare steps of different length: multilevel means, orders of convergence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from momentum_mean import probability_above
from scipy.special import ndtr

import semidirect as sd
from estimates.cell import Cell, Outcome, listened, of_error, of_interval, refused
from estimates.systems import line
from semidirect.analysis.convergence_study import convergence

RATE = 2.0
MEAN, VARIANCE = float(np.exp(-RATE)), float((1 - np.exp(-2 * RATE)) / (2 * RATE))
"""Of dq = −2q dt + dW from 1, at t = 1."""


def pulled() -> sd.System:
    """That process."""
    return line(RATE)


AMPLITUDE, INERTIA, HEIGHT = (0.35, 0.25, 0.2), (1.0, 2.0, 3.0), 0.8


def multilevel(make: Callable[[], sd.System], quantity: str, asked: float, truth: Callable[[], float], **how: Any
               ) -> Callable[[range], Iterator[Outcome]]:  # fmt: skip
    """A mean to the error asked for."""

    def outcomes(seeds: range) -> Iterator[Outcome]:
        exact = truth()
        for seed in seeds:
            with listened() as texts:
                found = sd.multilevel(make(), quantity, rmse=asked, seed=seed, execution=COMPILED, **how)
            yield of_error(found.estimate, found.error, exact, bool(texts), asked)

    return outcomes


@cache
def body() -> sd.System:
    """A free rigid body with one noise."""
    return sd.load("rigid-body", inertia=INERTIA, noise=[AMPLITUDE])


def above_height() -> float:
    """P(M₃ > .8) of it at t = 4."""
    start = np.array(INERTIA) * body().initial["Omega"]
    return probability_above(HEIGHT, INERTIA, [AMPLITUDE], start, 4.0)


def one_noise(seed: int) -> object:
    """Paths with one noise are one sample."""
    return sd.multilevel(body(), "M3", rmse=0.01, seed=seed, driver=sd.Wiener(path=0), **LONG)


def order_of_one_noise(seed: int) -> object:
    """The same for an order."""
    return convergence(line(1.0), "euler-maruyama", "strong", t_end=1, dt=LARGEST, levels=LEVELS, paths=4, seed=seed,
                       driver=sd.Wiener(path=0))  # fmt: skip


EULER: dict[str, Any] = {"t_end": 1, "dt": 0.25, "method": "euler-maruyama"}
LONG: dict[str, Any] = {"t_end": 4, "dt": 0.125, "method": "lie-heun"}
COMPILED = sd.Execution(engine="compiled", threads=1)
LEVELS, FINER, LARGEST, PATHS = 5, 1, 0.125, 200
FINEST = LARGEST / 2 ** (LEVELS - 1 + FINER)


def order(system: sd.System, method: str, error: Callable[[int], float]) -> Callable[[range], Iterator[Outcome]]:
    """A strong order; its truth is the slope of the exact errors at the steps that the fit uses, each of so many finest ones."""
    steps = LARGEST / 2.0 ** np.arange(LEVELS)
    exact = np.log2([error(round(h / FINEST)) for h in steps])

    def outcomes(seeds: range) -> Iterator[Outcome]:
        for seed in seeds:
            with listened() as texts:
                found = convergence(
                    system, method, "strong", t_end=1, dt=LARGEST, levels=LEVELS, finer=FINER, paths=PATHS, seed=seed,
                    reference="heun", execution=COMPILED,
                )["state"].fit  # fmt: skip
            used = np.array(found.used)
            truth = float(np.polyfit(np.log2(steps[used]), exact[used], 1)[0])
            dominated = any("decide" in note for note in found.notes)
            yield of_interval(found.low, found.high, truth, bool(texts) or dominated)

    return outcomes


def growing(scaled: float) -> Callable[[int], float]:
    """√E(q_h − q)² of Heun's steps of dq = c q∘dW, whose factors are 1 + θ + θ²/2, between steps of m finest ones and those."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    weights = weights / weights.sum()

    def squares(m: int) -> float:
        theta, coarse = scaled * np.sqrt(FINEST) * nodes, scaled * np.sqrt(m * FINEST) * nodes
        f, g = 1 + theta + theta**2 / 2, 1 + coarse + coarse**2 / 2
        a, b, d = (float(weights @ (theta**k * f)) for k in range(3))
        mixed = a**m + m * a ** (m - 1) * b + (m * a ** (m - 1) * d + m * (m - 1) * a ** (m - 2) * b**2) / 2
        n = round(1 / FINEST)
        return float((weights @ g**2) ** (n // m) - 2 * mixed ** (n // m) + (weights @ f**2) ** n)

    return lambda m: float(np.sqrt(squares(m)))


def relaxing(rate: float) -> Callable[[int], float]:
    """The same of Euler's steps of dq = −a q dt + dW from 1, which are linear in the increments."""

    def error(m: int) -> float:
        n = round(1 / FINEST)
        j = np.arange(n)
        coarse, fine = 1 - rate * m * FINEST, 1 - rate * FINEST
        apart = coarse ** (n // m - 1 - j // m) - fine ** (n - 1 - j)
        return float(np.hypot(coarse ** (n // m) - fine**n, np.sqrt(FINEST * np.sum(apart**2))))

    return error


SCALED = 0.75
GROWTH = 2 * RATE - 2 * SCALED**2
SQUARE = float(np.exp(-GROWTH) + (1 - np.exp(-GROWTH)) / GROWTH)
"""E q² of dq = −2q dt + dW¹ + c q∘dW² from 1, at t = 1."""
PROBABILITY = float(ndtr((MEAN - 1.3) / VARIANCE**0.5))
CELLS = [
    Cell("multilevel", "P(q > 1.3) to .002", "closed form",
         multilevel(pulled, "where(q > 1.3, 1, 0)", 0.002, lambda: PROBABILITY, **EULER), "rare", block=20),
    Cell("multilevel", "E q² to .002", "closed form",
         multilevel(pulled, "q**2", 0.002, lambda: MEAN**2 + VARIANCE, **EULER), "skewed", block=20),
    Cell("multilevel", "E q² to .02", "closed form",
         multilevel(pulled, "q**2", 0.02, lambda: MEAN**2 + VARIANCE, **EULER), "skewed", block=20),
    Cell("multilevel", "P(M₃ > .8) of a free body to .005", "spherical harmonics",
         multilevel(body, f"where(M3 > {HEIGHT}, 1, 0)", 0.005, above_height, **LONG), block=5),
    Cell("multilevel", "E q² with two noises that do not commute to .01", "closed form",
         multilevel(lambda: line(RATE, 1.0, SCALED), "q**2", 0.01, lambda: SQUARE, **EULER), "skewed", block=20),
    Cell("multilevel", "E M₃ of a free body, one noise for all paths", "—", partial(refused, ask=one_noise), "correlated",
         healthy=False),
    Cell("order", "Euler, additive noise", "exact errors", order(line(1.0), "euler-maruyama", relaxing(1.0)), block=20),
    Cell("order", "Heun, c = .3", "exact errors", order(line(0.0, 0.0, 0.3), "heun", growing(0.3)), block=20),
    Cell("order", "Heun, c = .8", "exact errors", order(line(0.0, 0.0, 0.8), "heun", growing(0.8)), "skewed", healthy=False,
         block=20),
    Cell("order", "Euler, one noise for all paths", "—", partial(refused, ask=order_of_one_noise), "correlated", healthy=False),
]  # fmt: skip
